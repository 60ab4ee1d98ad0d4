//! One request to a provider: what it takes is known at any time, and told however it ends.

use tokio::time::Instant;
use tracing::field::Empty;
use tracing::{Span, debug, info_span};

use super::interface::Taken;
use crate::domain::generation::{Meter, Prices, Question, Trouble, Usage};

/// One request to a provider. When it is dropped, answered or not, its span tells what it took.
pub(super) struct Attempt<'a> {
    meter: &'a Meter,
    prices: Prices,
    /// What the attempts before it took.
    before: Usage,
    prompt_bytes: usize,
    begun: Instant,
    /// Where its work belongs.
    pub(super) span: Span,
    /// What has come in.
    pub(super) taken: Taken,
    is_free: bool,
    outcome: &'static str,
}

impl<'a> Attempt<'a> {
    /// One that is sent now.
    pub(super) fn begin(
        number: u32,
        question: &Question<'_>,
        prices: Prices,
        meter: &'a Meter,
    ) -> Self {
        let span = info_span!(
            "adapters.model.ask",
            model = question.model,
            attempt = number,
            outcome = Empty,
            elapsed_ms = Empty,
            prompt_tokens = Empty,
            answer_tokens = Empty,
            microdollars = Empty,
        );
        let attempt = Self {
            meter,
            prices,
            before: meter.read(),
            prompt_bytes: question.bytes(),
            begun: Instant::now(),
            span,
            taken: Taken::default(),
            is_free: false,
            outcome: "given_up",
        };
        attempt.meter.set(attempt.before + attempt.usage());
        attempt
    }

    /// Notes what has come in.
    pub(super) fn note(&self) {
        self.meter.set(self.before + self.usage());
    }

    /// The provider has not taken it on: nothing is paid for it.
    pub(super) fn is_refused(&mut self) {
        self.is_free = true;
    }

    /// How it has ended.
    pub(super) fn end<T>(mut self, result: Result<T, &Trouble>) {
        self.outcome = result.map_or_else(Trouble::word, |_| "ok");
    }

    /// What it has taken: as the provider has counted, and where nobody has, at most this.
    fn usage(&self) -> Usage {
        if self.is_free {
            return Usage::default();
        }
        let most = Usage::estimated(self.prompt_bytes, self.taken.text.len());
        Usage {
            prompt_tokens: self.taken.prompt_tokens.unwrap_or(most.prompt_tokens),
            answer_tokens: self.taken.answer_tokens.unwrap_or(most.answer_tokens),
        }
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.note();
        let usage = self.usage();
        let elapsed_ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.span.record("outcome", self.outcome);
        self.span.record("elapsed_ms", elapsed_ms);
        self.span.record("prompt_tokens", usage.prompt_tokens);
        self.span.record("answer_tokens", usage.answer_tokens);
        self.span.record("microdollars", self.prices.of(usage));
        let _entered = self.span.enter();
        debug!("a provider was asked");
    }
}

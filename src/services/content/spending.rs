//! A model that is asked for an app: in turn, within what the app may use, and counted.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use metrics::{counter, histogram};
use parking_lot::Mutex;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::domain::clock::Clock;
use crate::domain::generation::{
    Answer, Budget, NoAnswer, Prices, Question, Trouble, Usage, ViewGenerator,
};
use crate::domain::limits::GenerationLimits;
use crate::wire::ids::AppId;

/// A model, and what it has cost today.
pub(super) struct Spending {
    generator: Arc<dyn ViewGenerator>,
    clock: Arc<dyn Clock>,
    prices: Prices,
    limits: GenerationLimits,
    /// Of each app that has used the model today.
    budgets: Mutex<HashMap<AppId, Budget>>,
    places: Semaphore,
    waiting: AtomicUsize,
}

/// A model as one app may use it.
pub(super) struct OfApp<'a> {
    pub(super) spending: &'a Spending,
    pub(super) app: &'a AppId,
}

impl Spending {
    pub(super) fn new(
        generator: Arc<dyn ViewGenerator>,
        clock: Arc<dyn Clock>,
        prices: Prices,
        limits: GenerationLimits,
    ) -> Self {
        Self {
            generator,
            clock,
            prices,
            budgets: Mutex::default(),
            places: Semaphore::new(limits.at_once_max.clamp(1, Semaphore::MAX_PERMITS)),
            waiting: AtomicUsize::new(0),
            limits,
        }
    }

    /// What tokens cost, in millionths of a US dollar.
    pub(super) fn cost(&self, usage: Usage) -> u64 {
        self.prices.of(usage)
    }

    /// Forgets what was used before today.
    pub(super) fn sweep(&self) {
        let now = self.clock.now();
        self.budgets.lock().retain(|_, budget| !budget.is_over(now));
    }

    /// What an answer to a question takes at most, with every attempt to get one.
    fn at_most(&self, question: &Question<'_>) -> Usage {
        let attempts = u64::from(self.limits.retries_max).saturating_add(1);
        let Usage { prompt_tokens, .. } = Usage::estimated(question.bytes(), 0);
        let answer_tokens = u64::from(self.limits.answer_tokens_max);
        Usage {
            prompt_tokens: prompt_tokens.saturating_mul(attempts),
            answer_tokens: answer_tokens.saturating_mul(attempts),
        }
    }

    fn count(&self, model: &str, outcome: &'static str, usage: Usage, begun: Instant) {
        let model = || model.to_owned();
        counter!("proscenium_model_answers_total", "model" => model(), "outcome" => outcome)
            .increment(1);
        for (direction, tokens) in [
            ("sent", usage.prompt_tokens),
            ("received", usage.answer_tokens),
        ] {
            counter!("proscenium_model_tokens_total", "model" => model(), "direction" => direction)
                .increment(tokens);
        }
        counter!("proscenium_model_microdollars_total", "model" => model())
            .increment(self.cost(usage));
        histogram!("proscenium_model_answer_seconds", "model" => model()).record(begun.elapsed());
    }
}

/// One of those who wait for a place.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[async_trait]
impl ViewGenerator for OfApp<'_> {
    async fn answer(&self, question: &Question<'_>) -> Result<Answer, NoAnswer> {
        let Self { spending, app } = self;
        let none = |why| NoAnswer {
            why,
            usage: Usage::default(),
        };
        let waiting = Waiting(&spending.waiting);
        if spending.waiting.fetch_add(1, Ordering::Relaxed) >= spending.limits.waiting_max {
            return Err(none(Trouble::QueueFull));
        }
        let place = spending.places.acquire().await;
        let _place = place.map_err(|_| none(Trouble::Unavailable))?;
        drop(waiting);
        // What is set aside for a question that is given up stays counted: nobody knows what it took.
        let reserved = {
            let mut budgets = spending.budgets.lock();
            let budget = budgets.entry((*app).clone()).or_default();
            let (now, most) = (spending.clock.now(), spending.at_most(question));
            let reserved = budget.reserve(now, most, spending.prices, &spending.limits);
            reserved.ok_or_else(|| none(Trouble::OverBudget))?
        };
        let begun = Instant::now();
        let answered = spending.generator.answer(question).await;
        let (outcome, usage) = match &answered {
            Ok(answer) => ("ok", answer.usage),
            Err(failed) => (failed.why.word(), failed.usage),
        };
        let mut budgets = spending.budgets.lock();
        let budget = budgets.entry((*app).clone()).or_default();
        budget.settle(reserved, usage, spending.prices);
        drop(budgets);
        spending.count(question.model, outcome, usage, begun);
        answered
    }
}

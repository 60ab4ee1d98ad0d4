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
    Budget, Meter, Prices, Question, Reserved, Trouble, Usage, ViewGenerator,
};
use crate::domain::limits::GenerationLimits;
use crate::wire::ids::AppId;

/// What became of a question that nobody waited for any longer.
const GIVEN_UP: &str = "given_up";

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

/// A question of an app, counted at its end, however it ends: answered, refused or given up.
struct Counted<'a> {
    spending: &'a Spending,
    app: &'a AppId,
    model: &'a str,
    meter: &'a Meter,
    outcome: &'static str,
    /// What was set aside when the model was asked, and when that was; none, where it was not.
    asked: Option<(Reserved, Instant)>,
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

    /// Sets aside what a question of an app may take; none, where that is more than what is left.
    fn reserve(&self, app: &AppId, question: &Question<'_>) -> Option<Reserved> {
        let (now, most) = (self.clock.now(), self.at_most(question));
        let mut budgets = self.budgets.lock();
        let budget = budgets.entry(app.clone()).or_default();
        budget.reserve(now, most, self.prices, &self.limits)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        let (spending, outcome) = (self.spending, self.outcome);
        let model = || self.model.to_owned();
        counter!("proscenium_model_answers_total", "model" => model(), "outcome" => outcome)
            .increment(1);
        let Some((reserved, begun)) = self.asked else {
            return;
        };
        let usage = self.meter.read();
        let mut budgets = spending.budgets.lock();
        let budget = budgets.entry(self.app.clone()).or_default();
        budget.settle(reserved, usage, spending.prices);
        drop(budgets);
        for (direction, tokens) in [
            ("sent", usage.prompt_tokens),
            ("received", usage.answer_tokens),
        ] {
            counter!("proscenium_model_tokens_total", "model" => model(), "direction" => direction)
                .increment(tokens);
        }
        counter!("proscenium_model_microdollars_total", "model" => model())
            .increment(spending.cost(usage));
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
    async fn answer(&self, question: &Question<'_>, meter: &Meter) -> Result<String, Trouble> {
        let Self { spending, app } = self;
        let mut counted = Counted {
            spending,
            app,
            model: question.model,
            meter,
            outcome: GIVEN_UP,
            asked: None,
        };
        let answered = counted.ask(question).await;
        counted.outcome = answered.as_ref().map_or_else(Trouble::word, |_| "ok");
        answered
    }
}

impl Counted<'_> {
    async fn ask(&mut self, question: &Question<'_>) -> Result<String, Trouble> {
        let spending = self.spending;
        let waiting = Waiting(&spending.waiting);
        if spending.waiting.fetch_add(1, Ordering::Relaxed) >= spending.limits.waiting_max {
            return Err(Trouble::QueueFull);
        }
        let place = spending.places.acquire().await;
        let _place = place.map_err(|_| Trouble::Unavailable)?;
        drop(waiting);
        let reserved = spending.reserve(self.app, question);
        let reserved = reserved.ok_or(Trouble::OverBudget)?;
        self.asked = Some((reserved, Instant::now()));
        spending.generator.answer(question, self.meter).await
    }
}

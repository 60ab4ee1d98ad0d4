//! Answers of attempts, in this process.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use async_trait::async_trait;
use dashmap::DashMap;

use crate::domain::clock::Time;
use crate::domain::limits::IdempotencyLimits;
use crate::domain::replayed::{AttemptName, ReplayedAnswer, ReplayedAnswers};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// What an entry costs beside its key and answer.
const ENTRY_BYTES: usize = 256;

/// The answers of every app.
pub(crate) struct MemoryAnswers {
    limits: IdempotencyLimits,
    apps: DashMap<AppId, Kept>,
}

#[derive(Default)]
struct Kept {
    answers: HashMap<AttemptName, (ReplayedAnswer, usize)>,
    /// Oldest first. Only its front is ever forgotten.
    order: VecDeque<AttemptName>,
    bytes: usize,
}

impl Kept {
    /// Forgets one answer, whenever it was kept.
    fn forget(&mut self, name: &AttemptName) {
        if let Some((_, bytes)) = self.answers.remove(name) {
            self.bytes -= bytes;
            self.order.retain(|kept| kept != name);
        }
    }

    /// Forgets the oldest answers for as long as `should` says so.
    fn forget_while(&mut self, should: impl Fn(&Self, &ReplayedAnswer) -> bool) {
        while let Some(name) = self.order.front()
            && let Some((oldest, bytes)) = self.answers.get(name)
            && should(self, oldest)
        {
            self.bytes -= bytes;
            self.answers.remove(name);
            self.order.pop_front();
        }
    }
}

impl MemoryAnswers {
    /// Keeps nothing yet.
    pub(crate) fn new(limits: IdempotencyLimits) -> Self {
        Self {
            limits,
            apps: DashMap::new(),
        }
    }

    fn is_too_old(&self, answer: &ReplayedAnswer, now: Time) -> bool {
        now.since(answer.at) >= Duration::from_secs(self.limits.ttl_s)
    }
}

#[async_trait]
impl ReplayedAnswers for MemoryAnswers {
    async fn find(
        &self,
        name: &AttemptName,
        now: Time,
    ) -> Result<Option<ReplayedAnswer>, StoreError> {
        let kept = self.apps.get(&name.app);
        let found = kept.and_then(|kept| Some(kept.answers.get(name)?.0.clone()));
        Ok(found.filter(|answer| !self.is_too_old(answer, now)))
    }

    async fn keep(&self, name: AttemptName, answer: ReplayedAnswer) -> Result<(), StoreError> {
        let bytes = ENTRY_BYTES + name.key.bytes() + answer.answer.bytes();
        if bytes > self.limits.bytes_max {
            // An answer for which there is no room cannot be given twice.
            tracing::warn!(bytes, "an answer is too large to be kept for a retry");
            return Ok(());
        }
        let now = answer.at;
        let mut kept = self.apps.entry(name.app.clone()).or_default();
        kept.forget_while(|_, oldest| self.is_too_old(oldest, now));
        kept.forget(&name);
        kept.order.push_back(name.clone());
        kept.bytes += bytes;
        kept.answers.insert(name, (answer, bytes));
        let limits = &self.limits;
        kept.forget_while(|kept, _| {
            kept.order.len() > limits.results_max || kept.bytes > limits.bytes_max
        });
        Ok(())
    }

    async fn sweep(&self, now: Time) -> Result<(), StoreError> {
        self.apps.retain(|_, kept| {
            kept.forget_while(|_, oldest| self.is_too_old(oldest, now));
            !kept.answers.is_empty()
        });
        Ok(())
    }
}

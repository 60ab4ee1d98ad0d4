//! Safe retries: an attempt made again under the same idempotency key gets the answer of the first.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::domain::attempt::Attempt as CallAttempt;
use crate::domain::clock::Clock;
use crate::domain::limits::IdempotencyLimits;
use crate::domain::operation::{Answer, IdempotencyKey, Operation};
use crate::domain::replayed::{AttemptName, ReplayedAnswer, ReplayedAnswers};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// Why an attempt is not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplayError {
    /// As many attempts run as answers may be kept.
    #[error("too many attempts are running")]
    Full,
    /// The first attempt has not ended yet.
    #[error("the first attempt is still running")]
    InProgress,
    /// The key was used with other arguments.
    #[error("the key was used with other arguments")]
    Reused,
    /// Nobody knows whether it was made before.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// One attempt at an operation, under the name its caller gave it.
pub(crate) struct Attempt {
    name: AttemptName,
    digest: [u8; 32],
}

impl Attempt {
    /// An attempt at an operation with these arguments, whatever the order of their members.
    pub(crate) fn new(operation: &Operation, key: &IdempotencyKey) -> Self {
        let principal = &operation.caller.principal;
        Self {
            name: AttemptName {
                app: principal.app.clone(),
                principal: Arc::clone(&principal.name),
                operation: Arc::clone(&operation.name),
                key: key.clone(),
            },
            digest: operation.digest(),
        }
    }
}

/// Whether an attempt is to be made.
pub(crate) enum Turn {
    /// It was made before: this is what came of it.
    Again(Answer),
    /// It is the first.
    First(Claim),
}

/// Attempts that run now, over the answers of those that have ended.
pub(crate) struct Replay {
    clock: Arc<dyn Clock>,
    limits: IdempotencyLimits,
    answers: Arc<dyn ReplayedAnswers>,
    running: Arc<Mutex<HashMap<AppId, HashMap<AttemptName, Running>>>>,
}

struct Running {
    digest: [u8; 32],
    /// Its sender is dropped when the attempt ends, however it ends.
    ended: watch::Receiver<()>,
}

impl Replay {
    /// Nothing runs yet.
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        limits: IdempotencyLimits,
        answers: Arc<dyn ReplayedAnswers>,
    ) -> Self {
        Self {
            clock,
            limits,
            answers,
            running: Arc::default(),
        }
    }

    /// Takes the turn of an attempt: its answer if there is one, the right to make it if nobody
    /// makes it, and else a wait for whoever does. When that one fails or goes away, the next takes
    /// over.
    pub(crate) async fn enter(&self, attempt: Attempt) -> Result<Turn, ReplayError> {
        let deadline = Instant::now() + Duration::from_secs(self.limits.wait_s);
        loop {
            let mut ended = match self.claim(&attempt)? {
                Ok(claim) => return self.look_up(claim).await,
                Err(ended) => ended,
            };
            // Nothing is ever sent: it changes when the claim is gone.
            if timeout_at(deadline, ended.changed()).await.is_err() {
                return Err(ReplayError::InProgress);
            }
        }
    }

    /// The right to make an attempt, or the end of the one that is being made.
    fn claim(&self, attempt: &Attempt) -> Result<Result<Claim, watch::Receiver<()>>, ReplayError> {
        let Attempt { name, digest } = attempt;
        let mut running = self.running.lock();
        let of_app = running.entry(name.app.clone()).or_default();
        if let Some(other) = of_app.get(name) {
            if other.digest != *digest {
                return Err(ReplayError::Reused);
            }
            return Ok(Err(other.ended.clone()));
        }
        if of_app.len() >= self.limits.results_max {
            return Err(ReplayError::Full);
        }
        let (alive, ended) = watch::channel(());
        let digest = *digest;
        of_app.insert(name.clone(), Running { digest, ended });
        Ok(Ok(Claim {
            running: Arc::clone(&self.running),
            answers: Arc::clone(&self.answers),
            clock: Arc::clone(&self.clock),
            life: Duration::from_secs(self.limits.ttl_s),
            name: name.clone(),
            digest,
            _alive: alive,
        }))
    }

    /// What was answered before, or the right to answer.
    async fn look_up(&self, claim: Claim) -> Result<Turn, ReplayError> {
        match self.answers.find(&claim.name, self.clock.now()).await? {
            None => Ok(Turn::First(claim)),
            Some(known) if known.digest != claim.digest => Err(ReplayError::Reused),
            Some(known) => Ok(Turn::Again(known.answer)),
        }
    }

    /// Frees what is too old; nothing that is read depends on it.
    pub(crate) async fn sweep(&self) {
        if let Err(error) = self.answers.sweep(self.clock.now()).await {
            tracing::warn!(%error, "answers of attempts are not swept");
        }
    }
}

/// The right to make an attempt. Dropped without an answer it is given back.
pub(crate) struct Claim {
    running: Arc<Mutex<HashMap<AppId, HashMap<AttemptName, Running>>>>,
    answers: Arc<dyn ReplayedAnswers>,
    clock: Arc<dyn Clock>,
    /// How long an answer is kept.
    life: Duration,
    name: AttemptName,
    digest: [u8; 32],
    /// Dropped last: who waits finds what became of the attempt.
    _alive: watch::Sender<()>,
}

impl Claim {
    /// The attempt as what it brings about is to name it.
    pub(crate) fn attempt(&self) -> CallAttempt {
        CallAttempt {
            id: self.name.call(&self.digest),
            since: self.clock.now().before(self.life),
        }
    }

    /// Keeps the answer for whoever makes the attempt again.
    pub(crate) async fn keep(self, answer: Answer) {
        let kept = ReplayedAnswer {
            digest: self.digest,
            answer,
            at: self.clock.now(),
        };
        // It has happened, and its caller is answered. What it did to a session names it, so that a
        // retry is known all the same.
        if let Err(error) = self.answers.keep(self.name.clone(), kept).await {
            tracing::error!(%error, "an answer is not kept for a retry");
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut running = self.running.lock();
        if let Some(of_app) = running.get_mut(&self.name.app) {
            of_app.remove(&self.name);
            if of_app.is_empty() {
                running.remove(&self.name.app);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use serde_json::json;

    use super::*;
    use crate::domain::clock::{ManualClock, Time};
    use crate::domain::operation::Caller;
    use crate::domain::principal::{Door, Principal};

    /// A store that does not answer.
    struct Gone;

    fn gone<T>() -> Result<T, StoreError> {
        Err(StoreError::unavailable("it is gone"))
    }

    #[async_trait]
    impl ReplayedAnswers for Gone {
        async fn find(
            &self,
            _: &AttemptName,
            _: Time,
        ) -> Result<Option<ReplayedAnswer>, StoreError> {
            gone()
        }

        async fn keep(&self, _: AttemptName, _: ReplayedAnswer) -> Result<(), StoreError> {
            gone()
        }

        async fn sweep(&self, _: Time) -> Result<(), StoreError> {
            gone()
        }
    }

    #[tokio::test]
    async fn an_attempt_is_not_made_while_nobody_knows_whether_it_was_made_before() {
        let clock = Arc::new(ManualClock::at(Time(1)));
        let replay = Replay::new(clock, IdempotencyLimits::default(), Arc::new(Gone));
        let caller = Caller::through(Door::Mcp, Principal::builder());
        let operation = Operation::new(caller, "ggui_render", json!({}));
        let key = IdempotencyKey::new("k").unwrap();
        for _ in 0..2 {
            let turn = replay.enter(Attempt::new(&operation, &key)).await;
            let is_unknown = matches!(
                turn,
                Err(ReplayError::Store(StoreError::Unavailable { .. }))
            );
            assert!(is_unknown, "it may be tried again");
        }
        replay.sweep().await;
    }
}

//! Safe retries: an attempt made again under the same idempotency key gets the answer of the first.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::domain::clock::{Clock, Time};
use crate::domain::digest::sha256;
use crate::domain::limits::IdempotencyLimits;
use crate::domain::operation::{IdempotencyKey, OperationKind};
use crate::domain::principal::Principal;
use crate::wire::ids::AppId;

/// What an entry costs beside its key and answer.
const ENTRY_BYTES: usize = 256;

/// Why an attempt is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
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
}

/// One attempt at an operation, under the name its caller gave it.
pub(crate) struct Attempt {
    app: AppId,
    name: Arc<Name>,
    fingerprint: [u8; 32],
}

/// What an answer is kept under. Not even principals of one app share: what one was told need not
/// be another's to know.
#[derive(PartialEq, Eq, Hash)]
struct Name {
    principal: Arc<str>,
    kind: OperationKind,
    key: IdempotencyKey,
}

impl Attempt {
    /// An attempt at an operation with these arguments, whatever the order of their members.
    pub(crate) fn new(
        principal: &Principal,
        kind: OperationKind,
        key: IdempotencyKey,
        arguments: &Value,
    ) -> Self {
        // What has no canonical text (a number beyond all others) is compared as it was written.
        let canonical = serde_jcs::to_string(arguments).unwrap_or_else(|_| arguments.to_string());
        Self {
            app: principal.app.clone(),
            name: Arc::new(Name {
                principal: Arc::clone(&principal.name),
                kind,
                key,
            }),
            fingerprint: sha256(canonical.as_bytes()),
        }
    }
}

/// Whether an attempt is to be made.
pub(crate) enum Turn<T> {
    /// It was made before: this is what came of it.
    Again(Arc<T>),
    /// It is the first.
    First(Claim<T>),
}

/// Answers of attempts, per app.
pub(crate) struct Replay<T> {
    clock: Arc<dyn Clock>,
    limits: IdempotencyLimits,
    apps: DashMap<AppId, Arc<Mutex<Kept<T>>>>,
}

struct Kept<T> {
    entries: HashMap<Arc<Name>, Entry<T>>,
    /// Names of answers, oldest first. Only its front is ever forgotten.
    answered: VecDeque<Arc<Name>>,
    bytes: usize,
}

struct Entry<T> {
    fingerprint: [u8; 32],
    state: State<T>,
}

enum State<T> {
    /// Its sender is dropped when the attempt ends, however it ends.
    Running(watch::Receiver<()>),
    Answered {
        answer: Arc<T>,
        bytes: usize,
        at: Time,
    },
}

impl<T> Kept<T> {
    fn running(&self) -> usize {
        self.entries.len() - self.answered.len()
    }

    /// Forgets the oldest answer if `should` says so of its moment.
    fn forget_oldest(&mut self, should: impl Fn(Time) -> bool) -> bool {
        let Some(name) = self.answered.front() else {
            return false;
        };
        let Some(State::Answered { bytes, at, .. }) =
            self.entries.get(name).map(|entry| &entry.state)
        else {
            return false;
        };
        if !should(*at) {
            return false;
        }
        self.bytes -= bytes;
        self.entries.remove(name);
        self.answered.pop_front();
        true
    }

    fn forget_expired(&mut self, now: Time, ttl: Duration) {
        while self.forget_oldest(|at| now.since(at) >= ttl) {}
    }
}

impl<T> Replay<T> {
    /// Keeps nothing yet.
    pub(crate) fn new(clock: Arc<dyn Clock>, limits: IdempotencyLimits) -> Self {
        Self {
            clock,
            limits,
            apps: DashMap::new(),
        }
    }

    fn ttl(&self) -> Duration {
        Duration::from_secs(self.limits.ttl_s)
    }

    fn app(&self, app: &AppId) -> Arc<Mutex<Kept<T>>> {
        let new = || {
            Arc::new(Mutex::new(Kept {
                entries: HashMap::new(),
                answered: VecDeque::new(),
                bytes: 0,
            }))
        };
        Arc::clone(&self.apps.entry(app.clone()).or_insert_with(new))
    }

    /// Takes the turn of an attempt: its answer if there is one, the right to make it if nobody
    /// makes it, and else a wait for whoever does. When that one fails or goes away, the next takes
    /// over.
    pub(crate) async fn enter(&self, attempt: Attempt) -> Result<Turn<T>, ReplayError> {
        let Attempt {
            app,
            name,
            fingerprint,
        } = attempt;
        let kept = self.app(&app);
        let deadline = Instant::now() + Duration::from_secs(self.limits.wait_s);
        loop {
            let mut running = {
                let mut inside = kept.lock();
                inside.forget_expired(self.clock.now(), self.ttl());
                match inside.entries.get(&name) {
                    None if inside.running() >= self.limits.results_max => {
                        return Err(ReplayError::Full);
                    }
                    None => {
                        let (alive, running) = watch::channel(());
                        let state = State::Running(running);
                        let entry = Entry { fingerprint, state };
                        inside.entries.insert(Arc::clone(&name), entry);
                        drop(inside);
                        return Ok(Turn::First(Claim {
                            kept,
                            name,
                            clock: Arc::clone(&self.clock),
                            results_max: self.limits.results_max,
                            bytes_max: self.limits.bytes_max,
                            _alive: alive,
                        }));
                    }
                    Some(entry) if entry.fingerprint != fingerprint => {
                        return Err(ReplayError::Reused);
                    }
                    Some(Entry { state, .. }) => match state {
                        State::Answered { answer, .. } => {
                            return Ok(Turn::Again(Arc::clone(answer)));
                        }
                        State::Running(running) => running.clone(),
                    },
                }
            };
            // Nothing is ever sent: it changes when the claim is gone.
            if timeout_at(deadline, running.changed()).await.is_err() {
                return Err(ReplayError::InProgress);
            }
        }
    }

    /// Frees what has expired; nothing that is read depends on it.
    pub(crate) fn sweep(&self) {
        let (now, ttl) = (self.clock.now(), self.ttl());
        self.apps.retain(|_, kept| {
            let is_held = Arc::strong_count(kept) > 1;
            let mut inside = kept.lock();
            inside.forget_expired(now, ttl);
            is_held || !inside.entries.is_empty()
        });
    }
}

/// The right to make an attempt. Dropped without an answer it is given back.
pub(crate) struct Claim<T> {
    kept: Arc<Mutex<Kept<T>>>,
    name: Arc<Name>,
    clock: Arc<dyn Clock>,
    results_max: usize,
    bytes_max: usize,
    /// Dropped last: who waits finds what became of the attempt.
    _alive: watch::Sender<()>,
}

impl<T> Claim<T> {
    /// Keeps the answer for whoever makes the attempt again.
    pub(crate) fn keep(self, answer: Arc<T>, answer_bytes: usize) {
        let bytes = ENTRY_BYTES + self.name.key.bytes() + answer_bytes;
        if bytes > self.bytes_max {
            // Given back: an answer that fits nowhere cannot be told twice.
            tracing::warn!(bytes, "an answer is too large to be kept for a retry");
            return;
        }
        let at = self.clock.now();
        let mut inside = self.kept.lock();
        let Some(entry) = inside.entries.get_mut(&self.name) else {
            return;
        };
        entry.state = State::Answered { answer, bytes, at };
        inside.answered.push_back(Arc::clone(&self.name));
        inside.bytes += bytes;
        while (inside.answered.len() > self.results_max || inside.bytes > self.bytes_max)
            && inside.forget_oldest(|_| true)
        {}
    }
}

impl<T> Drop for Claim<T> {
    fn drop(&mut self) {
        let mut inside = self.kept.lock();
        let is_running = inside
            .entries
            .get(&self.name)
            .is_some_and(|entry| matches!(entry.state, State::Running(_)));
        if is_running {
            inside.entries.remove(&self.name);
        }
    }
}

//! The one path of every operation: reach, replay, limit, policy, decode, handler, record.

use std::sync::Arc;

use serde_json::Value;
use tokio::time::Instant;
use tracing::{Instrument as _, Span};

use super::super::actions::Actions;
use super::super::budget::Budget;
use super::super::content::Content;
#[cfg(feature = "gate")]
use super::super::gate::requested_by;
use super::super::limits::CallLimits;
use super::super::live::Live;
use super::super::mounts::Mounts;
use super::super::replay::{Attempt, Replay, Turn};
use super::super::work::{TooMuchWork, Work};
use super::error::DispatchError;
use super::policy::Policy;
use super::registry::{Entry, Registry};
use crate::domain::credentials::Credentials;
#[cfg(feature = "gate")]
use crate::domain::gate::Requester;
use crate::domain::operation::{Answer, Caller, Effect, Operation, Rate};
use crate::domain::principal::Principal;

/// Runs operations.
pub(crate) struct Dispatch {
    pub(crate) registry: Registry,
    /// Nobody else reaches the services through this.
    pub(super) parts: DispatchParts,
}

/// What operations are run with.
pub(crate) struct DispatchParts {
    pub(crate) replay: Replay,
    pub(crate) limits: CallLimits,
    pub(crate) policy: Box<dyn Policy>,
    pub(crate) budget: Arc<Budget>,
    pub(crate) work: Arc<Work>,
    pub(crate) credentials: Arc<dyn Credentials>,
    // What is swept.
    pub(crate) content: Arc<Content>,
    pub(crate) actions: Arc<Actions>,
    pub(crate) mounts: Arc<Mounts>,
    pub(crate) live: Arc<Live>,
}

/// What an operation is answered with.
#[derive(Debug)]
pub(crate) struct Answered {
    /// What came of it.
    pub(crate) answer: Answer,
    /// Whether that came of an earlier attempt.
    pub(crate) is_replay: bool,
}

impl Dispatch {
    /// Operations of a registry, run with these.
    pub(crate) fn new(registry: Registry, parts: DispatchParts) -> Self {
        Self { registry, parts }
    }

    /// Whether a caller sees a tool of ours.
    pub(crate) fn shows(&self, caller: &Caller, tool: &str) -> bool {
        self.parts.policy.shows(caller, tool)
    }

    /// Whether everybody sees all of them.
    pub(crate) fn shows_all(&self) -> bool {
        self.parts.policy.shows_all()
    }

    /// Runs an operation, whichever way it came in.
    pub(crate) async fn run(&self, operation: Operation) -> Result<Answered, DispatchError> {
        let Some(entry) = self.registry.find(&operation.name) else {
            return Err(DispatchError::Unknown(operation.name));
        };
        let begun = Instant::now();
        let span = span_of(&entry, &operation);
        let result = self.once(&entry, operation).instrument(span).await;
        entry.count(begun, &result);
        result
    }

    /// Runs an operation for somebody who can be told things meanwhile, and asked.
    #[cfg(feature = "gate")]
    pub(crate) async fn run_for(
        &self,
        operation: Operation,
        requester: Arc<dyn Requester>,
    ) -> Result<Answered, DispatchError> {
        requested_by(requester, self.run(operation)).await
    }

    /// Runs an operation, or answers as it was answered before under the same key.
    async fn once(
        &self,
        entry: &Entry,
        mut operation: Operation,
    ) -> Result<Answered, DispatchError> {
        entry.check_reach(&operation.caller.principal)?;
        let key = operation.idempotency_key.as_ref();
        let Some(key) = key.filter(|_| !entry.rules.is_read()) else {
            let answer = self.perform(entry, operation).await?;
            let is_replay = false;
            return Ok(Answered { answer, is_replay });
        };
        let attempt = Attempt::new(&operation, key);
        match self.parts.replay.enter(attempt).await? {
            Turn::Again(answer) => {
                entry.count_replay();
                let is_replay = true;
                Ok(Answered { answer, is_replay })
            }
            Turn::First(claim) => {
                operation.caller.attempt = Some(claim.attempt());
                let answer = self.perform(entry, operation).await?;
                // Kept before anything else is awaited: an answer nobody reads is kept, too.
                claim.keep(answer.clone()).await;
                let is_replay = false;
                Ok(Answered { answer, is_replay })
            }
        }
    }

    /// Frees what the services no longer need.
    pub(crate) async fn sweep(&self) {
        let parts = &self.parts;
        parts.limits.sweep();
        parts.actions.sweep().await;
        parts.content.sweep();
        parts.mounts.sweep();
        parts.live.sweep();
        parts.replay.sweep().await;
    }

    /// Reads what a door was sent, before there is an operation of it: what is long waits for its turn.
    ///
    /// # Errors
    ///
    /// As much work of the caller waits as may.
    pub(crate) async fn read<T>(
        &self,
        caller: &Principal,
        bytes: usize,
        reading: impl Future<Output = T>,
    ) -> Result<T, TooMuchWork> {
        self.parts.work.run(caller, bytes, reading).await
    }

    /// Sessions whose agents are remembered.
    pub(crate) fn remembered_agents(&self) -> usize {
        self.parts.actions.remembered()
    }

    /// Bytes of memory the process takes, and beyond which nothing is added.
    pub(crate) fn memory(&self) -> (u64, u64) {
        (self.parts.budget.taken(), self.parts.budget.max())
    }
}

/// The span of an operation. Frames come by the thousand, and the span of their socket says as much:
/// only actions have one, for those who look closer.
fn span_of(entry: &Entry, operation: &Operation) -> Span {
    let app = &operation.caller.principal.app;
    let session = operation.arguments.get("sessionId");
    let session = session.and_then(Value::as_str);
    match (entry.rules.rate, entry.rules.effect) {
        (Rate::Transport, Effect::Adds) => tracing::debug_span!(
            "services.dispatch.submit",
            session.id = session,
            app.id = %app,
        ),
        (Rate::Transport, _) => Span::none(),
        (Rate::Making | Rate::Using, _) => tracing::info_span!(
            "services.dispatch.run",
            operation.kind = &*entry.name,
            app.id = %app,
        ),
    }
}

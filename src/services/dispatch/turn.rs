//! When an operation is run: as often as its caller may ask, if there is memory for what it adds,
//! and in turn where it takes long.

use serde_json::Value;

use super::super::actions::{Submission, Submitted};
use super::super::budget::OverBudget;
use super::error::DispatchError;
use super::outcome::Outcome;
use super::path::Dispatch;
use crate::domain::operation::{Caller, OperationKind};
use crate::domain::size::value_bytes;
use crate::wire::ids::HandshakeId;

impl Dispatch {
    /// Runs an operation when it is its turn.
    pub(super) async fn in_turn(
        &self,
        caller: &Caller,
        kind: OperationKind,
        arguments: Value,
    ) -> Result<Outcome, DispatchError> {
        self.limits.count(&caller.principal, kind)?;
        self.afford(kind)?;
        let bytes = self.weight(caller, kind, &arguments).await;
        let operate = self.operate(caller, kind, arguments);
        self.work.run(&caller.principal, bytes, operate).await?
    }

    /// Whether there is memory for what an operation adds.
    pub(super) fn afford(&self, kind: OperationKind) -> Result<(), OverBudget> {
        if !kind.adds() {
            return Ok(());
        }
        self.budget
            .check()
            .inspect_err(|OverBudget { taken, max, .. }| {
                if let Some(count) = self.over_budget.count() {
                    tracing::warn!(
                        taken,
                        memory.bytes_max = max,
                        count,
                        "nothing can be added: the process takes as much memory as it may"
                    );
                }
            })
    }

    /// Bytes of what an operation compiles, composes or judges: as long as it takes.
    async fn weight(&self, caller: &Caller, kind: OperationKind, arguments: &Value) -> usize {
        let given = |name: &str| arguments.get(name).and_then(Value::as_str);
        let held = match kind {
            OperationKind::Emit | OperationKind::Handshake | OperationKind::SyncContext => 0,
            OperationKind::Amend | OperationKind::Update => {
                let key = caller.principal.key(given("sessionId").unwrap_or_default());
                let session = self.sessions.book.session(&key).await.ok();
                let props = session.and_then(|session| session.props.clone());
                props.as_deref().map_or(0, value_bytes)
            }
            OperationKind::Render => {
                let id = HandshakeId::from(given("handshakeId").unwrap_or_default());
                let handshake = self
                    .sessions
                    .book
                    .handshake(&caller.principal.app, &id)
                    .await;
                handshake.map_or(0, |handshake| value_bytes(handshake.contract.source()))
            }
            _ => return 0,
        };
        held + value_bytes(arguments)
    }

    /// Takes in an action when it is its turn.
    pub(super) async fn judge(
        &self,
        caller: &Caller,
        submission: Box<Submission>,
    ) -> Result<Submitted, DispatchError> {
        let bytes = value_bytes(&submission.value) + value_bytes(&submission.ui_context);
        let submit = self.actions.submit(caller, submission);
        Ok(self.work.run(&caller.principal, bytes, submit).await??)
    }
}

//! Further calls that a person has agreed to: made without asking, until the card says otherwise.

use std::sync::Arc;

use futures_util::future::{BoxFuture, join};
use serde_json::Value;
use tokio::time::sleep;

use super::super::error::GateError;
use super::execute::status_of;
use super::service::{Approvals, Question, STORE_REST};
use crate::domain::event::Awaited;
use crate::domain::gate::{AuditEvent, Grant, PolicyVersion, State, Status};
use crate::wire::ids::{AppId, SessionKey};

impl Approvals {
    /// The card of what a person has agreed to, if it covers a call. One that a person is asked about,
    /// or has agreed to itself, is that call made again, and not a further one.
    pub(in super::super) async fn granted(
        &self,
        question: &Question<'_>,
    ) -> Result<Option<SessionKey>, GateError> {
        let Some(grant) = question.grant else {
            return Ok(None);
        };
        let (app, asked) = (question.app(), question.binding.prefix());
        if self.cases.has(&asked) {
            return Ok(None);
        }
        let prefix = grant.prefix();
        let (open, granted) = join(self.find(app, &asked), self.find(app, &prefix)).await;
        if open?.is_some() { Ok(None) } else { granted }
    }

    /// A person has agreed to further calls.
    pub(super) async fn grant(
        self: &Arc<Self>,
        app: &AppId,
        grant: &Grant,
        seen: &str,
        by: &Arc<str>,
    ) -> Result<(), GateError> {
        let prefix = grant.prefix();
        if self.find(app, &prefix).await?.is_some() {
            return Ok(());
        }
        let now = self.clock.now();
        let card = grant.card(seen, now, now.plus(self.limits.approval_session()));
        let event = AuditEvent::granted(grant, by);
        let status = Status {
            by: Some(Arc::clone(by)),
            ..Status::of(State::Granted)
        };
        let key = self.begin(app, &prefix, card, event, status).await?;
        self.watch_grant(&key, Some(grant.policy.clone()));
        Ok(())
    }

    /// Makes a call that a person need not be asked about, to its end, whoever still waits for it.
    pub(in super::super) async fn execute_granted(
        self: &Arc<Self>,
        key: SessionKey,
        question: &Question<'_>,
        call: BoxFuture<'static, Result<Value, GateError>>,
    ) -> Result<Value, GateError> {
        let arguments = Some(question.binding.arguments.clone());
        let approvals = Arc::clone(self);
        let made = self.tasks.spawn(async move {
            let begun = AuditEvent::Executed { arguments };
            let now = approvals.clock.now();
            let outcome = match approvals.audit.append(now, &key, begun).await {
                Ok(()) => call.await,
                // What is not in the audit is not done.
                Err(error) => return Err(GateError::Unavailable(error.to_string())),
            };
            approvals.record(&key, &status_of(&outcome)).await;
            outcome
        });
        let ended = |_| GateError::Unavailable("the server ends".to_owned());
        made.await.map_err(ended)?
    }

    /// Follows an agreement, so that its card says how it stands. It ends when other rules hold than
    /// those it was made under, where they are known.
    pub(super) fn watch_grant(self: &Arc<Self>, key: &SessionKey, under: Option<PolicyVersion>) {
        let (approvals, key) = (Arc::clone(self), key.clone());
        let mut rules = self.rules.subscribe();
        self.tasks.spawn(async move {
            let is_other = |now: &PolicyVersion| under.as_ref().is_some_and(|under| under != now);
            let withdrawn = async {
                // The sender is a field of the approvals, so it outlives this wait.
                let _ = rules.wait_for(is_other).await;
            };
            tokio::select! {
                () = approvals.drain.cancelled() => {}
                () = approvals.follow_grant(&key) => {}
                () = withdrawn => {
                    let withdrawn = Status::of(State::Withdrawn);
                    let ended = approvals.write_last(&key, &[State::Granted], &withdrawn).await;
                    if let Err(error) = ended {
                        tracing::error!(%error, "the end of an agreement is not on its card");
                    }
                }
            }
        });
    }

    async fn follow_grant(&self, key: &SessionKey) {
        loop {
            let Ok((reading, head)) = self.read(key).await else {
                sleep(STORE_REST).await;
                continue;
            };
            if reading.state().is_final() {
                return;
            }
            let ends = reading.ends(self.limits.approval_valid());
            tokio::select! {
                _ = self.book.wait(key, head, Awaited::Any) => {}
                () = sleep(ends.since(self.clock.now())) => {}
            }
        }
    }
}

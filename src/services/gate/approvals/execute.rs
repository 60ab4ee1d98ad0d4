//! A call that was approved is made: once, to its end, whoever still waits for it.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::super::error::GateError;
use super::case::{Case, Outcome};
use super::log::Written;
use super::service::{Agreed, Approvals, Question};
use crate::domain::gate::{AuditEvent, Choice, Edited, Grant, Shown, State, Status, UpstreamError};
use crate::wire::ids::{AppId, SessionKey};

/// What the card says where a call may have taken effect all the same.
const MAYBE: &str = "Its server did not answer; it may have taken effect all the same.";
/// The member of a result's metadata that says what a person has changed of a call.
const CHANGED: &str = "proscenium/changedArguments";

/// A call that a person has agreed to.
pub(in super::super) struct Call {
    /// Makes it.
    pub(in super::super) request: BoxFuture<'static, Result<Value, GateError>>,
    /// What a person has changed of it.
    pub(in super::super) edited: Option<Edited>,
}

/// Further calls that a person has agreed to with this one.
struct Further {
    grant: Grant,
    app: AppId,
    /// The tool, as its caller sees it.
    seen: String,
    by: Arc<str>,
}

impl Further {
    fn of(question: &Question<'_>, agreed: &Agreed) -> Option<Self> {
        let grant = question
            .grant
            .filter(|_| agreed.choice == Choice::Session)?;
        Some(Self {
            grant: grant.clone(),
            app: question.app().clone(),
            seen: question.name.to_owned(),
            by: Arc::clone(&agreed.by),
        })
    }
}

impl Approvals {
    /// Makes the call, if nothing was written since a person agreed; of all who could, one does.
    pub(in super::super) async fn execute(
        self: &Arc<Self>,
        case: &Arc<Case>,
        question: &Question<'_>,
        agreed: &Agreed,
        call: Call,
    ) -> Result<(), GateError> {
        let Some(key) = case.session.get() else {
            return Ok(());
        };
        let (approvals, case, key) = (Arc::clone(self), Arc::clone(case), key.clone());
        let (further, head) = (Further::of(question, agreed), agreed.head);
        let given = call.edited.as_ref();
        let given = given.map_or(question.arguments, |edited| &edited.arguments);
        let shown = Shown {
            at: self.clock.wall(),
            rows: question.approval.workflow.redaction.rows(given),
        };
        let binding = question.binding.clone();
        let (said, is_begun) = oneshot::channel();
        // On its own: a caller that goes away does not leave it half done.
        self.tasks.spawn(async move {
            let begun = noting(Status::of(State::Executing), call.edited.as_ref());
            let written = approvals.write(&key, head, &begun).await;
            let is_ours = matches!(written, Ok(Written::Yes));
            if is_ours {
                case.begin();
                let max = approvals.limits.approvals_max;
                approvals.approved.keep(&binding, shown, max);
            }
            // Whoever wanted to know may be gone.
            let _ = said.send(written.map(|_| ()));
            if !is_ours {
                return;
            }
            if let Some(Further {
                grant,
                app,
                seen,
                by,
            }) = further
                && let Err(error) = approvals.grant(&app, &grant, &seen, &by).await
            {
                tracing::error!(%error, "a person is asked about further calls all the same");
            }
            let outcome = approvals.make_call(&key, call).await;
            case.finish(outcome);
        });
        let ended = || GateError::Unavailable("the server ends".to_owned());
        is_begun.await.map_err(|_| ended())?
    }

    async fn make_call(&self, key: &SessionKey, call: Call) -> Outcome {
        let (now, edited) = (self.clock.now(), call.edited);
        let arguments = edited.as_ref().map(Edited::hash);
        let begun = AuditEvent::Executed { arguments };
        let mut outcome = match self.audit.append(now, key, begun).await {
            Ok(()) => call.request.await,
            // What is not in the audit is not done.
            Err(error) => Err(GateError::Unavailable(error.to_string())),
        };
        let (begun, status) = ([State::Executing], status_of(&outcome));
        let status = noting(status, edited.as_ref());
        if let Err(error) = self.write_last(key, &begun, &status).await {
            tracing::error!(%error, "what came of an approved call is not on its card");
        }
        if let (Ok(result), Some(edited)) = (&mut outcome, edited) {
            // The agent is told that what was done is not what it asked for.
            if !result["_meta"].is_object() {
                result["_meta"] = json!({});
            }
            result["_meta"][CHANGED] = Value::Object(edited.changes);
        }
        outcome
    }
}

/// A status with what a person has changed.
fn noting(status: Status, edited: Option<&Edited>) -> Status {
    let Some(words) = edited.and_then(Edited::words) else {
        return status;
    };
    match status.note.clone() {
        None => status.noting(words),
        Some(note) => status.noting(format!("{words} {note}")),
    }
}

/// What the card says of what came of a call; nothing in it is its server's.
pub(super) fn status_of(outcome: &Outcome) -> Status {
    let failed = Status::of(State::Failed);
    match outcome {
        Ok(result) if result["isError"] == true => failed.noting("The tool reported an error."),
        Ok(_) => Status::of(State::Done),
        Err(GateError::Upstream(UpstreamError::Answered { .. } | UpstreamError::Incapable(_))) => {
            failed.noting("Its server answered with an error.")
        }
        Err(GateError::Upstream(
            UpstreamError::Timeout | UpstreamError::Unreachable(_) | UpstreamError::Unusable(_),
        )) => Status::of(State::Unknown).noting(MAYBE),
        Err(GateError::OutcomeUnknown { .. }) => Status::of(State::Unknown),
        Err(_) => failed.noting("It could not be made."),
    }
}

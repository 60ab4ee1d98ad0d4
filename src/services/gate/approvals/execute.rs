//! A call that was approved is made: once, to its end, whoever still waits for it.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::sync::oneshot;

use super::super::error::GateError;
use super::case::{Case, Outcome};
use super::log::Written;
use super::service::Approvals;
use crate::domain::gate::{AuditEvent, State, Status, UpstreamError};
use crate::wire::ids::{Seq, SessionKey};

/// What the card says where a call may have taken effect all the same.
const MAYBE: &str = "Its server did not answer; it may have taken effect all the same.";

impl Approvals {
    /// Makes the call, if nothing was written since a person agreed; of all who could, one does.
    pub(in super::super) async fn execute(
        self: &Arc<Self>,
        case: &Arc<Case>,
        head: Seq,
        call: BoxFuture<'static, Result<Value, GateError>>,
    ) -> Result<(), GateError> {
        let Some(key) = case.session.get() else {
            return Ok(());
        };
        let (approvals, case, key) = (Arc::clone(self), Arc::clone(case), key.clone());
        let (said, is_begun) = oneshot::channel();
        // On its own: a caller that goes away does not leave it half done.
        self.tasks.spawn(async move {
            let written = approvals
                .write(&key, head, &Status::of(State::Executing))
                .await;
            let is_ours = matches!(written, Ok(Written::Yes));
            if is_ours {
                case.begin();
            }
            // Whoever wanted to know may be gone.
            let _ = said.send(written.map(|_| ()));
            if is_ours {
                let outcome = approvals.make_call(&key, call).await;
                case.finish(outcome);
            }
        });
        let ended = || GateError::Unavailable("the server ends".to_owned());
        is_begun.await.map_err(|_| ended())?
    }

    async fn make_call(
        &self,
        key: &SessionKey,
        call: BoxFuture<'static, Result<Value, GateError>>,
    ) -> Outcome {
        let now = self.clock.now();
        let outcome = match self.audit.append(now, key, AuditEvent::Executed).await {
            Ok(()) => call.await,
            // What is not in the audit is not done.
            Err(error) => Err(GateError::Unavailable(error.to_string())),
        };
        let (begun, status) = ([State::Executing], status_of(&outcome));
        if let Err(error) = self.write_last(key, &begun, &status).await {
            tracing::error!(%error, "what came of an approved call is not on its card");
        }
        outcome
    }
}

/// What the card says of what came of a call; nothing in it is its server's.
fn status_of(outcome: &Outcome) -> Status {
    let failed = Status::of(State::Failed);
    match outcome {
        Ok(result) if result["isError"] == true => failed.noting("The tool reported an error."),
        Ok(_) => Status::of(State::Done),
        Err(GateError::Upstream(UpstreamError::Answered { .. })) => {
            failed.noting("Its server answered with an error.")
        }
        Err(GateError::Upstream(
            UpstreamError::Timeout | UpstreamError::Unreachable(_) | UpstreamError::Unusable(_),
        )) => Status::of(State::Unknown).noting(MAYBE),
        Err(_) => failed.noting("It could not be made."),
    }
}

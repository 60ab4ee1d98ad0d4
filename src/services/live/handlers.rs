//! What is read of a session's ledger, and what is shown, registered by name.

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use super::error::PageError;
use super::ledger::Pulled;
use super::service::Live;
use crate::domain::operation::{Caller, Handlers, Registration, Reply, table};
use crate::wire::fault::Code;
use crate::wire::ids::Seq;
use crate::wire::runtime::{
    EventsParams, PULL_ROWS_MAX, PULL_WAIT_S_MAX, PullParams, PullResult, RuntimeResult,
};

impl Live {
    /// What this service does.
    pub(crate) fn handlers<F>(self: &Arc<Self>) -> Vec<Registration<F>>
    where
        F: From<serde_json::Error> + From<PageError> + Send + 'static,
    {
        Handlers::<_, PageError, F>::of(self)
            .on::<table::Pull>(|live, caller, params| Box::pin(live.pull(caller, params)))
            .on::<table::ReadEvents>(|live, caller, params| Box::pin(live.events(caller, params)))
            // Asked for the right alone: whoever draws the session reads it.
            .on::<table::Mount>(|_, _, _| Box::pin(ready(Ok(RuntimeResult::done().into()))))
            .into_registrations()
    }

    /// A page of a session's ledger, for a mount whose only way out is its host (tools.md §12.4).
    async fn pull(
        &self,
        caller: &Caller,
        params: PullParams,
    ) -> Result<Reply<PullResult>, PageError> {
        let params = EventsParams {
            session_id: params.session_id,
            since_sequence: params.since_sequence,
            limit: params.limit.unwrap_or(PULL_ROWS_MAX).min(PULL_ROWS_MAX) as usize,
            wait: params.wait.unwrap_or(0).min(PULL_WAIT_S_MAX),
        };
        match self.events(caller, params).await {
            Err(PageError::Passed { current }) => Ok(Reply::from(PullResult {
                reason: Some(Code::ReplayHorizonPassed.row().word),
                current_sequence: Some(current.0),
                ..PullResult::default()
            })),
            page => page,
        }
    }

    /// Rows of a session's ledger after a position.
    async fn events(
        &self,
        caller: &Caller,
        params: EventsParams,
    ) -> Result<Reply<PullResult>, PageError> {
        let key = caller.principal.key(&params.session_id);
        let pulled = self.page(
            &key,
            &caller.principal,
            Seq(params.since_sequence),
            params.limit,
            Duration::from_secs(params.wait.into()),
        );
        let pulled = pulled.await.map_err(|error| PageError::Unread {
            id: params.session_id,
            error,
        })?;
        match pulled {
            Pulled::HorizonPassed { current } => Err(PageError::Passed { current }),
            Pulled::Page {
                rows,
                last,
                has_more,
            } => Ok(Reply::from(PullResult {
                events: Some(rows),
                last_sequence: Some(last.0),
                has_more: Some(has_more),
                ..PullResult::default()
            })),
        }
    }
}

//! Who calls, and which sessions may be shown to them: what every address asks first.

use std::sync::Arc;

use serde_json::json;

use crate::domain::credentials::Credentials;
use crate::domain::operation::{Caller, Mount, Operation, Signature as _, table};
use crate::domain::principal::{Door, Principal};
use crate::services::dispatch::Dispatch;
use crate::transports::faults::Fault;

/// The check of credentials, and the path of operations.
#[derive(Clone)]
pub(crate) struct Access {
    pub(crate) credentials: Arc<dyn Credentials>,
    pub(crate) dispatch: Arc<Dispatch>,
}

impl Access {
    /// The session that a caller may have shown, or that it may have any of its sessions shown:
    /// whichever way, it takes what `ggui_get_session` takes.
    pub(crate) async fn mount(
        &self,
        door: Door,
        principal: &Principal,
        session: Option<&str>,
        epoch: Option<u64>,
    ) -> Result<Option<Mount>, Fault> {
        let caller = Caller::through(door, principal.clone());
        let arguments = json!({ "sessionId": session, "epoch": epoch });
        let operation = Operation::new(caller, table::Mount::NAME, arguments);
        let answered = self.dispatch.run(operation).await;
        let answered =
            answered.map_err(|error| Fault::of_operation(table::GetSession::NAME, error))?;
        Ok(answered.answer.mounts)
    }
}

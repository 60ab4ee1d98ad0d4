//! Who calls, and which sessions may be shown to them: what every address asks first.

use std::sync::Arc;

use serde_json::json;

use crate::domain::credentials::Credentials;
use crate::domain::operation::{Caller, Operation, Signature as _, table};
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
    /// Whether a caller may have a session shown, or any of its sessions: whichever way, it takes
    /// what `ggui_get_session` takes.
    pub(crate) async fn check_mount(
        &self,
        door: Door,
        principal: &Principal,
        session: Option<&str>,
    ) -> Result<(), Fault> {
        let caller = Caller::through(door, principal.clone());
        let arguments = json!({ "sessionId": session });
        let operation = Operation::new(caller, table::Mount::NAME, arguments);
        let answered = self.dispatch.run(operation).await;
        let answered = answered.map(|_| ());
        answered.map_err(|error| Fault::of_operation(table::GetSession::NAME, error))
    }
}

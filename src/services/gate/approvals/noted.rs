//! Rows of the audit about calls that nobody is asked about.

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use super::super::error::GateError;
use super::execute::status_of;
use super::service::Approvals;
use crate::domain::digest::hex;
use crate::domain::gate::{AuditEvent, Binding};
use crate::domain::operation::Caller;
use crate::wire::ids::{SessionId, SessionKey};

/// How the names of such calls begin.
const PREFIX: &str = "call-";
/// Random bytes of such a name.
const NAME_BYTES: usize = 12;

impl Approvals {
    /// Makes a call, and has the audit say so before and after. What is not in the audit is not done.
    pub(in super::super) async fn noting(
        &self,
        caller: &Caller,
        binding: Binding,
        call: BoxFuture<'_, Result<Value, GateError>>,
    ) -> Result<Value, GateError> {
        if !self.limits.audit_calls {
            return call.await;
        }
        let key = self.call_key(caller);
        let begun = AuditEvent::forwarded(binding);
        let noted = self.audit.note(self.clock.now(), &key, begun).await;
        noted.map_err(|error| GateError::Unavailable(error.to_string()))?;
        let outcome = call.await;
        let state = status_of(&outcome).state;
        self.note(&key, AuditEvent::Returned { state }).await;
        outcome
    }

    /// Has the audit say that a call was denied.
    pub(in super::super) async fn note_denied(
        &self,
        caller: &Caller,
        tool: &str,
        arguments: &Map<String, Value>,
    ) {
        if self.limits.audit_calls {
            let denied = AuditEvent::denied(&caller.principal, tool, arguments);
            self.note(&self.call_key(caller), denied).await;
        }
    }

    async fn note(&self, key: &SessionKey, event: AuditEvent) {
        if let Err(error) = self.audit.note(self.clock.now(), key, event).await {
            tracing::error!(%error, "what became of a call is not in the audit");
        }
    }

    /// What names a call in the audit.
    fn call_key(&self, caller: &Caller) -> SessionKey {
        let mut own = [0; NAME_BYTES];
        self.ids.fill(&mut own);
        SessionKey {
            app: caller.principal.app.clone(),
            session: SessionId::new(format!("{PREFIX}{}", hex(&own))),
        }
    }
}

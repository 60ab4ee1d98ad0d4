//! What a server says and asks on its own, for whoever it is.

use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{
    ClientConfig, ClientResult, CustomResult, ErrorCode, ErrorData, Implementation,
    ProtocolVersion, ServerNotification, ServerRequest,
};
use rmcp::service::{NotificationContext, RequestContext, Service};
use serde_json::json;

use super::calls::Calls;
use super::message;
use super::version::Version;
use crate::domain::gate::{Abilities, AskError, ROOTS};

/// Hears which resource has changed, of whomever a connection is.
pub(super) type Heard = Arc<dyn Fn(Option<&str>) + Send + Sync>;

/// Counts what a server says about its lists, and hands on what it asks during calls.
pub(super) struct Listener {
    pub(super) version: Version,
    /// What may be asked on this connection.
    pub(super) abilities: Abilities,
    pub(super) calls: Calls,
    /// Hears which resource has changed; none: it is nobody's in particular, who has no folders.
    pub(super) heard: Option<Heard>,
}

impl Service<RoleClient> for Listener {
    async fn handle_request(
        &self,
        request: ServerRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<ClientResult, ErrorData> {
        if let ServerRequest::PingRequest(_) = request {
            return Ok(ClientResult::empty(()));
        }
        let question = message::question(&request).ok_or_else(unknown)?;
        if self.heard.is_none() && question.method == ROOTS {
            let none = json!({ "roots": [] });
            return Ok(ClientResult::CustomResult(CustomResult::new(none)));
        }
        let call = self.calls.lock().await.newest();
        // On the connection for lists, or when the call it belongs to is over.
        let call = call.ok_or_else(unknown)?;
        let answered = tokio::select! {
            answered = call.ask(question) => answered,
            () = context.ct.cancelled() => Err(AskError::Gone),
        };
        let answer = answered.map_err(|error| match error {
            AskError::Refused { code, message } => ErrorData::new(ErrorCode(code), message, None),
            AskError::Unable => unknown(),
            error => ErrorData::internal_error(error.to_string(), None),
        })?;
        Ok(ClientResult::CustomResult(CustomResult::new(answer)))
    }

    async fn handle_notification(
        &self,
        notification: ServerNotification,
        _: NotificationContext<RoleClient>,
    ) -> Result<(), ErrorData> {
        match notification {
            ServerNotification::ToolListChangedNotification(_)
            | ServerNotification::PromptListChangedNotification(_)
            | ServerNotification::ResourceListChangedNotification(_) => {
                self.version.grow();
            }
            ServerNotification::ResourceUpdatedNotification(updated) => {
                if let Some(heard) = &self.heard {
                    heard(Some(&updated.params.uri));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn get_info(&self) -> ClientConfig {
        let this = Implementation::new("proscenium", env!("CARGO_PKG_VERSION"));
        let capabilities = serde_json::from_value(self.abilities.declared()).unwrap_or_default();
        ClientConfig::new(capabilities, this).with_protocol_version(ProtocolVersion::V_2025_11_25)
    }
}

/// The answer to what cannot be asked here.
fn unknown() -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "Method not found", None)
}

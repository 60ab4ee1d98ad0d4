//! The tools of the server as functions, over the official MCP client.

use std::error::Error;

use rmcp::RoleClient;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{Peer, ServiceError};
use serde_json::{Value, json};

/// Seconds of one wait for the person; then the agent waits again.
const WAIT_S: u64 = 25;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The session has ended: render a new one.
    #[error("the session has ended")]
    Gone,
    /// The error message of the server.
    #[error("{0}")]
    Refused(String),
    /// The server is no longer reachable.
    #[error("the server does not answer: {0}")]
    Lost(Box<dyn Error + Send + Sync>),
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        Self::Lost(error.into())
    }
}

/// A rendered UI.
pub(crate) struct Shown {
    pub(crate) session: String,
    /// A page for a person whose host does not show UIs.
    pub(crate) viewer_url: String,
}

/// Something the person did: the name of the action and its data.
pub(crate) struct Event {
    pub(crate) action: String,
    pub(crate) data: Value,
}

/// A client of the server.
#[derive(Clone)]
pub(crate) struct Agent(Peer<RoleClient>);

impl Agent {
    pub(crate) fn new(peer: Peer<RoleClient>) -> Self {
        Self(peer)
    }

    /// Negotiates a contract and renders it.
    pub(crate) async fn show(
        &self,
        intent: &str,
        contract: Value,
        props: Value,
    ) -> Result<Shown, Failure> {
        let draft = json!({ "intent": intent, "blueprintDraft": { "contract": contract } });
        let agreed = self.call("ggui_handshake", draft).await?;
        let render = json!({ "handshakeId": agreed["handshakeId"], "props": props });
        let shown = self.call("ggui_render", render).await?;
        let text = |name: &str| shown[name].as_str().unwrap_or_default().to_owned();
        Ok(Shown {
            session: text("sessionId"),
            viewer_url: text("viewerUrl"),
        })
    }

    /// Changes some of the props without a new epoch.
    pub(crate) async fn amend(&self, session: &str, patch: Value) -> Result<(), Failure> {
        let amend = json!({ "sessionId": session, "kind": "merge", "patch": patch });
        self.call("ggui_amend", amend).await.map(drop)
    }

    /// Sends one item on a live channel.
    pub(crate) async fn emit(
        &self,
        session: &str,
        channel: &str,
        payload: Value,
    ) -> Result<(), Failure> {
        let emit = json!({ "sessionId": session, "channel": channel, "payload": payload });
        self.call("ggui_emit", emit).await.map(drop)
    }

    /// Waits until the person does something; each event comes once.
    pub(crate) async fn consume(&self, session: &str) -> Result<Vec<Event>, Failure> {
        loop {
            let wait = json!({ "sessionId": session, "timeout": WAIT_S });
            let taken = self.call("ggui_consume", wait).await?;
            let events: Vec<Event> = taken["events"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|event| Event {
                    action: event["intent"].as_str().unwrap_or_default().to_owned(),
                    data: event["actionData"].clone(),
                })
                .collect();
            if !events.is_empty() {
                return Ok(events);
            }
            if taken["status"] == "expired" {
                return Err(Failure::Gone);
            }
        }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> Result<Value, Failure> {
        let mut params = CallToolRequestParams::new(tool);
        params.arguments = arguments.as_object().cloned();
        let result: CallToolResult = self.0.call_tool(params).await?;
        let structured = result.structured_content.unwrap_or_default();
        if result.is_error != Some(true) {
            return Ok(structured);
        }
        let error = &structured["error"];
        Err(match error["code"].as_str() {
            Some("session_not_found") => Failure::Gone,
            _ => Failure::Refused(error["message"].as_str().unwrap_or(tool).to_owned()),
        })
    }
}

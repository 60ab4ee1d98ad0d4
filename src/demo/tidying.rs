//! The tidying demo: an agent wants to delete a file, and a person has to agree. None of it is played:
//! the file lies on this machine, and the agent can reach it through the gate alone.

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{Peer, ServiceError};
use serde_json::{Value, json};

use super::agent::{Agent, Failure, Shown};
use super::desk::{DISPENSABLE, PREFIX};

/// A person refused (gate.md §3).
const APPROVAL_REJECTED: &str = "GATE_APPROVAL_REJECTED";
/// Nobody has decided, yet or in time (gate.md §3).
const APPROVAL_TIMEOUT: &str = "GATE_APPROVAL_TIMEOUT";

/// How often the files are looked for, and the rest before the next time: their server is started with
/// this one, and a busy machine takes a while.
const LOOKS_MAX: u32 = 120;
const REST: Duration = Duration::from_millis(250);

/// The files, through the gate.
pub(super) struct Files(Peer<RoleClient>);

impl Files {
    pub(super) fn new(gate: Peer<RoleClient>) -> Self {
        Self(gate)
    }

    /// All of them.
    async fn list(&self) -> Result<Value, Failure> {
        let listed = self.call("list_files", json!({})).await?;
        let listed = listed.structured_content.unwrap_or_default();
        Ok(listed["files"].clone())
    }

    /// All of them, as soon as their server is there.
    async fn list_soon(&self) -> Result<Value, Failure> {
        for _ in 1..LOOKS_MAX {
            match self.list().await {
                Ok(files) => return Ok(files),
                Err(error) => tracing::debug!(%error, "the files are not there yet"),
            }
            tokio::time::sleep(REST).await;
        }
        self.list().await
    }

    /// Deletes a file if a person agrees, however long they take; what came of it, in words.
    async fn delete(&self, name: &str) -> Result<String, Failure> {
        loop {
            let error = match self.call("delete_file", json!({ "name": name })).await {
                Ok(result) => return Ok(text(&result)),
                Err(ServiceError::McpError(error)) => error,
                Err(error) => return Err(error.into()),
            };
            let data = error.data.unwrap_or_default();
            return Ok(match data["code"].as_str() {
                // The same call, made again, waits on.
                Some(APPROVAL_TIMEOUT) if data["state"] == "pending" => continue,
                Some(APPROVAL_TIMEOUT) => format!("Kept {name}: nobody decided in time."),
                Some(APPROVAL_REJECTED) => {
                    let reason = data["reason"].as_str().unwrap_or_default();
                    format!("Kept {name}, because you rejected it. {reason}")
                }
                _ => format!("Kept {name}: {}.", error.message),
            });
        }
    }

    async fn call(&self, tool: &str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        let mut params = CallToolRequestParams::new(format!("{PREFIX}{tool}"));
        params.arguments = arguments.as_object().cloned();
        self.0.call_tool(params).await
    }
}

/// What a tool says.
fn text(result: &CallToolResult) -> String {
    let texts = result.content.iter();
    let texts = texts.filter_map(|block| block.as_text().map(|text| text.text.as_str()));
    texts.collect::<Vec<_>>().join(" ")
}

/// Negotiates the contract and renders the files.
pub(super) async fn show(agent: &Agent, files: &Files) -> Result<Shown, Failure> {
    let props = json!({ "notice": "Looking at the files.", "files": files.list_soon().await? });
    agent.show("Tidy up a folder", contract(), props).await
}

/// Asks to delete a file that nobody needs, and then whatever the person wants, until the session ends.
pub(super) async fn run(agent: &Agent, files: &Files, session: &str) -> Result<(), Failure> {
    let listed = files.list().await?;
    let mut listed = listed.as_array().into_iter().flatten();
    if listed.any(|file| file["name"] == DISPENSABLE) {
        tidy(agent, files, session, DISPENSABLE).await?;
    }
    loop {
        for event in agent.consume(session).await? {
            if event.action == "delete" {
                let name = event.data["name"].as_str().unwrap_or_default();
                tidy(agent, files, session, name).await?;
            } else {
                let restored = files.call("restore_files", json!({})).await?;
                say(agent, files, session, &text(&restored)).await?;
            }
        }
    }
}

/// Deletes a file, and says before what it waits for, and after what came of it.
async fn tidy(agent: &Agent, files: &Files, session: &str, name: &str) -> Result<(), Failure> {
    let waits = format!("May I delete {name}? There is a card on the stage where you decide.");
    say(agent, files, session, &waits).await?;
    let outcome = files.delete(name).await?;
    say(agent, files, session, &outcome).await
}

/// Says something beside the files as they are now.
async fn say(agent: &Agent, files: &Files, session: &str, notice: &str) -> Result<(), Failure> {
    let now = json!({ "notice": notice, "files": files.list().await? });
    agent.amend(session, now).await
}

/// The contract: the files, what the agent has to say, and what a person can have it do.
fn contract() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "propsSpec": {
            "description": "The agent deletes only what you approve; the files lie on this machine",
            "properties": {
                "notice": { "schema": text, "required": true },
                "files": {
                    "required": true,
                    "schema": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": { "name": text, "bytes": { "type": "integer" } },
                            "required": ["name", "bytes"],
                        },
                    },
                },
            },
        },
        "actionSpec": {
            "delete": {
                "label": "Delete",
                "schema": {
                    "type": "object", "properties": { "name": text }, "required": ["name"],
                },
            },
            "restore": { "label": "Put all files back" },
        },
    })
}

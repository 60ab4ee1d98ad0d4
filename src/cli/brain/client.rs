//! The server that is asked about pages: the one that owns the data, or one that is started for it.

use serde_json::{Value, json};

use super::super::failure::{EXIT_REFUSED, EXIT_UNAVAILABLE, EXIT_USAGE, Failure};
use super::super::owner::server_of;
use super::super::server::stop;
use crate::adapters::sqlite::OpenError;
use crate::app::{App, KeyRefused, Running, StartError};
use crate::config::Config;
use crate::transports::Relay;

/// Where the page store is.
const ENDPOINT: &str = "/mcp/brain";
/// Where a server listens that is started for one verb.
const ANY_PORT: &str = "127.0.0.1:0";

/// A way to the page store.
pub(super) struct Client {
    relay: Relay,
    /// The server, where it was started for this.
    started: Option<Running>,
}

/// Why the page store did not do something.
#[derive(Debug)]
pub(super) struct Refusal {
    /// Its code in the table of errors.
    pub(super) code: String,
    /// For people.
    pub(super) message: String,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let exit = match refusal.code.as_str() {
            "UNAUTHORIZED" | "CAPABILITY_DENIED" => return KeyRefused.into(),
            "BRAIN_INVALID_PARAMS" | "INVALID_ARGUMENTS" | "INVALID_PARAMS" => EXIT_USAGE,
            "UNREACHABLE" => EXIT_UNAVAILABLE,
            _ => EXIT_REFUSED,
        };
        Self(exit, refusal.message)
    }
}

impl Client {
    /// Owns the data of a configuration, or joins the server that does.
    pub(super) async fn open(mut config: Config, key: Option<&str>) -> Result<Self, Failure> {
        config.listen_on(Some(ANY_PORT.to_owned()));
        match App::new(config).start().await {
            Ok(running) => Ok(Self {
                relay: Relay::new(running.address(), key).ok_or(KeyRefused)?,
                started: Some(running),
            }),
            Err(StartError::Data(OpenError::Owned { folder, owner })) => {
                let Some(relay) = server_of(&folder, key).await? else {
                    return Err(OpenError::Owned { folder, owner }.into());
                };
                Ok(Self {
                    relay,
                    started: None,
                })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Ends what was started.
    pub(super) async fn close(self) {
        if let Some(running) = self.started {
            stop(running).await;
        }
    }

    /// The result of a tool.
    pub(super) async fn call(&self, tool: &str, arguments: Value) -> Result<Value, Refusal> {
        let params = json!({ "name": tool, "arguments": arguments });
        self.ask("tools/call", params).await
    }

    /// The result of a method.
    pub(super) async fn ask(&self, method: &str, params: Value) -> Result<Value, Refusal> {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let answered = self.relay.ask(ENDPOINT, &request).await;
        let answer = answered.map_err(|error| Refusal {
            code: "UNREACHABLE".to_owned(),
            message: format!("the server does not answer: {error}"),
        })?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        if let Some(error) = answer.get("error") {
            return Err(Refusal {
                code: text(&error["data"]["code"]),
                message: text(&error["message"]),
            });
        }
        let result = answer["result"].clone();
        if result["isError"] == true {
            return Err(Refusal {
                code: text(&result["structuredContent"]["error"]["code"]),
                message: text(&result["content"][0]["text"]),
            });
        }
        Ok(result)
    }
}

//! The server that is asked about pages: the one that owns the data, or one that is started for it.

use serde_json::{Value, json};

use super::super::attached::ANY_PORT;
use super::super::failure::{EXIT_REFUSED, EXIT_UNAVAILABLE, EXIT_USAGE, Failure};
use super::super::owner::server_of;
use super::super::server::stop;
use crate::adapters::sqlite::OpenError;
use crate::app::{App, KeyRefused, Running, StartError};
use crate::config::Config;
use crate::transports::Relay;

/// The code where no server answers.
const UNREACHABLE: &str = "UNREACHABLE";

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
    /// The same for programs, as it was answered.
    pub(super) error: Value,
}

impl Refusal {
    /// As it was answered by an error with a number.
    fn of_error(error: &Value) -> Self {
        let mut message = text(&error["message"]);
        let candidates = error["data"]["candidates"].as_array().into_iter().flatten();
        let candidates: Vec<_> = candidates.filter_map(Value::as_str).collect();
        if !candidates.is_empty() {
            message.push_str(&format!(" Candidates: {}.", candidates.join(", ")));
        }
        Self {
            code: text(&error["data"]["code"]),
            message,
            error: error.clone(),
        }
    }

    /// As a result says it.
    fn of_result(result: &Value) -> Self {
        let error = &result["structuredContent"]["error"];
        Self {
            code: text(&error["code"]),
            message: text(&result["content"][0]["text"]),
            error: error.clone(),
        }
    }

    /// Nobody has answered.
    fn unreachable(why: &str) -> Self {
        let message = format!("the server does not answer: {why}");
        Self {
            code: UNREACHABLE.to_owned(),
            error: json!({ "code": UNREACHABLE, "message": message }),
            message,
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// How a verb of the page store fails.
pub(super) struct Problem {
    pub(super) failure: Failure,
    /// For programs; none where no server was asked.
    pub(super) error: Option<Value>,
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let error = Some(refusal.error.clone());
        Self {
            failure: refusal.into(),
            error,
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            error: None,
        }
    }
}

impl Problem {
    /// What is printed of it for programs, in one line.
    pub(super) fn to_json(&self) -> Value {
        let said = || json!({ "message": self.failure.1 });
        json!({ "error": self.error.clone().unwrap_or_else(said) })
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let exit = match refusal.code.as_str() {
            "UNAUTHORIZED" | "CAPABILITY_DENIED" => return KeyRefused.into(),
            "BRAIN_INVALID_PARAMS" | "INVALID_ARGUMENTS" | "INVALID_PARAMS" => EXIT_USAGE,
            UNREACHABLE => EXIT_UNAVAILABLE,
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
                relay: Relay::new(running.address(), key)
                    .ok_or(KeyRefused)?
                    .into_pages(),
                started: Some(running),
            }),
            Err(StartError::Data(OpenError::Owned { folder, owner })) => {
                let Some(relay) = server_of(&folder, key).await? else {
                    return Err(OpenError::Owned { folder, owner }.into());
                };
                Ok(Self {
                    relay: relay.into_pages(),
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
        let answered = self.relay.ask(&request).await;
        let answer = answered.map_err(|error| Refusal::unreachable(&error.to_string()))?;
        if let Some(error) = answer.get("error") {
            return Err(Refusal::of_error(error));
        }
        let result = answer["result"].clone();
        if result["isError"] == true {
            return Err(Refusal::of_result(&result));
        }
        Ok(result)
    }
}

//! The tools of the official conformance suite that become tasks.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _, try_join};
use serde_json::{Map, Value, json};
use tokio::time::sleep;

use super::fixture_questions::{form, one_text, word};
use super::fixture_tools::{content, name, text};
use crate::domain::gate::{Requester, TASKS};
use crate::transports::faults::Fault;
use crate::wire::fault::Code;

/// How long a job that fails works before: the suite wants to see it work.
const WORK: Duration = Duration::from_secs(1);

/// The tools, and what each takes.
const TOOLS: [(&str, &[(&str, &str)]); 7] = [
    ("greet", &[("name", "string")]),
    (
        "slow_compute",
        &[("seconds", "number"), ("label", "string")],
    ),
    ("failing_job", &[]),
    ("protocol_error_job", &[]),
    ("confirm_delete", &[("filename", "string")]),
    ("multi_input", &[]),
    ("test_tool_with_task", &[]),
];

/// The tools as they are listed.
pub(super) fn listed() -> impl Iterator<Item = Value> {
    TOOLS.into_iter().map(|(name, arguments)| {
        let properties = arguments.iter().map(|(name, kind)| {
            let schema = json!({ "type": kind });
            ((*name).to_owned(), schema)
        });
        let properties: Map<_, _> = properties.collect();
        json!({
            "name": name,
            "description": "Works for a while.",
            "inputSchema": { "type": "object", "properties": properties },
        })
    })
}

/// Whether a request calls one of them.
pub(super) fn is_one(method: &str, params: &Map<String, Value>) -> bool {
    method == "tools/call" && TOOLS.iter().any(|(known, _)| *known == name(params))
}

/// What one of them does.
pub(super) fn call(
    requester: &Arc<dyn Requester>,
    params: &Map<String, Value>,
) -> BoxFuture<'static, Result<Value, Fault>> {
    let (requester, called) = (Arc::clone(requester), name(params).to_owned());
    let given = params.get("arguments").cloned().unwrap_or_default();
    let work = async move {
        let said = match called.as_str() {
            "greet" => format!("Hello, {}!", word(&given["name"])),
            "slow_compute" => {
                requester.defer();
                let seconds = given["seconds"].as_f64().unwrap_or_default();
                sleep(Duration::try_from_secs_f64(seconds).unwrap_or_default()).await;
                format!("{} is computed", word(&given["label"]))
            }
            "failing_job" => {
                defer(&*requester)?;
                sleep(WORK).await;
                return Ok(json!({ "content": [text("It failed")], "isError": true }));
            }
            "protocol_error_job" => {
                requester.defer();
                return Err(Fault::of(Code::Internal));
            }
            "confirm_delete" => {
                requester.defer();
                let schema = json!({ "confirm": { "type": "boolean" } });
                let schema = json!({ "type": "object", "properties": schema });
                let asked = form("confirm", "Delete it?", schema);
                let answer = requester.ask(asked).await;
                answer.map_or_else(|error| error.to_string(), |answer| answer.to_string())
            }
            "multi_input" => {
                requester.defer();
                let first = form("first", "The first one?", one_text("value"));
                let second = form("second", "The second one?", one_text("value"));
                let answers = try_join(requester.ask(first), requester.ask(second)).await;
                answers.map_or_else(
                    |error| error.to_string(),
                    |(first, second)| format!("{first} {second}"),
                )
            }
            _ => {
                let asked = form("user_name", "What is your name?", one_text("name"));
                let answer = requester.ask(asked).await;
                defer(&*requester)?;
                answer.map_or_else(
                    |error| error.to_string(),
                    |answer| format!("Hello, {}!", word(&answer["content"]["name"])),
                )
            }
        };
        Ok(content(vec![text(&said)]))
    };
    work.boxed()
}

/// Goes on as a task, or not at all.
fn defer(requester: &dyn Requester) -> Result<(), Fault> {
    if requester.defer() {
        return Ok(());
    }
    let needed = json!({ "extensions": { TASKS: {} } });
    Err(Fault::of(Code::MissingCapability).with(json!({ "requiredCapabilities": needed })))
}

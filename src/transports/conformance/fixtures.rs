//! Fixtures of the official conformance suite, mounted beside the product.
//!
//! The suite calls tools, reads resources and gets prompts of its own. They live in this
//! folder and go through the same endpoint, envelope, headers and streams as everything else.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use http::HeaderMap;
use serde_json::{Map, Value, json};

use super::fixture_questions::{self, ASKING_TOOLS, AskingTool, PROMPT};
use super::fixture_tasks;
use super::fixture_tools::{
    HEADER, HEADER_ARGUMENT, HEADER_TOOL, PNG, TOOLS, Tool, image, name, resource, text,
};
use crate::domain::gate::{LOG_LEVEL_KEY, Requester, TASKS};
use crate::transports::faults::Fault;
use crate::transports::mcp::era::check_header;
use crate::wire::fault::Era;

/// Between two notifications: the suite wants to see that they come one by one.
const PAUSE: Duration = Duration::from_millis(50);

/// The resource that the suite subscribes to.
const WATCHED: &str = "test://watched-resource";

/// The fixtures, as the endpoint asks for them.
pub(crate) struct Fixtures;

impl Fixtures {
    /// Some fixtures become tasks.
    pub(crate) const HAVE_TASKS: bool = true;

    /// Checks the headers of a call that repeat arguments.
    pub(crate) fn check(
        era: Era,
        headers: &HeaderMap,
        params: &Map<String, Value>,
    ) -> Result<(), Fault> {
        let argument = params
            .get("arguments")
            .and_then(|arguments| arguments.get(HEADER_ARGUMENT));
        match (era, name(params), argument.and_then(Value::as_str)) {
            (Era::Modern, HEADER_TOOL, Some(value)) => check_header(headers, HEADER, value),
            _ => Ok(()),
        }
    }

    /// Whether a request is about a fixture that asks its caller something.
    pub(crate) fn asks(method: &str, params: &Map<String, Value>) -> bool {
        fixture_questions::asks(method, params) || fixture_tasks::is_one(method, params)
    }

    /// The answer to a request that is about a fixture that asks its caller something.
    pub(crate) fn ask(
        requester: &Arc<dyn Requester>,
        method: &str,
        params: &Map<String, Value>,
    ) -> Option<BoxFuture<'static, Result<Value, Fault>>> {
        if fixture_tasks::is_one(method, params) {
            return Some(fixture_tasks::call(requester, params));
        }
        fixture_questions::ask(requester, method, params)
    }

    /// The answer to a request that is about a fixture.
    pub(crate) fn answer(
        era: Era,
        method: &str,
        params: &Map<String, Value>,
    ) -> Option<Result<Value, Fault>> {
        match (era, method) {
            // Every level is sent to whoever calls a tool that logs.
            (Era::Legacy, "logging/setLevel") => Some(Ok(json!({}))),
            (_, "tools/call") => {
                let tool = TOOLS.iter().find(|tool| tool.name == name(params))?;
                Some((tool.result)(params))
            }
            (_, "resources/read") => contents(params.get("uri")?.as_str()?).map(Ok),
            (_, "prompts/get") => messages(params).map(Ok),
            (_, "completion/complete") => {
                let prompt = params.get("ref")?.get("name")?.as_str()?;
                let none = json!({ "completion": { "values": [], "total": 0, "hasMore": false } });
                prompt.starts_with("test_").then_some(Ok(none))
            }
            _ => None,
        }
    }

    /// What precedes the answer of a tool.
    pub(crate) fn notices(
        era: Era,
        method: &str,
        params: &Map<String, Value>,
    ) -> Option<BoxStream<'static, Value>> {
        if method != "tools/call" {
            return None;
        }
        let meta = |key| params.get("_meta").and_then(|meta| meta.get(key));
        let log = |text| {
            let params = json!({ "level": "info", "logger": "conformance", "data": text });
            json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": params })
        };
        let notices: Vec<Value> = match name(params) {
            "test_tool_with_progress" => {
                let token = meta("progressToken")?;
                let progress = |part| {
                    let params = json!({ "progressToken": token, "progress": part, "total": 100 });
                    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })
                };
                [0, 50, 100].map(progress).into()
            }
            "test_tool_with_logging" | "test_logging_tool"
                if era == Era::Legacy || meta(LOG_LEVEL_KEY).is_some() =>
            {
                [
                    "Tool execution started",
                    "Tool processing data",
                    "Tool execution completed",
                ]
                .map(log)
                .into()
            }
            "test_streaming_elicitation" => Vec::new(),
            _ => return None,
        };
        let paced = stream::iter(notices)
            .enumerate()
            .then(async |(at, notice)| {
                if at > 0 {
                    tokio::time::sleep(PAUSE).await;
                }
                notice
            });
        Some(paced.boxed())
    }

    /// A list, or what is said of capabilities, with the fixtures in it.
    pub(crate) fn mix_in(method: &str, mut result: Value) -> Value {
        let (list, fixtures) = match method {
            "initialize" => {
                result["capabilities"]["logging"] = json!({});
                return result;
            }
            "server/discover" => {
                result["capabilities"]["extensions"][TASKS] = json!({});
                return result;
            }
            "tools/list" => {
                let tool = |tool: &Tool| {
                    json!({
                        "name": tool.name,
                        "description": tool.description,
                        "inputSchema": (tool.schema)(),
                    })
                };
                let asking = ASKING_TOOLS.iter().map(AskingTool::listed);
                let others = asking.chain(fixture_tasks::listed());
                ("tools", TOOLS.iter().map(tool).chain(others).collect())
            }
            "resources/list" => ("resources", resources()),
            "resources/templates/list" => {
                let template = json!({
                    "uriTemplate": "test://template/{id}/data",
                    "name": "test-template",
                    "description": "A resource for every id.",
                    "mimeType": "application/json",
                });
                ("resourceTemplates", vec![template])
            }
            "prompts/list" => ("prompts", prompts()),
            _ => return result,
        };
        if let Some(list) = result[list].as_array_mut() {
            list.extend(fixtures);
        }
        result
    }
}

fn resources() -> Vec<Value> {
    let entry = |uri, name, media_type| {
        json!({
            "uri": uri,
            "name": name,
            "description": "A resource that never changes.",
            "mimeType": media_type,
        })
    };
    vec![
        entry("test://static-text", "test-static-text", "text/plain"),
        entry("test://static-binary", "test-static-binary", "image/png"),
        entry(WATCHED, "test-watched-resource", "text/plain"),
    ]
}

fn contents(uri: &str) -> Option<Value> {
    let content = match uri {
        "test://static-text" => json!({
            "uri": uri,
            "mimeType": "text/plain",
            "text": "This is the content of the static text resource.",
        }),
        WATCHED => json!({
            "uri": uri,
            "mimeType": "text/plain",
            "text": "This is what is watched, and never changes.",
        }),
        "test://static-binary" => json!({ "uri": uri, "mimeType": "image/png", "blob": PNG }),
        _ => {
            let id = uri
                .strip_prefix("test://template/")?
                .strip_suffix("/data")?;
            let data = json!({
                "id": id,
                "templateTest": true,
                "data": format!("Data for ID: {id}"),
            });
            json!({ "uri": uri, "mimeType": "application/json", "text": data.to_string() })
        }
    };
    Some(json!({ "contents": [content] }))
}

fn prompts() -> Vec<Value> {
    let argument = |name| json!({ "name": name, "description": "A text.", "required": true });
    let entry = |name, arguments: Vec<Value>| json!({ "name": name, "description": "A prompt for testing.", "arguments": arguments });
    vec![
        entry("test_simple_prompt", Vec::new()),
        entry(
            "test_prompt_with_arguments",
            vec![argument("arg1"), argument("arg2")],
        ),
        entry(
            "test_prompt_with_embedded_resource",
            vec![argument("resourceUri")],
        ),
        entry("test_prompt_with_image", Vec::new()),
        entry(PROMPT, Vec::new()),
    ]
}

fn messages(params: &Map<String, Value>) -> Option<Value> {
    let given = |name| {
        let arguments = params.get("arguments");
        let value = arguments.and_then(|arguments| arguments.get(name)?.as_str());
        value.unwrap_or_default()
    };
    let contents = match name(params) {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (first, second) = (given("arg1"), given("arg2"));
            vec![text(&format!(
                "Prompt with arguments: arg1='{first}', arg2='{second}'"
            ))]
        }
        "test_prompt_with_embedded_resource" => vec![
            resource(
                given("resourceUri"),
                "text/plain",
                "Embedded resource content for testing.",
            ),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image" => vec![image(), text("Please analyze the image above.")],
        _ => return None,
    };
    let messages = contents.into_iter();
    let messages = messages.map(|content| json!({ "role": "user", "content": content }));
    Some(json!({ "messages": messages.collect::<Vec<_>>() }))
}

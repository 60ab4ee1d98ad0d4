//! Fixtures of the official conformance suite, mounted beside the product by a cargo feature.
//!
//! The suite calls tools, reads resources and gets prompts of its own. They live here in one table
//! and go through the same endpoint, envelope, headers and streams as everything else.

use std::time::Duration;

use futures_util::stream::{self, BoxStream, StreamExt as _};
use http::HeaderMap;
use serde_json::{Map, Value, json};

use super::era;
use crate::transports::faults::Fault;
use crate::wire::fault::{Code, Era};

/// Between two notifications: the suite wants to see that they come one by one.
const PAUSE: Duration = Duration::from_millis(50);

const LOG_LEVEL_KEY: &str = "io.modelcontextprotocol/logLevel";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// A red dot.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJ\
    RU5ErkJggg==";
/// One sample of silence.
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==";

/// A tool whose argument also travels in a header.
const HEADER_TOOL: &str = "test_custom_header";
const HEADER_ARGUMENT: &str = "region";
const HEADER: &str = "mcp-param-region";

/// One tool.
struct Tool {
    name: &'static str,
    description: &'static str,
    schema: fn() -> Value,
    result: fn(&Map<String, Value>) -> Result<Value, Fault>,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "test_simple_text",
        description: "Returns a text.",
        schema: nothing,
        result: |_| {
            Ok(content(vec![text(
                "This is a simple text response for testing.",
            )]))
        },
    },
    Tool {
        name: "test_image_content",
        description: "Returns an image.",
        schema: nothing,
        result: |_| Ok(content(vec![image()])),
    },
    Tool {
        name: "test_audio_content",
        description: "Returns a sound.",
        schema: nothing,
        result: |_| {
            let sound = json!({ "type": "audio", "data": WAV, "mimeType": "audio/wav" });
            Ok(content(vec![sound]))
        },
    },
    Tool {
        name: "test_embedded_resource",
        description: "Returns a resource.",
        schema: nothing,
        result: |_| {
            Ok(content(vec![resource(
                "test://embedded-resource",
                "text/plain",
                "This is an embedded resource content.",
            )]))
        },
    },
    Tool {
        name: "test_multiple_content_types",
        description: "Returns a text, an image and a resource.",
        schema: nothing,
        result: |_| {
            Ok(content(vec![
                text("Multiple content types test:"),
                image(),
                resource(
                    "test://mixed-content-resource",
                    "application/json",
                    "{\"test\":\"data\",\"value\":123}",
                ),
            ]))
        },
    },
    Tool {
        name: "test_error_handling",
        description: "Fails.",
        schema: nothing,
        result: |_| {
            let why = text("This tool intentionally returns an error for testing");
            Ok(json!({ "content": [why], "isError": true }))
        },
    },
    Tool {
        name: "test_tool_with_progress",
        description: "Tells how far it is before it answers.",
        schema: nothing,
        result: done,
    },
    Tool {
        name: "test_tool_with_logging",
        description: "Logs before it answers.",
        schema: nothing,
        result: done,
    },
    Tool {
        name: "test_logging_tool",
        description: "Logs before it answers, if the request names a level.",
        schema: nothing,
        result: done,
    },
    Tool {
        name: "test_streaming_elicitation",
        description: "Answers on a stream without asking the client for anything.",
        schema: nothing,
        result: done,
    },
    Tool {
        name: "test_missing_capability",
        description: "Needs a client that samples.",
        schema: nothing,
        result: |params| {
            let declared = params
                .get("_meta")
                .and_then(|meta| meta.get(CAPABILITIES_KEY));
            if declared.is_some_and(|declared| declared["sampling"].is_object()) {
                return done(params);
            }
            let needed = json!({ "requiredCapabilities": { "sampling": {} } });
            Err(Fault::of(Code::MissingCapability).with(needed))
        },
    },
    Tool {
        name: "json_schema_2020_12_tool",
        description: "Tool with JSON Schema 2020-12 features",
        schema: everything,
        result: done,
    },
    Tool {
        name: HEADER_TOOL,
        description: "Takes an argument that a header repeats.",
        schema: || {
            json!({
                "type": "object",
                "properties": {
                    HEADER_ARGUMENT: { "type": "string", "x-mcp-header": "Region" },
                },
            })
        },
        result: done,
    },
];

/// Checks the headers of a call that repeat arguments.
pub(super) fn check(
    era: Era,
    headers: &HeaderMap,
    params: &Map<String, Value>,
) -> Result<(), Fault> {
    let argument = params
        .get("arguments")
        .and_then(|arguments| arguments.get(HEADER_ARGUMENT));
    match (era, name(params), argument.and_then(Value::as_str)) {
        (Era::Modern, HEADER_TOOL, Some(value)) => era::check_header(headers, HEADER, value),
        _ => Ok(()),
    }
}

/// The answer to a request that is about a fixture.
pub(super) fn answer(
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
pub(super) fn notices(
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
    let told: Vec<Value> = match name(params) {
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
    let paced = stream::iter(told).enumerate().then(async |(at, notice)| {
        if at > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        notice
    });
    Some(paced.boxed())
}

/// A list, or what is said of capabilities, with the fixtures in it.
pub(super) fn mix_in(method: &str, mut result: Value) -> Value {
    let (list, fixtures) = match method {
        "initialize" => {
            result["capabilities"]["logging"] = json!({});
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
            ("tools", TOOLS.iter().map(tool).collect())
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

fn name(params: &Map<String, Value>) -> &str {
    let name = params.get("name").and_then(Value::as_str);
    name.unwrap_or_default()
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn image() -> Value {
    json!({ "type": "image", "data": PNG, "mimeType": "image/png" })
}

fn resource(uri: &str, media_type: &str, text: &str) -> Value {
    json!({
        "type": "resource",
        "resource": { "uri": uri, "mimeType": media_type, "text": text },
    })
}

fn content(content: Vec<Value>) -> Value {
    json!({ "content": content })
}

fn done(params: &Map<String, Value>) -> Result<Value, Fault> {
    Ok(content(vec![text(&format!("{} is done.", name(params)))]))
}

/// The schema of a tool without arguments.
fn nothing() -> Value {
    json!({ "type": "object", "properties": {}, "additionalProperties": false })
}

/// A schema with words that a careless server loses.
fn everything() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": {
            "properties": { "contactMethod": { "const": "phone" } },
            "required": ["contactMethod"],
        },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
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
    ]
}

fn contents(uri: &str) -> Option<Value> {
    let content = match uri {
        "test://static-text" => json!({
            "uri": uri,
            "mimeType": "text/plain",
            "text": "This is the content of the static text resource.",
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

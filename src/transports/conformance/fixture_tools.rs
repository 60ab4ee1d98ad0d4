//! The tools of the official conformance suite.

use serde_json::{Map, Value, json};

use crate::transports::faults::Fault;
use crate::wire::fault::Code;

const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// A red dot.
pub(super) const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8\
    z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/// One sample of silence.
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==";

/// A tool whose argument also travels in a header.
pub(super) const HEADER_TOOL: &str = "test_custom_header";
pub(super) const HEADER_ARGUMENT: &str = "region";
pub(super) const HEADER: &str = "mcp-param-region";

/// One tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) schema: fn() -> Value,
    pub(super) result: fn(&Map<String, Value>) -> Result<Value, Fault>,
}

pub(super) const TOOLS: &[Tool] = &[
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

pub(super) fn name(params: &Map<String, Value>) -> &str {
    let name = params.get("name").and_then(Value::as_str);
    name.unwrap_or_default()
}

pub(super) fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

pub(super) fn image() -> Value {
    json!({ "type": "image", "data": PNG, "mimeType": "image/png" })
}

pub(super) fn resource(uri: &str, media_type: &str, text: &str) -> Value {
    json!({
        "type": "resource",
        "resource": { "uri": uri, "mimeType": media_type, "text": text },
    })
}

pub(super) fn content(content: Vec<Value>) -> Value {
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

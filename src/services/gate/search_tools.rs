//! The two tools that are listed instead of many.

use serde_json::{Value, json};

/// Finds tools.
pub(super) const FIND: &str = "find_tools";
/// Calls one that was found.
pub(super) const CALL: &str = "call_tool";
/// Tools that are found unless the caller says how many: nearly always the right one is among them.
pub(super) const FOUND: usize = 5;
/// The most that are found at once: more is a list again.
pub(super) const FOUND_MAX: usize = 20;
/// Longest query, in characters: a few sentences.
pub(super) const QUERY_CHARS_MAX: usize = 500;

/// What is listed instead of all tools.
pub(super) fn search_tools() -> Value {
    let found = json!({ "type": "array", "items": { "type": "object" } });
    json!([
        {
            "name": FIND,
            "title": "Find tools",
            "description": "Finds tools by words: say what you want to do. Each comes with its name, \
                            what it does and the schema of its arguments; call it with call_tool.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "query": {
                        "type": "string",
                        "maxLength": QUERY_CHARS_MAX,
                        "description": "What you want to do, such as: send a message to a channel",
                    },
                    "limit": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": FOUND_MAX,
                        "default": FOUND,
                        "description": "How many tools are found at most",
                    },
                },
                "required": ["query"],
            },
            "outputSchema": {
                "type": "object",
                "properties": { "tools": found },
                "required": ["tools"],
            },
            "annotations": { "readOnlyHint": true },
        },
        {
            "name": CALL,
            "title": "Call a tool",
            "description": "Calls a tool that find_tools has found.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "name": { "type": "string", "description": "The name of the tool" },
                    "arguments": {
                        "type": "object",
                        "description": "What it is given, as its schema says",
                    },
                },
                "required": ["name"],
            },
        },
    ])
}

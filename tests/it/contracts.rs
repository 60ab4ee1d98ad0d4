//! The contracts the tests negotiate.

use serde_json::{Value, json};

/// Contract A of the protocol's reference: a basket.
pub(crate) fn basket() -> Value {
    json!({
        "propsSpec": {
            "description": "Basket shown at checkout",
            "properties": {
                "items": {
                    "required": true,
                    "schema": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "sku": {"type": "string"},
                                "title": {"type": "string"},
                                "qty": {"type": "integer"},
                                "unitPrice": {"type": "number"},
                            },
                            "required": ["sku", "title", "qty", "unitPrice"],
                        },
                    },
                    "example": [{"sku": "A1", "title": "Mug", "qty": 2, "unitPrice": 7.5}],
                },
                "currency": {
                    "required": true,
                    "schema": {"type": "string", "enum": ["EUR", "USD", "GBP"]},
                },
                "note": {
                    "schema": {"type": "string", "nullable": true},
                    "description": "Optional banner line",
                },
            },
        },
        "actionSpec": {
            "setQuantity": {
                "label": "Change quantity",
                "nextStep": "cart_set_qty",
                "schema": {
                    "type": "object",
                    "properties": {"sku": {"type": "string"}, "qty": {"type": "integer"}},
                    "required": ["sku", "qty"],
                    "additionalProperties": false,
                },
            },
            "checkout": {"label": "Check out", "confirm": true},
        },
        "contextSpec": {
            "coupon": {"schema": {"type": "string"}, "default": "", "debounceMs": 500},
        },
        "agentCapabilities": {
            "tools": {
                "cart_set_qty": {
                    "serverInfo": {"name": "cart"},
                    "toolInfo": {
                        "description": "Set one line quantity",
                        "inputSchema": {
                            "type": "object",
                            "properties": {"sku": {"type": "string"}, "qty": {"type": "integer"}},
                            "required": ["sku", "qty"],
                            "additionalProperties": false,
                        },
                    },
                    "usage": "Call after the user edits a quantity",
                    "example": {"input": {"sku": "A1", "qty": 3}, "output": {"ok": true}},
                },
            },
        },
    })
}

/// Props that fit [`basket`].
pub(crate) fn basket_props() -> Value {
    json!({
        "items": [
            {"sku": "A1", "title": "Mug", "qty": 2, "unitPrice": 7.5},
            {"sku": "B2", "title": "Poster", "qty": 1, "unitPrice": 12.0},
        ],
        "currency": "EUR",
    })
}

/// Contract B of the protocol's reference: a build log with live channels.
pub(crate) fn build_log() -> Value {
    json!({
        "propsSpec": {
            "properties": {
                "pipeline": {"schema": {"type": "string"}, "required": true},
                "startedAt": {"schema": {"type": "string", "format": "date-time"}},
            },
        },
        "streamSpec": {
            "log": {
                "description": "One console line",
                "mode": "append",
                "replay": "all",
                "complete": true,
                "schema": {
                    "type": "object",
                    "properties": {
                        "line": {"type": "string"},
                        "level": {"type": "string", "enum": ["info", "warn", "error"]},
                    },
                    "required": ["line", "level"],
                },
            },
            "progress": {
                "mode": "replace",
                "replay": "latest",
                "schema": {
                    "type": "object",
                    "properties": {"percent": {"type": "number"}},
                    "required": ["percent"],
                },
            },
        },
        "actionSpec": {"cancel": {"label": "Cancel build", "confirm": true}},
    })
}

/// A to-do list: add, toggle, delete.
pub(crate) fn todo_list() -> Value {
    let by_id = json!({
        "type": "object",
        "properties": {"id": {"type": "string"}},
        "required": ["id"],
    });
    json!({
        "propsSpec": {
            "properties": {
                "todos": {
                    "required": true,
                    "schema": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "id": {"type": "string"},
                                "title": {"type": "string"},
                                "done": {"type": "boolean"},
                            },
                            "required": ["id", "title", "done"],
                        },
                    },
                },
            },
        },
        "actionSpec": {
            "addTodo": {
                "label": "Add",
                "schema": {
                    "type": "object",
                    "properties": {"title": {"type": "string", "minLength": 1}},
                    "required": ["title"],
                },
            },
            "toggleTodo": {"label": "Done", "schema": by_id},
            "deleteTodo": {"label": "Delete", "schema": by_id},
        },
    })
}

//! The contract each prompt proposes, with props to begin with.

use serde_json::{Map, Value, json};

use super::arguments::{Entry, Given};

/// What a prompt proposes.
pub(super) struct Draft {
    /// The sentence that opens the conversation, and the intent of the handshake.
    pub(super) intent: String,
    pub(super) contract: Value,
    pub(super) props: Value,
    /// What to do with what the person did.
    pub(super) then: &'static str,
}

fn closed(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn string() -> Value {
    json!({ "type": "string" })
}

fn prop(schema: Value) -> Value {
    json!({ "schema": schema, "required": true })
}

/// A gesture about one row: its button stands in the row.
fn row_action(label: &str) -> Value {
    json!({ "label": label, "schema": closed(json!({ "id": string() }), &["id"]) })
}

pub(super) fn form(given: &Given) -> Draft {
    let purpose = given.text("purpose");
    let fields = given.list("fields", &["Name", "Email:email", "Message:longtext"]);
    let schema = |field: &Entry| {
        let mut schema = match field.kind.as_str() {
            "number" | "integer" | "boolean" => json!({ "type": field.kind }),
            "email" | "date" => json!({ "type": "string", "format": field.kind }),
            "url" => json!({ "type": "string", "format": "uri" }),
            "longtext" => json!({ "type": "string", "maxLength": 4000 }),
            _ => json!({ "type": "string", "maxLength": 200 }),
        };
        schema["title"] = field.label.as_str().into();
        schema
    };
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| (field.key.clone(), schema(field)))
        .collect();
    let required: Vec<_> = fields.iter().map(|field| field.key.as_str()).collect();
    Draft {
        intent: format!("Fill in a form: {purpose}"),
        contract: json!({
            "propsSpec": { "properties": { "introduction": prop(string()) } },
            "actionSpec": {
                "submit": { "label": "Submit", "schema": closed(properties.into(), &required) },
                "cancel": { "label": "Cancel" },
            },
        }),
        props: json!({ "introduction": purpose }),
        then: "A submit event carries the values in actionData: use them, then confirm in place \
               with ggui_amend. A cancel event means that I do not want to go on.",
    }
}

pub(super) fn choose(given: &Given) -> Draft {
    let question = given.text("question");
    let options = given.list("options", &["First option", "Second option"]);
    let props = json!({
        "question": question,
        "options": options.iter().map(|option| json!({
            "id": option.key, "title": option.label, "reason": "What speaks for it and against it",
        })).collect::<Vec<_>>(),
    });
    let row = closed(
        json!({ "id": string(), "title": string(), "reason": string() }),
        &["id", "title", "reason"],
    );
    let ids: Vec<_> = options.iter().map(|option| option.key.as_str()).collect();
    let (actions, then) = if given.text("pick") == "several" {
        let chosen = json!({
            "type": "array",
            "items": { "type": "string", "enum": ids },
            "minItems": 1,
            "uniqueItems": true,
        });
        let submit = json!({
            "label": "Choose these",
            "schema": closed(json!({ "chosen": chosen }), &["chosen"]),
        });
        (
            json!({ "submit": submit }),
            "The submit event carries the ids I chose in actionData.chosen: go on with those.",
        )
    } else {
        (
            json!({ "choose": row_action("Choose"), "none": { "label": "None of these" } }),
            "The choose event carries the id I chose in actionData.id: go on with that. After a \
             none event, propose others with ggui_update.",
        )
    };
    Draft {
        intent: format!("Choose: {question}"),
        contract: json!({
            "propsSpec": { "properties": {
                "question": prop(string()),
                "options": prop(json!({ "type": "array", "items": row })),
            } },
            "actionSpec": actions,
        }),
        props,
        then,
    }
}

pub(super) fn review(given: &Given) -> Draft {
    let subject = given.text("subject");
    let columns = given.list("columns", &["Detail"]);
    let mut properties = Map::from_iter([
        ("id".to_owned(), string()),
        ("title".to_owned(), string()),
        ("state".to_owned(), string()),
    ]);
    let mut sample = json!({ "id": "1", "title": "What is judged", "state": "open" });
    for column in &columns {
        // What every entry has already is not a column of its own.
        if !properties.contains_key(&column.key) {
            properties.insert(
                column.key.clone(),
                json!({ "type": "string", "title": column.label }),
            );
            sample[&column.key] = "…".into();
        }
    }
    let (mut actions, then) = match given.text("verdict") {
        "mark" => (
            json!({ "mark": row_action("Mark"), "unmark": row_action("Unmark") }),
            "Each mark or unmark event names an entry in actionData.id: show it at once with \
             ggui_amend (state \"marked\" or \"open\"). The finish event ends the review: go on \
             with what is marked.",
        ),
        "comment" => {
            let comment = closed(
                json!({ "id": string(), "text": { "type": "string", "maxLength": 4000 } }),
                &["id", "text"],
            );
            (
                json!({ "comment": { "label": "Comment", "schema": comment } }),
                "Each comment event carries actionData.id and actionData.text: keep it and show \
                 it at once with ggui_amend (state \"commented\"). The finish event ends the \
                 review: go on with the comments.",
            )
        }
        _ => (
            json!({ "accept": row_action("Accept"), "reject": row_action("Reject") }),
            "Each accept or reject event names an entry in actionData.id: show it at once with \
             ggui_amend (state \"accepted\" or \"rejected\"). The finish event ends the review: go \
             on with what was accepted.",
        ),
    };
    actions["finish"] = json!({ "label": "Finish the review" });
    let item = closed(properties.into(), &["id", "title", "state"]);
    Draft {
        intent: format!("Review {subject}"),
        contract: json!({
            "propsSpec": { "properties": {
                "subject": prop(string()),
                "items": prop(json!({ "type": "array", "items": item })),
            } },
            "actionSpec": actions,
        }),
        props: json!({ "subject": subject, "items": [sample] }),
        then,
    }
}

pub(super) fn dashboard(given: &Given) -> Draft {
    let subject = given.text("subject");
    let metrics = given.list("metrics", &["Load", "Errors"]);
    let figure = |metric: &Entry| json!({ "type": "number", "title": metric.label });
    let figures: Map<String, Value> = metrics
        .iter()
        .map(|metric| (metric.key.clone(), figure(metric)))
        .collect();
    let samples: Map<String, Value> = metrics
        .iter()
        .map(|metric| (metric.key.clone(), json!(0)))
        .collect();
    let required: Vec<_> = metrics.iter().map(|metric| metric.key.as_str()).collect();
    let mut contract = json!({
        "propsSpec": { "properties": {
            "subject": prop(string()),
            "latest": prop(closed(figures.clone().into(), &required)),
        } },
    });
    let then = if given.text("updates") == "on-request" {
        contract["actionSpec"] = json!({
            "refresh": { "label": "Refresh" },
            "stop": { "label": "Stop watching" },
        });
        "After each refresh event, measure again and show it with ggui_amend. The stop event ends \
         the watch."
    } else {
        let mut item = figures;
        item.insert(
            "at".to_owned(),
            json!({ "type": "string", "format": "date-time" }),
        );
        contract["streamSpec"] = json!({
            "samples": { "mode": "append", "schema": closed(item.into(), &["at"]) },
        });
        contract["actionSpec"] = json!({ "stop": { "label": "Stop watching" } });
        "Between two calls, measure and send each sample with ggui_emit on channel \"samples\". \
         The stop event ends the watch."
    };
    Draft {
        intent: format!("Watch {subject}"),
        contract,
        props: json!({ "subject": subject, "latest": samples }),
        then,
    }
}

pub(super) fn approve(given: &Given) -> Draft {
    let action = given.text("action");
    let is_confirmed = given.text("risk") != "low";
    let reason = json!({ "type": "string", "maxLength": 2000 });
    Draft {
        intent: format!("Approve: {action}"),
        contract: json!({
            "propsSpec": { "properties": {
                "action": prop(string()),
                "consequences": prop(json!({ "type": "array", "items": string() })),
                "risk": prop(json!({ "type": "string", "enum": ["low", "medium", "high"] })),
            } },
            "actionSpec": {
                "approve": { "label": "Approve", "confirm": is_confirmed },
                "reject": {
                    "label": "Reject",
                    "schema": closed(json!({ "reason": reason }), &[]),
                },
            },
        }),
        props: json!({
            "action": action,
            "consequences": ["What changes, and whether it can be undone"],
            "risk": given.text("risk"),
        }),
        then: "Do nothing before an approve event arrives. After a reject event do not do it: \
               actionData.reason says why, where I said so. Show the outcome with ggui_amend.",
    }
}

//! Cards on which the server asks people: a question, what became of it, and answers that are there as
//! long as nobody has given one.

use serde_json::{Value, json};

use super::redaction::visible;
use super::view::View;

/// The channel on which a card is told what became of it.
pub(crate) const STATUS: &str = "status";
/// Longest name on a card, in characters.
const NAME_CHARS_MAX: usize = 200;

/// A card, ready to be shown.
pub(crate) struct Card {
    /// What it is about, in a line.
    pub(crate) intent: String,
    /// What goes in and out.
    pub(crate) contract: Value,
    /// How it looks.
    pub(crate) view: View,
    /// What it shows; secrets are not in it.
    pub(crate) props: Value,
}

/// The contract of a card with these props and actions.
pub(crate) fn contract(description: &str, props: Value, actions: Value) -> Value {
    let text = json!({"type": "string"});
    json!({
        "propsSpec": { "description": description, "properties": props },
        "actionSpec": actions,
        "streamSpec": {
            STATUS: {
                "mode": "replace",
                "replay": "latest",
                "description": "What became of it",
                "schema": {
                    "type": "object",
                    "properties": {
                        "state": text,
                        "message": text,
                        "tone": text,
                        "choices": { "type": "array", "items": { "type": "object" } },
                        "by": { "type": ["string", "null"] },
                        "note": { "type": ["string", "null"] },
                    },
                    "required": ["state", "message"],
                },
            },
        },
    })
}

/// The view of a card: a title, what became of it, what it is about, and answers, which are there as
/// long as something can be decided.
pub(crate) fn view(title: Value, caption: Value, middle: Vec<Value>, answers: Vec<Value>) -> View {
    let ids = middle.iter().map(|part| part["id"].clone());
    let ids: Vec<_> = ids.filter(|id| is_on_the_page(&middle, id)).collect();
    let mut children = vec![json!("title"), json!("status")];
    children.extend(ids);
    children.push(json!("answers"));
    let named: Vec<_> = answers.iter().map(|answer| answer["id"].clone()).collect();
    let mut components = vec![
        json!({ "id": "root", "component": "Column", "children": children }),
        json!({
            "id": "title", "component": "Heading", "level": 1, "text": title, "caption": caption,
        }),
        json!({
            "id": "status",
            "component": "Notice",
            "tone": { "path": "/streams/status/tone" },
            "text": { "path": "/streams/status/message" },
        }),
        // One for each decision that is open: none once somebody has decided.
        json!({
            "id": "answers",
            "component": "Column",
            "children": { "componentId": "answer", "path": "/streams/status/choices" },
        }),
        json!({
            "id": "answer",
            // Nobody answers with a click that was meant for what stood there before.
            "component": "Answers",
            "children": named,
            "justify": "start",
            "align": "center",
        }),
    ];
    components.extend(answers);
    components.extend(middle);
    View::new(components)
}

/// Whether a component stands on the page itself, and not in another one.
fn is_on_the_page(parts: &[Value], id: &Value) -> bool {
    parts
        .iter()
        .all(|part| part["child"] != *id && part["children"]["componentId"] != *id)
}

/// A name in a line.
pub(crate) fn short(text: &str) -> String {
    visible(&text.chars().take(NAME_CHARS_MAX).collect::<String>()).replace('\n', "⏎")
}

//! What all cards have in common on which people are asked: a question, what became of it, and two
//! answers that are there as long as nobody has given one.

use serde_json::{Value, json};

use super::super::view::View;
use super::redaction::visible;

/// The action of a person who agrees.
pub(super) const APPROVE: &str = "approve";
/// The action of a person who refuses.
pub(super) const REJECT: &str = "reject";
/// Why a person refuses.
pub(super) const REASON: &str = "reason";
/// The channel on which the card is told what became of it.
pub(crate) const STATUS: &str = "status";
/// Longest reason, in characters: a few sentences for a model.
const REASON_CHARS_MAX: usize = 500;
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

/// What a person can answer, in their words.
pub(super) struct Answers {
    /// On the button of whoever agrees.
    pub(super) yes: &'static str,
    /// What that does.
    pub(super) yes_means: &'static str,
    /// What refusing does.
    pub(super) no_means: &'static str,
}

impl Answers {
    /// Refusing comes with a reason, if a person gives one.
    fn reason(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                REASON: { "type": "string", "title": "Reason", "maxLength": REASON_CHARS_MAX },
            },
        })
    }

    /// The contract of a card with these props.
    pub(super) fn contract(&self, description: &str, props: Value) -> Value {
        let text = json!({"type": "string"});
        json!({
            "propsSpec": { "description": description, "properties": props },
            "actionSpec": {
                APPROVE: { "label": self.yes, "description": self.yes_means },
                REJECT: {
                    "label": "Reject",
                    "description": self.no_means,
                    "schema": self.reason(),
                },
            },
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

    /// The view of a card: a title, what became of it, what is asked about, and the answers.
    pub(super) fn view(&self, title: Value, caption: Value, middle: Vec<Value>) -> View {
        let ids = middle.iter().map(|part| part["id"].clone());
        let ids: Vec<_> = ids.filter(|id| is_on_the_page(&middle, id)).collect();
        let mut children = vec![json!("title"), json!("status")];
        children.extend(ids);
        children.push(json!("answers"));
        let frame = json!([
            { "id": "root", "component": "Column", "children": children },
            { "id": "title", "component": "Heading", "level": 1, "text": title, "caption": caption },
            {
                "id": "status",
                "component": "Notice",
                "tone": { "path": "/streams/status/tone" },
                "text": { "path": "/streams/status/message" },
            },
            // One for each decision that is open: none once somebody has decided.
            {
                "id": "answers",
                "component": "Column",
                "children": { "componentId": "answer", "path": "/streams/status/choices" },
            },
            {
                "id": "answer",
                "component": "Row",
                "children": ["yes", "no"],
                "justify": "start",
                "align": "center",
            },
            {
                "id": "yes",
                "component": "ActionButton",
                "label": self.yes,
                "action": APPROVE,
                "variant": "primary",
                "description": self.yes_means,
            },
            {
                "id": "no",
                "component": "Form",
                "tone": "bad",
                "variant": "default",
                "schema": self.reason(),
                "submitLabel": "Reject",
                "action": REJECT,
                "title": "Reject",
                "description": self.no_means,
                "display": "dialog",
            },
        ]);
        let Value::Array(mut components) = frame else {
            return View::new(middle);
        };
        components.extend(middle);
        View::new(components)
    }
}

/// Whether a component stands on the page itself, and not in another one.
fn is_on_the_page(parts: &[Value], id: &Value) -> bool {
    parts
        .iter()
        .all(|part| part["child"] != *id && part["children"]["componentId"] != *id)
}

/// A name in a line.
pub(super) fn short(text: &str) -> String {
    visible(&text.chars().take(NAME_CHARS_MAX).collect::<String>()).replace('\n', "⏎")
}

//! What all cards have in common on which people are asked: a question, what became of it, and two
//! answers that are there as long as nobody has given one.

use serde_json::{Value, json};

use super::super::view::View;
use super::redaction::visible;

/// The action of a person who agrees.
pub(super) const APPROVE: &str = "approve";
/// The action of a person who agrees to further calls, too.
pub(super) const APPROVE_SESSION: &str = "approveSession";
/// The action of a person who agrees to what they have changed.
pub(super) const APPROVE_CHANGED: &str = "approveChanged";
/// The action of a person who refuses.
pub(super) const REJECT: &str = "reject";
/// The action of a person who takes back what they agreed to.
pub(super) const REVOKE: &str = "revoke";
/// On the buttons of these.
const REJECT_LABEL: &str = "Reject";
const SESSION_LABEL: &str = "Approve for this session";
const CHANGED_LABEL: &str = "Change and approve";
/// What changing does.
const CHANGED_MEANS: &str = "The call is made once, with what you write here. The agent is told.";
/// Why a person refuses.
pub(super) const REASON: &str = "reason";
/// What a person may change, as a form starts from it.
pub(super) const EDITABLE: &str = "editable";
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
#[derive(Clone)]
pub(super) struct Answers {
    /// On the button of whoever agrees.
    pub(super) yes: &'static str,
    /// What that does.
    pub(super) yes_means: &'static str,
    /// What refusing does.
    pub(super) no_means: &'static str,
    /// What agreeing to further calls does, where that is offered.
    pub(super) session_means: Option<&'static str>,
    /// The schema of what a person may change, where anything is.
    pub(super) changed: Option<Value>,
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
        let mut actions = json!({
            APPROVE: { "label": self.yes, "description": self.yes_means },
            REJECT: {
                "label": REJECT_LABEL,
                "description": self.no_means,
                "schema": self.reason(),
            },
        });
        if let Some(means) = self.session_means {
            actions[APPROVE_SESSION] = json!({ "label": SESSION_LABEL, "description": means });
        }
        if let Some(schema) = &self.changed {
            actions[APPROVE_CHANGED] = json!({
                "label": CHANGED_LABEL,
                "description": CHANGED_MEANS,
                "schema": schema,
            });
        }
        contract(description, props, actions)
    }

    /// The view of a card: a title, what became of it, what is asked about, and the answers.
    pub(super) fn view(&self, title: Value, caption: Value, middle: Vec<Value>) -> View {
        let mut answers = vec![json!({
            "id": "yes",
            "component": "ActionButton",
            "label": self.yes,
            "action": APPROVE,
            "variant": "primary",
            "description": self.yes_means,
        })];
        answers.extend(self.session_means.map(|means| {
            json!({
                "id": "session",
                "component": "ActionButton",
                "label": SESSION_LABEL,
                "action": APPROVE_SESSION,
                "variant": "default",
                "description": means,
            })
        }));
        answers.extend(self.changed.as_ref().map(|schema| {
            json!({
                "id": "changed",
                "component": "Form",
                "variant": "default",
                "schema": schema,
                "initial": { "path": format!("/props/{EDITABLE}") },
                "submitLabel": CHANGED_LABEL,
                "action": APPROVE_CHANGED,
                "title": CHANGED_LABEL,
                "description": CHANGED_MEANS,
                "display": "dialog",
            })
        }));
        answers.push(json!({
                "id": "no",
                "component": "Form",
                "tone": "bad",
                "variant": "default",
                "schema": self.reason(),
                "submitLabel": REJECT_LABEL,
                "action": REJECT,
                "title": REJECT_LABEL,
                "description": self.no_means,
                "display": "dialog",
        }));
        view(title, caption, middle, answers)
    }
}

/// The contract of a card with these props and actions.
pub(super) fn contract(description: &str, props: Value, actions: Value) -> Value {
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
pub(super) fn view(title: Value, caption: Value, middle: Vec<Value>, answers: Vec<Value>) -> View {
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
            "component": "Row",
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
pub(super) fn short(text: &str) -> String {
    visible(&text.chars().take(NAME_CHARS_MAX).collect::<String>()).replace('\n', "⏎")
}

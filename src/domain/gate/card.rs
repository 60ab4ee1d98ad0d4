//! The answers to what the gate asks: two that are there as long as nobody has given one, and others
//! where they are offered.

use serde_json::{Value, json};

use super::super::card::{contract, short, view};
use super::super::view::View;

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
/// Longest reason, in characters: a few sentences for a model.
const REASON_CHARS_MAX: usize = 500;

/// The one caller that has no name of its own: any program of this machine, on a server without keys.
const BUILDER: &str = "builder";

/// An agent, in words for the person who is asked.
pub(crate) fn asked_by(app: &str, name: &str) -> String {
    match name {
        BUILDER => "an agent on this machine".to_owned(),
        name => short(&format!("{name} of {app}")),
    }
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

    /// The view of a card: a title, what became of it, what is asked about, and the answers: yes and no
    /// side by side, and then what else is allowed.
    pub(super) fn view(&self, title: Value, caption: Value, middle: Vec<Value>) -> View {
        let mut answers = vec![json!({
            "id": "yes",
            "component": "ActionButton",
            "label": self.yes,
            "action": APPROVE,
            "variant": "primary",
            "description": self.yes_means,
        })];
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
        view(title, caption, middle, answers)
    }
}

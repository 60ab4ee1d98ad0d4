//! The card on which a person is asked: its contract, and what it shows of a call.

use serde_json::{Map, Value, json};

use super::super::clock::Time;
use super::redaction::visible;
use super::workflow::Workflow;

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

/// A call that a person is asked about.
pub(crate) struct Card<'a> {
    /// The tool, as its caller sees it.
    pub(crate) tool: &'a str,
    /// The id of its source.
    pub(crate) source: &'a str,
    /// Who calls.
    pub(crate) requester: String,
    /// Why the rule wants a person to be asked.
    pub(crate) why: Option<&'a str>,
    /// What the tool is given.
    pub(crate) arguments: &'a Map<String, Value>,
    /// When it is too late.
    pub(crate) expires_at: Time,
}

impl Card<'_> {
    /// What it is about, in a line.
    pub(crate) fn intent(&self) -> String {
        format!("Approve {}?", short(self.tool))
    }

    /// What it shows; secrets are not in it.
    pub(crate) fn props(&self, workflow: &Workflow) -> Value {
        let mut props = json!({
            "tool": short(self.tool),
            "server": short(self.source),
            "requester": short(&self.requester),
            "arguments": workflow.redaction.rows(self.arguments),
            "expiresAt": self.expires_at.to_string(),
        });
        if let Some(why) = self.why {
            props["why"] = visible(why).into();
        }
        props
    }
}

fn short(text: &str) -> String {
    visible(&text.chars().take(NAME_CHARS_MAX).collect::<String>())
}

/// The contract of every card.
pub(crate) fn card_contract() -> Value {
    let text = json!({"type": "string"});
    let row = json!({
        "type": "object",
        "properties": { "name": text, "value": text },
        "required": ["name", "value"],
    });
    json!({
        "propsSpec": {
            "description": "An agent wants to call a tool, and may only if a person agrees.",
            "properties": {
                "tool": { "schema": text, "required": true, "description": "Tool" },
                "server": { "schema": text, "required": true, "description": "Server" },
                "requester": { "schema": text, "required": true, "description": "Asked by" },
                "why": { "schema": text, "description": "Why you are asked" },
                "arguments": {
                    "schema": { "type": "array", "items": row },
                    "required": true,
                    "description": "What the tool is given",
                },
                "expiresAt": {
                    "schema": { "type": "string", "format": "date-time" },
                    "required": true,
                    "description": "Decide before",
                },
            },
        },
        "actionSpec": {
            APPROVE: { "label": "Approve", "description": "The call is made once." },
            REJECT: {
                "label": "Reject",
                "description": "The call is not made. The agent reads the reason.",
                "schema": {
                    "type": "object",
                    "properties": { REASON: { "type": "string", "maxLength": REASON_CHARS_MAX } },
                },
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
                        "by": { "type": ["string", "null"] },
                        "note": { "type": ["string", "null"] },
                    },
                    "required": ["state", "message"],
                },
            },
        },
    })
}

//! Further calls that a person has agreed to: what that is bound to, and the card on which it is taken
//! back.

use serde::Serialize;
use serde_json::{Value, json};

use super::super::card::{Card, contract, short, view};
use super::super::clock::Time;
use super::binding::{Binding, prefix_of};
use super::card::{REVOKE, asked_by};
use super::policy::PolicyVersion;
use super::rules::Approval;

/// Since when calls are made without asking. Other cards have no such prop.
pub(super) const SINCE: &str = "since";
/// On the button that ends it.
const STOP: &str = "Stop";
/// What that does.
const STOP_MEANS: &str = "Each further call is asked about. One that is being made goes on.";

/// Further calls that a person has agreed to: of one caller and one tool as it is, under one rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Grant {
    /// The app of whoever calls.
    pub(crate) app: String,
    /// Whoever calls.
    pub(crate) caller: String,
    /// The id of the source.
    pub(crate) source: String,
    /// The tool, as its source names it.
    pub(crate) tool: String,
    /// Hash of what the tool says of itself, and of the name of its server.
    pub(crate) pin: String,
    /// The version of the rules.
    pub(crate) policy: PolicyVersion,
    /// The way in which people are asked.
    workflow: String,
    /// Why the rule asks.
    why: Option<String>,
}

impl Grant {
    /// What a person can agree to where they are asked about a call; none where that is not offered.
    pub(crate) fn of(binding: &Binding, approval: &Approval) -> Option<Self> {
        let Binding {
            app,
            caller,
            source,
            tool,
            pin,
            policy,
            arguments: _,
        } = binding.clone();
        approval.workflow.allows_sessions.then(|| Self {
            app,
            caller,
            source,
            tool,
            pin,
            policy,
            workflow: approval.workflow.name.clone(),
            why: approval.why.clone(),
        })
    }

    /// How the names of the sessions begin in which it can be taken back.
    pub(crate) fn prefix(&self) -> String {
        prefix_of(&("grant", self))
    }

    /// The card, on which the tool has the name that its caller sees.
    pub(crate) fn card(&self, seen: &str, since: Time, until: Time) -> Card {
        let text = json!({"type": "string"});
        let moment = json!({"type": "string", "format": "date-time"});
        let of = |schema: &Value, description: &str| json!({ "schema": schema, "required": true, "description": description });
        let props = json!({
            "tool": of(&text, "Tool"),
            "server": of(&text, "Server"),
            "requester": of(&text, "Who may call it"),
            SINCE: of(&moment, "Since"),
            "expiresAt": of(&moment, "Until"),
        });
        let actions = json!({ REVOKE: { "label": STOP, "description": STOP_MEANS } });
        let item = |label: &str, format: &str, prop: &str| {
            let path = format!("/props/{prop}");
            json!({ "label": label, "format": format, "value": { "path": path } })
        };
        let middle = vec![
            json!({
                "id": "facts",
                "component": "KeyValue",
                "items": [
                    item("Who may call it", "text", "requester"),
                    item("Server", "text", "server"),
                    item("Since", "datetime", SINCE),
                    item("Until", "datetime", "expiresAt"),
                ],
            }),
            json!({ "id": "facts-card", "component": "Card", "child": "facts" }),
        ];
        let stop = json!({
            "id": "stop",
            "component": "ActionButton",
            "label": STOP,
            "action": REVOKE,
            "variant": "default",
            "tone": "bad",
            "description": STOP_MEANS,
        });
        let title = "${/props/tool} is allowed";
        Card {
            intent: format!("{} is allowed", short(seen)),
            contract: contract("Calls that are made without asking.", props, actions),
            view: view(
                json!({ "call": "formatString", "args": { "value": title } }),
                json!("You have approved calls of this tool for a while."),
                middle,
                vec![stop],
            ),
            props: json!({
                "tool": short(seen),
                "server": short(&self.source),
                "requester": asked_by(&self.app, &self.caller),
                SINCE: since.to_string(),
                "expiresAt": until.to_string(),
            }),
        }
    }
}

//! The card on which a person is asked about a call: what it shows of it.

use serde_json::{Map, Value, json};

use super::super::clock::Time;
use super::card::{Answers, Card, EDITABLE, short};
use super::editing::Editing;
use super::redaction::visible;
use super::workflow::Workflow;

/// What a person can answer.
const ANSWERS: Answers = Answers {
    yes: "Approve",
    yes_means: "The call is made once.",
    no_means: "The call is not made. The agent reads the reason.",
    session_means: None,
    changed: None,
};
/// What agreeing to further calls does.
const SESSION_MEANS: &str = "Further calls of this tool, too, for an hour or until you stop them.";

/// Letters of a line that is shown as it stands; texts with longer ones are wrapped, in a table.
const LINE_CHARS_MAX: usize = 60;

/// A call that a person is asked about.
pub(crate) struct CallCard<'a> {
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

impl CallCard<'_> {
    /// The card, without what the workflow keeps from people.
    pub(crate) fn card(&self, workflow: &Workflow) -> Card {
        let editing = Editing::of(workflow, self.arguments);
        let answers = Answers {
            session_means: workflow.allows_sessions.then_some(SESSION_MEANS),
            changed: editing.schema(),
            ..ANSWERS
        };
        let mut props = self.props(workflow);
        if answers.changed.is_some() {
            props[EDITABLE] = editing.initial();
        }
        Card {
            intent: format!("Approve {}?", short(self.tool)),
            contract: contract(&answers),
            view: answers.view(
                json!({ "call": "formatString", "args": { "value": "Approve ${/props/tool}?" } }),
                json!({ "path": "/props/why" }),
                middle(),
            ),
            props,
        }
    }

    fn props(&self, workflow: &Workflow) -> Value {
        let rows = workflow.redaction.rows(self.arguments);
        let (texts, mut arguments): (Vec<_>, Vec<_>) = rows.into_iter().partition(has_short_lines);
        for row in &mut arguments {
            // In a row of a table nobody sees where a line ends.
            let value = row["value"].as_str().unwrap_or_default();
            let value = value.replace('\n', "⏎ ");
            row["value"] = value.into();
        }
        json!({
            "tool": short(self.tool),
            "server": short(self.source),
            "requester": short(&self.requester),
            "why": self.why.map_or("An agent wants to call a tool.".to_owned(), visible),
            "arguments": arguments,
            "texts": texts,
            "expiresAt": self.expires_at.to_string(),
        })
    }
}

/// Whether a value has several lines, of which none is so long that its end could be out of sight.
fn has_short_lines(row: &Value) -> bool {
    let value = row["value"].as_str().unwrap_or_default();
    let is_short = |line: &str| line.chars().count() <= LINE_CHARS_MAX;
    value.contains('\n') && value.lines().all(is_short)
}

/// What stands between what became of it and the answers.
fn middle() -> Vec<Value> {
    vec![
        json!({
            "id": "facts",
            "component": "KeyValue",
            "items": [
                { "label": "Asked by", "format": "text", "value": { "path": "/props/requester" } },
                { "label": "Server", "format": "text", "value": { "path": "/props/server" } },
                { "label": "Decide before", "format": "datetime",
                  "value": { "path": "/props/expiresAt" } },
            ],
        }),
        json!({ "id": "facts-card", "component": "Card", "child": "facts" }),
        json!({
            "id": "arguments",
            "component": "Table",
            "title": "What the tool is given",
            "emptyText": "Nothing else.",
            "rows": { "path": "/props/arguments" },
            "columns": [
                { "label": "Name", "format": "text", "field": "name" },
                { "label": "Value", "format": "text", "field": "value" },
            ],
            "titleField": "name",
        }),
        json!({ "id": "arguments-card", "component": "Card", "child": "arguments" }),
        json!({
            "id": "texts",
            "component": "Column",
            "children": { "componentId": "text", "path": "/props/texts" },
        }),
        json!({
            "id": "text",
            "component": "Code",
            "title": { "path": "name" },
            "value": { "path": "value" },
        }),
    ]
}

/// The contract of every card of a call.
fn contract(answers: &Answers) -> Value {
    let text = json!({"type": "string"});
    let row = json!({
        "type": "object",
        "properties": { "name": text, "value": text },
        "required": ["name", "value"],
    });
    let rows = json!({ "type": "array", "items": row });
    let props = json!({
        "tool": { "schema": text, "required": true, "description": "Tool" },
        "server": { "schema": text, "required": true, "description": "Server" },
        "requester": { "schema": text, "required": true, "description": "Asked by" },
        "why": { "schema": text, "description": "Why you are asked" },
        "arguments": { "schema": rows, "required": true, "description": "What the tool is given" },
        "texts": { "schema": rows, "description": "What it is given that has several lines" },
        "expiresAt": {
            "schema": { "type": "string", "format": "date-time" },
            "required": true,
            "description": "Decide before",
        },
    });
    let description = "An agent wants to call a tool, and may only if a person agrees.";
    let mut props = props;
    if let Some(schema) = &answers.changed {
        props[EDITABLE] = json!({ "schema": schema, "description": "What you may change" });
    }
    answers.contract(description, props)
}

#[cfg(test)]
mod tests {
    use super::super::super::contract::{CompiledContract, ContractLimits};
    use super::super::super::view::check;
    use super::super::workflow::workflows;
    use super::*;

    #[test]
    fn what_is_drawn_of_a_call_fits_its_contract() {
        let entries = [("ops".to_owned(), serde_json::from_value(json!({})).unwrap())];
        let workflows = workflows(&entries.into(), &mut Vec::new());
        let Value::Object(arguments) = json!({
            "path": "/a",
            "text": "one\ntwo",
            "hidden": format!("one{}\ntwo", " ".repeat(100)),
        }) else {
            panic!("an object");
        };
        let call = CallCard {
            tool: "delete\n_file",
            source: "files",
            requester: "builder of builder".to_owned(),
            why: None,
            arguments: &arguments,
            expires_at: Time(0),
        };
        let card = call.card(&workflows["ops"]);
        let contract = CompiledContract::compile(&card.contract, &ContractLimits::default());
        let contract = contract.ok().unwrap().contract;
        assert_eq!(check(card.view.value(), &contract).err(), None);
        assert_eq!(card.props["tool"], "delete⏎_file");
        assert_eq!(
            card.props["arguments"],
            json!([
                {"name": "path", "value": "/a"},
                {"name": "hidden", "value": format!("one{}⏎ two", " ".repeat(100))},
            ])
        );
        assert_eq!(
            card.props["texts"],
            json!([{"name": "text", "value": "one\ntwo"}])
        );
    }
}

//! The card on which a person is asked about a call: what it shows of it.

use serde_json::{Map, Value, json};

use super::super::card::{Card, short};
use super::super::clock::Time;
use super::super::redaction::{REDACTED, visible};
use super::super::size::shorten;
use super::card::{Answers, EDITABLE};
use super::editing::Editing;
use super::workflow::Workflow;
use crate::wire::gate::ShownValue;

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
/// Letters of a value that stands beside the tool in a list of cards: more would be cut there.
const HINT_CHARS_MAX: usize = 40;

/// When a call of the same tool and caller was approved last, where that is known.
const LAST: &str = "lastApprovedAt";
/// Letters of a value as it was: enough to know it again beside what it is now.
const WAS_CHARS_MAX: usize = 80;

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
    /// What was approved last of the same tool and caller.
    pub(crate) last: Option<Shown>,
}

/// What a person was shown of a call that they approved.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shown {
    /// When it was made.
    pub(crate) at: Time,
    /// What the tool was given, as they were shown it.
    pub(crate) rows: Vec<ShownValue>,
}

impl Shown {
    /// What has become of a value since.
    fn since(&self, row: &ShownValue) -> String {
        let before = self.rows.iter().find(|before| before.name == row.name);
        match before {
            _ if row.value == REDACTED => "not shown".to_owned(),
            None => "new".to_owned(),
            Some(before) if before.value == row.value => "the same".to_owned(),
            Some(before) => was(before),
        }
    }

    /// The values that are no longer there.
    fn gone<'a>(&'a self, now: &'a [ShownValue]) -> impl Iterator<Item = Value> + 'a {
        let is_gone = |before: &&ShownValue| now.iter().all(|row| row.name != before.name);
        let gone = self.rows.iter().filter(is_gone);
        gone.map(|before| json!({ "name": before.name, "value": "", "since": was(before) }))
    }
}

/// A value as it was, in short.
fn was(before: &ShownValue) -> String {
    let value = &before.value;
    format!("was {}", shorten(&value.replace('\n', "⏎ "), WAS_CHARS_MAX))
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
            intent: format!("Approve {}?{}", short(self.tool), hint(&props)),
            contract: contract(&answers, self.last.is_some()),
            view: answers.view(
                json!({ "call": "formatString", "args": { "value": "Approve ${/props/tool}?" } }),
                json!({ "path": "/props/why" }),
                middle(self.last.is_some()),
            ),
            props,
        }
    }

    fn props(&self, workflow: &Workflow) -> Value {
        let given = workflow.redaction.rows(self.arguments);
        let mut rows: Vec<_> = given.iter().map(|given| json!(given)).collect();
        if let Some(last) = &self.last {
            for (row, given) in rows.iter_mut().zip(&given) {
                row["since"] = last.since(given).into();
            }
            rows.extend(last.gone(&given));
        }
        let (texts, mut arguments): (Vec<_>, Vec<_>) = rows.into_iter().partition(has_short_lines);
        for row in &mut arguments {
            // In a row of a table nobody sees where a line ends.
            let value = row["value"].as_str().unwrap_or_default();
            let value = value.replace('\n', "⏎ ");
            row["value"] = value.into();
        }
        let mut props = json!({
            "tool": short(self.tool),
            "server": short(self.source),
            "requester": self.requester,
            "why": self.why.map_or("An agent wants to call a tool.".to_owned(), visible),
            "arguments": arguments,
            "texts": texts,
            "expiresAt": self.expires_at.to_string(),
        });
        if let Some(last) = &self.last {
            props[LAST] = last.at.to_string().into();
        }
        props
    }
}

/// What tells the card from others of its tool, where they are listed: the first value.
fn hint(props: &Value) -> String {
    let value = props.pointer("/arguments/0/value").and_then(Value::as_str);
    let value = value.filter(|value| (1..=HINT_CHARS_MAX).contains(&value.chars().count()));
    value.map_or(String::new(), |value| format!(" {value}"))
}

/// Whether a value has several lines, of which none is so long that its end could be out of sight.
fn has_short_lines(row: &Value) -> bool {
    let value = row["value"].as_str().unwrap_or_default();
    let is_short = |line: &str| line.chars().count() <= LINE_CHARS_MAX;
    value.contains('\n') && value.lines().all(is_short)
}

/// What stands between what became of it and the answers.
fn middle(has_last: bool) -> Vec<Value> {
    let mut facts = vec![
        json!({ "label": "Asked by", "format": "text", "value": { "path": "/props/requester" } }),
        json!({ "label": "Server", "format": "text", "value": { "path": "/props/server" } }),
        json!({ "label": "Decide before", "format": "datetime", "value": { "path": "/props/expiresAt" } }),
    ];
    let mut columns = vec![
        json!({ "label": "Name", "format": "text", "field": "name" }),
        json!({ "label": "Value", "format": "text", "field": "value" }),
    ];
    let mut title = json!({ "path": "name" });
    if has_last {
        let path = format!("/props/{LAST}");
        let last = json!({ "path": path });
        facts.push(json!({ "label": "Approved last", "format": "datetime", "value": last }));
        columns.push(json!({ "label": "Since then", "format": "text", "field": "since" }));
        title = json!({ "call": "formatString", "args": { "value": "${name} (${since})" } });
    }
    vec![
        json!({
            "id": "facts",
            "component": "KeyValue",
            "items": facts,
        }),
        json!({ "id": "facts-card", "component": "Card", "child": "facts" }),
        json!({
            "id": "arguments",
            "component": "Table",
            "title": "What the tool is given",
            "emptyText": "Nothing else.",
            "rows": { "path": "/props/arguments" },
            "columns": columns,
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
            "title": title,
            "value": { "path": "value" },
        }),
    ]
}

/// The contract of every card of a call.
fn contract(answers: &Answers, has_last: bool) -> Value {
    let text = json!({"type": "string"});
    let row = json!({
        "type": "object",
        "properties": { "name": text, "value": text, "since": text },
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
    if has_last {
        props[LAST] = json!({
            "schema": { "type": "string", "format": "date-time" },
            "description": "Approved last",
        });
    }
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
            requester: "an agent on this machine".to_owned(),
            why: None,
            arguments: &arguments,
            expires_at: Time(0),
            last: None,
        };
        let card = call.card(&workflows["ops"]);
        let contract = CompiledContract::compile(&card.contract, &ContractLimits::default());
        let contract = contract.ok().unwrap().contract;
        assert_eq!(check(card.view.value(), &contract).err(), None);
        assert_eq!(card.intent, "Approve delete⏎_file? /a");
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

    #[test]
    fn what_has_changed_since_a_call_was_approved_last_stands_beside_it() {
        let entries = [("ops".to_owned(), serde_json::from_value(json!({})).unwrap())];
        let workflows = workflows(&entries.into(), &mut Vec::new());
        let workflow = &workflows["ops"];
        let Value::Object(before) = json!({
            "path": "/a", "mode": "soft", "note": "n", "text": "one\ntwo", "password": "x",
        }) else {
            panic!("an object");
        };
        let Value::Object(now) = json!({
            "path": "/b", "mode": "soft", "deep": true, "text": "one\nthree", "password": "y",
        }) else {
            panic!("an object");
        };
        let call = CallCard {
            tool: "delete_file",
            source: "files",
            requester: "an agent on this machine".to_owned(),
            why: None,
            arguments: &now,
            expires_at: Time(0),
            last: Some(Shown {
                at: Time(0),
                rows: workflow.redaction.rows(&before),
            }),
        };
        let card = call.card(workflow);
        let contract = CompiledContract::compile(&card.contract, &ContractLimits::default());
        let contract = contract.ok().unwrap().contract;
        assert_eq!(check(card.view.value(), &contract).err(), None);
        let rows = card.props["arguments"].as_array().unwrap().iter();
        let rows = rows.chain(card.props["texts"].as_array().unwrap());
        let since: Vec<_> = rows
            .map(|row| {
                (
                    row["name"].as_str().unwrap(),
                    row["since"].as_str().unwrap(),
                )
            })
            .collect();
        assert_eq!(
            since,
            [
                ("path", "was /a"),
                ("mode", "the same"),
                ("deep", "new"),
                ("password", "not shown"),
                ("note", "was n"),
                ("text", "was one⏎ two"),
            ]
        );
        assert!(!card.props.to_string().contains("\"x\""));
    }
}

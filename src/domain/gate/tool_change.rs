//! A tool that is not what was accepted: what has changed, and the card on which a person decides.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use super::super::clock::Time;
use super::binding::prefix_of;
use super::card::{Answers, Card, short};
use super::definition_lines::labelled;
use super::pins::Definition;
use super::policy::canonical_hash;

/// What a person can answer.
const ANSWERS: Answers = Answers {
    session_means: None,
    changed: None,
    yes: "Accept",
    yes_means: "Agents may use it as it is now.",
    no_means: "It stays hidden, and nobody is asked about this change again.",
};
/// The member of the props by which such a card is known from others.
pub(super) const NOW: &str = "now";
/// Lines of a definition that are shown; what is longer says how much is missing.
const LINES_MAX: usize = 400;
/// Tools that are named where a server has changed as a whole.
const TOOLS_NAMED_MAX: usize = 20;

/// A change that a person decides on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) enum ToolChange {
    /// A server calls itself something else; its tools are as they were.
    Server {
        /// The id of the source.
        source: String,
        /// As it called itself when its tools were accepted.
        before: Option<String>,
        /// As it calls itself.
        now: Option<String>,
        /// The tools that were accepted of it, in order.
        tools: Vec<String>,
    },
    /// A tool is new, has another name, or is something else.
    Tool {
        /// The id of the source.
        source: String,
        /// What was accepted: under its name, or under one that is no longer there.
        before: Option<Definition>,
        /// As it is.
        now: Definition,
    },
}

impl ToolChange {
    /// The id of the source.
    pub(crate) fn source(&self) -> &str {
        match self {
            Self::Server { source, .. } | Self::Tool { source, .. } => source,
        }
    }

    /// The tool it is about; none: all that were accepted of the source.
    pub(crate) fn tool(&self) -> Option<&str> {
        match self {
            Self::Server { .. } => None,
            Self::Tool { now, .. } => Some(now.name()),
        }
    }

    /// What it would make of a tool or a server, as a hash.
    pub(crate) fn outcome(&self) -> Arc<str> {
        match self {
            Self::Server { now, .. } => canonical_hash(now).into(),
            Self::Tool { now, .. } => now.hash().into(),
        }
    }

    /// How the names of the sessions begin in which people are asked about exactly this.
    pub(crate) fn prefix(&self) -> String {
        prefix_of(&("change", self))
    }

    /// The card.
    pub(crate) fn card(&self, expires_at: Time) -> Card {
        let (subject, why) = match self {
            Self::Server { source, .. } => (
                source.as_str(),
                "This server calls itself something else than when its tools were accepted. \
                 They are hidden until somebody accepts it.",
            ),
            Self::Tool {
                now, before: None, ..
            } => (
                now.name(),
                "This tool is new. It is hidden until somebody accepts it.",
            ),
            Self::Tool { now, .. } => (
                now.name(),
                "This tool is not what was accepted. It is hidden until somebody accepts it.",
            ),
        };
        let (before, now) = self.texts();
        let subject = short(subject);
        Card {
            intent: format!("Accept {subject}?"),
            contract: contract(),
            view: ANSWERS.view(
                json!({ "call": "formatString", "args": { "value": "Accept ${/props/tool}?" } }),
                json!({ "path": "/props/why" }),
                middle(),
            ),
            props: json!({
                "tool": subject,
                "server": short(self.source()),
                "why": why,
                "before": before,
                NOW: now,
                "expiresAt": expires_at.to_string(),
            }),
        }
    }

    /// What was, and what is, as lines.
    fn texts(&self) -> (String, String) {
        match self {
            Self::Server {
                before, now, tools, ..
            } => {
                let mut named: Vec<_> = tools.iter().take(TOOLS_NAMED_MAX).cloned().collect();
                if tools.len() > TOOLS_NAMED_MAX {
                    named.push(format!("and {} more", tools.len() - TOOLS_NAMED_MAX));
                }
                let text = |server: &Option<String>| {
                    let server = labelled("Server", server.as_deref().unwrap_or("(no name)"));
                    let tools = named.iter().flat_map(|tool| labelled("Tool", tool));
                    let lines = server.into_iter().chain(tools);
                    lines.collect::<Vec<_>>().join("\n")
                };
                (text(before), text(now))
            }
            Self::Tool { before, now, .. } => {
                let mut after = now.lines();
                let mut was = before.as_ref().map(Definition::lines).unwrap_or_default();
                if let Some(before) = before.as_ref().filter(|_| was == after) {
                    // They differ in something that no line tells, such as an order.
                    was.extend(labelled("As JSON", &before.json()));
                    after.extend(labelled("As JSON", &now.json()));
                }
                shorten(&mut was, &mut after);
                (was.join("\n"), after.join("\n"))
            }
        }
    }
}

/// Cuts texts that are too long to be read: lines that both have go first, and what is missing is
/// said.
fn shorten(before: &mut Vec<String>, now: &mut Vec<String>) {
    if before.len().max(now.len()) <= LINES_MAX {
        return;
    }
    let old: std::collections::HashSet<_> = before.iter().cloned().collect();
    let new: std::collections::HashSet<_> = now.iter().cloned().collect();
    before.retain(|line| !new.contains(line));
    now.retain(|line| !old.contains(line));
    for lines in [before, now] {
        let more = lines.len().saturating_sub(LINES_MAX);
        if more > 0 {
            lines.truncate(LINES_MAX);
            lines.push(format!(
                "… {more} more lines: proscenium gate pin shows them"
            ));
        }
    }
}

/// What stands between what became of it and the answers.
fn middle() -> Vec<Value> {
    vec![
        json!({
            "id": "facts",
            "component": "KeyValue",
            "items": [
                { "label": "Server", "format": "text", "value": { "path": "/props/server" } },
                { "label": "Decide before", "format": "datetime",
                  "value": { "path": "/props/expiresAt" } },
            ],
        }),
        json!({ "id": "facts-card", "component": "Card", "child": "facts" }),
        json!({
            "id": "difference",
            "component": "Diff",
            "title": "What was accepted, and what it is now",
            "before": { "path": "/props/before" },
            "after": { "path": "/props/now" },
        }),
        json!({ "id": "difference-card", "component": "Card", "child": "difference" }),
    ]
}

/// The contract of every card of a change.
fn contract() -> Value {
    let text = json!({"type": "string"});
    let props = json!({
        "tool": { "schema": text, "required": true, "description": "Tool" },
        "server": { "schema": text, "required": true, "description": "Server" },
        "why": { "schema": text, "required": true, "description": "Why you are asked" },
        "before": { "schema": text, "required": true, "description": "What was accepted" },
        NOW: { "schema": text, "required": true, "description": "What it is now" },
        "expiresAt": {
            "schema": { "type": "string", "format": "date-time" },
            "required": true,
            "description": "Decide before",
        },
    });
    ANSWERS.contract("A tool is not what was accepted.", props)
}

#[cfg(test)]
mod tests {
    use super::super::super::contract::{CompiledContract, ContractLimits};
    use super::super::super::view::check;
    use super::*;

    fn definition(value: Value) -> Definition {
        match value {
            Value::Object(tool) => Definition::of(Some("s"), &tool),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn what_is_drawn_of_a_change_fits_its_contract_and_shows_both_sides() {
        let change = ToolChange::Tool {
            source: "files".to_owned(),
            before: Some(definition(json!({"name": "a", "description": "Reads"}))),
            now: definition(json!({"name": "a", "description": "Reads and sends"})),
        };
        let card = change.card(Time(0));
        let contract = CompiledContract::compile(&card.contract, &ContractLimits::default());
        let contract = contract.ok().unwrap().contract;
        assert_eq!(check(card.view.value(), &contract).err(), None);
        assert_eq!(
            card.props["before"],
            "Server: s\nName: a\nDescription: Reads"
        );
        assert_eq!(
            card.props["now"],
            "Server: s\nName: a\nDescription: Reads and sends"
        );
    }

    #[test]
    fn a_difference_that_no_line_tells_is_shown_as_it_stands() {
        let with = |required: Value| {
            definition(json!({"name": "a", "inputSchema": {
            "type": "object", "properties": {"x": {}, "y": {}}, "required": required}}))
        };
        let change = ToolChange::Tool {
            source: "files".to_owned(),
            before: Some(with(json!(["x", "y"]))),
            now: with(json!(["y", "x"])),
        };
        let (before, now) = change.texts();
        assert_ne!(before, now);
    }

    #[test]
    fn of_a_long_definition_what_differs_is_shown() {
        let many = |last: &str| {
            let names = (0..1_000).map(|at| (format!("p{at:04}"), json!({"type": "string"})));
            let mut properties: serde_json::Map<_, _> = names.collect();
            properties.insert("z".to_owned(), json!({ "type": last }));
            definition(json!({"name": "a", "inputSchema": {"properties": properties}}))
        };
        let change = ToolChange::Tool {
            source: "files".to_owned(),
            before: Some(many("string")),
            now: many("number"),
        };
        let texts = change.texts();
        let wanted = (
            "Argument z: text".to_owned(),
            "Argument z: number".to_owned(),
        );
        assert_eq!(texts, wanted);
        let new = ToolChange::Tool {
            source: "files".to_owned(),
            before: None,
            now: many("string"),
        };
        let (_, now) = new.texts();
        assert!(
            now.ends_with("more lines: proscenium gate pin shows them"),
            "{now}"
        );
    }
}

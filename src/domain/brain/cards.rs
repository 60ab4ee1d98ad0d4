//! The cards on which people are asked about pages: what they show.

use serde_json::{Value, json};

use super::super::card::{Card, contract, short, view};
use super::super::redaction::visible;
use super::asking::{
    AS_WRITTEN, BOTH, CHANGED, Choice, Disclosure, FIRST, NO, Proposal, QUESTION, SECOND, YES,
};

fn text() -> Value {
    json!({ "type": "string" })
}

fn prop(schema: Value, description: &str) -> Value {
    json!({ "schema": schema, "required": true, "description": description })
}

fn number(description: &str) -> Value {
    json!({ "schema": { "type": "integer" }, "description": description })
}

fn button(id: &str, label: Value, action: &str, variant: &str, means: &str) -> Value {
    json!({
        "id": id, "component": "ActionButton", "label": label, "action": action,
        "variant": variant, "description": means,
    })
}

fn formatted(text: &str) -> Value {
    json!({ "call": "formatString", "args": { "value": text } })
}

fn fact(label: &str, path: &str) -> Value {
    json!({ "label": label, "format": "text", "value": { "path": path } })
}

fn facts(items: Vec<Value>) -> Vec<Value> {
    vec![
        json!({ "id": "facts", "component": "KeyValue", "items": items }),
        json!({ "id": "facts-card", "component": "Card", "child": "facts" }),
    ]
}

impl Proposal {
    pub(super) fn card(&self) -> Card {
        let keeps = "It is kept as a page. You can read and delete it under Pages.";
        let drops = "Nothing is kept.";
        let props = json!({
            "title": prop(text(), "What it is about"),
            "shown": prop(text(), "What is kept"),
            "requester": prop(text(), "Asked by"),
            "page": prop(text(), "Page"),
            "content": prop(text(), "The text of the page"),
            "expectedVersion": number("The version it takes the place of"),
        });
        let actions = json!({
            YES: { "label": "Keep", "description": keeps },
            NO: { "label": "Do not keep", "description": drops },
        });
        let mut middle = facts(vec![
            fact("Asked by", "/props/requester"),
            fact("Page", "/props/page"),
        ]);
        middle.push(json!({
            "id": "text", "component": "Code", "title": "What is kept",
            "value": { "path": "/props/shown" },
        }));
        let answers = vec![
            button("yes", "Keep".into(), YES, "primary", keeps),
            button("no", "Do not keep".into(), NO, "default", drops),
        ];
        let mut given = json!({
            "title": short(&self.title),
            "shown": visible(&self.content),
            "requester": short(&self.by),
            "page": self.slug,
            "content": self.content,
        });
        if let Some(version) = self.expected_version {
            given["expectedVersion"] = version.into();
        }
        Card {
            intent: format!("Remember “{}”?", short(&self.title)),
            contract: contract(
                "An agent wants to remember what you prefer.",
                props,
                actions,
            ),
            view: view(
                formatted("Remember “${/props/title}”?"),
                "An agent wants to remember what you prefer.".into(),
                middle,
                answers,
            ),
            props: given,
        }
    }
}

impl Choice {
    pub(super) fn card(&self) -> Card {
        let keeps = "The other one is over: its page says until when it held.";
        let both = "They contradict each other, and both are kept.";
        let props = json!({
            "subject": prop(text(), "What both are about"),
            "first": prop(text(), "Said first"),
            "second": prop(text(), "Said later"),
            "firstPage": prop(text(), "Page of what was said first"),
            "secondPage": prop(text(), "Page of what was said later"),
            "firstVersion": number("Version of what was said first"),
            "secondVersion": number("Version of what was said later"),
            "until": { "schema": text(), "description": "The last day of the one that is over" },
        });
        let actions = json!({
            FIRST: { "label": "Keep the first", "description": keeps },
            SECOND: { "label": "Keep the second", "description": keeps },
            BOTH: { "label": "Keep both", "description": both },
        });
        let middle = facts(vec![
            fact("Said first", "/props/first"),
            fact("Page", "/props/firstPage"),
            fact("Said later", "/props/second"),
            fact("Its page", "/props/secondPage"),
        ]);
        let answers = vec![
            button(
                "first",
                formatted("Keep ${/props/first}"),
                FIRST,
                "default",
                keeps,
            ),
            button(
                "second",
                formatted("Keep ${/props/second}"),
                SECOND,
                "default",
                keeps,
            ),
            button("both", "Keep both".into(), BOTH, "borderless", both),
        ];
        let (first, second) = (&self.first, &self.second);
        Card {
            intent: format!("Which one? {}", short(&self.subject)),
            contract: contract("Two preferences contradict each other.", props, actions),
            view: view(
                formatted("Which one? ${/props/subject}"),
                "Two preferences contradict each other.".into(),
                middle,
                answers,
            ),
            props: json!({
                "subject": short(&self.subject),
                "first": short(&first.2),
                "second": short(&second.2),
                "firstPage": first.0,
                "secondPage": second.0,
                "firstVersion": first.1,
                "secondVersion": second.1,
                "until": self.until,
            }),
        }
    }
}

impl Disclosure {
    pub(super) fn card(&self) -> Card {
        let shares = "Others may read the question as it stands here.";
        let changes = "Others may read the question as you write it here.";
        let keeps = "Of the question nothing but a checksum is kept.";
        let schema = json!({
            "type": "object",
            "properties": {
                QUESTION: { "type": "string", "title": "Question", "minLength": 1, "maxLength": 2000 },
            },
            "required": [QUESTION],
        });
        let props = json!({
            QUESTION: prop(text(), "The question"),
            "shown": prop(text(), "The question as it stands"),
            "requester": prop(text(), "Asked by"),
            "gap": number("The number of the gap"),
            "editable": { "schema": schema, "description": "What you may change" },
        });
        let actions = json!({
            AS_WRITTEN: { "label": "Share as written", "description": shares },
            CHANGED: { "label": "Change and share", "description": changes, "schema": schema },
            NO: { "label": "Keep it here", "description": keeps },
        });
        let mut middle = facts(vec![fact("Asked by", "/props/requester")]);
        middle.push(json!({
            "id": "text", "component": "Code", "title": "The question",
            "value": { "path": "/props/shown" },
        }));
        let answers = vec![
            button("no", "Keep it here".into(), NO, "primary", keeps),
            json!({
                "id": "changed", "component": "Form", "variant": "default", "schema": schema,
                "initial": { "path": "/props/editable" }, "submitLabel": "Change and share",
                "action": CHANGED, "title": "Change and share", "description": changes,
                "display": "dialog",
            }),
            button(
                "yes",
                "Share as written".into(),
                AS_WRITTEN,
                "default",
                shares,
            ),
        ];
        Card {
            intent: "May this question leave this machine?".to_owned(),
            contract: contract("An agent wants to share a question.", props, actions),
            view: view(
                "May this question leave this machine?".into(),
                "An agent found no answer, and wants to ask elsewhere.".into(),
                middle,
                answers,
            ),
            props: json!({
                QUESTION: self.question,
                "shown": visible(&self.question),
                "requester": short(&self.by),
                "gap": self.gap,
                "editable": { QUESTION: self.question },
            }),
        }
    }
}

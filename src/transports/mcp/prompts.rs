//! Prompts: what a person picks in their client to be shown a kind of UI, with a contract to begin with.

use serde_json::{Map, Value, json};

use super::super::fault::Fault;
use super::resources;
use crate::wire::fault::Code;

/// Entries of a list in an argument: a card with more is one nobody reads to its end.
const LIST_ENTRIES_MAX: usize = 24;

/// What may stand behind the colon of a form's field.
const FIELD_TYPES: &[&str] = &[
    "text", "longtext", "email", "url", "number", "integer", "date", "boolean",
];

/// One prompt.
struct Prompt {
    name: &'static str,
    title: &'static str,
    /// Written for the person who chooses it.
    description: &'static str,
    arguments: &'static [Argument],
    draft: fn(&Given) -> Draft,
}

/// One argument of a prompt; every value is a text.
struct Argument {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    required: bool,
    values: Values,
}

/// What an argument may be.
enum Values {
    /// Any text.
    Free,
    /// Names with commas between them.
    List,
    /// `name:type` with commas between them.
    Fields,
    /// One of a closed set; the first is meant when there is none.
    OneOf(&'static [&'static str]),
}

/// What a prompt proposes.
struct Draft {
    /// The sentence that opens the conversation, and the intent of the handshake.
    intent: String,
    contract: Value,
    props: Value,
    /// What to do with what the person did.
    then: &'static str,
}

/// Arguments that were judged.
struct Given(Vec<(&'static str, String)>);

impl Given {
    fn text(&self, name: &str) -> &str {
        let given = self.0.iter().find(|(given, _)| *given == name);
        given.map_or("", |(_, value)| value)
    }

    /// The entries of a list, each with the key it has in a contract.
    fn list(&self, name: &str, otherwise: &[&str]) -> Vec<Entry> {
        let mut texts: Vec<_> = entries(self.text(name)).collect();
        if texts.is_empty() {
            texts = otherwise.to_vec();
        }
        let mut list: Vec<Entry> = Vec::with_capacity(texts.len());
        for text in texts {
            let (label, kind) = text.split_once(':').unwrap_or((text, FIELD_TYPES[0]));
            let base = key(label);
            let mut key = base.clone();
            let mut count = 1;
            while list.iter().any(|entry| entry.key == key) {
                count += 1;
                key = format!("{base}{count}");
            }
            let (label, kind) = (label.trim().to_owned(), kind.trim().to_ascii_lowercase());
            list.push(Entry { key, label, kind });
        }
        list
    }
}

/// One entry of a list.
struct Entry {
    key: String,
    label: String,
    kind: String,
}

const TABLE: &[Prompt] = &[
    Prompt {
        name: "form",
        title: "Ask with a form",
        description: "Have the agent ask for several values at once, in a form that checks them.",
        arguments: &[
            Argument {
                name: "purpose",
                title: "Purpose",
                description: "What the form is for.",
                required: true,
                values: Values::Free,
            },
            Argument {
                name: "fields",
                title: "Fields",
                description: "Names with commas between them, each with a type if it is no text: \
                    name, age:integer, born:date.",
                required: false,
                values: Values::Fields,
            },
        ],
        draft: form,
    },
    Prompt {
        name: "choose",
        title: "Choose from options",
        description: "Have the agent lay out options to compare and pick from.",
        arguments: &[
            Argument {
                name: "question",
                title: "Question",
                description: "What is to be decided.",
                required: true,
                values: Values::Free,
            },
            Argument {
                name: "options",
                title: "Options",
                description: "The options, with commas between them; without any, the agent finds \
                    some.",
                required: false,
                values: Values::List,
            },
            Argument {
                name: "pick",
                title: "How many",
                description: "Whether one option is picked or several.",
                required: false,
                values: Values::OneOf(&["one", "several"]),
            },
        ],
        draft: choose,
    },
    Prompt {
        name: "review",
        title: "Review a list",
        description: "Have the agent lay out findings, changes or records, to be judged one by one.",
        arguments: &[
            Argument {
                name: "subject",
                title: "Subject",
                description: "What is reviewed.",
                required: true,
                values: Values::Free,
            },
            Argument {
                name: "columns",
                title: "Columns",
                description: "What each entry shows beside its title, with commas between.",
                required: false,
                values: Values::List,
            },
            Argument {
                name: "verdict",
                title: "Verdict",
                description: "How each entry is judged.",
                required: false,
                values: Values::OneOf(&["accept-reject", "mark", "comment"]),
            },
        ],
        draft: review,
    },
    Prompt {
        name: "dashboard",
        title: "Watch a dashboard",
        description: "Have the agent show figures that change while they are looked at.",
        arguments: &[
            Argument {
                name: "subject",
                title: "Subject",
                description: "What is watched.",
                required: true,
                values: Values::Free,
            },
            Argument {
                name: "metrics",
                title: "Metrics",
                description: "The figures, with commas between them.",
                required: false,
                values: Values::List,
            },
            Argument {
                name: "updates",
                title: "Updates",
                description: "Whether figures flow by themselves or are asked for.",
                required: false,
                values: Values::OneOf(&["live", "on-request"]),
            },
        ],
        draft: dashboard,
    },
    Prompt {
        name: "approve",
        title: "Approve an action",
        description: "Have the agent wait for a yes or a no before it does something.",
        arguments: &[
            Argument {
                name: "action",
                title: "Action",
                description: "What the agent is about to do.",
                required: true,
                values: Values::Free,
            },
            Argument {
                name: "risk",
                title: "Risk",
                description: "How bad a wrong yes would be; anything but low is asked twice.",
                required: false,
                values: Values::OneOf(&["low", "medium", "high"]),
            },
        ],
        draft: approve,
    },
];

/// `prompts/list`.
pub(super) fn list() -> Value {
    let argument = |argument: &Argument| {
        let choice = match argument.values {
            Values::OneOf(values) => format!(" One of: {}.", values.join(", ")),
            Values::Fields => format!(" Types: {}.", FIELD_TYPES.join(", ")),
            Values::Free | Values::List => String::new(),
        };
        json!({
            "name": argument.name,
            "title": argument.title,
            "description": format!("{}{choice}", argument.description),
            "required": argument.required,
        })
    };
    let prompts = TABLE.iter().map(|prompt| {
        json!({
            "name": prompt.name,
            "title": prompt.title,
            "description": prompt.description,
            "arguments": prompt.arguments.iter().map(argument).collect::<Vec<_>>(),
        })
    });
    json!({ "prompts": prompts.collect::<Vec<_>>() })
}

/// `prompts/get`.
pub(super) fn get(params: &Map<String, Value>) -> Result<Value, Fault> {
    let mut problems = Vec::new();
    let prompt = named(params.get("name"), "params.name", &mut problems);
    let none = Map::new();
    let arguments = match params.get("arguments") {
        None => &none,
        Some(Value::Object(arguments)) => arguments,
        Some(_) => {
            problems.push("params.arguments: must be object".to_owned());
            &none
        }
    };
    let given = prompt.map(|prompt| judge(prompt, arguments, &mut problems));
    match (prompt, given) {
        (Some(prompt), Some(given)) if problems.is_empty() => Ok(json!({
            "description": prompt.description,
            "messages": [{
                "role": "user",
                "content": { "type": "text", "text": text(&(prompt.draft)(&given)) },
            }],
        })),
        _ => Err(refused(&problems)),
    }
}

/// `completion/complete`: values of closed sets; what is free has none to offer.
pub(super) fn complete(params: &Map<String, Value>) -> Result<Value, Fault> {
    let mut problems = Vec::new();
    let at = |object: &str, member: &str| params.get(object).and_then(|value| value.get(member));
    let argument = at("argument", "name").and_then(Value::as_str);
    let value = at("argument", "value").and_then(Value::as_str);
    for (member, found) in [("name", argument), ("value", value)] {
        if found.is_none() {
            problems.push(format!("params.argument.{member}: a text is required"));
        }
    }
    let mut values = Vec::new();
    match at("ref", "type").and_then(Value::as_str) {
        Some("ref/prompt") => {
            let prompt = named(at("ref", "name"), "params.ref.name", &mut problems);
            if let (Some(prompt), Some(name)) = (prompt, argument) {
                match prompt.arguments.iter().find(|known| known.name == name) {
                    Some(known) => values = known.values.beginning(value.unwrap_or_default()),
                    None => problems.push(unknown(prompt, "params.argument.name", name)),
                }
            }
        }
        // Sessions have secret names: there is nothing to guess.
        Some("ref/resource") => {
            let uri = at("ref", "uri").and_then(Value::as_str);
            let templates = resources::templates();
            let known = templates["resourceTemplates"].as_array();
            let is_known = known.is_some_and(|known| {
                known
                    .iter()
                    .any(|template| template["uriTemplate"].as_str() == uri)
            });
            if !is_known {
                problems.push("params.ref.uri: names no template of this server".to_owned());
            }
        }
        _ => problems.push("params.ref.type: must be ref/prompt or ref/resource".to_owned()),
    }
    if problems.is_empty() {
        let total = values.len();
        Ok(json!({ "completion": { "values": values, "total": total, "hasMore": false } }))
    } else {
        Err(refused(&problems))
    }
}

impl Values {
    /// The values that go on from what is typed.
    fn beginning(&self, typed: &str) -> Vec<String> {
        let (kept, begun, all) = match self {
            Self::Free | Self::List => return Vec::new(),
            Self::OneOf(all) => ("", typed, *all),
            // Only behind the colon of the last field there is a closed set.
            Self::Fields => {
                let last = typed.rfind(',').map_or(0, |comma| comma + 1);
                match typed[last..].find(':') {
                    None => return Vec::new(),
                    Some(colon) => {
                        let (kept, begun) = typed.split_at(last + colon + 1);
                        (kept, begun, FIELD_TYPES)
                    }
                }
            }
        };
        let begun = begun.trim().to_ascii_lowercase();
        all.iter()
            .filter(|value| value.starts_with(&begun))
            .map(|value| format!("{kept}{value}"))
            .collect()
    }

    /// What is wrong with a value.
    fn problems(&self, value: &str) -> Vec<String> {
        let mut problems = Vec::new();
        match self {
            Self::Free => {}
            Self::OneOf(all) => {
                if !all.contains(&value) {
                    problems.push(format!("must be one of: {}", all.join(", ")));
                }
            }
            Self::Fields | Self::List => {
                let count = entries(value).count();
                if count > LIST_ENTRIES_MAX {
                    problems.push(format!("{count} entries are more than {LIST_ENTRIES_MAX}"));
                }
            }
        }
        if matches!(self, Self::Fields) {
            let types = entries(value).filter_map(|entry| entry.split_once(':'));
            for (name, kind) in types {
                if !FIELD_TYPES.contains(&kind.trim().to_ascii_lowercase().as_str()) {
                    problems.push(format!(
                        "the type of \"{}\" must be one of: {}",
                        name.trim(),
                        FIELD_TYPES.join(", ")
                    ));
                }
            }
        }
        problems
    }
}

fn named(name: Option<&Value>, path: &str, problems: &mut Vec<String>) -> Option<&'static Prompt> {
    let Some(name) = name.and_then(Value::as_str) else {
        problems.push(format!("{path}: a text is required"));
        return None;
    };
    let prompt = TABLE.iter().find(|prompt| prompt.name == name);
    if prompt.is_none() {
        let known: Vec<_> = TABLE.iter().map(|prompt| prompt.name).collect();
        problems.push(format!(
            "{path}: there is no prompt \"{name}\". Known prompts: {}",
            known.join(", ")
        ));
    }
    prompt
}

/// Judges arguments: every problem at once.
fn judge(prompt: &Prompt, arguments: &Map<String, Value>, problems: &mut Vec<String>) -> Given {
    let mut given = Vec::new();
    for argument in prompt.arguments {
        let name = argument.name;
        let value = match arguments.get(name) {
            None => "",
            Some(Value::String(value)) => value.trim(),
            Some(_) => {
                problems.push(format!("params.arguments.{name}: must be string"));
                continue;
            }
        };
        if value.is_empty() {
            if argument.required {
                problems.push(format!("params.arguments.{name}: is required"));
            } else if let Values::OneOf([first, ..]) = argument.values {
                given.push((name, (*first).to_owned()));
            }
            continue;
        }
        let wrong = argument.values.problems(value).into_iter();
        problems.extend(wrong.map(|what| format!("params.arguments.{name}: {what}")));
        given.push((name, value.to_owned()));
    }
    for name in arguments.keys() {
        if !prompt.arguments.iter().any(|known| known.name == name) {
            problems.push(unknown(prompt, "params.arguments", name));
        }
    }
    Given(given)
}

fn unknown(prompt: &Prompt, path: &str, name: &str) -> String {
    let known: Vec<_> = prompt.arguments.iter().map(|known| known.name).collect();
    format!(
        "{path}: {} has no argument \"{name}\". Known arguments: {}",
        prompt.name,
        known.join(", ")
    )
}

fn refused(problems: &[String]) -> Fault {
    let lines: Vec<_> = problems.iter().map(|line| format!("- {line}")).collect();
    let message = format!("Invalid params:\n{}", lines.join("\n"));
    Fault::saying(Code::InvalidParams, message).with(json!({ "problems": problems }))
}

/// The entries of a list as typed.
fn entries(list: &str) -> impl Iterator<Item = &str> {
    list.split(',')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
}

/// A name for programs out of a name for people: `Date of birth` becomes `dateOfBirth`.
fn key(label: &str) -> String {
    let mut key = String::new();
    for word in label
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        let (first, rest) = word.split_at(1);
        key.push_str(&if key.is_empty() {
            first.to_ascii_lowercase()
        } else {
            first.to_ascii_uppercase()
        });
        key.push_str(rest);
    }
    if key.starts_with(|first: char| first.is_ascii_alphabetic()) {
        key
    } else {
        format!("value{key}")
    }
}

/// What the model is told: three calls, two of them written out.
fn text(draft: &Draft) -> String {
    let Draft {
        intent,
        contract,
        props,
        then,
    } = draft;
    let written = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let handshake = json!({ "intent": intent, "blueprintDraft": { "contract": contract } });
    let render = json!({ "handshakeId": "<handshakeId of step 1>", "props": props });
    format!(
        "{intent}. Show me a live UI for this instead of writing it out.\n\n\
         1. Call ggui_handshake. Begin with these arguments; fit names, labels and schemas to the \
         matter at hand, and keep objects closed:\n\n```json\n{handshake}\n```\n\n\
         2. Call ggui_render with the handshakeId and real values in place of the samples:\n\n\
         ```json\n{render}\n```\n\n\
         Keep the sessionId. If your client shows no UI, give me the viewerUrl.\n\n\
         3. Call ggui_consume {{\"sessionId\": …, \"timeout\": 25}} and repeat it while status is \
         \"active\". {then}",
        handshake = written(&handshake),
        render = written(&render),
    )
}

fn closed(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn string() -> Value {
    json!({ "type": "string" })
}

fn prop(schema: Value) -> Value {
    json!({ "schema": schema, "required": true })
}

/// A gesture about one row: its button stands in the row.
fn row_action(label: &str) -> Value {
    json!({ "label": label, "schema": closed(json!({ "id": string() }), &["id"]) })
}

fn form(given: &Given) -> Draft {
    let purpose = given.text("purpose");
    let fields = given.list("fields", &["Name", "Email:email", "Message:longtext"]);
    let schema = |field: &Entry| {
        let mut schema = match field.kind.as_str() {
            "number" | "integer" | "boolean" => json!({ "type": field.kind }),
            "email" | "date" => json!({ "type": "string", "format": field.kind }),
            "url" => json!({ "type": "string", "format": "uri" }),
            "longtext" => json!({ "type": "string", "maxLength": 4000 }),
            _ => json!({ "type": "string", "maxLength": 200 }),
        };
        schema["title"] = field.label.as_str().into();
        schema
    };
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| (field.key.clone(), schema(field)))
        .collect();
    let required: Vec<_> = fields.iter().map(|field| field.key.as_str()).collect();
    Draft {
        intent: format!("Fill in a form: {purpose}"),
        contract: json!({
            "propsSpec": { "properties": { "introduction": prop(string()) } },
            "actionSpec": {
                "submit": { "label": "Submit", "schema": closed(properties.into(), &required) },
                "cancel": { "label": "Cancel" },
            },
        }),
        props: json!({ "introduction": purpose }),
        then: "A submit event carries the values in actionData: use them, then confirm in place \
               with ggui_amend. A cancel event means that I do not want to go on.",
    }
}

fn choose(given: &Given) -> Draft {
    let question = given.text("question");
    let options = given.list("options", &["First option", "Second option"]);
    let props = json!({
        "question": question,
        "options": options.iter().map(|option| json!({
            "id": option.key, "title": option.label, "reason": "What speaks for it and against it",
        })).collect::<Vec<_>>(),
    });
    let row = closed(
        json!({ "id": string(), "title": string(), "reason": string() }),
        &["id", "title", "reason"],
    );
    let ids: Vec<_> = options.iter().map(|option| option.key.as_str()).collect();
    let (actions, then) = if given.text("pick") == "several" {
        let chosen = json!({
            "type": "array",
            "items": { "type": "string", "enum": ids },
            "minItems": 1,
            "uniqueItems": true,
        });
        let submit = json!({
            "label": "Choose these",
            "schema": closed(json!({ "chosen": chosen }), &["chosen"]),
        });
        (
            json!({ "submit": submit }),
            "The submit event carries the ids I chose in actionData.chosen: go on with those.",
        )
    } else {
        (
            json!({ "choose": row_action("Choose"), "none": { "label": "None of these" } }),
            "The choose event carries the id I chose in actionData.id: go on with that. After a \
             none event, propose others with ggui_update.",
        )
    };
    Draft {
        intent: format!("Choose: {question}"),
        contract: json!({
            "propsSpec": { "properties": {
                "question": prop(string()),
                "options": prop(json!({ "type": "array", "items": row })),
            } },
            "actionSpec": actions,
        }),
        props,
        then,
    }
}

fn review(given: &Given) -> Draft {
    let subject = given.text("subject");
    let columns = given.list("columns", &["Detail"]);
    let mut properties = Map::from_iter([
        ("id".to_owned(), string()),
        ("title".to_owned(), string()),
        ("state".to_owned(), string()),
    ]);
    let mut sample = json!({ "id": "1", "title": "What is judged", "state": "open" });
    for column in &columns {
        // What every entry has already is not a column of its own.
        if !properties.contains_key(&column.key) {
            properties.insert(
                column.key.clone(),
                json!({ "type": "string", "title": column.label }),
            );
            sample[&column.key] = "…".into();
        }
    }
    let (mut actions, then) = match given.text("verdict") {
        "mark" => (
            json!({ "mark": row_action("Mark"), "unmark": row_action("Unmark") }),
            "Each mark or unmark event names an entry in actionData.id: show it at once with \
             ggui_amend (state \"marked\" or \"open\"). The finish event ends the review: go on \
             with what is marked.",
        ),
        "comment" => {
            let comment = closed(
                json!({ "id": string(), "text": { "type": "string", "maxLength": 4000 } }),
                &["id", "text"],
            );
            (
                json!({ "comment": { "label": "Comment", "schema": comment } }),
                "Each comment event carries actionData.id and actionData.text: keep it and show \
                 it at once with ggui_amend (state \"commented\"). The finish event ends the \
                 review: go on with the comments.",
            )
        }
        _ => (
            json!({ "accept": row_action("Accept"), "reject": row_action("Reject") }),
            "Each accept or reject event names an entry in actionData.id: show it at once with \
             ggui_amend (state \"accepted\" or \"rejected\"). The finish event ends the review: go \
             on with what was accepted.",
        ),
    };
    actions["finish"] = json!({ "label": "Finish the review" });
    let item = closed(properties.into(), &["id", "title", "state"]);
    Draft {
        intent: format!("Review {subject}"),
        contract: json!({
            "propsSpec": { "properties": {
                "subject": prop(string()),
                "items": prop(json!({ "type": "array", "items": item })),
            } },
            "actionSpec": actions,
        }),
        props: json!({ "subject": subject, "items": [sample] }),
        then,
    }
}

fn dashboard(given: &Given) -> Draft {
    let subject = given.text("subject");
    let metrics = given.list("metrics", &["Load", "Errors"]);
    let figure = |metric: &Entry| json!({ "type": "number", "title": metric.label });
    let figures: Map<String, Value> = metrics
        .iter()
        .map(|metric| (metric.key.clone(), figure(metric)))
        .collect();
    let samples: Map<String, Value> = metrics
        .iter()
        .map(|metric| (metric.key.clone(), json!(0)))
        .collect();
    let required: Vec<_> = metrics.iter().map(|metric| metric.key.as_str()).collect();
    let mut contract = json!({
        "propsSpec": { "properties": {
            "subject": prop(string()),
            "latest": prop(closed(figures.clone().into(), &required)),
        } },
    });
    let then = if given.text("updates") == "on-request" {
        contract["actionSpec"] = json!({
            "refresh": { "label": "Refresh" },
            "stop": { "label": "Stop watching" },
        });
        "After each refresh event, measure again and show it with ggui_amend. The stop event ends \
         the watch."
    } else {
        let mut item = figures;
        item.insert(
            "at".to_owned(),
            json!({ "type": "string", "format": "date-time" }),
        );
        contract["streamSpec"] = json!({
            "samples": { "mode": "append", "schema": closed(item.into(), &["at"]) },
        });
        contract["actionSpec"] = json!({ "stop": { "label": "Stop watching" } });
        "Between two calls, measure and send each sample with ggui_emit on channel \"samples\". \
         The stop event ends the watch."
    };
    Draft {
        intent: format!("Watch {subject}"),
        contract,
        props: json!({ "subject": subject, "latest": samples }),
        then,
    }
}

fn approve(given: &Given) -> Draft {
    let action = given.text("action");
    let is_confirmed = given.text("risk") != "low";
    let reason = json!({ "type": "string", "maxLength": 2000 });
    Draft {
        intent: format!("Approve: {action}"),
        contract: json!({
            "propsSpec": { "properties": {
                "action": prop(string()),
                "consequences": prop(json!({ "type": "array", "items": string() })),
                "risk": prop(json!({ "type": "string", "enum": ["low", "medium", "high"] })),
            } },
            "actionSpec": {
                "approve": { "label": "Approve", "confirm": is_confirmed },
                "reject": {
                    "label": "Reject",
                    "schema": closed(json!({ "reason": reason }), &[]),
                },
            },
        }),
        props: json!({
            "action": action,
            "consequences": ["What changes, and whether it can be undone"],
            "risk": given.text("risk"),
        }),
        then: "Do nothing before an approve event arrives. After a reject event do not do it: \
               actionData.reason says why, where I said so. Show the outcome with ggui_amend.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_for_people_become_names_for_programs() {
        assert_eq!(key("Date of birth"), "dateOfBirth");
        assert_eq!(key("unit_price"), "unitPrice");
        assert_eq!(key("2nd"), "value2nd");
        assert_eq!(key("名前"), "value");
    }

    #[test]
    fn only_a_closed_set_has_values_to_offer() {
        let fields = Values::Fields;
        assert_eq!(fields.beginning("name, age:IN"), ["name, age:integer"]);
        assert_eq!(fields.beginning("name, age:").len(), FIELD_TYPES.len());
        assert!(fields.beginning("name:text, ag").is_empty());
        assert_eq!(Values::OneOf(&["low", "high"]).beginning("h"), ["high"]);
        assert!(Values::Free.beginning("").is_empty());
    }
}

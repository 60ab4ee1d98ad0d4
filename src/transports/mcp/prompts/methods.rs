//! The methods of prompts: listed, written out, and completed.

use serde_json::{Map, Value, json};

use super::super::resources;
use super::arguments::{Argument, FIELD_TYPES, Given, Values};
use super::drafts::Draft;
use super::table::{Prompt, TABLE};
use crate::transports::faults::Fault;
use crate::wire::fault::Code;

/// `prompts/list`.
pub(in super::super) fn list() -> Value {
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
pub(in super::super) fn get(params: &Map<String, Value>) -> Result<Value, Fault> {
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
pub(in super::super) fn complete(params: &Map<String, Value>) -> Result<Value, Fault> {
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

/// What the model reads: three calls, two of them written out.
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
         3. Call ggui_consume {{\"sessionId\": …, \"timeout\": 25, \"after\": \"\"}} and repeat it while \
         status is \"active\"; after is the actionId of the last event you have handled. {then}",
        handshake = written(&handshake),
        render = written(&render),
    )
}

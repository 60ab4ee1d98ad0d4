//! The tools and the prompt of the official conformance suite that ask their caller something.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt as _, try_join_all};
use serde_json::{Map, Value, json};

use super::fixture_tools::{content, name, text};
use crate::domain::gate::{Abilities, ELICIT, Question, ROOTS, Requester, SAMPLE};
use crate::transports::faults::Fault;

/// The prompt that needs a context.
pub(super) const PROMPT: &str = "test_input_required_result_prompt";

/// Questions that are asked at once.
type Round = Vec<Question>;

/// A tool that asks something.
pub(super) struct AskingTool {
    pub(super) name: &'static str,
    /// The argument that it needs.
    argument: Option<&'static str>,
    /// What it asks, one round after the other.
    rounds: fn(&str, Abilities) -> Vec<Round>,
    /// What it makes of the answers.
    text: fn(&[Value]) -> String,
}

impl AskingTool {
    /// As it is listed.
    pub(super) fn listed(&self) -> Value {
        let arguments = self
            .argument
            .map(|name| (name, json!({ "type": "string" })));
        let properties: Map<_, _> = arguments
            .map(|(name, schema)| (name.to_owned(), schema))
            .into_iter()
            .collect();
        let required: Vec<_> = self.argument.into_iter().collect();
        json!({
            "name": self.name,
            "description": "Asks its caller before it answers.",
            "inputSchema": { "type": "object", "properties": properties, "required": required },
        })
    }
}

pub(super) const ASKING_TOOLS: &[AskingTool] = &[
    AskingTool {
        name: "test_elicitation",
        argument: Some("message"),
        rounds: |message, _| {
            let schema = json!({
                "type": "object",
                "properties": {
                    "username": { "type": "string", "description": "User's response" },
                    "email": { "type": "string", "description": "User's email address" },
                },
                "required": ["username", "email"],
            });
            vec![vec![form("user", message, schema)]]
        },
        text: |answers| {
            let (action, content) = (&answers[0]["action"], &answers[0]["content"]);
            format!("User response: <action: {action}, content: {content}>")
        },
    },
    AskingTool {
        name: "test_sampling",
        argument: Some("prompt"),
        rounds: |prompt, _| vec![vec![sample("reply", prompt, 100)]],
        text: |answers| format!("LLM response: {}", said(&answers[0])),
    },
    AskingTool {
        name: "test_elicitation_sep1034_defaults",
        argument: None,
        rounds: |_, _| {
            vec![vec![form(
                "profile",
                "Please look at these values",
                defaults(),
            )]]
        },
        text: completed,
    },
    AskingTool {
        name: "test_elicitation_sep1330_enums",
        argument: None,
        rounds: |_, _| vec![vec![form("choices", "Please choose", choices())]],
        text: completed,
    },
    AskingTool {
        name: "test_input_required_result_elicitation",
        argument: None,
        rounds: |_, _| vec![vec![user_name()]],
        text: |answers| format!("Hello, {}!", word(&answers[0]["content"]["name"])),
    },
    AskingTool {
        name: "test_input_required_result_sampling",
        argument: None,
        rounds: |_, _| {
            let question = "What is the capital of France?";
            vec![vec![sample("capital_question", question, 100)]]
        },
        text: |answers| said(&answers[0]).to_owned(),
    },
    AskingTool {
        name: "test_input_required_result_list_roots",
        argument: None,
        rounds: |_, _| vec![vec![roots()]],
        text: |answers| format!("The roots are {}", answers[0]["roots"]),
    },
    AskingTool {
        name: "test_input_required_result_request_state",
        argument: None,
        rounds: |_, _| vec![vec![confirm()]],
        text: |_| "state-ok".to_owned(),
    },
    AskingTool {
        name: "test_input_required_result_tampered_state",
        argument: None,
        rounds: |_, _| vec![vec![confirm()]],
        text: |_| "state-ok".to_owned(),
    },
    AskingTool {
        name: "test_input_required_result_multiple_inputs",
        argument: None,
        rounds: |_, _| {
            let greeting = sample("greeting", "Generate a greeting", 50);
            vec![vec![user_name(), greeting, roots()]]
        },
        text: |answers| {
            let name = word(&answers[0]["content"]["name"]);
            format!("{} {name}: {}", said(&answers[1]), answers[2]["roots"])
        },
    },
    AskingTool {
        name: "test_input_required_result_multi_round",
        argument: None,
        rounds: |_, _| {
            let ask = |step, message, member| vec![form(step, message, one_text(member))];
            vec![
                ask("step1", "Step 1: What is your name?", "name"),
                ask("step2", "Step 2: What is your favorite color?", "color"),
            ]
        },
        text: |answers| {
            let name = word(&answers[0]["content"]["name"]);
            format!("{name} likes {}", word(&answers[1]["content"]["color"]))
        },
    },
    AskingTool {
        name: "test_input_required_result_capabilities",
        argument: None,
        rounds: |_, abilities| {
            let questions = [user_name(), sample("greeting", "Generate a greeting", 50)];
            let questions = questions.into_iter();
            vec![
                questions
                    .filter(|asked| abilities.allow(asked.method, &asked.params))
                    .collect(),
            ]
        },
        text: |answers| format!("{} answers", answers.len()),
    },
];

/// Whether a request is about something that asks.
pub(super) fn asks(method: &str, params: &Map<String, Value>) -> bool {
    match method {
        "tools/call" => tool(params).is_some(),
        "prompts/get" => name(params) == PROMPT,
        _ => false,
    }
}

/// The answer to a request that is about something that asks.
pub(super) fn ask(
    requester: &Arc<dyn Requester>,
    method: &str,
    params: &Map<String, Value>,
) -> Option<BoxFuture<'static, Result<Value, Fault>>> {
    let requester = Arc::clone(requester);
    if method == "prompts/get" && name(params) == PROMPT {
        let message = "What context should the prompt use?";
        let question = form("user_context", message, one_text("context"));
        let answer = async move {
            let answered = answers(&*requester, vec![vec![question]]).await;
            let said = answered.map_or_else(
                |why| why,
                |answers| word(&answers[0]["content"]["context"]).to_owned(),
            );
            let message = json!({ "role": "user", "content": text(&said) });
            Ok(json!({ "messages": [message] }))
        };
        return Some(answer.boxed());
    }
    let tool = tool(params).filter(|_| method == "tools/call")?;
    let arguments = params.get("arguments");
    let argument = tool
        .argument
        .and_then(|name| arguments?.get(name)?.as_str())
        .unwrap_or_default();
    let rounds = (tool.rounds)(argument, requester.abilities());
    let answer = async move {
        Ok(match answers(&*requester, rounds).await {
            Ok(answers) => content(vec![text(&(tool.text)(&answers))]),
            Err(why) => json!({ "content": [text(&why)], "isError": true }),
        })
    };
    Some(answer.boxed())
}

fn tool(params: &Map<String, Value>) -> Option<&'static AskingTool> {
    ASKING_TOOLS.iter().find(|tool| tool.name == name(params))
}

/// The answers of all rounds, or why there are none.
async fn answers(requester: &dyn Requester, rounds: Vec<Round>) -> Result<Vec<Value>, String> {
    let mut answers = Vec::new();
    for round in rounds {
        let asked = round.into_iter().map(|question| requester.ask(question));
        let answered = try_join_all(asked).await;
        answers.extend(answered.map_err(|error| error.to_string())?);
    }
    Ok(answers)
}

fn question(name: &str, method: &'static str, params: Value) -> Question {
    let params = match params {
        Value::Object(params) => params,
        _ => Map::new(),
    };
    let name = name.to_owned();
    Question {
        name,
        method,
        params,
    }
}

pub(super) fn form(name: &str, message: &str, schema: Value) -> Question {
    let params = json!({ "message": message, "requestedSchema": schema });
    question(name, ELICIT, params)
}

fn sample(name: &str, prompt: &str, tokens: u32) -> Question {
    let message = json!({ "role": "user", "content": text(prompt) });
    let params = json!({ "messages": [message], "maxTokens": tokens });
    question(name, SAMPLE, params)
}

fn roots() -> Question {
    question("client_roots", ROOTS, json!({}))
}

fn user_name() -> Question {
    form("user_name", "What is your name?", one_text("name"))
}

fn confirm() -> Question {
    let ok = json!({ "ok": { "type": "boolean" } });
    let schema = json!({ "type": "object", "properties": ok, "required": ["ok"] });
    form("confirm", "Please confirm", schema)
}

pub(super) fn one_text(name: &str) -> Value {
    let properties = json!({ name: { "type": "string" } });
    json!({ "type": "object", "properties": properties, "required": [name] })
}

fn defaults() -> Value {
    let states = ["active", "inactive", "pending"];
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": states, "default": "active" },
            "verified": { "type": "boolean", "default": true },
        },
    })
}

fn choices() -> Value {
    let options = ["option1", "option2", "option3"];
    let titled = |word: &str| {
        let numbered = ["First", "Second", "Third"].into_iter().zip(1..);
        let titled = numbered.map(|(which, number)| {
            json!({ "const": format!("value{number}"), "title": format!("{which} {word}") })
        });
        titled.collect::<Vec<_>>()
    };
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": options },
            "titledSingle": { "type": "string", "oneOf": titled("Option") },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
        },
    })
}

fn completed(answers: &[Value]) -> String {
    let (action, content) = (word(&answers[0]["action"]), &answers[0]["content"]);
    format!("Elicitation completed: action={action}, content={content}")
}

/// What a model said.
fn said(answer: &Value) -> &str {
    word(&answer["content"]["text"])
}

pub(super) fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

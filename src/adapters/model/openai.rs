//! Chat completions as OpenAI has them, and as many other providers and local servers do.

use reqwest::header::AUTHORIZATION;
use serde_json::{Value, json};

use super::interface::{Form, Hold, Interface, Taken};
use crate::domain::generation::{Question, Speaker, Trouble};
use crate::wire::whole;

pub(super) const OPENAI: Interface = Interface {
    path: "/v1/chat/completions",
    key: |key| Some((AUTHORIZATION, key.header("Bearer ")?)),
    headers: &[],
    body,
    take,
};

fn body(question: &Question<'_>, form: Form) -> Value {
    let role = |speaker| match speaker {
        Speaker::Server => "user",
        Speaker::Model => "assistant",
    };
    let mut messages = vec![json!({"role": "system", "content": question.system})];
    let turns = question.turns.iter();
    messages.extend(turns.map(|turn| json!({"role": role(turn.speaker), "content": turn.text})));
    let mut body = json!({
        "model": question.model,
        "stream": true,
        "stream_options": {"include_usage": true},
        "messages": messages,
    });
    match form.hold {
        Hold::Strict => {
            body["max_completion_tokens"] = form.tokens_max.into();
            body["response_format"] = match question.is_open {
                true => json!({"type": "json_object"}),
                false => json!({
                    "type": "json_schema",
                    "json_schema": {"name": "choice", "strict": true, "schema": question.schema},
                }),
            };
        }
        // The name that every server knows.
        Hold::Lenient => body["max_tokens"] = form.tokens_max.into(),
    }
    body
}

fn take(taken: &mut Taken, event: &Value) -> Result<(), Trouble> {
    if event.get("error").is_some_and(|error| !error.is_null()) {
        return Err(Trouble::Unavailable);
    }
    let choice = &event["choices"][0];
    if choice["delta"]["refusal"].is_string() {
        taken.end = Some(Err(Trouble::Refused));
    }
    if let Some(text) = choice["delta"]["content"].as_str() {
        taken.text.push_str(text);
    }
    let usage = &event["usage"];
    if usage.is_object() {
        taken.prompt_tokens = whole::of(&usage["prompt_tokens"]).or(taken.prompt_tokens);
        taken.answer_tokens = whole::of(&usage["completion_tokens"]).or(taken.answer_tokens);
    }
    // What it took comes behind its end.
    match choice["finish_reason"].as_str() {
        None => {}
        Some("content_filter") => taken.end = Some(Err(Trouble::Refused)),
        Some("length") => taken.end = Some(Err(Trouble::Endless)),
        Some(_) => {
            taken.end.get_or_insert(Ok(()));
        }
    }
    Ok(())
}

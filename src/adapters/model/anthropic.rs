//! Messages as Anthropic has them.

use reqwest::header::HeaderName;
use serde_json::{Value, json};

use super::interface::{Form, Hold, Interface, Taken};
use crate::domain::generation::{Question, Speaker, Trouble};
use crate::wire::whole;

pub(super) const ANTHROPIC: Interface = Interface {
    path: "/v1/messages",
    key: |key| Some((HeaderName::from_static("x-api-key"), key.header("")?)),
    headers: &[("anthropic-version", "2023-06-01")],
    body,
    take,
};

/// The tool through which a model gives its choice.
const TOOL: &str = "choose";

fn body(question: &Question<'_>, form: Form) -> Value {
    let role = |speaker| match speaker {
        Speaker::Server => "user",
        Speaker::Model => "assistant",
    };
    let turns = question.turns.iter();
    let messages: Vec<Value> = turns
        .map(|turn| json!({"role": role(turn.speaker), "content": turn.text}))
        .collect();
    let mut tool = json!({
        "name": TOOL,
        "description": "Gives your answer for the page.",
        "input_schema": question.schema,
    });
    if form.hold == Hold::Strict && !question.is_open {
        tool["strict"] = true.into();
    }
    // The rules are the same for every page: the provider may keep them.
    let kept = json!({"type": "ephemeral"});
    json!({
        "model": question.model,
        "max_tokens": form.tokens_max,
        "stream": true,
        "system": [{"type": "text", "text": question.system, "cache_control": kept}],
        "messages": messages,
        "tools": [tool],
        "tool_choice": {"type": "tool", "name": TOOL},
    })
}

fn take(taken: &mut Taken, event: &Value) -> Result<(), Trouble> {
    match event["type"].as_str() {
        Some("message_start") => {
            let usage = &event["message"]["usage"];
            let sent = [
                "input_tokens",
                "cache_creation_input_tokens",
                "cache_read_input_tokens",
            ];
            // What it says of the answer is only what has been written by then: next to nothing.
            if usage.is_object() {
                let count = |name: &&str| whole::of(&usage[*name]).unwrap_or(0);
                taken.prompt_tokens = Some(sent.iter().map(count).sum());
            }
        }
        Some("content_block_delta") => {
            let delta = &event["delta"];
            let text = delta["partial_json"].as_str().or(delta["text"].as_str());
            taken.text.push_str(text.unwrap_or_default());
        }
        Some("message_delta") => {
            if let Some(tokens) = whole::of(&event["usage"]["output_tokens"]) {
                taken.answer_tokens = Some(tokens);
            }
            match event["delta"]["stop_reason"].as_str() {
                Some("refusal") => taken.end = Some(Err(Trouble::Refused)),
                Some("max_tokens" | "model_context_window_exceeded") => {
                    taken.end = Some(Err(Trouble::Endless));
                }
                _ => {}
            }
        }
        Some("message_stop") => {
            taken.end.get_or_insert(Ok(()));
        }
        Some("error") => return Err(Trouble::Unavailable),
        _ => {}
    }
    Ok(())
}

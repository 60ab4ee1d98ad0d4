//! `proscenium explain`: what the composer makes of a contract, and why, for authors who want to see
//! which hint to give.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::failure::{EXIT_NO_INPUT, Failure};
use super::process::say;
use crate::domain::compose::explain as composed;
use crate::domain::contract::{CompiledContract, ContractLimits};

/// Reads a file with a contract, or with `{"intent", "contract"}`, and prints the plan of its page
/// and the evidence for it: as one JSON object, or as text.
pub(super) fn explain(path: &Path, as_json: bool) -> Result<(), Failure> {
    let unreadable = |reason: String| {
        let problem = format!("{} cannot be read: {reason}", path.display());
        Failure(EXIT_NO_INPUT, problem)
    };
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let value: Value =
        serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let draft = value.get("contract").unwrap_or(&value);
    let intent = value.get("intent").and_then(Value::as_str);
    let compiled = CompiledContract::compile(draft, &ContractLimits::default());
    let contract = compiled.map_err(|findings| {
        let lines = findings
            .iter()
            .map(|finding| format!("- {}: {}", finding.path, finding.message));
        Failure(EXIT_NO_INPUT, lines.collect::<Vec<_>>().join("\n"))
    })?;
    let explained = composed(&contract.contract, intent.unwrap_or_default());
    let text = if as_json {
        pretty(&explained)
    } else {
        lines(&explained)
    };
    say(text.as_bytes())
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// One line for each conclusion, then the plan.
fn lines(explained: &Value) -> String {
    let mut text = String::new();
    let member = |entry: &Value, name: &str| {
        let value = entry.get(name).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    for entry in explained
        .get("evidence")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let score = entry
            .get("score")
            .and_then(Value::as_u64)
            .unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}: {} (.{score:02}: {})",
            member(entry, "about"),
            member(entry, "is"),
            member(entry, "because"),
        );
    }
    let _ = writeln!(
        text,
        "\n{}",
        pretty(explained.get("plan").unwrap_or(&Value::Null))
    );
    text
}

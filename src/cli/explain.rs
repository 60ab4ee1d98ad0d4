//! `proscenium explain`: what the composer makes of a contract, and why, for authors who want to see
//! which hint to give.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::contract_file::ContractFile;
use super::failure::Failure;
use super::process::say;
use crate::domain::compose::explain as composed;

/// Reads a file with a contract, or with `{"intent", "contract"}`, and prints the plan of its page
/// and the evidence for it: as one JSON object, or as text.
pub(super) fn explain(path: &Path, as_json: bool) -> Result<(), Failure> {
    let ContractFile {
        contract, intent, ..
    } = ContractFile::read(path)?;
    let explained = composed(&contract, &intent);
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

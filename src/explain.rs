//! What the composer makes of a contract, and why: for authors who want to see which hint to give.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::domain::compose::explain as composed;
use crate::domain::contract::{CompiledContract, ContractLimits};

/// Why nothing is explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The file cannot be read, or is no JSON.
    #[error("{} cannot be read: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// What it holds is no contract; all that is wrong with it.
    #[error("{0}")]
    Refused(String),
}

/// Reads a file with a contract, or with `{"intent", "contract"}`, and returns the plan of its page
/// and the evidence for it: as one JSON object, or as text.
///
/// # Errors
///
/// The file cannot be read, or holds no contract.
pub fn explain(path: &Path, as_json: bool) -> Result<String, ExplainError> {
    let unreadable = |reason: String| ExplainError::Unreadable {
        path: path.to_owned(),
        reason,
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
        ExplainError::Refused(lines.collect::<Vec<_>>().join("\n"))
    })?;
    let told = composed(&contract.contract, intent.unwrap_or_default());
    Ok(if as_json { pretty(&told) } else { lines(&told) })
}

fn pretty(told: &Value) -> String {
    serde_json::to_string_pretty(told).unwrap_or_default()
}

/// One line for each conclusion, then the plan.
fn lines(told: &Value) -> String {
    let mut text = String::new();
    let word = |entry: &Value, name: &str| {
        let value = entry.get(name).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    for entry in told
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
            word(entry, "about"),
            word(entry, "is"),
            word(entry, "because"),
        );
    }
    let _ = writeln!(
        text,
        "\n{}",
        pretty(told.get("plan").unwrap_or(&Value::Null))
    );
    text
}

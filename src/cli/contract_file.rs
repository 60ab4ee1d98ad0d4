//! A file with a contract, as the verbs read it that look at one.

use std::path::Path;

use serde_json::Value;

use super::failure::{EXIT_NO_INPUT, Failure};
use crate::domain::contract::{CompiledContract, ContractLimits};

/// A contract, and what it came with.
pub(super) struct ContractFile {
    /// What may go in and out.
    pub(super) contract: CompiledContract,
    /// What it is for; empty, where the file does not say.
    pub(super) intent: String,
    /// Props that may be shown.
    pub(super) props: Option<Value>,
}

impl ContractFile {
    /// Reads a contract, or `{"intent", "contract", "props"}`.
    ///
    /// # Errors
    ///
    /// It cannot be read, or everything that is wrong with the contract.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let unreadable = |reason: String| {
            let problem = format!("{} cannot be read: {reason}", path.display());
            Failure(EXIT_NO_INPUT, problem)
        };
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
        let value: Value =
            serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
        let draft = value.get("contract").unwrap_or(&value);
        let compiled = CompiledContract::compile(draft, &ContractLimits::default());
        let checked = compiled.map_err(|findings| {
            let lines = findings
                .iter()
                .map(|finding| format!("- {}: {}", finding.path, finding.message));
            Failure(EXIT_NO_INPUT, lines.collect::<Vec<_>>().join("\n"))
        })?;
        let intent = value.get("intent").and_then(Value::as_str);
        Ok(Self {
            contract: checked.contract,
            intent: intent.unwrap_or_default().to_owned(),
            props: value.get("props").cloned(),
        })
    }
}

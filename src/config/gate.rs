//! Reads a gate file: YAML, the environment in its texts, and everything that is wrong with it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::error::ConfigError;
use super::policies::ReadPolicies;
use crate::adapters::pins_file::{self, PinsUnusable};
use crate::domain::gate::{AcceptedTools, GateConfig, GateFile, Pins, PolicyVersion, substitute};
use crate::domain::operation::input_schema;
use crate::services::arguments::Input;

impl GateConfig {
    /// Reads a gate file, and the tools that were accepted.
    ///
    /// # Errors
    /// A file cannot be read, or every problem with what it says.
    pub(crate) fn load(
        path: &Path,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let gate = Self::load_unpinned(path, environment)?;
        let Some(file) = gate.pins_path(path) else {
            return Ok(gate);
        };
        let Some(pins) = load_pins(&file)? else {
            let path = path.display();
            let reason =
                format!("there is no such file; proscenium gate pin {path} --accept makes it");
            return Err(ConfigError::Unreadable { reason, path: file });
        };
        let accepted = Some(AcceptedTools { file, pins });
        Ok(Self { accepted, ..gate })
    }

    /// Reads a gate file, whatever was accepted.
    ///
    /// # Errors
    /// It cannot be read, or every problem with what it says.
    pub(crate) fn load_unpinned(
        path: &Path,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        read(&text, folder, environment).map_err(|problems| {
            let place = path.display();
            let problems = problems.into_iter();
            ConfigError::Invalid(problems.map(|why| format!("{place}: {why}")).collect())
        })
    }

    /// Every other file that was read, or should have been.
    pub(crate) fn other_files(&self, gate_file: &Path) -> Vec<PathBuf> {
        let folder = gate_file.parent().unwrap_or(Path::new(""));
        let policies = self.policy_files.iter().map(|name| folder.join(name));
        policies.chain(self.pins_path(gate_file)).collect()
    }

    /// Where the accepted tools stand.
    pub(crate) fn pins_path(&self, gate_file: &Path) -> Option<PathBuf> {
        let pins = self.pins_file.as_deref()?;
        Some(gate_file.parent().unwrap_or(Path::new("")).join(pins))
    }
}

/// The tools that were accepted, if there is such a file.
pub(crate) fn load_pins(path: &Path) -> Result<Option<Pins>, ConfigError> {
    pins_file::load(path).map_err(|error| unusable(path, error))
}

/// Replaces the tools that were accepted, in one step.
pub(crate) fn save_pins(path: &Path, pins: &Pins) -> Result<(), ConfigError> {
    pins_file::save(path, pins).map_err(|error| unusable(path, error))
}

fn unusable(path: &Path, error: PinsUnusable) -> ConfigError {
    match error {
        PinsUnusable::Invalid(problem) => ConfigError::Invalid(vec![problem]),
        PinsUnusable::Unreadable(reason) => {
            let path = path.to_owned();
            ConfigError::Unreadable { path, reason }
        }
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> ConfigError {
    ConfigError::Unreadable {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

fn read(
    text: &str,
    folder: &Path,
    environment: impl IntoIterator<Item = (String, String)>,
) -> Result<GateConfig, Vec<String>> {
    let mut value: Value = serde_saphyr::from_str(text).map_err(|error| {
        let message = error.to_string();
        vec![message.lines().next().unwrap_or_default().to_owned()]
    })?;
    if value.is_null() {
        return Err(vec!["the file is empty".to_owned()]);
    }
    let mut problems = Vec::new();
    let environment: std::collections::BTreeMap<_, _> = environment.into_iter().collect();
    let variable = |name: &str| environment.get(name).cloned();
    substitute(&mut value, &variable, &mut problems);
    if let Err(error) = Input::of(input_schema::<GateFile>()).check(&value) {
        problems.extend(error.problems.iter().map(ToString::to_string));
    }
    // Unknown keys do not keep the rest from being looked at.
    let file = serde_json::from_value::<GateFile>(value.clone());
    let checked = file.map_err(|_| Vec::new()).and_then(|file| {
        let ReadPolicies { policies, texts } = ReadPolicies::of(&file, folder, &mut problems);
        file.check(PolicyVersion::of(&value, &texts), policies)
    });
    match checked {
        Ok(gate) if problems.is_empty() => Ok(gate),
        Ok(_) => Err(problems),
        Err(found) => {
            problems.extend(found);
            Err(problems)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = r#"
schema: 1
sources:
  - id: files
    kind: mcp
    url: ${FILES:-http://127.0.0.1:3000/mcp}
    headers: { Authorization: "Bearer ${TOKEN}" }
    prefix: files_
    expose: { mode: blocklist, tools: ["debug_*"] }
  - { id: shell, kind: mcp, command: [sh, -c, "true"], enabled: false, timeout: 5m }
governance:
  defaults: { action: forward }
  rules:
    - { match: "admin_*", action: deny, description: "Administrative tools are not permitted" }
    - { match: "x", action: forward, source: [files, shell] }
    - { match: "y", action: approve, approval: people }
    - { match: "z", action: approve }
approval:
  people: { destination: { type: stage, app: ops }, timeout: 5m, on_timeout: deny, blocking_timeout: 60s, redact_fields: [card.number] }
"#;

    fn problems(text: &str) -> Vec<String> {
        read(text, Path::new(""), [("TOKEN".to_owned(), "t".to_owned())])
            .err()
            .unwrap_or_default()
    }

    #[test]
    fn a_sound_file_is_read_with_its_variables_and_without_what_is_switched_off() {
        let gate = read(SOUND, Path::new(""), [("TOKEN".to_owned(), "t".to_owned())])
            .unwrap_or_else(|problems| panic!("{problems:?}"));
        let ids: Vec<_> = gate.sources.iter().map(|source| &source.id).collect();
        assert_eq!(ids, ["files"]);
    }

    #[test]
    fn every_problem_is_reported_at_once_with_its_place() {
        let text = r#"
schema: 2
sources:
  - { id: a, kind: mcp, url: "ftp://x", prefix: p }
  - { id: a, kind: rpc, command: [], prefix: p, colour: red }
  - { id: _x, kind: mcp, url: "http://u:p@h/", timeout: soon }
  - { id: "b c", kind: mcp }
  - { id: c, kind: mcp, url: "http://${NOWHERE}/", command: [x] }
  - { id: d, kind: mcp, url: "http://h/", headers: { Host: x }, expose: { mode: allowlist, tools: ["["] } }
governance:
  defaults: { action: policy }
  rules:
    - { match: "[", action: deny }
    - { match: x, action: approve, approval: ops, source: nobody }
    - { match: a, action: deny, approval: ops }
    - { match: b, action: approve }
    - { match: c, action: policy, approval: ops }
    - { match: d, action: forward, policy_id: p }
cedar: { policies: [nowhere.cedar] }
approval:
  other: { destination: { type: slack, channel: ops }, timeout: 2s, on_timeout: approve }
  more: { timeout: 2h, blocking_timeout: soon, redact_fields: ["a..b"], colour: red }
telemetry: {}
"#;
        let problems = problems(text);
        for expected in [
            "schema: 2 is unknown",
            "sources.0.url: is no http:// or https:// address (V-008)",
            "sources.1.id: another source is called \"a\" (V-001)",
            "sources.1.kind: \"rpc\" is unknown; there is \"mcp\" (V-012)",
            "sources.1.command: needs a program",
            "sources.1.prefix: another source has the prefix \"p\" (V-003)",
            "sources.1: unknown key(s) \"colour\"; there are id, kind, url,",
            "sources.2.id: a leading \"_\" is reserved (V-002)",
            "sources.2.url: holds a user",
            "sources.2.timeout: \"soon\" is no duration",
            "sources.3.id: \"b c\" is not made of",
            "sources.3.url: is needed",
            "sources.4.url: the environment variable NOWHERE is not set",
            "sources.4.command: give either url or command",
            "sources.5.headers.Host: belongs to the protocol",
            "sources.5.expose.tools.0: \"[\" is no pattern",
            "governance.defaults.policy_id: is needed with action policy, in a rule",
            "governance.rules.4.policy_id: is needed with action policy",
            "governance.rules.5.policy_id: has a meaning with action policy only; remove it (V-004)",
            "cedar.policies.0: \"nowhere.cedar\" cannot be read: ",
            "governance.rules.0.match: \"[\" is no pattern",
            "governance.rules.1.approval: approval has no \"ops\"; there is more, other (V-006)",
            "governance.rules.2.approval: has a meaning with the actions approve and policy only",
            "governance.rules.3.approval: is needed with action approve: one of more, other (V-006b)",
            "approval.other.destination: unknown key(s) \"channel\"; there are type, app",
            "approval.other.destination.url: is missing",
            "approval.other.timeout: is shorter than 5s (V-015)",
            "approval.other.on_timeout: approve would do what nobody has agreed to; write deny",
            "approval.more.timeout: \"2h\" is not above 0s and at most 3600s",
            "approval.more.blocking_timeout: \"soon\" is no duration",
            "approval.more.redact_fields.0: \"a..b\" is no path",
            "approval.more: unknown key(s) \"colour\"; there are destination, timeout,",
            "governance.rules.1.source: there is no source \"nobody\"; there are ",
            "telemetry: is not part of a gate file here",
        ] {
            let is_reported = problems.iter().any(|problem| problem.starts_with(expected));
            assert!(is_reported, "{expected}: {problems:#?}");
        }
    }

    #[test]
    fn what_is_no_gate_file_is_told_in_a_line() {
        assert_eq!(problems(""), ["the file is empty"]);
        assert_eq!(
            problems("schema: 1"),
            ["sources: at least one is needed (V-010)"]
        );
        for text in [
            "[",
            "- 1",
            "schema: one",
            "schema: 1\nschema: 1\nsources: []",
        ] {
            let problems = problems(text);
            assert!(!problems.is_empty(), "{text}");
            assert!(
                problems.iter().all(|problem| !problem.contains('\n')),
                "{problems:?}"
            );
        }
    }
}

//! Builds the findings of the gate and of the view check.

use super::at::At;
use crate::domain::size::shorten;
use crate::wire::contract::{Finding, Severity};

/// How many findings one draft gets; a longer list helps nobody and fills a model's context.
const FINDINGS_MAX: usize = 100;
/// The length of one message about a schema, in characters (contract.md §3.4).
const MESSAGE_CHARS_MAX: usize = 240;

/// A finding that refuses the draft.
pub(crate) fn error(code: &str, path: &str, message: impl Into<String>) -> Finding {
    finding(Severity::Error, code, path, message.into())
}

/// A finding that does not refuse the draft.
pub(crate) fn warning(code: &str, path: &str, message: impl Into<String>) -> Finding {
    finding(Severity::Warn, code, path, message.into())
}

fn finding(severity: Severity, code: &str, path: &str, message: String) -> Finding {
    Finding {
        code: code.to_owned(),
        severity,
        path: if path.is_empty() { "<root>" } else { path }.to_owned(),
        message: shorten(&message, MESSAGE_CHARS_MAX),
        fix_hint: hint(code).map(str::to_owned),
    }
}

/// Advice for a finding whose message does not already contain it.
fn hint(code: &str) -> Option<&'static str> {
    Some(match code {
        "CTR_EMPTY" => {
            "Declare what is shown (propsSpec), done (actionSpec), streamed (streamSpec) or kept \
             (contextSpec)."
        }
        "CTR_HINT" => "Say what the message names, or leave the hint out.",
        "CTR_UNKNOWN_MEMBER" => "Name it as a contract does, or remove it.",
        "CTR_DUP_NAME" => "Rename one of them; actions, channels and slots share one namespace.",
        "CTR_REF_NEXT_STEP" | "CTR_REF_STREAM_SOURCE" => {
            "Declare the tool under agentCapabilities.tools, or leave the reference out."
        }
        "CTR_RESERVED_NAME" => "Names that start with `_ggui:` belong to the server; rename it.",
        "CTR_RETIRED_FIELD" => "Remove the member; what took its place is in the message.",
        "CTR_SCHEMA_INCOMPAT" => "Give both sides the same schema, or leave the reference out.",
        "CTR_SHAPE_INVALID" | "CTR_SHAPE_INVALID_TYPE" => {
            "Write the member as the message says, or leave it out."
        }
        "CTR_SCHEMA_META_INVALID" => "Write the schema in the JSON Schema draft 7 subset.",
        "CTR_SHAPE_UNRECOGNIZED_KEYS" => "Remove the keys; a JSON Schema goes under `schema`.",
        "COVERAGE_GAP" => "Add a component for it, or leave it out of the contract.",
        "GATE_APPROVAL" => "Tell the person that somebody has to agree when it is called.",
        "GATE_DENIED" => "Leave it out: whoever runs the gate in front of tools denies it.",
        "GENERATOR_UNKNOWN" => "Leave the generator out, or send a view of your own.",
        "LINT_CLOSED_OBJECT" => {
            "Declare its properties, or say \"additionalProperties\": true for any members, or a \
             schema there for a map."
        }
        "LINT_GADGET_DUPLICATE_EXPORT" => "Take the export from one package only.",
        "LINT_GADGET_UNKNOWN_HOOK" => "Name one of the hooks that ggui_list_gadgets lists.",
        "LINT_MISSING_EXAMPLE" => "Add example: {input, output}.",
        "LINT_MISSING_USAGE" => "Add a sentence on when to call the tool.",
        "LINT_ORPHAN_AGENT_TOOL" => "Reference it by nextStep, source.tool or sourceTool.",
        "PAGE_FEED" => "Emit the page yourself, or ask for a key that may read pages.",
        "SALVAGE_DROPPED" => "Render without it, or mend it and negotiate again.",
        "VARIANCE_GAP" => "Send a view of your own if it should look different.",
        _ => return None,
    })
}

/// The phases of the gate in order, each with the prefixes of its codes (contract.md §4.1).
const PHASES: &[(&str, &[&str])] = &[
    ("shape", &["CTR_SHAPE_"]),
    ("retired", &["CTR_RETIRED_"]),
    ("schema-meta", &["CTR_SCHEMA_META_"]),
    ("references", &["CTR_REF_", "CTR_DUP_", "CTR_RESERVED_"]),
    ("schema-compat", &["CTR_SCHEMA_INCOMPAT"]),
];

/// The first phase of the gate that refused a draft.
pub(crate) fn failed_phase(findings: &[Finding]) -> &'static str {
    let refuses = |starts: &[&str]| {
        findings.iter().any(|found| {
            let is_error = found.severity == Severity::Error;
            is_error && starts.iter().any(|start| found.code.starts_with(start))
        })
    };
    let first = PHASES.iter().find(|(_, starts)| refuses(starts));
    first.map_or("hygiene", |(phase, _)| phase)
}

/// Bytes of all findings of one draft: as much as the largest draft itself.
const BYTES_MAX: usize = 256 * 1024;

/// The findings of one draft up to the limits, and the number of the rest.
#[derive(Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    bytes: usize,
    left_out: usize,
    has_errors: bool,
}

impl Findings {
    /// Adds an error.
    pub(super) fn add(&mut self, code: &str, at: &At<'_>, message: impl Into<String>) {
        self.has_errors = true;
        self.push(|| error(code, &at.dotted(), message));
    }

    /// Adds a finding; it is built only if there is room for it.
    pub(super) fn push(&mut self, finding: impl FnOnce() -> Finding) {
        if self.list.len() >= FINDINGS_MAX || self.bytes >= BYTES_MAX {
            self.left_out += 1;
            return;
        }
        let finding = finding();
        self.bytes += finding.path.len() + finding.message.len();
        self.has_errors |= finding.severity == Severity::Error;
        self.list.push(finding);
    }

    /// Whether the draft is refused.
    pub(super) fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// The findings that were kept; a last one says how many were dropped.
    pub(super) fn into_list(mut self) -> Vec<Finding> {
        if self.left_out > 0
            && let Some(last) = self.list.last_mut()
        {
            last.message = format!("{} (and {} more findings)", last.message, self.left_out);
        }
        self.list
    }
}

/// Keeps the first findings and adds one that says how many were dropped.
pub(crate) fn bounded(findings: impl IntoIterator<Item = Finding>) -> Vec<Finding> {
    let mut kept = Findings::default();
    for finding in findings {
        kept.push(|| finding);
    }
    kept.into_list()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_cut_at_the_limit_and_a_fitting_one_is_not() {
        let message = |chars| error("X", "", "ä".repeat(chars)).message;
        assert_eq!(message(240), "ä".repeat(240));
        assert_eq!(message(241), format!("{}…", "ä".repeat(239)));
        assert_eq!(error("X", "", "m").path, "<root>");
    }

    #[test]
    fn the_phase_that_failed_is_the_first_one_with_an_error() {
        let findings = [
            warning("LINT_MISSING_USAGE", "a", "m"),
            error("CTR_SCHEMA_INCOMPAT", "b", "m"),
            error("CTR_DUP_NAME", "c", "m"),
        ];
        assert_eq!(failed_phase(&findings), "references");
        assert_eq!(failed_phase(&findings[..2]), "schema-compat");
        assert_eq!(failed_phase(&findings[..1]), "hygiene");
    }

    #[test]
    fn findings_with_long_paths_are_bounded_too() {
        let long = "p".repeat(100_000);
        let kept = bounded((0..50).map(|_| error("X", &long, "m")));
        assert_eq!(kept.len(), 3);
        assert_eq!(kept[2].message, "m (and 47 more findings)");
    }

    #[test]
    fn a_list_of_findings_is_bounded_and_says_so() {
        let many = (0..150).map(|n| error("X", "p", n.to_string()));
        let kept = bounded(many);
        assert_eq!(kept.len(), FINDINGS_MAX);
        assert_eq!(kept[99].message, "99 (and 50 more findings)");
    }
}

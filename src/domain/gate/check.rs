//! Checks what a gate file says: every problem at once, each with its place and what to do.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::principal::Principal;
use super::check_rule::{Known, rules};
use super::check_source::sources;
use super::config::GateConfig;
use super::file::{CedarEntry, GateFile, PinsEntry};
use super::policies::Policies;
use super::policy::PolicyVersion;
use super::rules::Rules;
use super::workflow::{destination, workflows};
use crate::wire::ids::AppId;

/// The version of the format.
const SCHEMA: u64 = 1;

impl GateFile {
    /// What it says of policies.
    pub(crate) fn cedar(&self) -> Option<&CedarEntry> {
        self.cedar.as_ref()
    }

    /// The names of the ways in which people are asked.
    pub(crate) fn workflows(&self) -> BTreeSet<String> {
        self.approval.keys().cloned().collect()
    }

    /// The gate it describes, whose rules have this version and ask these policies, or everything
    /// that is wrong with it.
    pub(crate) fn check(
        self,
        version: PolicyVersion,
        policies: Option<Arc<dyn Policies>>,
    ) -> Result<GateConfig, Vec<String>> {
        let mut problems = Vec::new();
        if self.schema != SCHEMA {
            problems.push(format!(
                "schema: {} is unknown; this version reads {SCHEMA}",
                self.schema
            ));
        }
        if self.telemetry.is_some() {
            problems.push(
                "telemetry: is not part of a gate file here: metrics of the whole server are at \
                 /metrics, logs are set with logging.*; remove it"
                    .to_owned(),
            );
        }
        if self.sources.is_empty() {
            problems.push("sources: at least one is needed (V-010)".to_owned());
        }
        let ids: BTreeSet<String> = self.sources.iter().map(|one| one.id.clone()).collect();
        let known = Known {
            ids,
            workflows: workflows(&self.approval, &mut problems),
            has_policies: self.cedar.is_some(),
        };
        let (rules, default) = rules(&self.governance, &known, &mut problems);
        let policy_files = self.cedar.map(CedarEntry::files).unwrap_or_default();
        let (pins_file, pins_app) = pins(self.pins, &mut problems);
        let sources = sources(self.sources, &mut problems);
        if problems.is_empty() {
            Ok(GateConfig {
                sources,
                rules: Rules {
                    rules,
                    default,
                    workflows: known.workflows,
                    policies,
                    version,
                },
                search: self.search,
                policy_files,
                pins_file,
                pins_app,
                accepted: None,
            })
        } else {
            Err(problems)
        }
    }
}

impl CedarEntry {
    /// Every file that it names.
    pub(crate) fn files(self) -> Vec<String> {
        self.policies.into_iter().chain(self.schema).collect()
    }
}

/// The file of the tools that were accepted, and the app whose people are asked about others.
fn pins(entry: Option<PinsEntry>, problems: &mut Vec<String>) -> (Option<String>, AppId) {
    let (file, asked) = match entry {
        None => (None, None),
        Some(PinsEntry::File(file)) => (Some(file), None),
        Some(PinsEntry::Asking(entry)) => {
            let (asked, notified) = destination("pins", &entry.destination, problems);
            if notified.is_some() {
                let why = "pins.destination.type: people are asked about tools by stage alone";
                problems.push(why.to_owned());
            }
            (Some(entry.file), asked)
        }
    };
    if file.as_deref() == Some("") {
        problems.push("pins: names no file".to_owned());
    }
    (file, asked.unwrap_or_else(|| Principal::builder().app))
}

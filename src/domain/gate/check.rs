//! Checks what a gate file says: every problem at once, each with its place and what to do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use url::Url;

use super::super::principal::Principal;
use super::config::GateConfig;
use super::duration::duration;
use super::file::{
    Action, ExposeEntry, ExposeMode, GateFile, PinsEntry, RuleEntry, SourceEntry, SourceNames,
};
use super::pattern::Pattern;
use super::policy::PolicyVersion;
use super::rules::{Approval, Effect, Rule, Rules};
use super::source::{Connection, Expose, Place, Source};
use super::workflow::{Workflow, destination, workflows};
use crate::wire::ids::AppId;

/// The version of the format.
const SCHEMA: u64 = 1;
/// The one kind of source.
const KIND: &str = "mcp";
/// How long a request may take where a source does not say: longer than most tools take, shorter
/// than most clients wait.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The longest a request may take: an answer that takes longer has nobody waiting for it.
const TIMEOUT_MAX: Duration = Duration::from_secs(600);
/// Headers that belong to the protocol.
const PROTOCOL_HEADERS: [&str; 8] = [
    "accept",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "transfer-encoding",
];

impl GateFile {
    /// The gate it describes, whose rules have this version, or everything that is wrong with it.
    pub(crate) fn check(self, policy: PolicyVersion) -> Result<GateConfig, Vec<String>> {
        let mut problems = Vec::new();
        if self.schema != SCHEMA {
            problems.push(format!(
                "schema: {} is unknown; this version reads {SCHEMA}",
                self.schema
            ));
        }
        refuse_cedar(self.cedar.as_ref(), "cedar", &mut problems);
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
        };
        let rules = rules(&self, &known, policy, &mut problems);
        let (pins_file, pins_app) = pins(self.pins, &mut problems);
        let sources = sources(self.sources, &mut problems);
        if problems.is_empty() {
            Ok(GateConfig {
                sources,
                rules,
                pins_file,
                pins_app,
                accepted: None,
            })
        } else {
            Err(problems)
        }
    }
}

fn refuse_cedar(given: Option<&Value>, path: &str, problems: &mut Vec<String>) {
    if given.is_some() {
        problems.push(format!(
            "{path}: this version does not support Cedar policies; remove it"
        ));
    }
}

/// The file of the tools that were accepted, and the app whose people are asked about others.
fn pins(entry: Option<PinsEntry>, problems: &mut Vec<String>) -> (Option<String>, AppId) {
    let (file, asked) = match entry {
        None => (None, None),
        Some(PinsEntry::File(file)) => (Some(file), None),
        Some(PinsEntry::Asking(entry)) => {
            let asked = destination("pins", &entry.destination, problems);
            (Some(entry.file), asked)
        }
    };
    if file.as_deref() == Some("") {
        problems.push("pins: names no file".to_owned());
    }
    (file, asked.unwrap_or_else(|| Principal::builder().app))
}

fn sources(entries: Vec<SourceEntry>, problems: &mut Vec<String>) -> Vec<Arc<Source>> {
    let (mut ids, mut prefixes) = (BTreeSet::new(), BTreeSet::new());
    let mut sources = Vec::new();
    for (at, entry) in entries.into_iter().enumerate() {
        let path = format!("sources.{at}");
        if !ids.insert(entry.id.clone()) {
            problems.push(format!(
                "{path}.id: another source is called \"{}\" (V-001)",
                entry.id
            ));
        }
        let prefix = entry.prefix.clone().unwrap_or_default();
        if !prefix.is_empty() && !prefixes.insert(prefix.clone()) {
            problems.push(format!(
                "{path}.prefix: another source has the prefix \"{prefix}\" (V-003)"
            ));
        }
        let is_used = entry.enabled != Some(false);
        if let Some(source) = source(&path, entry, problems).filter(|_| is_used) {
            sources.push(Arc::new(source));
        }
    }
    sources
}

fn is_id(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

fn source(path: &str, entry: SourceEntry, problems: &mut Vec<String>) -> Option<Source> {
    let before = problems.len();
    let mut say = |member: &str, why: String| problems.push(format!("{path}.{member}: {why}"));
    if entry.id.starts_with('_') {
        say("id", "a leading \"_\" is reserved (V-002)".to_owned());
    } else if !is_id(&entry.id) {
        let why = format!(
            "\"{}\" is not made of letters, digits, \".\", \"_\" and \"-\" (V-016)",
            entry.id
        );
        say("id", why);
    }
    if entry.kind != KIND {
        say(
            "kind",
            format!("\"{}\" is unknown; there is \"{KIND}\" (V-012)", entry.kind),
        );
    }
    let prefix = entry.prefix.unwrap_or_default();
    if !prefix.is_empty() && !is_id(&prefix) {
        let why = format!("\"{prefix}\" is not made of letters, digits, \".\", \"_\" and \"-\"");
        say("prefix", why);
    }
    let timeout = entry.timeout.as_deref();
    let timeout = timeout.map_or(Ok(TIMEOUT), |text| duration(text, TIMEOUT_MAX));
    let timeout = timeout.map_err(|why| say("timeout", why)).ok();
    let place = match (entry.url, entry.command) {
        (Some(url), None) => {
            if !entry.env.is_empty() {
                say("env", "is for a source with a command".to_owned());
            }
            if let Err(why) = address(&url) {
                say("url", why);
            }
            for (name, value) in &entry.headers {
                if let Err(why) = header(name, value) {
                    say(&format!("headers.{name}"), why);
                }
            }
            let headers = entry.headers;
            Some(Place::Address { url, headers })
        }
        (None, Some(command)) => {
            if !entry.headers.is_empty() {
                say("headers", "are for a source with a url".to_owned());
            }
            if command.first().is_none_or(String::is_empty) {
                let why = "needs a program, as in [\"npx\", \"-y\", \"a-server\"]";
                say("command", why.to_owned());
            }
            let env = entry.env;
            Some(Place::Program { command, env })
        }
        (Some(_), Some(_)) => {
            say("command", "give either url or command, not both".to_owned());
            None
        }
        (None, None) => {
            let why =
                "is needed: the address of the server; or command, the program to run (V-008)";
            say("url", why.to_owned());
            None
        }
    };
    let expose = expose(path, entry.expose, problems);
    let (Some(timeout), Some(place), true) = (timeout, place, problems.len() == before) else {
        return None;
    };
    Some(Source {
        connection: Connection {
            id: entry.id.clone(),
            place,
            timeout,
        },
        id: entry.id,
        prefix,
        expose,
    })
}

fn expose(path: &str, entry: Option<ExposeEntry>, problems: &mut Vec<String>) -> Expose {
    let Some(ExposeEntry { mode, tools }) = entry else {
        return Expose {
            mode: ExposeMode::All,
            patterns: Vec::new(),
        };
    };
    if mode == ExposeMode::All && !tools.is_empty() {
        problems.push(format!(
            "{path}.expose.tools: has no meaning with mode all; write allowlist or blocklist"
        ));
    }
    let mut patterns = Vec::new();
    for (at, text) in tools.iter().enumerate() {
        match Pattern::read(text) {
            Ok(pattern) => patterns.push(pattern),
            Err(why) => problems.push(format!("{path}.expose.tools.{at}: {why}")),
        }
    }
    Expose { mode, patterns }
}

/// What rules may name.
struct Known {
    /// The ids of the sources.
    ids: BTreeSet<String>,
    /// The ways in which people are asked.
    workflows: BTreeMap<String, Arc<Workflow>>,
}

fn rules(
    file: &GateFile,
    known: &Known,
    version: PolicyVersion,
    problems: &mut Vec<String>,
) -> Rules {
    let default = file.governance.defaults.as_ref();
    let default = default.map_or(Action::Forward, |defaults| defaults.action);
    let path = "governance.defaults";
    let default = known.effect(path, default, None, None, problems);
    let mut rules = Vec::new();
    for (at, entry) in file.governance.rules.iter().enumerate() {
        let path = format!("governance.rules.{at}");
        rules.extend(rule(&path, entry, known, problems));
    }
    Rules {
        rules,
        default: default.unwrap_or(Effect::Deny(None)),
        version,
    }
}

impl Known {
    /// What an action does, with what belongs to it.
    fn effect(
        &self,
        path: &str,
        action: Action,
        named: Option<&str>,
        description: Option<&String>,
        problems: &mut Vec<String>,
    ) -> Option<Effect> {
        if named.is_some() && action != Action::Approve {
            problems.push(format!(
                "{path}.approval: has a meaning with action approve only; remove it"
            ));
        }
        match action {
            Action::Forward => Some(Effect::Forward),
            Action::Deny => Some(Effect::Deny(description.cloned())),
            Action::Approve => {
                let workflow = self.workflow(path, named);
                let workflow = workflow.map_err(|why| problems.push(why)).ok()?;
                Some(Effect::Approve(Approval {
                    workflow,
                    why: description.cloned(),
                }))
            }
            Action::Policy => {
                problems.push(format!(
                    "{path}.action: policy: this version does not support Cedar policies; write \
                     approve, deny or forward"
                ));
                None
            }
        }
    }

    /// The way in which people are asked that is named; or the only one there is.
    fn workflow(&self, path: &str, named: Option<&str>) -> Result<Arc<Workflow>, String> {
        let names: Vec<_> = self.workflows.keys().map(String::as_str).collect();
        let names = names.join(", ");
        let mut all = self.workflows.values();
        match (named, (all.next(), all.next())) {
            (Some(name), _) => self.workflows.get(name).map(Arc::clone).ok_or_else(|| {
                let there = match names.as_str() {
                    "" => "approval has none".to_owned(),
                    names => format!("there is {names}"),
                };
                format!("{path}.approval: approval has no \"{name}\"; {there} (V-006)")
            }),
            (None, (Some(only), None)) => Ok(Arc::clone(only)),
            (None, (None, _)) => Err(format!(
                "{path}.approval: is needed with action approve: add approval to the file, as in \
                 approval: {{ people: {{}} }} (V-006b)"
            )),
            (None, _) => Err(format!(
                "{path}.approval: is needed with action approve: one of {names} (V-006b)"
            )),
        }
    }
}

fn rule(path: &str, entry: &RuleEntry, known: &Known, problems: &mut Vec<String>) -> Option<Rule> {
    let (named, why) = (entry.approval.as_deref(), entry.description.as_ref());
    let effect = known.effect(path, entry.action, named, why, problems);
    let policy_id = format!("{path}.policy_id");
    refuse_cedar(entry.policy_id.as_ref(), &policy_id, problems);
    let sources = entry.source.clone().map(|names| match names {
        SourceNames::One(id) => vec![id],
        SourceNames::Several(ids) => ids,
    });
    for id in sources.iter().flatten() {
        if !known.ids.contains(id) {
            let ids: Vec<_> = known.ids.iter().map(String::as_str).collect();
            problems.push(format!(
                "{path}.source: there is no source \"{id}\"; there are {} (V-007)",
                ids.join(", ")
            ));
        }
    }
    match Pattern::read(&entry.pattern) {
        Ok(pattern) => Some(Rule {
            pattern,
            sources,
            effect: effect?,
        }),
        Err(why) => {
            problems.push(format!("{path}.match: {why}"));
            None
        }
    }
}

fn address(text: &str) -> Result<(), String> {
    let url = Url::parse(text).ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let Some(url) = url else {
        return Err("is no http:// or https:// address (V-008)".to_owned());
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err("holds a user; give credentials in headers (V-008)".to_owned());
    }
    Ok(())
}

fn header(name: &str, value: &str) -> Result<(), String> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err("is no name of a header".to_owned());
    }
    if PROTOCOL_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
        return Err("belongs to the protocol and cannot be set".to_owned());
    }
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~');
    if !value.bytes().all(is_plain) {
        return Err("its value holds other characters than visible ASCII".to_owned());
    }
    Ok(())
}

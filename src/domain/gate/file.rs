//! The members of a gate file as they are written, before anything of them is checked.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// A gate file.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct GateFile {
    /// Version of the format: 1.
    pub(super) schema: u64,
    /// The MCP servers behind the gate.
    #[serde(default)]
    pub(super) sources: Vec<SourceEntry>,
    /// Whether callers find tools by words instead of having them all listed.
    #[serde(default)]
    pub(super) search: bool,
    /// What may be used.
    #[serde(default)]
    pub(super) governance: Governance,
    /// File of the tools that were accepted, beside this one; none: every tool is used as it is.
    pub(super) pins: Option<PinsEntry>,
    /// How people are asked, by the names that rules give.
    #[serde(default)]
    pub(super) approval: BTreeMap<String, WorkflowEntry>,
    /// The policies that rules with the action `policy` ask.
    pub(super) cedar: Option<CedarEntry>,
    /// Refused: telemetry is configured for the whole server.
    pub(super) telemetry: Option<Value>,
}

/// The file of the tools that were accepted, or that and who is asked about others.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum PinsEntry {
    /// The file; people are asked on the stage of whoever sits at this machine.
    File(String),
    /// The file, and where people are asked.
    Asking(AskingPins),
}

/// The file of the tools that were accepted, and where people are asked about others.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct AskingPins {
    /// The file, beside this one.
    pub(super) file: String,
    /// Where people are asked.
    pub(super) destination: DestinationEntry,
}

/// Policies in the language Cedar.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct CedarEntry {
    /// Files of policies, beside this one.
    pub(crate) policies: Vec<String>,
    /// File that says which arguments there are, beside this one; none: policies say it themselves,
    /// by what they do with each.
    pub(crate) schema: Option<String>,
}

/// One MCP server.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct SourceEntry {
    /// Its name in this file, in rules and in logs.
    pub(super) id: String,
    /// What it is: `mcp`.
    pub(super) kind: String,
    /// Address of a server that speaks streamable HTTP.
    pub(super) url: Option<String>,
    /// Headers of every request to that address.
    #[serde(default)]
    pub(super) headers: BTreeMap<String, String>,
    /// Program and arguments of a server that speaks on standard input and output.
    pub(super) command: Option<Vec<String>>,
    /// Variables of that program, beside those every program needs.
    #[serde(default)]
    pub(super) env: BTreeMap<String, String>,
    /// What stands in front of the names of its tools and prompts.
    pub(super) prefix: Option<String>,
    /// Whether it is used.
    pub(super) enabled: Option<bool>,
    /// For people who read the file.
    #[expect(dead_code, reason = "people read it in the file")]
    pub(super) description: Option<String>,
    /// Which of its names can be seen.
    pub(super) expose: Option<ExposeEntry>,
    /// How long one request may take, such as `30s` or `PT30S`.
    pub(super) timeout: Option<String>,
}

/// Which names of a source can be seen.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct ExposeEntry {
    /// What the list is.
    pub(super) mode: ExposeMode,
    /// Patterns of names.
    #[serde(default)]
    pub(super) tools: Vec<String>,
}

/// What a list of exposed names is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ExposeMode {
    /// There is none: every name can be seen.
    All,
    /// Only what it names can be seen.
    Allowlist,
    /// Everything else can be seen.
    Blocklist,
}

/// What may be used.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Governance {
    /// What holds where no rule matches.
    pub(super) defaults: Option<Defaults>,
    /// The first that matches decides.
    #[serde(default)]
    pub(super) rules: Vec<RuleEntry>,
}

/// What holds where no rule matches.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Defaults {
    /// What is done.
    pub(super) action: Action,
}

/// One rule.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct RuleEntry {
    /// Pattern of names.
    #[serde(rename = "match")]
    pub(super) pattern: String,
    /// What is done.
    pub(super) action: Action,
    /// Why, in words that a caller who is denied may read.
    pub(super) description: Option<String>,
    /// The sources it is for; none: all of them.
    pub(super) source: Option<SourceNames>,
    /// How a person is asked: a name of `approval`.
    pub(super) approval: Option<String>,
    /// What policies read as `context.policy_id`: by it they know that this rule asks them.
    pub(super) policy_id: Option<String>,
}

/// One source or several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum SourceNames {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

/// What a rule does with the names it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    /// A person has to agree.
    Approve,
    /// They cannot be used.
    Deny,
    /// They can be used.
    Forward,
    /// The policies decide.
    Policy,
}

/// One way in which people are asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct WorkflowEntry {
    /// Where; none: on the stage of whoever calls.
    pub(super) destination: Option<DestinationEntry>,
    /// How long a person has, such as `5m` or `PT5M`.
    pub(super) timeout: Option<String>,
    /// What happens when nobody has decided by then: `deny`.
    pub(super) on_timeout: Option<String>,
    /// How long a call waits for the decision before it is answered, such as `50s`.
    pub(super) blocking_timeout: Option<String>,
    /// Arguments that nobody is shown, as paths with dots.
    #[serde(default)]
    pub(super) redact_fields: Vec<String>,
    /// What people may do besides approving and rejecting.
    #[serde(default)]
    pub(super) allow: Vec<Allowed>,
}

/// What people may do besides approving and rejecting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Allowed {
    /// Change what the tool is given.
    Edit,
    /// Approve further calls of the tool, too.
    Session,
}

/// Where people are asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct DestinationEntry {
    /// What it is: `stage`, `webhook`, `slack` or `console`.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// The app on whose stage people are asked; none: the app of whoever calls.
    pub(super) app: Option<String>,
    /// Where a webhook, or a channel of Slack, is told that they are.
    pub(super) url: Option<String>,
    /// What its notices are signed with: `whsec_` and base64.
    pub(super) secret: Option<String>,
}

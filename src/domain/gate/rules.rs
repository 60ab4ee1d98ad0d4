//! The one decision about a name: lists, calls, reads and completion all ask it.

use std::sync::Arc;

use super::pattern::{Pattern, any};
use super::policy::PolicyVersion;
use super::source::Source;
use super::workflow::Workflow;

/// What a caller is told of a name that it cannot see.
const NOT_AVAILABLE: &str = "not available";
/// What a caller is told where a rule denies a name without words of its own.
const DENIED: &str = "a rule of this gate denies it";

/// What may be done with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict<'a> {
    /// It can be used where a person agrees.
    Approve(&'a Approval),
    /// Nothing, for this reason.
    Deny(&'a str),
    /// It can be used.
    Forward,
}

/// A person is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Approval {
    /// How.
    pub(crate) workflow: Arc<Workflow>,
    /// Why, in words that this person reads.
    pub(crate) why: Option<String>,
}

/// What a rule does.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    Approve(Approval),
    /// For this reason, where the rule gives one.
    Deny(Option<String>),
    Forward,
}

/// One rule.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) pattern: Pattern,
    /// The ids of the sources it is for; none: all of them.
    pub(super) sources: Option<Vec<String>>,
    pub(super) effect: Effect,
}

/// All rules, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(super) rules: Vec<Rule>,
    /// What holds where no rule matches.
    pub(super) default: Effect,
    /// Tells these rules from others.
    pub(crate) version: PolicyVersion,
}

impl Rules {
    /// What may be done with something of a source: by its own name, or by the name that callers
    /// see, so that a prefix which is added later takes nothing out of a rule.
    pub(crate) fn judge<'a>(&'a self, source: &Source, own: &str, seen: &str) -> Verdict<'a> {
        let names = [own, seen];
        if !source.expose.shows(names) {
            return Verdict::Deny(NOT_AVAILABLE);
        }
        let is_for = |rule: &&Rule| {
            let sources = rule.sources.as_ref();
            sources.is_none_or(|ids| ids.contains(&source.id)) && any(&rule.pattern, names)
        };
        let rule = self.rules.iter().find(is_for);
        match rule.map_or(&self.default, |rule| &rule.effect) {
            Effect::Approve(approval) => Verdict::Approve(approval),
            Effect::Deny(reason) => Verdict::Deny(reason.as_deref().unwrap_or(DENIED)),
            Effect::Forward => Verdict::Forward,
        }
    }
}

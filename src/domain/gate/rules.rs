//! The one decision about a name: lists, calls, reads and completion all ask it.

use super::pattern::{Pattern, any};
use super::source::Source;

/// What a caller is told of a name that it cannot see.
const NOT_AVAILABLE: &str = "not available";
/// What a caller is told where a rule denies a name without words of its own.
const DENIED: &str = "a rule of this gate denies it";

/// What may be done with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict<'a> {
    /// Nothing, for this reason.
    Deny(&'a str),
    /// It can be used.
    Forward,
}

/// One rule.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) pattern: Pattern,
    /// The ids of the sources it is for; none: all of them.
    pub(super) sources: Option<Vec<String>>,
    pub(super) is_denied: bool,
    pub(super) reason: Option<String>,
}

/// All rules, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(super) rules: Vec<Rule>,
    pub(super) denies_others: bool,
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
        let (is_denied, reason) = match self.rules.iter().find(is_for) {
            Some(rule) => (rule.is_denied, rule.reason.as_deref()),
            None => (self.denies_others, None),
        };
        if is_denied {
            Verdict::Deny(reason.unwrap_or(DENIED))
        } else {
            Verdict::Forward
        }
    }
}

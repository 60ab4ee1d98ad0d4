//! The one decision about a name: lists, calls, reads and completion all ask it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::clock::Time;
use super::super::principal::Principal;
use super::pattern::{Pattern, any};
use super::policies::{Asked, Decision, Policies, Use};
use super::policy::PolicyVersion;
use super::source::{LOCAL, Source};
use super::workflow::Workflow;

/// What a caller is told of a name that it cannot see.
const NOT_AVAILABLE: &str = "not available";
/// What a caller is told where a rule denies a name without words of its own.
const DENIED: &str = "a rule of this gate denies it";
/// What a caller is told where the policies deny something without words of their own.
const NOT_PERMITTED: &str = "the policies of this gate do not permit it";

fn is_own(rule: &Rule) -> bool {
    let sources = rule.sources.as_ref();
    sources.is_some_and(|ids| ids.iter().any(|id| id == LOCAL))
}

/// What may be done with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict<'a> {
    /// It can be used where a person agrees.
    Approve(Cow<'a, Approval>),
    /// Nothing, for this reason.
    Deny(Cow<'a, str>),
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

/// Who would do what, and when.
#[derive(Clone, Copy)]
pub(crate) struct Asking<'a> {
    /// Who; none: the server, which looks at everything that somebody may be permitted to use.
    pub(crate) principal: Option<&'a Principal>,
    /// What.
    pub(crate) usage: Use<'a>,
    /// When.
    pub(crate) at: Time,
}

/// What a rule does.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    Approve(Approval),
    /// For this reason, where the rule gives one.
    Deny(Option<String>),
    Forward,
    Policy(PolicyRule),
}

/// The policies decide.
#[derive(Clone, Debug)]
pub(super) struct PolicyRule {
    /// By what they know the rule.
    pub(super) policy_id: String,
    /// How a person is asked about what they permit; none: where they say so.
    pub(super) workflow: Option<Arc<Workflow>>,
    /// Words for whoever is denied, where the policies have none, and for the person who is asked.
    pub(super) why: Option<String>,
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
#[derive(Clone)]
pub(crate) struct Rules {
    pub(super) rules: Vec<Rule>,
    /// What holds where no rule matches.
    pub(super) default: Effect,
    /// The ways in which people are asked, which policies may name.
    pub(super) workflows: BTreeMap<String, Arc<Workflow>>,
    /// What rules ask whose action is `policy`.
    pub(super) policies: Option<Arc<dyn Policies>>,
    /// Tells these rules from others.
    pub(crate) version: PolicyVersion,
}

impl Rules {
    /// What may be done with something of a source: by its own name, or by the name that callers
    /// see, so that a prefix which is added later takes nothing out of a rule.
    pub(crate) fn judge<'a>(
        &'a self,
        source: &Source,
        own: &str,
        seen: &str,
        asking: &Asking<'_>,
    ) -> Verdict<'a> {
        let names = [own, seen];
        if !source.expose.shows(names) {
            return Verdict::Deny(NOT_AVAILABLE.into());
        }
        let rule = self.about(&source.id, names);
        let effect = rule.map_or(&self.default, |rule| &rule.effect);
        self.verdict(effect, &source.id, own, asking)
    }

    /// Whether a rule is about something of a source that can be seen, so that what may be done with it
    /// is no matter of whether it is there.
    pub(crate) fn are_about(&self, source: &Source, own: &str, seen: &str) -> bool {
        let names = [own, seen];
        source.expose.shows(names) && self.about(&source.id, names).is_some()
    }

    /// The rule about something of a source.
    fn about(&self, source: &str, names: [&str; 2]) -> Option<&Rule> {
        self.rules.iter().find(|rule| {
            let sources = rule.sources.as_ref();
            sources.is_none_or(|ids| ids.iter().any(|id| id == source)) && any(&rule.pattern, names)
        })
    }

    /// What may be done with a tool of this server. Rules are about it that name its source; where none
    /// does, nothing stands in its way.
    pub(crate) fn judge_own<'a>(&'a self, name: &str, asking: &Asking<'_>) -> Verdict<'a> {
        let is_for = |rule: &&Rule| is_own(rule) && any(&rule.pattern, [name, name]);
        match self.rules.iter().find(is_for) {
            None => Verdict::Forward,
            Some(rule) => self.verdict(&rule.effect, LOCAL, name, asking),
        }
    }

    /// Whether rules are about tools of this server.
    pub(crate) fn govern_own(&self) -> bool {
        self.rules.iter().any(is_own)
    }

    fn verdict<'a>(
        &'a self,
        effect: &'a Effect,
        source: &str,
        own: &str,
        asking: &Asking<'_>,
    ) -> Verdict<'a> {
        match effect {
            Effect::Approve(approval) => Verdict::Approve(Cow::Borrowed(approval)),
            Effect::Deny(reason) => Verdict::Deny(reason.as_deref().unwrap_or(DENIED).into()),
            Effect::Forward => Verdict::Forward,
            Effect::Policy(rule) => self.judge_by_policy(rule, source, own, asking),
        }
    }

    fn judge_by_policy<'a>(
        &'a self,
        rule: &'a PolicyRule,
        source: &str,
        own: &str,
        asking: &Asking<'_>,
    ) -> Verdict<'a> {
        let Some(principal) = asking.principal else {
            return Verdict::Forward;
        };
        let asked = Asked {
            principal,
            usage: asking.usage,
            source,
            name: own,
            policy_id: &rule.policy_id,
            at: asking.at,
        };
        let decision = self.policies.as_ref().map(|all| all.decide(&asked));
        let named = match decision {
            None => return Verdict::Deny(NOT_PERMITTED.into()),
            Some(Decision::Deny { reason: None }) => {
                return Verdict::Deny(rule.why.as_deref().unwrap_or(NOT_PERMITTED).into());
            }
            Some(Decision::Deny {
                reason: Some(reason),
            }) => return Verdict::Deny(reason.into()),
            Some(Decision::Permit { approval }) => approval,
        };
        let approve = |workflow: &Arc<Workflow>| {
            Verdict::Approve(Cow::Owned(Approval {
                workflow: Arc::clone(workflow),
                why: rule.why.clone(),
            }))
        };
        match (named, &rule.workflow) {
            (Some(name), _) => match self.workflows.get(&name) {
                Some(workflow) => approve(workflow),
                None => Verdict::Deny(NOT_PERMITTED.into()),
            },
            (None, Some(workflow)) => approve(workflow),
            (None, None) => Verdict::Forward,
        }
    }
}

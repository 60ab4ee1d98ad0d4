//! Checks what a gate file says of what may be used.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::file::{Action, Governance, RuleEntry, SourceNames};
use super::pattern::Pattern;
use super::rules::{Approval, Effect, PolicyRule, Rule};
use super::source::LOCAL;
use super::workflow::Workflow;

/// What rules may name.
pub(super) struct Known {
    /// The ids of the sources.
    pub(super) ids: BTreeSet<String>,
    /// The ways in which people are asked.
    pub(super) workflows: BTreeMap<String, Arc<Workflow>>,
    /// Whether there are policies.
    pub(super) has_policies: bool,
}

/// The rules, and what holds where none matches.
pub(super) fn rules(
    governance: &Governance,
    known: &Known,
    problems: &mut Vec<String>,
) -> (Vec<Rule>, Effect) {
    let default = governance.defaults.as_ref();
    let default = Said {
        action: default.map_or(Action::Forward, |defaults| defaults.action),
        approval: None,
        policy_id: None,
        why: None,
    };
    let default = known.effect("governance.defaults", default, problems);
    let mut rules = Vec::new();
    for (at, entry) in governance.rules.iter().enumerate() {
        let path = format!("governance.rules.{at}");
        rules.extend(rule(&path, entry, known, problems));
    }
    (rules, default.unwrap_or(Effect::Deny(None)))
}

/// What a rule says of its action.
struct Said<'a> {
    action: Action,
    /// A name of `approval`.
    approval: Option<&'a str>,
    policy_id: Option<&'a String>,
    /// Its description.
    why: Option<&'a String>,
}

impl Known {
    /// What an action does, with what belongs to it.
    fn effect(&self, path: &str, said: Said<'_>, problems: &mut Vec<String>) -> Option<Effect> {
        let Said {
            action,
            approval,
            policy_id,
            why,
        } = said;
        let before = problems.len();
        if approval.is_some() && !matches!(action, Action::Approve | Action::Policy) {
            problems.push(format!(
                "{path}.approval: has a meaning with the actions approve and policy only; remove it"
            ));
        }
        if policy_id.is_some() && action != Action::Policy {
            problems.push(format!(
                "{path}.policy_id: has a meaning with action policy only; remove it (V-004)"
            ));
        }
        match action {
            Action::Forward => Some(Effect::Forward),
            Action::Deny => Some(Effect::Deny(why.cloned())),
            Action::Approve => {
                let workflow = self.workflow(path, approval);
                let workflow = workflow.map_err(|why| problems.push(why)).ok()?;
                Some(Effect::Approve(Approval {
                    workflow,
                    why: why.cloned(),
                }))
            }
            Action::Policy => {
                if !self.has_policies {
                    problems.push(format!(
                        "{path}.action: policy needs policies: add cedar to the file, as in \
                         cedar: {{ policies: [gate.cedar] }}"
                    ));
                }
                let Some(policy_id) = policy_id.filter(|id| !id.is_empty()) else {
                    problems.push(format!(
                        "{path}.policy_id: is needed with action policy, in a rule: policies read \
                         it as context.policy_id (V-005)"
                    ));
                    return None;
                };
                let workflow = approval.map(|name| self.workflow(path, Some(name)));
                let workflow = workflow.transpose();
                let workflow = workflow.map_err(|why| problems.push(why)).ok()?;
                (problems.len() == before).then(|| {
                    Effect::Policy(PolicyRule {
                        policy_id: policy_id.clone(),
                        workflow,
                        why: why.cloned(),
                    })
                })
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
    let said = Said {
        action: entry.action,
        approval: entry.approval.as_deref(),
        policy_id: entry.policy_id.as_ref(),
        why: entry.description.as_ref(),
    };
    let effect = known.effect(path, said, problems);
    let sources = entry.source.clone().map(|names| match names {
        SourceNames::One(id) => vec![id],
        SourceNames::Several(ids) => ids,
    });
    for id in sources.iter().flatten() {
        if id != LOCAL && !known.ids.contains(id) {
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

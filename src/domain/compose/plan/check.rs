//! Whether a plan keeps what every plan promises: all of the contract has a place or a reason, and what stands out is safe.

use super::outline::{Plan, Shown};
use crate::domain::contract::CompiledContract;

use super::super::reading::join;

/// What is wrong with a plan for a contract; nothing, if it may be drawn.
pub(crate) fn check(plan: &Plan, contract: &CompiledContract) -> Vec<String> {
    let spec = contract.contract();
    let mut wrong = Vec::new();
    let has = |path: &str| {
        let inside = format!("{path}/");
        let leads = |other: &str| other == path || other.starts_with(&inside);
        let hidden = plan.hidden.iter().any(|hidden| leads(&hidden.source));
        let shown = plan.parts.iter().any(|part| {
            leads(&part.source)
                || part.bindings.values().any(|path| leads(path))
                || part.names.values().any(|names| leads(&names.rows))
                || shows(&part.fields, &leads)
        });
        let bound = plan.actions.iter().any(|offer| {
            [&offer.edits, &offer.begins]
                .iter()
                .any(|path| path.as_deref().is_some_and(leads))
                || offer.given.values().any(|path| leads(path))
        });
        hidden || shown || bound || plan.headline.path.as_deref().is_some_and(leads)
    };
    let props = spec
        .props_spec
        .iter()
        .flat_map(|spec| spec.properties.keys())
        .map(|name| join("/props", name));
    let channels = spec
        .stream_spec
        .iter()
        .flat_map(|all| all.keys())
        .map(|name| join("/streams", name));
    let slots = spec
        .context_spec
        .iter()
        .flat_map(|all| all.keys())
        .map(|name| join("/context", name));
    for path in props.chain(channels).chain(slots) {
        if !has(&path) {
            wrong.push(format!("{path} has no place and no reason"));
        }
    }
    for action in spec.action_spec.iter().flat_map(|all| all.keys()) {
        match plan.offer(action) {
            None => wrong.push(format!("nothing offers {action}")),
            Some(offer) => {
                let is_there = offer
                    .of
                    .as_ref()
                    .is_none_or(|source| plan.parts.iter().any(|part| part.source == *source));
                if !is_there {
                    wrong.push(format!("{action} is offered by a part that is not there"));
                }
                if plan.primary.as_ref() == Some(action) && offer.is_dangerous {
                    wrong.push(format!("{action} stands out, but it is dangerous"));
                }
            }
        }
    }
    if let Some(primary) = &plan.primary {
        let offered = plan.actions.iter();
        let offered = offered.filter(|offer| offer.action == *primary).count();
        if offered != 1 {
            wrong.push(format!(
                "{primary} stands out, but it is offered {offered} times"
            ));
        }
    }
    wrong
}

fn shows(all: &[Shown], leads: &dyn Fn(&str) -> bool) -> bool {
    all.iter().any(|shown| {
        leads(&shown.field)
            || shown.currency.as_deref().is_some_and(leads)
            || [
                shown.refers.as_ref(),
                shown.currency_of.as_ref().map(|lookup| &lookup.refers),
            ]
            .into_iter()
            .flatten()
            .any(|refers| leads(&refers.rows))
            || shows(&shown.parts, leads)
    })
}

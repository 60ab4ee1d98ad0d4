//! Puts the three steps together: a contract is read, its page is planned, and the plan is drawn.

use serde_json::{Value, json};

use super::draw::view;
use super::plan::{Wishes, check, plan};
use super::reading::read;
use crate::domain::contract::CompiledContract;
use crate::domain::view::View;

/// Draws a contract: every prop is shown, every action reached, every channel drawn, and every slot
/// bound, set by hand, or hidden for a reason.
///
/// Pure and independent of the values, so one view serves every session of a contract.
pub(crate) fn compose(contract: &CompiledContract, intent: &str) -> View {
    let mut reading = read(contract, intent);
    let plan = plan(&mut reading, &Wishes::default());
    debug_assert_eq!(check(&plan, contract), Vec::<String>::new(), "plans hold");
    view(&plan, contract)
}

/// The plan of a contract.
#[cfg(test)]
pub(super) fn planned(contract: &CompiledContract, intent: &str) -> super::plan::Plan {
    plan(&mut read(contract, intent), &Wishes::default())
}

/// The plan of a contract, and every conclusion on the way to it with what speaks for it.
pub(crate) fn explain(contract: &CompiledContract, intent: &str) -> Value {
    let mut reading = read(contract, intent);
    let plan = plan(&mut reading, &Wishes::default());
    json!({"plan": plan, "evidence": reading.notes.all(), "problems": check(&plan, contract)})
}

//! Property tests of the contract engine, with random schemas and drafts.

use proptest::prelude::*;
use serde_json::{Map, Value};

use super::changes::changes;
use super::close::executable;
use super::compiled::{Checked, CompiledContract};
use super::formats;
use super::generate::{broken, cases, contract, draft, schema, value};
use super::hash::contract_hash;
use super::limits::ContractLimits;
use super::salvage::salvage;
use super::subset::Comparison;
use crate::wire::tools::PatchVerb;

/// Two schemas, often related: one may be the other with a keyword added or removed.
fn pair() -> impl Strategy<Value = (Value, Value)> {
    let related = (schema(), schema(), any::<prop::sample::Index>(), 0_u8..4);
    let related = related.prop_map(|(sup, other, at, how)| {
        let mut sub = sup.clone();
        if let (Value::Object(sub), Value::Object(other)) = (&mut sub, other) {
            if how & 1 == 0 {
                sub.extend(other);
            } else if !sub.is_empty() {
                let name = sub.keys().nth(at.index(sub.len())).cloned();
                sub.shift_remove(&name.unwrap_or_default());
            }
        }
        if how & 2 == 0 { (sub, sup) } else { (sup, sub) }
    });
    prop_oneof![(schema(), schema()), related]
}

/// The same value with the members of every object in reverse order.
fn turned(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let members = map.iter().rev();
            Value::Object(
                members
                    .map(|(name, inner)| (name.clone(), turned(inner)))
                    .collect(),
            )
        }
        Value::Array(items) => items.iter().map(turned).collect(),
        _ => value.clone(),
    }
}

/// Applies a JSON Patch between two contracts.
fn patched(mut draft: Value, changes: Vec<crate::wire::tools::PatchOperation>) -> Option<Value> {
    for change in changes {
        if change.path.is_empty() {
            draft = change.value?;
            continue;
        }
        let (parent, name) = change.path.rsplit_once('/')?;
        let parent: &mut Map<String, Value> = draft.pointer_mut(parent)?.as_object_mut()?;
        let name = name.replace("~1", "/").replace("~0", "~");
        let had = match change.op {
            PatchVerb::Remove => parent.remove(&name).is_some(),
            PatchVerb::Replace => parent.insert(name, change.value?).is_some(),
            PatchVerb::Add => parent.insert(name, change.value?).is_none(),
        };
        had.then_some(())?;
    }
    Some(draft)
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn no_value_disproves_that_a_schema_is_within_another(
        (sub, sup) in pair(),
        values in prop::collection::vec(value(), 24),
    ) {
        if Comparison::default().misfits(&sub, &sup).is_empty() {
            let sub_check = formats::validator(&executable(&sub));
            let sup_check = formats::validator(&executable(&sup));
            if let (Ok(sub_check), Ok(sup_check)) = (sub_check, sup_check) {
                for value in &values {
                    prop_assert!(
                        !sub_check.is_valid(value) || sup_check.is_valid(value),
                        "{value} is in {sub} and not in {sup}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_schema_is_within_itself_however_it_is_written(schema in schema()) {
        prop_assert_eq!(Comparison::default().misfits(&schema, &turned(&schema)), []);
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_salvaged_draft_passes_the_gate(draft in broken()) {
        let limits = ContractLimits::default();
        let saved = salvage(&draft, &limits);
        if let Some(contract) = saved.contract {
            let compiled = CompiledContract::compile(&contract, &limits);
            prop_assert!(compiled.is_ok(), "{contract}");
            let again = salvage(&draft, &limits).contract;
            prop_assert_eq!(again.as_ref(), Some(&contract));
            let mut paths: Vec<_> = saved.dropped.iter().map(|finding| &finding.path).collect();
            let all = paths.len();
            paths.sort();
            paths.dedup();
            prop_assert_eq!(paths.len(), all, "nothing is told twice");
            let changes = changes(&draft, &contract);
            prop_assert_eq!(patched(draft, changes), Some(contract));
        }
    }

    #[test]
    fn a_contract_of_valid_parts_passes_the_gate(draft in contract()) {
        let limits = ContractLimits::default();
        let compiled = CompiledContract::compile(&draft, &limits);
        prop_assert!(compiled.is_ok(), "{:?} {draft}", compiled.err());
        let turned = CompiledContract::compile(&turned(&draft), &limits);
        let identity = |compiled: Result<Checked, _>| {
            let contract = compiled.ok()?.contract;
            Some((contract.hash().to_owned(), contract.props_schema_hash().to_owned()))
        };
        prop_assert_eq!(identity(turned), identity(compiled));
    }

    #[test]
    fn a_refusal_always_has_a_reason_and_agrees_with_the_validator(
        draft in contract(),
        props in value(),
    ) {
        let compiled = CompiledContract::compile(&draft, &ContractLimits::default());
        if let Ok(Checked { contract, .. }) = compiled
            && let Err(violations) = contract.check_props(&props)
        {
            let silent = |message: &str| message == "must match the schema";
            let is_silent = violations.iter().any(|violation| silent(&violation.message));
            prop_assert!(!is_silent, "{violations:?}");
        }
    }

    #[test]
    fn the_order_of_members_is_no_part_of_the_identity(draft in draft()) {
        prop_assert_eq!(contract_hash(&draft), contract_hash(&turned(&draft)));
    }
}

//! The compiled contract: the agreed contract, with validators for everything that arrives.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::close::closed;
use super::enforced::{Enforced, as_shown, enforced};
use super::findings::{bounded, error};
use super::gate;
use super::hash::contract_hash;
use super::limits::ContractLimits;
use super::patterns::Patterns;
use super::values::Checker;
use super::{names, summary};
use crate::domain::document::{Document, DocumentHash};
use crate::wire::contract::{Contract, Finding, Profile};

/// A contract that passed the gate.
pub(crate) struct CompiledContract {
    hash: String,
    source: Arc<Value>,
    document: DocumentHash,
    pub(super) contract: Contract,
    schemas: BTreeMap<String, Value>,
    pub(super) patterns: Arc<Patterns>,
    pub(super) props: Enforced,
    /// The validators of the actions' data; `None` for an action without data.
    pub(super) actions: BTreeMap<String, Option<Checker>>,
    /// The validators of the channels' payloads, in declared order.
    pub(super) channels: IndexMap<String, Checker>,
    /// The validators of the context slots' values, in declared order.
    pub(super) slots: IndexMap<String, Checker>,
    /// What the example of the next call shows after the handshake's id; made when it is first shown.
    pub(super) example: OnceLock<Box<str>>,
    /// The hash of its names; made when it is first needed.
    pub(super) names_hash: OnceLock<Box<str>>,
}

/// A contract and the warnings about it.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) contract: CompiledContract,
    /// Findings that did not refuse the contract.
    pub(crate) warnings: Vec<Finding>,
}

impl CompiledContract {
    /// Checks a draft against all rules and compiles it.
    ///
    /// # Errors
    ///
    /// All problems of all phases at once; the phases after the shape check run only on a valid
    /// shape.
    pub(crate) fn compile(draft: &Value, limits: &ContractLimits) -> Result<Checked, Vec<Finding>> {
        let passed = gate::check(draft, limits)?;
        let mut findings = Vec::new();
        let mut checker = |path: &str| {
            let schema = passed.schemas.get(path)?;
            Checker::new(&closed(schema), &passed.patterns)
                .map_err(|problem| findings.push(error("CTR_SCHEMA_META_INVALID", path, problem)))
                .ok()
        };
        let contract = &passed.contract;
        let actions = contract.action_spec.iter().flatten();
        let actions = actions
            .map(|(name, _)| (name.clone(), checker(&format!("actionSpec.{name}.schema"))))
            .collect();
        let channels = contract.stream_spec.iter().flatten();
        let channels = channels
            .filter_map(|(name, _)| {
                Some((name.clone(), checker(&format!("streamSpec.{name}.schema"))?))
            })
            .collect();
        let slots = contract.context_spec.iter().flatten();
        let slots = slots
            .filter_map(|(name, _)| {
                Some((
                    name.clone(),
                    checker(&format!("contextSpec.{name}.schema"))?,
                ))
            })
            .collect();
        let props = match enforced(&passed) {
            Ok(props) if findings.is_empty() => props,
            Ok(_) => return Err(bounded(findings)),
            Err(problem) => {
                findings.push(error(
                    "CTR_SCHEMA_META_INVALID",
                    "propsSpec.properties",
                    problem,
                ));
                return Err(bounded(findings));
            }
        };
        Ok(Checked {
            contract: Self {
                hash: contract_hash(draft),
                document: DocumentHash::of(&draft.to_string()),
                source: Arc::new(draft.clone()),
                contract: passed.contract,
                schemas: passed.schemas,
                patterns: passed.patterns,
                props,
                actions,
                channels,
                slots,
                example: OnceLock::new(),
                names_hash: OnceLock::new(),
            },
            warnings: passed.warnings,
        })
    }

    /// The contract's identity, 16 hex digits (contract.md §9).
    pub(crate) fn hash(&self) -> &str {
        &self.hash
    }

    /// The contract as written.
    pub(crate) fn source(&self) -> &Arc<Value> {
        &self.source
    }

    /// What is stored of it: compiled again, it is the same contract.
    pub(crate) fn document(&self) -> Document {
        Document {
            hash: self.document,
            value: Arc::clone(&self.source),
        }
    }

    /// The contract as typed data.
    pub(crate) fn contract(&self) -> &Contract {
        &self.contract
    }

    /// The SHA-256 of the enforced props schema (contract.md §7), 64 hex digits.
    pub(crate) fn props_schema_hash(&self) -> &str {
        &self.props.hash
    }

    /// The enforced props schema as it is shown to the agent.
    pub(crate) fn props_schema(&self) -> Value {
        as_shown(&self.contract, &self.schemas)
    }

    /// Which keywords the enforced props schema needs.
    pub(crate) fn props_schema_profile(&self) -> Profile {
        self.props.profile
    }

    /// Whether the contract declares props; without them the caller drops what was sent
    /// (contract.md §8).
    pub(crate) fn has_props_spec(&self) -> bool {
        self.contract.props_spec.is_some()
    }

    /// The value of a slot before anybody changes it (contract.md §2); null without a default.
    pub(crate) fn context_default(&self, slot: &str) -> Value {
        let Some(entry) = self
            .contract
            .context_spec
            .as_ref()
            .and_then(|spec| spec.get(slot))
        else {
            return Value::Null;
        };
        match (
            &entry.default,
            entry.schema.get("type").and_then(Value::as_str),
        ) {
            (Some(default), _) => default.clone(),
            (None, Some("string")) => json!(""),
            (None, Some("number" | "integer")) => json!(0),
            (None, Some("boolean")) => json!(false),
            (None, Some("array")) => json!([]),
            (None, Some("object")) => json!({}),
            _ => Value::Null,
        }
    }

    /// The tool the contract names as the next step of an action.
    pub(crate) fn next_step(&self, action: &str) -> Option<&str> {
        let actions = self.contract.action_spec.as_ref()?;
        let step = actions.get(action)?.next_step.as_deref();
        step.filter(|step| !step.is_empty())
    }

    /// The name of a slot's context in the interface, as in `CouponContext`.
    pub(crate) fn context_name(&self, slot: &str) -> String {
        names::context_name(slot)
    }

    /// The contract in one line (contract.md §10).
    pub(crate) fn summary(&self) -> String {
        summary::summary(&self.contract)
    }

    /// The schema of a prop with its references resolved; null if it is not declared.
    pub(crate) fn prop_schema(&self, name: &str) -> &Value {
        self.schema(&format!("propsSpec.properties.{name}.schema"))
    }

    /// The schema of an action's data; null if it carries none.
    pub(crate) fn action_schema(&self, name: &str) -> &Value {
        self.schema(&format!("actionSpec.{name}.schema"))
    }

    /// The schema of one payload of a channel; null if it is not declared.
    pub(crate) fn channel_schema(&self, name: &str) -> &Value {
        self.schema(&format!("streamSpec.{name}.schema"))
    }

    /// The schema of a slot; null if it is not declared.
    pub(crate) fn slot_schema(&self, name: &str) -> &Value {
        self.schema(&format!("contextSpec.{name}.schema"))
    }

    fn schema(&self, path: &str) -> &Value {
        self.schemas.get(path).unwrap_or(&Value::Null)
    }
}

impl fmt::Debug for CompiledContract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CompiledContract").field(&self.hash).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn the_summary_is_one_line() {
        assert_eq!(
            samples::compiled(&samples::basket()).summary(),
            "slots=coupon:string; actions=checkout,setQuantity(qty,sku); streams=∅; props=currency:string!,items:array!,note:string"
        );
        assert_eq!(
            samples::compiled(&json!({})).summary(),
            "slots=∅; actions=∅; streams=∅"
        );
    }
}

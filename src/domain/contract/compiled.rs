//! The compiled contract: what was agreed, ready to judge what arrives.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::close::closed;
use super::enforced::{Enforced, as_shown, enforced};
use super::findings::{bounded, error};
use super::gate;
use super::hash::contract_hash;
use super::limits::ContractLimits;
use super::values::Checker;
use super::{example, names, summary};
use crate::wire::contract::{Contract, Finding, Profile};

/// A contract that passed the gate.
pub(crate) struct CompiledContract {
    hash: String,
    source: Arc<Value>,
    pub(super) contract: Contract,
    schemas: BTreeMap<String, Value>,
    pub(super) props: Enforced,
    /// The checks of the actions' data; an action that carries none has none.
    pub(super) actions: BTreeMap<String, Option<Checker>>,
    /// The checks of the channels' payloads, as declared.
    pub(super) channels: IndexMap<String, Checker>,
    /// The checks of the context slots' values, as declared.
    pub(super) slots: IndexMap<String, Checker>,
}

/// A contract and what could be better about it.
#[derive(Debug)]
pub(crate) struct Checked {
    /// The contract.
    pub(crate) contract: CompiledContract,
    /// Remarks that did not refuse it.
    pub(crate) warnings: Vec<Finding>,
}

impl CompiledContract {
    /// Gates and compiles a draft.
    ///
    /// # Errors
    ///
    /// Every problem of every phase at once; the phases after the shape need a clean shape.
    pub(crate) fn compile(draft: &Value, limits: &ContractLimits) -> Result<Checked, Vec<Finding>> {
        let passed = gate::check(draft, limits)?;
        let mut findings = Vec::new();
        let mut checker = |path: &str| {
            let schema = passed.schemas.get(path)?;
            Checker::new(&closed(schema))
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
                source: Arc::new(draft.clone()),
                contract: passed.contract,
                schemas: passed.schemas,
                props,
                actions,
                channels,
                slots,
            },
            warnings: passed.warnings,
        })
    }

    /// The contract's identity, 16 hex digits (ggui-mcp §7.1).
    pub(crate) fn hash(&self) -> &str {
        &self.hash
    }

    /// The contract as written.
    pub(crate) fn source(&self) -> &Arc<Value> {
        &self.source
    }

    /// The contract as data.
    pub(crate) fn contract(&self) -> &Contract {
        &self.contract
    }

    /// The SHA-256 of the enforced props schema (ggui-mcp §3.7), 64 hex digits.
    pub(crate) fn props_schema_hash(&self) -> &str {
        &self.props.hash
    }

    /// The enforced props schema as the agent is shown it.
    pub(crate) fn props_schema(&self) -> Value {
        as_shown(&self.contract, &self.schemas)
    }

    /// Which keywords the enforced props schema needs.
    pub(crate) fn props_schema_profile(&self) -> Profile {
        self.props.profile
    }

    /// Whether props are declared at all; where not, the caller drops them (ggui-mcp §3.8).
    pub(crate) fn has_props_spec(&self) -> bool {
        self.contract.props_spec.is_some()
    }

    /// What a slot holds before anybody touches it (ggui-mcp §3.2); null if nothing says.
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

    /// The tool an action leads to, where its contract names one.
    pub(crate) fn next_step(&self, action: &str) -> Option<&str> {
        let actions = self.contract.action_spec.as_ref()?;
        let step = actions.get(action)?.next_step.as_deref();
        step.filter(|step| !step.is_empty())
    }

    /// The name of a slot's context in the interface, as in `CouponContext`.
    pub(crate) fn context_name(&self, slot: &str) -> String {
        names::context_name(slot)
    }

    /// The call an agent makes next, as text: every prop with its example, its default or a
    /// placeholder, required ones first, else as declared (ggui-mcp §2.2).
    pub(crate) fn example_call(&self, handshake_id: &str) -> String {
        let props = self.contract.props_spec.iter();
        let (first, then): (Vec<_>, Vec<_>) = props
            .flat_map(|spec| &spec.properties)
            .partition(|(_, entry)| entry.required == Some(true));
        let mut samples: Map<String, Value> = first
            .iter()
            .chain(&then)
            .map(|(name, entry)| {
                let sample = example::prop(entry, self.prop_schema(name));
                ((*name).clone(), sample)
            })
            .collect();
        // No sample is found for every schema; what may be left out is, then.
        let whole = Value::Object(samples.clone());
        for violation in self.check_props(&whole).err().into_iter().flatten() {
            samples.retain(|name, _| {
                let head = violation.field.split(['.', '[']).next();
                let is_meant = head == Some(name.as_str());
                !is_meant || first.iter().any(|(first, _)| *first == name)
            });
        }
        let members: Vec<_> = samples
            .iter()
            .map(|(name, sample)| format!("{}:{sample}", Value::from(name.as_str())))
            .collect();
        let id = Value::from(handshake_id);
        format!(
            "ggui_render({{\"handshakeId\":{id},\"props\":{{{}}}}})",
            members.join(",")
        )
    }

    /// The contract in one line (ggui-mcp §7.4).
    pub(crate) fn summary(&self) -> String {
        summary::summary(&self.contract)
    }

    /// The schema of a prop with its references written out; null if it is not declared.
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
    fn the_sample_call_of_the_basket_fits_the_basket() {
        let contract = samples::compiled(&samples::basket());
        let call = contract.example_call("h1");
        assert_eq!(
            call,
            r#"ggui_render({"handshakeId":"h1","props":{"items":[{"sku":"A1","title":"Mug","qty":2,"unitPrice":7.5}],"currency":"EUR","note":""}})"#
        );
        let arguments = call
            .strip_prefix("ggui_render(")
            .and_then(|rest| rest.strip_suffix(')'))
            .unwrap();
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        assert_eq!(contract.check_props(&arguments["props"]), Ok(()));
    }

    #[test]
    fn the_sample_call_lists_required_props_first_and_keeps_the_declared_order() {
        let text = json!({"type":"string"});
        let draft = json!({"propsSpec":{"properties":{
            "zebra":{"schema":text}, "yak":{"schema":text,"required":true},
            "ant":{"schema":text}, "bee":{"schema":text,"required":true}}}});
        assert_eq!(
            samples::compiled(&draft).example_call("h"),
            r#"ggui_render({"handshakeId":"h","props":{"yak":"","bee":"","zebra":"","ant":""}})"#
        );
    }

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

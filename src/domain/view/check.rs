//! Decides whether a view may be drawn, and says everything that is wrong with it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::addresses;
use super::bindings::{self, Place, list};
use super::calls;
use super::catalog::{self, CATALOG_ID};
use super::gestures::Gestures;
use super::stored::{VERSION, View};
use super::tree::{Component, at, children, places, tangle};
use crate::domain::contract::{CompiledContract, bounded, error, schema_problems};
use crate::domain::size::json_bytes;
use crate::wire::contract::Finding;

/// Components of one view: a few for each entry a contract may have.
const COMPONENTS_MAX: usize = 4_000;
/// The id of one component, in bytes: it is repeated in all that is told of what stands below it.
const ID_BYTES_MAX: usize = 256;
/// The view as JSON, in bytes: the largest contract with a component around each part.
const BYTES_MAX: usize = 1024 * 1024;

/// Checks a view against the catalog and against the contract it is to draw.
///
/// # Errors
///
/// Every problem at once; paths read `components[<id>].<member>`.
pub(crate) fn check(value: &Value, contract: &CompiledContract) -> Result<View, Vec<Finding>> {
    let mut check = Check {
        contract,
        findings: Vec::new(),
    };
    check.envelope(value);
    let components = value
        .pointer("/view/components")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    if check.findings.is_empty() {
        check.components(components);
    }
    if check.findings.is_empty() {
        Ok(View::from_value(value.clone()))
    } else {
        Err(bounded(check.findings))
    }
}

struct Check<'a> {
    contract: &'a CompiledContract,
    findings: Vec<Finding>,
}

impl Check<'_> {
    fn report(&mut self, code: &str, path: &str, message: impl Into<String>) {
        self.findings.push(error(code, path, message));
    }

    fn envelope(&mut self, value: &Value) {
        if value.get("version").and_then(Value::as_str) != Some(VERSION) {
            self.report(
                "VIEW_SHAPE_INVALID",
                "version",
                format!("must be \"{VERSION}\""),
            );
        }
        if value.get("catalogId").and_then(Value::as_str) != Some(CATALOG_ID) {
            self.report(
                "VIEW_SHAPE_INVALID",
                "catalogId",
                format!("must be \"{CATALOG_ID}\""),
            );
        }
        let bytes = json_bytes(value);
        if bytes > BYTES_MAX {
            let message = format!("the view is {bytes} bytes of JSON, more than {BYTES_MAX}");
            self.report("VIEW_LIMIT", "", message);
        }
        match value.pointer("/view/components").and_then(Value::as_array) {
            None => self.report("VIEW_SHAPE_INVALID", "view.components", "must be a list"),
            Some(list) if list.len() > COMPONENTS_MAX => {
                let message = format!("{} components, more than {COMPONENTS_MAX}", list.len());
                self.report("VIEW_LIMIT", "view.components", message);
            }
            Some(_) => {}
        }
    }

    fn components(&mut self, components: &[Value]) {
        let mut by_id: BTreeMap<&str, &Component> = BTreeMap::new();
        for (index, value) in components.iter().enumerate() {
            let at = format!("view.components[{index}]");
            let (Some(component), Some(id)) =
                (value.as_object(), value.get("id").and_then(Value::as_str))
            else {
                self.report("VIEW_SHAPE_INVALID", &at, "must be an object with an id");
                continue;
            };
            if id.len() > ID_BYTES_MAX {
                let message = format!("the id is longer than {ID_BYTES_MAX} bytes");
                self.report("VIEW_SHAPE_INVALID", &at, message);
                continue;
            }
            self.shape(id, component, value);
            if by_id.insert(id, component).is_some() {
                let message = format!("the id \"{id}\" is used more than once");
                self.report("VIEW_DUPLICATE_ID", &at, message);
            }
        }
        if !by_id.contains_key("root") {
            self.report(
                "VIEW_NO_ROOT",
                "view.components",
                "no component has the id \"root\"",
            );
        }
        for (id, component) in &by_id {
            for (member, child) in children(component) {
                if !by_id.contains_key(child) {
                    let message = format!("there is no component \"{child}\"");
                    self.report("VIEW_UNKNOWN_CHILD", &at(id, &member), message);
                }
            }
        }
        if let Some((code, path, message)) = tangle(&by_id) {
            self.report(code, &path, message);
        }
        let places = places(&by_id, self.contract);
        for (id, component) in &by_id {
            let (place, in_typed) = places.get(id).copied().unwrap_or((Place::Unknown, false));
            let findings = &mut self.findings;
            bindings::check(component, place, self.contract, &mut |member, problem| {
                findings.push(error("VIEW_UNKNOWN_BINDING", &at(id, member), problem));
            });
            addresses::check(component, in_typed, &mut |member, problem| {
                findings.push(error("VIEW_TYPED_ADDRESS", &at(id, member), problem));
            });
            calls::check(component, &mut |member, problem| {
                findings.push(error("VIEW_CALL_INVALID", &at(id, member), problem));
            });
            let mut gestures = Gestures {
                contract: self.contract,
                findings,
            };
            gestures.check(id, component);
        }
    }

    fn shape(&mut self, id: &str, component: &Component, value: &Value) {
        let name = component
            .get("component")
            .and_then(Value::as_str)
            .unwrap_or("");
        let Some(checker) = catalog::component(name) else {
            let known: Vec<&str> = catalog::names().collect();
            let message = format!(
                "unknown component \"{name}\"; there are {}",
                known.join(", ")
            );
            return self.report("VIEW_UNKNOWN_COMPONENT", &at(id, "component"), message);
        };
        for violation in checker
            .check(value, &format!("components[{id}]"))
            .err()
            .into_iter()
            .flatten()
        {
            self.report(
                "VIEW_COMPONENT_INVALID",
                &violation.field,
                violation.message,
            );
        }
        for member in ["schema"] {
            for problem in component
                .get(member)
                .map(schema_problems)
                .into_iter()
                .flatten()
            {
                self.report("VIEW_COMPONENT_INVALID", &at(id, member), problem);
            }
        }
        for action in list(component, "rowActions") {
            for problem in action
                .get("inputs")
                .map(schema_problems)
                .into_iter()
                .flatten()
            {
                self.report("VIEW_COMPONENT_INVALID", &at(id, "rowActions"), problem);
            }
        }
    }
}

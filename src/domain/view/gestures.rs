//! Whether the gestures of a component are declared, and take what it gives them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::bindings::list;
use super::schema_path::Shape;
use super::tree::{Component, at};
use crate::domain::contract::{CompiledContract, error};
use crate::wire::contract::Finding;

/// Tells what is wrong with the gestures of components.
pub(super) struct Gestures<'a> {
    pub(super) contract: &'a CompiledContract,
    pub(super) findings: &'a mut Vec<Finding>,
}

impl Gestures<'_> {
    fn report(&mut self, code: &str, path: &str, message: impl Into<String>) {
        self.findings.push(error(code, path, message));
    }

    /// Checks every gesture of one component.
    pub(super) fn check(&mut self, id: &str, component: &Component) {
        if let Some(Value::String(action)) = component.get("action") {
            match component.get("component").and_then(Value::as_str) {
                Some("Form" | "Wizard") => {
                    let mut given = keys(component.get("schema").and_then(|s| s.get("properties")));
                    given.extend(keys(component.get("given")));
                    self.payload(&at(id, "schema"), action, &given);
                }
                _ => self.payload(&at(id, "data"), action, &keys(component.get("data"))),
            }
        }
        if let Some(event) = component
            .get("action")
            .and_then(|action| action.get("event"))
            && let Some(Value::String(action)) = event.get("name")
        {
            self.payload(&at(id, "action"), action, &keys(event.get("context")));
        }
        for member in ["move", "pick", "back", "next", "keep"] {
            if let Some(gesture) = component.get(member)
                && let Some(Value::String(action)) = gesture.get("action")
            {
                let mut given = keys(gesture.get("fixed"));
                given.extend(members(gesture, "inputs"));
                given.extend(keys(gesture.get("given")));
                let targets = ["to", "row", "column"];
                given.extend(
                    targets
                        .iter()
                        .filter_map(|target| gesture.get(*target).and_then(Value::as_str)),
                );
                self.payload(&at(id, member), action, &given);
            }
        }
        for bulk in list(component, "bulkActions") {
            if let Some(Value::String(action)) = bulk.get("action") {
                let given = bulk
                    .get("list")
                    .and_then(Value::as_str)
                    .into_iter()
                    .collect();
                self.payload(&at(id, "bulkActions"), action, &given);
            }
        }
        for step in list(component, "steps") {
            if let Some(Value::String(action)) = step.get("action") {
                let mut given = members(step, "schema");
                given.extend(keys(step.get("given")));
                self.payload(&at(id, "steps"), action, &given);
            }
        }
        for row_action in list(component, "rowActions") {
            if let Some(Value::String(action)) = row_action.get("action") {
                let mut given = keys(row_action.get("fixed"));
                given.extend(keys(row_action.get("given")));
                given.extend(members(row_action, "inputs"));
                self.payload(&at(id, "rowActions"), action, &given);
            }
        }
    }

    /// The action is declared, and what the component gives fits what it takes.
    fn payload(&mut self, path: &str, action: &str, given: &BTreeSet<&str>) {
        let declared = self.contract.contract().action_spec.as_ref();
        let Some(entry) = declared.and_then(|actions| actions.get(action)) else {
            let message = format!("the contract declares no action \"{action}\"");
            return self.report("VIEW_UNKNOWN_ACTION", path, message);
        };
        if entry.schema.is_none() {
            return;
        }
        let schema = self.contract.action_schema(action);
        let required = schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !given.contains(name) {
                let message = format!("action \"{action}\" needs \"{name}\"");
                self.report("VIEW_ACTION_PAYLOAD", path, message);
            }
        }
        for name in given {
            if Shape::Of(schema).member(name).is_none() {
                let message = format!("action \"{action}\" takes no \"{name}\"");
                self.report("VIEW_ACTION_PAYLOAD", path, message);
            }
        }
    }
}

/// The members that a schema within a gesture asks for.
fn members<'a>(gesture: &'a Value, schema: &str) -> BTreeSet<&'a str> {
    keys(gesture.get(schema).and_then(|s| s.get("properties")))
}

fn keys(value: Option<&Value>) -> BTreeSet<&str> {
    let map = value.and_then(Value::as_object);
    map.into_iter()
        .flat_map(|map| map.keys().map(String::as_str))
        .collect()
}

//! What of a contract a view does not show.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::bindings::places;
use super::stored::View;
use crate::domain::contract::{CompiledContract, warning};
use crate::wire::contract::Finding;

/// Code of the finding: a surface of the contract that nobody will see.
const COVERAGE_GAP: &str = "COVERAGE_GAP";

/// One remark for each prop, action, channel and slot that no drawn component leads to.
pub(crate) fn gaps(view: &View, contract: &CompiledContract) -> Vec<Finding> {
    let seen = Seen::of(view);
    let spec = contract.contract();
    let mut gaps = Vec::new();
    let mut expect = |is_seen: bool, path: String, what: &str| {
        if !is_seen {
            let message = format!("{what} is in the contract, and nothing in the view shows it");
            gaps.push(warning(COVERAGE_GAP, &path, message));
        }
    };
    let props = spec.props_spec.iter().flat_map(|spec| &spec.properties);
    for (name, _) in props {
        let path = format!("propsSpec.properties.{name}");
        expect(seen.reads("props", name), path, "the prop");
    }
    for name in spec.action_spec.iter().flat_map(|spec| spec.keys()) {
        let is_seen = seen.actions.contains(name.as_str());
        expect(is_seen, format!("actionSpec.{name}"), "the action");
    }
    for name in spec.stream_spec.iter().flat_map(|spec| spec.keys()) {
        let path = format!("streamSpec.{name}");
        expect(seen.reads("streams", name), path, "the channel");
    }
    for name in spec.context_spec.iter().flat_map(|spec| spec.keys()) {
        let path = format!("contextSpec.{name}");
        expect(seen.reads("context", name), path, "the slot");
    }
    gaps
}

/// Paths and actions of everything that is drawn from the root.
#[derive(Default)]
struct Seen<'a> {
    paths: BTreeSet<&'a str>,
    actions: BTreeSet<&'a str>,
}

impl<'a> Seen<'a> {
    fn of(view: &'a View) -> Self {
        let components = view.value().pointer("/view/components");
        let by_id: BTreeMap<&str, &Value> = components
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|component| Some((component.get("id")?.as_str()?, component)))
            .collect();
        let mut seen = Self::default();
        let (mut open, mut drawn) = (vec!["root"], BTreeSet::new());
        while let Some(id) = open.pop() {
            let Some(component) = by_id.get(id).filter(|_| drawn.insert(id)) else {
                continue;
            };
            // Any text that names a component leads to it: too much seen is no wrong alarm.
            seen.walk(component, &mut |text| {
                if let Some((known, _)) = by_id.get_key_value(text) {
                    open.push(known);
                }
            });
        }
        seen
    }

    fn walk(&mut self, value: &'a Value, text: &mut dyn FnMut(&'a str)) {
        match value {
            Value::String(inner) => {
                text(inner);
                self.paths.extend(places(inner));
            }
            Value::Array(items) => items.iter().for_each(|item| self.walk(item, text)),
            Value::Object(map) => {
                if let Some(Value::String(path)) = map.get("path") {
                    self.paths.insert(path);
                }
                let action = map.get("action");
                let event = action.and_then(|action| action.pointer("/event/name"));
                if let Some(name) = event.or(action).and_then(Value::as_str) {
                    self.actions.insert(name);
                }
                map.values().for_each(|inner| self.walk(inner, text));
            }
            _ => {}
        }
    }

    /// Whether something leads to a member of a part of the data model, or to all of it.
    fn reads(&self, part: &str, name: &str) -> bool {
        let name = name.replace('~', "~0").replace('/', "~1");
        let whole = format!("/{part}");
        let member = format!("/{part}/{name}");
        let inside = format!("{member}/");
        let mut paths = self.paths.iter();
        paths.any(|path| *path == whole || *path == member || path.starts_with(&inside))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::compose::compose;
    use crate::domain::contract::samples;

    #[test]
    fn what_no_drawn_component_leads_to_is_told_by_its_path() {
        let contract = samples::compiled(&json!({
            "propsSpec": {"properties": {
                "title": {"schema": {"type": "string"}},
                "note": {"schema": {"type": "string"}},
            }},
            "actionSpec": {"go": {"label": "Go"}, "stop": {"label": "Stop"}},
            "contextSpec": {"name": {"schema": {"type": "string"}}},
            "streamSpec": {"log": {"schema": {"type": "string"}}},
        }));
        let view = View::new(vec![
            json!({"id": "root", "component": "Column", "children": ["a", "b"]}),
            json!({"id": "a", "component": "Text", "text": {"call": "formatString", "args": {"value": "Hello ${/props/title}"}}}),
            json!({"id": "b", "component": "ActionButton", "label": "Go", "action": "go"}),
            json!({"id": "lost", "component": "ActionButton", "label": "Stop", "action": "stop"}),
        ]);
        let found: Vec<_> = gaps(&view, &contract)
            .into_iter()
            .map(|gap| (gap.code, gap.path))
            .collect();
        let expected = [
            "propsSpec.properties.note",
            "actionSpec.stop",
            "streamSpec.log",
            "contextSpec.name",
        ];
        let expected = expected.map(|path| (COVERAGE_GAP.to_owned(), path.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_composed_view_has_no_gap() {
        for draft in [
            samples::basket(),
            samples::build_log(),
            samples::field_report(),
        ] {
            let contract = samples::compiled(&draft);
            assert_eq!(gaps(&compose(&contract, "Look"), &contract), []);
        }
    }
}

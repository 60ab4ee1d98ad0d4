//! Decides whether a view may be drawn, and says everything that is wrong with it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::bindings::{self, Place, list};
use super::catalog::{self, CATALOG_ID};
use super::schema_path::resolve;
use super::stored::{VERSION, View};
use crate::domain::contract::{CompiledContract, bounded, error, schema_problems};
use crate::wire::contract::Finding;

/// Components of one view: a few for each entry a contract may have.
const COMPONENTS_MAX: usize = 4_000;
/// Components drawn, where a component that is named twice counts twice.
const DRAWN_MAX: usize = 8_000;
/// How deep components nest; the browser draws them recursively.
const DEPTH_MAX: usize = 32;
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

type Component = Map<String, Value>;

impl<'a> Check<'a> {
    fn tell(&mut self, code: &str, path: &str, message: impl Into<String>) {
        self.findings.push(error(code, path, message));
    }

    fn envelope(&mut self, value: &Value) {
        if value.get("version").and_then(Value::as_str) != Some(VERSION) {
            self.tell(
                "VIEW_SHAPE_INVALID",
                "version",
                format!("must be \"{VERSION}\""),
            );
        }
        if value.get("catalogId").and_then(Value::as_str) != Some(CATALOG_ID) {
            self.tell(
                "VIEW_SHAPE_INVALID",
                "catalogId",
                format!("must be \"{CATALOG_ID}\""),
            );
        }
        let bytes = value.to_string().len();
        if bytes > BYTES_MAX {
            let message = format!("the view is {bytes} bytes of JSON, more than {BYTES_MAX}");
            self.tell("VIEW_LIMIT", "", message);
        }
        match value.pointer("/view/components").and_then(Value::as_array) {
            None => self.tell("VIEW_SHAPE_INVALID", "view.components", "must be a list"),
            Some(list) if list.len() > COMPONENTS_MAX => {
                let message = format!("{} components, more than {COMPONENTS_MAX}", list.len());
                self.tell("VIEW_LIMIT", "view.components", message);
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
                self.tell("VIEW_SHAPE_INVALID", &at, "must be an object with an id");
                continue;
            };
            self.shape(id, component, value);
            if by_id.insert(id, component).is_some() {
                let message = format!("the id \"{id}\" is used more than once");
                self.tell("VIEW_DUPLICATE_ID", &at, message);
            }
        }
        if !by_id.contains_key("root") {
            self.tell(
                "VIEW_NO_ROOT",
                "view.components",
                "no component has the id \"root\"",
            );
        }
        for (id, component) in &by_id {
            for (member, child) in children(component) {
                if !by_id.contains_key(child) {
                    let message = format!("there is no component \"{child}\"");
                    self.tell("VIEW_UNKNOWN_CHILD", &at(id, &member), message);
                }
            }
        }
        self.tree(&by_id);
        let places = places(&by_id, self.contract);
        for (id, component) in &by_id {
            let place = places.get(id).copied().unwrap_or(Place::Unknown);
            let findings = &mut self.findings;
            bindings::check(component, place, self.contract, &mut |member, problem| {
                findings.push(error("VIEW_UNKNOWN_BINDING", &at(id, member), problem));
            });
            self.actions(id, component);
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
            return self.tell("VIEW_UNKNOWN_COMPONENT", &at(id, "component"), message);
        };
        for violation in checker
            .check(value, &format!("components[{id}]"))
            .err()
            .into_iter()
            .flatten()
        {
            self.tell(
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
                self.tell("VIEW_COMPONENT_INVALID", &at(id, member), problem);
            }
        }
        for action in list(component, "rowActions") {
            for problem in action
                .get("inputs")
                .map(schema_problems)
                .into_iter()
                .flatten()
            {
                self.tell("VIEW_COMPONENT_INVALID", &at(id, "rowActions"), problem);
            }
        }
    }

    /// No cycles, not too deep, not too much drawn.
    fn tree(&mut self, by_id: &BTreeMap<&str, &Component>) {
        let mut sizes = BTreeMap::new();
        let mut open = Vec::new();
        match height("root", by_id, &mut sizes, &mut open) {
            Err(Tangle::Cycle(id)) => {
                self.tell(
                    "VIEW_CYCLE",
                    &at(&id, "children"),
                    "the component contains itself",
                );
            }
            Err(Tangle::Depth(id)) => {
                let message = format!("components nest deeper than {DEPTH_MAX}");
                self.tell("VIEW_LIMIT", &at(&id, "children"), message);
            }
            Ok((drawn, _)) if drawn > DRAWN_MAX => {
                let message = format!("{drawn} components would be drawn, more than {DRAWN_MAX}");
                self.tell("VIEW_LIMIT", "view.components", message);
            }
            Ok(_) => {}
        }
    }

    fn actions(&mut self, id: &str, component: &Component) {
        if let Some(Value::String(action)) = component.get("action") {
            match component.get("component").and_then(Value::as_str) {
                Some("Form") => {
                    let given = keys(component.get("schema").and_then(|s| s.get("properties")));
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
        for (member, target) in [("move", "to"), ("pick", "to")] {
            if let Some(gesture) = component.get(member)
                && let Some(Value::String(action)) = gesture.get("action")
            {
                let mut given = keys(gesture.get("fixed"));
                given.extend(gesture.get(target).and_then(Value::as_str));
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
        for row_action in list(component, "rowActions") {
            if let Some(Value::String(action)) = row_action.get("action") {
                let mut given = keys(row_action.get("fixed"));
                given.extend(keys(
                    row_action.get("inputs").and_then(|s| s.get("properties")),
                ));
                self.payload(&at(id, "rowActions"), action, &given);
            }
        }
    }

    /// The action is declared, and what the component gives fits what it takes.
    fn payload(&mut self, path: &str, action: &str, given: &BTreeSet<&str>) {
        let declared = self.contract.contract().action_spec.as_ref();
        let Some(entry) = declared.and_then(|actions| actions.get(action)) else {
            let message = format!("the contract declares no action \"{action}\"");
            return self.tell("VIEW_UNKNOWN_ACTION", path, message);
        };
        if entry.schema.is_none() {
            return;
        }
        let schema = self.contract.action_schema(action);
        let required = schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !given.contains(name) {
                let message = format!("action \"{action}\" needs \"{name}\"");
                self.tell("VIEW_ACTION_PAYLOAD", path, message);
            }
        }
        for name in given {
            if super::schema_path::Shape::Of(schema).member(name).is_none() {
                let message = format!("action \"{action}\" takes no \"{name}\"");
                self.tell("VIEW_ACTION_PAYLOAD", path, message);
            }
        }
    }
}

/// Inside which template each component stands.
fn places<'a>(
    by_id: &BTreeMap<&'a str, &'a Component>,
    contract: &'a CompiledContract,
) -> BTreeMap<&'a str, Place<'a>> {
    let mut places = BTreeMap::new();
    let mut open = vec![("root", Place::Fixed)];
    while let Some((id, place)) = open.pop() {
        let Some((id, component)) = by_id.get_key_value(id) else {
            continue;
        };
        if places.contains_key(id) {
            continue;
        }
        places.insert(*id, place);
        let template = component
            .get("children")
            .and_then(|children| children.get("path"));
        let inner = match template.and_then(Value::as_str) {
            Some(path) if path.starts_with('/') => {
                resolve(path, contract).map_or(Place::Unknown, |list| Place::Item(list.item()))
            }
            Some(_) => Place::Unknown,
            None => place,
        };
        open.extend(
            children(component)
                .into_iter()
                .map(|(_, child)| (child, inner)),
        );
    }
    places
}

fn at(id: &str, member: &str) -> String {
    format!("components[{id}].{member}")
}

fn keys(value: Option<&Value>) -> BTreeSet<&str> {
    let map = value.and_then(Value::as_object);
    map.into_iter()
        .flat_map(|map| map.keys().map(String::as_str))
        .collect()
}

/// The ids a component names, with the member that names them.
fn children(component: &Component) -> Vec<(String, &str)> {
    let mut children = Vec::new();
    for member in ["child", "trigger", "content"] {
        if let Some(Value::String(id)) = component.get(member) {
            children.push((member.to_owned(), id.as_str()));
        }
    }
    match component.get("children") {
        Some(Value::Array(ids)) => {
            for id in ids.iter().filter_map(Value::as_str) {
                children.push(("children".to_owned(), id));
            }
        }
        Some(Value::Object(template)) => {
            if let Some(Value::String(id)) = template.get("componentId") {
                children.push(("children".to_owned(), id));
            }
        }
        _ => {}
    }
    for (index, tab) in list(component, "tabs").enumerate() {
        if let Some(Value::String(id)) = tab.get("child") {
            children.push((format!("tabs[{index}]"), id));
        }
    }
    children
}

enum Tangle {
    Cycle(String),
    Depth(String),
}

/// Drawn components and levels below one component.
fn height<'a>(
    id: &'a str,
    by_id: &BTreeMap<&'a str, &'a Component>,
    sizes: &mut BTreeMap<&'a str, (usize, usize)>,
    open: &mut Vec<&'a str>,
) -> Result<(usize, usize), Tangle> {
    if open.contains(&id) {
        return Err(Tangle::Cycle(id.to_owned()));
    }
    if let Some(known) = sizes.get(id) {
        // A shared part may hang deeper here than where it was measured.
        return match open.len() + known.1 > DEPTH_MAX {
            true => Err(Tangle::Depth(id.to_owned())),
            false => Ok(*known),
        };
    }
    if open.len() >= DEPTH_MAX {
        return Err(Tangle::Depth(id.to_owned()));
    }
    let (mut drawn, mut levels) = (1_usize, 1);
    open.push(id);
    for (_, child) in by_id
        .get(id)
        .map(|component| children(component))
        .into_iter()
        .flatten()
    {
        let (inner, below) = height(child, by_id, sizes, open)?;
        drawn = drawn.saturating_add(inner);
        levels = levels.max(below + 1);
    }
    open.pop();
    sizes.insert(id, (drawn, levels));
    Ok((drawn, levels))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::contract::{ContractLimits, samples};

    /// The findings about a view of the basket, as `code path`.
    fn told(components: Value) -> Vec<String> {
        let limits = ContractLimits::default();
        let basket = CompiledContract::compile(&samples::basket(), &limits)
            .unwrap()
            .contract;
        let value =
            json!({"version":VERSION,"catalogId":CATALOG_ID,"view":{"components":components}});
        match check(&value, &basket) {
            Ok(view) => {
                assert_eq!(**view.value(), value);
                Vec::new()
            }
            Err(findings) => findings
                .into_iter()
                .map(|f| format!("{} {}", f.code, f.path))
                .collect(),
        }
    }

    #[test]
    fn a_handwritten_view_with_templates_and_functions_passes() {
        let view = json!([
            {"id":"root","component":"Column","children":["list","sum","send"]},
            {"id":"list","component":"List","children":{"componentId":"item","path":"/props/items"}},
            {"id":"item","component":"Text","text":{"call":"formatString","args":{"value":"${qty} × ${title} of ${/props/currency}"},"returnType":"string"}},
            {"id":"sum","component":"Badge","text":"ok","tone":{"path":"/ui/tone"}},
            {"id":"send","component":"Button","child":"word","variant":"primary","action":{"event":{"name":"setQuantity","context":{"sku":"A1","qty":{"path":"/ui/qty"}}}}},
            {"id":"word","component":"Text","text":"Send"}]);
        assert_eq!(told(view), Vec::<String>::new());
    }

    #[test]
    fn every_problem_of_a_view_is_told_at_once() {
        let view = json!([
            {"id":"root","component":"Column","children":["a","b","c","d","e","f","gone"]},
            {"id":"a","component":"Text","text":{"path":"/props/nope"}},
            {"id":"a","component":"Text","text":{"path":"title"}},
            {"id":"b","component":"Marquee"},
            {"id":"c","component":"ActionButton","label":"x","action":"nope"},
            {"id":"d","component":"Text","text":"x","onclick":"y"},
            {"id":"e","component":"Table","rows":{"path":"/props/items"},"columns":[{"field":"nope","label":"x"}],
                "rowActions":[{"action":"setQuantity","label":"x","fixed":{"sku":"sku","size":"qty"}}]},
            {"id":"f","component":"Form","schema":{"type":"object","properties":{"sku":{"type":"string","pattern":"("}}},"submitLabel":"x","action":"setQuantity"}]);
        let found = told(view);
        for expect in [
            "VIEW_DUPLICATE_ID view.components[2]",
            "VIEW_UNKNOWN_COMPONENT components[b].component",
            "VIEW_COMPONENT_INVALID components[d].onclick",
            "VIEW_COMPONENT_INVALID components[f].schema",
            "VIEW_UNKNOWN_CHILD components[root].children",
            "VIEW_UNKNOWN_BINDING components[a].text",
            "VIEW_UNKNOWN_ACTION components[c].data",
            "VIEW_UNKNOWN_BINDING components[e].columns",
            "VIEW_ACTION_PAYLOAD components[e].rowActions",
            "VIEW_ACTION_PAYLOAD components[f].schema",
        ] {
            assert!(found.contains(&expect.to_owned()), "{expect}: {found:#?}");
        }
    }

    #[test]
    fn cycles_depth_and_doubling_are_refused() {
        let link =
            |id: &str, children: Value| json!({"id":id,"component":"Column","children":children});
        assert_eq!(
            told(json!([
                link("root", json!(["a"])),
                link("a", json!(["root"]))
            ])),
            ["VIEW_CYCLE components[root].children"]
        );
        let chain: Vec<Value> = (0..40)
            .map(|n| {
                link(
                    &if n == 0 {
                        "root".into()
                    } else {
                        format!("c{n}")
                    },
                    json!([format!("c{}", n + 1)]),
                )
            })
            .chain([link("c40", json!([]))])
            .collect();
        assert!(told(json!(chain))[0].starts_with("VIEW_LIMIT components[c"));
        let doubling: Vec<Value> = (0..20)
            .map(|n| {
                link(
                    &if n == 0 {
                        "root".into()
                    } else {
                        format!("c{n}")
                    },
                    json!([format!("c{}", n + 1), format!("c{}", n + 1)]),
                )
            })
            .chain([link("c20", json!([]))])
            .collect();
        assert_eq!(told(json!(doubling)), ["VIEW_LIMIT view.components"]);
    }

    #[test]
    fn a_view_of_another_catalog_or_version_is_refused() {
        let limits = ContractLimits::default();
        let contract = CompiledContract::compile(&json!({}), &limits)
            .unwrap()
            .contract;
        for value in [
            json!(null),
            json!([]),
            json!({"version":"v1.0","catalogId":"x","view":{"components":{}}}),
        ] {
            assert_eq!(check(&value, &contract).unwrap_err().len(), 3, "{value}");
        }
        assert_eq!(told(json!([])), ["VIEW_NO_ROOT view.components"]);
    }
}

//! What the composer made of a contract, taken apart.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::composer::{compose, planned};
use super::super::reading::join;
use crate::domain::contract::{CompiledContract, ContractLimits};
use crate::domain::view::{self, View};

pub(super) fn compiled(draft: &Value) -> CompiledContract {
    CompiledContract::compile(draft, &ContractLimits::default())
        .unwrap()
        .contract
}

/// Composes, checks, and demands that nothing of the contract is missing and nothing framed twice.
pub(super) fn complete(draft: Value) -> View {
    complete_for(draft, "Do the thing")
}

pub(super) fn complete_for(draft: Value, intent: &str) -> View {
    let contract = compiled(&draft);
    let view = compose(&contract, intent);
    if let Err(findings) = view::check(view.value(), &contract) {
        panic!("{findings:#?}\n{draft}\n{}", view.to_json());
    }
    let (paths, actions) = seen(&view);
    let hidden = planned(&contract, intent).hidden;
    let shows = |prefix: &str, name: &str| {
        let whole = join(prefix, name);
        let is_there = |path: &str| path == whole || path.starts_with(&format!("{whole}/"));
        paths.iter().any(|path| is_there(path))
            || hidden.iter().any(|hidden| is_there(&hidden.source))
    };
    let spec = contract.contract();
    for prop in spec
        .props_spec
        .iter()
        .flat_map(|spec| spec.properties.keys())
    {
        assert!(shows("/props", prop), "prop {prop} of {draft}\n{paths:?}");
    }
    for channel in spec.stream_spec.iter().flat_map(|spec| spec.keys()) {
        assert!(shows("/streams", channel), "channel {channel} of {draft}");
    }
    for slot in spec.context_spec.iter().flat_map(|spec| spec.keys()) {
        assert!(shows("/context", slot), "slot {slot} of {draft}");
    }
    for action in spec.action_spec.iter().flat_map(|spec| spec.keys()) {
        assert!(actions.contains(action), "action {action} of {draft}");
    }
    let mut loud = BTreeSet::new();
    components(&view)
        .iter()
        .for_each(|one| outstanding(one, &mut loud));
    assert!(loud.len() <= 1, "{loud:?} stand out of {draft}");
    let frames = find(&view, "Card");
    for framed in frames.iter().map(|card| &card["child"]) {
        let is_frame = frames.iter().any(|card| card["id"] == *framed);
        assert!(!is_frame, "a frame in a frame around {framed} of {draft}");
    }
    view
}

/// The actions that stand out.
fn outstanding(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            if map.get("variant") == Some(&json!("primary")) {
                found.extend(map.get("action").map(ToString::to_string));
            }
            map.values().for_each(|inner| outstanding(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| outstanding(inner, found)),
        _ => {}
    }
}

/// The paths and actions of everything that is drawn from the root.
pub(super) fn seen(view: &View) -> (BTreeSet<String>, BTreeSet<String>) {
    fn walk(value: &Value, paths: &mut BTreeSet<String>, actions: &mut BTreeSet<String>) {
        match value {
            Value::Object(map) => {
                if let Some(Value::String(path)) = map.get("path") {
                    paths.insert(path.clone());
                }
                if let Some(Value::String(action)) = map.get("action") {
                    actions.insert(action.clone());
                }
                map.values().for_each(|inner| walk(inner, paths, actions));
            }
            Value::Array(items) => items.iter().for_each(|inner| walk(inner, paths, actions)),
            _ => {}
        }
    }
    let (mut paths, mut actions) = (BTreeSet::new(), BTreeSet::new());
    let mut open = vec!["root".to_owned()];
    let mut drawn = 0;
    while let Some(id) = open.pop() {
        drawn += 1;
        let mut all = components(view).iter();
        let component = all.find(|c| c["id"] == id.as_str()).unwrap();
        walk(component, &mut paths, &mut actions);
        let children = [&component["child"], &component["children"]["componentId"]];
        open.extend(
            children
                .iter()
                .filter_map(|id| id.as_str())
                .map(str::to_owned),
        );
        let list = component["children"].as_array().into_iter().flatten();
        open.extend(list.map(|id| id.as_str().unwrap().to_owned()));
    }
    assert_eq!(
        drawn,
        components(view).len(),
        "a component is drawn never or twice"
    );
    (paths, actions)
}

pub(super) fn find<'a>(view: &'a View, component: &str) -> Vec<&'a Value> {
    let all = components(view).iter();
    all.filter(|value| value["component"] == component)
        .collect()
}

pub(super) fn components(view: &View) -> &[Value] {
    let all = view.value().pointer("/view/components");
    all.and_then(Value::as_array).unwrap()
}

/// The components the page consists of, top to bottom, as what they frame.
pub(super) fn page(view: &View) -> Vec<&Value> {
    let by_id = |id: &Value| components(view).iter().find(|c| c["id"] == *id).unwrap();
    let root = by_id(&json!("root"));
    let top = root["children"].as_array().unwrap().iter().map(by_id);
    top.map(|part| {
        if part["component"] == "Card" {
            by_id(&part["child"])
        } else {
            part
        }
    })
    .collect()
}

pub(super) fn kinds(view: &View) -> Vec<&str> {
    let parts = page(view).into_iter();
    parts
        .map(|part| part["component"].as_str().unwrap())
        .collect()
}

pub(super) fn named<'a>(list: &'a Value, member: &str) -> Vec<&'a str> {
    let entries = list.as_array().unwrap().iter();
    entries
        .map(|entry| entry[member].as_str().unwrap())
        .collect()
}

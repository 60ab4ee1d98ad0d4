//! The tree of a view's components: who is inside whom, how deep, and under which template.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::bindings::{Place, list};
use super::schema_path::{is_typed, resolve};
use crate::domain::contract::CompiledContract;

/// Components drawn, where a component that is named twice counts twice.
const DRAWN_MAX: usize = 8_000;
/// How deep components nest; the browser draws them recursively.
const DEPTH_MAX: usize = 32;

/// One component as written.
pub(super) type Component = Map<String, Value>;

/// The path of a member of a component, in findings.
pub(super) fn at(id: &str, member: &str) -> String {
    format!("components[{id}].{member}")
}

/// What keeps a view from being drawn: a cycle, too deep, or too much; code, path and words.
pub(super) fn tangle(by_id: &BTreeMap<&str, &Component>) -> Option<(&'static str, String, String)> {
    let mut sizes = BTreeMap::new();
    let mut open = Vec::new();
    match height("root", by_id, &mut sizes, &mut open) {
        Err(Tangle::Cycle(id)) => Some((
            "VIEW_CYCLE",
            at(&id, "children"),
            "the component contains itself".to_owned(),
        )),
        Err(Tangle::Depth(id)) => Some((
            "VIEW_LIMIT",
            at(&id, "children"),
            format!("components nest deeper than {DEPTH_MAX}"),
        )),
        Ok((drawn, _)) if drawn > DRAWN_MAX => Some((
            "VIEW_LIMIT",
            "view.components".to_owned(),
            format!("{drawn} components would be drawn, more than {DRAWN_MAX}"),
        )),
        Ok(_) => None,
    }
}

/// Inside which template each component stands, and whether it repeats what is typed.
pub(super) fn places<'a>(
    by_id: &BTreeMap<&'a str, &'a Component>,
    contract: &'a CompiledContract,
) -> BTreeMap<&'a str, (Place<'a>, bool)> {
    let mut places = BTreeMap::new();
    let mut open = vec![("root", Place::Fixed, false)];
    while let Some((id, place, in_typed)) = open.pop() {
        let Some((id, component)) = by_id.get_key_value(id) else {
            continue;
        };
        if places.contains_key(id) {
            continue;
        }
        places.insert(*id, (place, in_typed));
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
        let in_typed = in_typed || template.and_then(Value::as_str).is_some_and(is_typed);
        open.extend(
            children(component)
                .into_iter()
                .map(|(_, child)| (child, inner, in_typed)),
        );
    }
    places
}

/// The ids a component names, with the member that names them.
pub(super) fn children(component: &Component) -> Vec<(String, &str)> {
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

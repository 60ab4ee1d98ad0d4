//! One alternative of what a schema accepts.

use serde_json::{Map, Value};

use super::super::compare::Kinds;

/// One alternative: schemas that all apply, and the kinds of values they leave.
#[derive(Clone)]
pub(super) struct Piece<'a> {
    pub(super) nodes: Vec<(&'a Value, &'a Map<String, Value>)>,
    pub(super) kinds: Kinds,
}

impl<'a> Piece<'a> {
    pub(super) fn add(&mut self, schema: &'a Value, node: &'a Map<String, Value>) {
        self.kinds = self.kinds.and(Kinds::declared(schema));
        self.nodes.push((schema, node));
    }

    pub(super) fn with(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.kinds = both.kinds.and(other.kinds);
        both.nodes.extend(&other.nodes);
        both
    }

    pub(super) fn narrowed(&self, kinds: Kinds) -> Self {
        Self {
            nodes: self.nodes.clone(),
            kinds: self.kinds.and(kinds),
        }
    }

    /// The values all schemas give a keyword.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &'a Value> {
        self.nodes
            .iter()
            .filter_map(move |(_, node)| node.get(name))
    }

    /// The schemas that apply to a member of this name.
    pub(super) fn property(&self, name: &str) -> Vec<&'a Value> {
        let one = |node: &'a Map<String, Value>| {
            let own = node.get("properties").and_then(|map| map.get(name));
            own.or_else(|| rest(node))
        };
        self.nodes
            .iter()
            .filter_map(|(_, node)| one(node))
            .collect()
    }

    /// The schemas that apply to undeclared members.
    pub(super) fn extra(&self) -> Vec<&'a Value> {
        self.nodes
            .iter()
            .filter_map(|(_, node)| rest(node))
            .collect()
    }
}

/// The schema of undeclared members, if it applies to all of them.
pub(super) fn rest(node: &Map<String, Value>) -> Option<&Value> {
    if node.contains_key("patternProperties") {
        return None;
    }
    node.get("additionalProperties")
}

pub(super) fn branches<'a>(node: &'a Map<String, Value>, name: &str) -> Option<&'a Vec<Value>> {
    node.get(name)?.as_array()
}

pub(super) fn names(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

pub(super) fn small_values(kinds: Kinds) -> Vec<Value> {
    let mut values = Vec::new();
    if kinds.intersects(Kinds::NULL) {
        values.push(Value::Null);
    }
    if kinds.intersects(Kinds::BOOLEAN) {
        values.extend([Value::Bool(false), Value::Bool(true)]);
    }
    values
}

//! Looks for a value that a schema accepts: likely ones are made and held against it.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::super::close::closed;
use super::super::keywords::types;
use super::super::values::Checker;
use super::merge::ways;
use super::numbers;
use super::texts;

/// Bytes of schemas that are looked at in one search, each time they are: ten times the largest
/// schema, level by level.
const LOOKED_AT_MAX: usize = 8 << 20;
/// What one look costs at least, in bytes.
const LOOK_BYTES: usize = 256;
/// Patterns that are compiled in one search: twice as many as a contract may have.
const PATTERNS_MAX: usize = 128;
/// How deep a search goes; schemas do not get deeper.
const LEVELS_MAX: usize = 32;
/// The types a value may have where nothing says which, likely ones first.
const ANY_TYPE: &[&str] = &["string", "number", "boolean", "object", "array", "null"];

/// One search: what it may still cost, and what it has found out, by the text of the schema.
pub(super) struct Search {
    checkers: HashMap<String, Option<Checker>>,
    texts: HashMap<String, Vec<Value>>,
    left: usize,
    patterns_left: usize,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            checkers: HashMap::new(),
            texts: HashMap::new(),
            left: LOOKED_AT_MAX,
            patterns_left: PATTERNS_MAX,
        }
    }
}

impl Search {
    /// The first of the values that fits, else one that is found.
    pub(super) fn first_of<'a>(
        &mut self,
        schema: &Value,
        written: impl Iterator<Item = &'a Value>,
    ) -> Option<Value> {
        for value in written {
            if self.fits(schema, value) {
                return Some(value.clone());
            }
        }
        self.find(schema, &[], 0)
    }

    /// A value that fits and is none of the others.
    pub(super) fn find(&mut self, schema: &Value, others: &[Value], level: usize) -> Option<Value> {
        let key = schema.to_string();
        if level > LEVELS_MAX || !self.look(&key) {
            return None;
        }
        // What is put together of parts that fit does; the engine looks at it in the end.
        let is_plain = is_plain(schema);
        for way in ways(schema) {
            let listed: Vec<&Value> = match (way.get("const"), way.get("enum")) {
                (Some(one), _) => vec![one],
                (None, Some(Value::Array(many))) => many.iter().collect(),
                _ => Vec::new(),
            };
            let is_listed = way.contains_key("const") || way.contains_key("enum");
            let written = ["example", "default"].iter();
            let written = written.filter_map(|name| way.get(*name));
            for value in written.chain(listed) {
                if !others.contains(value) && self.accepts(&key, schema, value) {
                    return Some(value.clone());
                }
            }
            if is_listed {
                continue;
            }
            let flat = Value::Object(way);
            for kind in kinds(&flat) {
                let is_built = is_plain && matches!(kind, "array" | "object");
                for value in self.candidates(kind, &flat, others, level) {
                    if !others.contains(&value) && (is_built || self.accepts(&key, schema, &value))
                    {
                        return Some(value);
                    }
                }
            }
        }
        None
    }

    /// Whether there is time for one more look at a schema.
    fn look(&mut self, key: &str) -> bool {
        self.left = self.left.saturating_sub(key.len() + LOOK_BYTES);
        self.left > 0
    }

    fn fits(&mut self, schema: &Value, value: &Value) -> bool {
        self.accepts(&schema.to_string(), schema, value)
    }

    /// Whether the engine accepts a value.
    fn accepts(&mut self, key: &str, schema: &Value, value: &Value) -> bool {
        if !self.look(key) {
            return false;
        }
        if !self.checkers.contains_key(key) {
            let patterns = key.matches("\"pattern").count();
            let checker = match self.patterns_left.checked_sub(patterns) {
                None => None,
                Some(left) => {
                    self.patterns_left = left;
                    Checker::new(&closed(schema)).ok()
                }
            };
            self.checkers.insert(key.to_owned(), checker);
        }
        let checker = self.checkers.get(key).and_then(Option::as_ref);
        checker.is_some_and(|checker| checker.check(value, "").is_ok())
    }

    /// Values of one type that may fit a schema without branches.
    fn candidates(
        &mut self,
        kind: &str,
        schema: &Value,
        others: &[Value],
        level: usize,
    ) -> Vec<Value> {
        match kind {
            "string" => {
                let made = || texts::candidates(schema).into_iter().map(Value::from);
                let known = self.texts.entry(schema.to_string());
                known.or_insert_with(|| made().collect()).clone()
            }
            "number" | "integer" => numbers::candidates(schema),
            "boolean" => vec![json!(false), json!(true)],
            "null" => vec![Value::Null],
            "array" => self.arrays(schema, others, level),
            "object" => self.objects(schema, others, level),
            _ => Vec::new(),
        }
    }
}

/// Whether a value that is put together of parts that fit needs no more than that.
fn is_plain(schema: &Value) -> bool {
    const MORE: &[&str] = &[
        "allOf",
        "anyOf",
        "contains",
        "dependencies",
        "if",
        "maxProperties",
        "minProperties",
        "not",
        "oneOf",
        "patternProperties",
        "propertyNames",
    ];
    let node = schema.as_object();
    node.is_some_and(|node| MORE.iter().all(|name| !node.contains_key(*name)))
}

/// The types a schema without branches admits, likely ones first.
fn kinds(schema: &Value) -> Vec<&str> {
    let declared = types(schema);
    if schema.get("type").is_some() {
        return declared;
    }
    let implied = [
        ("properties", "object"),
        ("required", "object"),
        ("items", "array"),
        ("minItems", "array"),
        ("pattern", "string"),
        ("format", "string"),
        ("minLength", "string"),
        ("minimum", "number"),
        ("multipleOf", "number"),
    ];
    let implied = implied.iter().find(|(name, _)| schema.get(*name).is_some());
    let first = implied.map(|(_, kind)| *kind);
    let others = ANY_TYPE.iter().copied().filter(|kind| Some(*kind) != first);
    first.into_iter().chain(others).collect()
}

//! Looks for a value that a schema accepts: likely ones are made and held against it.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::super::close::closed;
use super::super::keywords::types;
use super::super::values::Checker;
use super::merge::ways;
use super::numbers;
use super::patterns;
use super::placeholder::{DEPTH_MAX, ITEMS_MAX};
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
/// Characters of a pattern's match that becomes a name.
const NAME_CHARS_MAX: usize = 64;
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
    fn find(&mut self, schema: &Value, others: &[Value], level: usize) -> Option<Value> {
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

    /// As many items as usual, and as few as there must be; one more where others must differ.
    fn arrays(&mut self, schema: &Value, others: &[Value], level: usize) -> Vec<Value> {
        let bound = |keyword: &str| {
            let bound = schema.get(keyword).and_then(Value::as_u64)?;
            Some(usize::try_from(bound).unwrap_or(usize::MAX))
        };
        let least = bound("minItems").unwrap_or_default();
        let most = bound("maxItems").unwrap_or(usize::MAX);
        if least > ITEMS_MAX {
            return Vec::new();
        }
        let any = Value::Bool(true);
        let items = schema.get("items").unwrap_or(&any);
        let is_unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
        let usual = usize::from(level < DEPTH_MAX && schema.get("items").is_some());
        let mut all: Vec<Value> = Vec::new();
        let mut found = Vec::new();
        if let Some(contained) = schema.get("contains") {
            let both = match items {
                Value::Object(_) => json!({ "allOf": [contained, items] }),
                _ => contained.clone(),
            };
            all.extend(self.find(&both, &[], level + 1));
        }
        let wanted = usual.max(least).min(most);
        let more = usize::from(!others.is_empty()) * others.len().min(ITEMS_MAX);
        let counts = [wanted, least, wanted.saturating_add(more), 1, 2];
        for count in counts.map(|count| count.min(most)) {
            while all.len() < count {
                // Equal ones are as good as others, unless they must differ.
                let next = match all.last() {
                    Some(last) if !is_unique && schema.get("contains").is_none() => {
                        Some(last.clone())
                    }
                    _ => {
                        let avoided = if is_unique { all.clone() } else { Vec::new() };
                        self.find(items, &avoided, level + 1)
                    }
                };
                match next {
                    Some(item) => all.push(item),
                    None => break,
                }
            }
            if all.len() >= count {
                let shown = all
                    .iter()
                    .take(count.max(usize::from(schema.get("contains").is_some())));
                found.push(Value::Array(shown.cloned().collect()));
            }
        }
        found
    }

    /// An object with all its members, one with those it needs, and others that differ in a member.
    fn objects(&mut self, schema: &Value, others: &[Value], level: usize) -> Vec<Value> {
        let empty = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.unwrap_or(&empty);
        let names = schema.get("required").and_then(Value::as_array);
        let mut needed: Vec<String> = names
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect();
        with_dependents(schema, &mut needed);
        let bound = |keyword: &str| {
            let bound = schema.get(keyword).and_then(Value::as_u64)?;
            Some(usize::try_from(bound).unwrap_or(usize::MAX))
        };
        let least = bound("minProperties").unwrap_or_default();
        let most = bound("maxProperties").unwrap_or(usize::MAX);
        if least > ITEMS_MAX {
            return Vec::new();
        }
        let mut few = Map::new();
        for name in &needed {
            let inner = match properties.get(name) {
                Some(inner) => inner.clone(),
                None => other_member(schema),
            };
            match self.find(&inner, &[], level + 1) {
                Some(value) => drop(few.insert(name.clone(), value)),
                None => return Vec::new(),
            }
        }
        let mut all = Map::new();
        for (name, inner) in properties {
            let value = match few.get(name) {
                Some(value) => Some(value.clone()),
                None if level < DEPTH_MAX && all.len() + few.len() < most => {
                    self.find(inner, &[], level + 1)
                }
                None => None,
            };
            if let Some(value) = value {
                all.insert(name.clone(), value);
            }
        }
        all.extend(few.clone());
        let mut found = Vec::new();
        for mut object in [all, few] {
            self.fill(schema, properties, &mut object, least, level);
            found.push(Value::Object(object));
        }
        // Others that differ: the same with another value of a member.
        for other in others.iter().take(1).filter_map(Value::as_object) {
            for (name, inner) in properties {
                let taken: Vec<Value> = others
                    .iter()
                    .filter_map(|other| other.get(name).cloned())
                    .collect();
                if let Some(value) = self.find(inner, &taken, level + 1) {
                    let mut object = other.clone();
                    object.insert(name.clone(), value);
                    found.push(Value::Object(object));
                }
            }
        }
        found
    }

    /// Adds members until there are enough.
    fn fill(
        &mut self,
        schema: &Value,
        properties: &Map<String, Value>,
        object: &mut Map<String, Value>,
        least: usize,
        level: usize,
    ) {
        for (name, inner) in properties {
            if object.len() >= least {
                return;
            }
            if !object.contains_key(name)
                && let Some(value) = self.find(inner, &[], level + 1)
            {
                object.insert(name.clone(), value);
            }
        }
        if object.len() >= least {
            return;
        }
        for (name, inner) in self.more_names(schema, least) {
            if object.len() >= least {
                return;
            }
            if !object.contains_key(&name)
                && let Some(value) = self.find(&inner, &[], level + 1)
            {
                object.insert(name, value);
            }
        }
    }

    /// Names of members that are not declared, each with the schema it falls under.
    fn more_names(&mut self, schema: &Value, least: usize) -> Vec<(String, Value)> {
        let mut names = Vec::new();
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        for (pattern, inner) in patterns.into_iter().flatten() {
            let matching = patterns::matches(pattern, 0, NAME_CHARS_MAX).into_iter();
            names.extend(matching.map(|name| (name, inner.clone())));
        }
        let other = other_member(schema);
        match schema.get("propertyNames") {
            Some(named) => {
                let named = ways(named);
                for way in &named {
                    let listed = way.get("enum").and_then(Value::as_array);
                    let listed = listed.into_iter().flatten().filter_map(Value::as_str);
                    names.extend(listed.map(|name| (name.to_owned(), other.clone())));
                    let way = Value::Object(way.clone());
                    let texts = texts::candidates(&way).into_iter();
                    names.extend(texts.map(|name| (name, other.clone())));
                }
            }
            None => {
                names.extend((1..=least.max(1)).map(|at| (format!("member{at}"), other.clone())));
            }
        }
        names
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

/// The schema of a member that is not declared.
fn other_member(schema: &Value) -> Value {
    match schema.get("additionalProperties") {
        Some(Value::Object(inner)) => Value::Object(inner.clone()),
        _ => Value::Bool(true),
    }
}

/// Adds the members that those need which are there already.
fn with_dependents(schema: &Value, needed: &mut Vec<String>) {
    let dependencies = schema.get("dependencies").and_then(Value::as_object);
    let Some(dependencies) = dependencies else {
        return;
    };
    let mut at = 0;
    while let Some(name) = needed.get(at) {
        let more = dependencies.get(name).and_then(Value::as_array);
        let more: Vec<_> = more
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .filter(|more| !needed.iter().any(|name| name == more))
            .map(str::to_owned)
            .collect();
        needed.extend(more);
        at += 1;
    }
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

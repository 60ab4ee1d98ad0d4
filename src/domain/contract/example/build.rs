//! Puts arrays and objects together of values that were found for their parts.

use serde_json::{Map, Value, json};

use super::merge::ways;
use super::numbers::count as count_of;
use super::patterns;
use super::placeholder::{DEPTH_MAX, ITEMS_MAX};
use super::search::Search;
use super::texts;

/// Characters of a pattern's match that becomes a name.
const NAME_CHARS_MAX: usize = 64;

impl Search {
    /// As many items as usual, and as few as there must be; one more where others must differ.
    pub(super) fn arrays(&mut self, schema: &Value, others: &[Value], level: usize) -> Vec<Value> {
        let least = count_of(schema, "minItems").unwrap_or_default();
        let most = count_of(schema, "maxItems").unwrap_or(usize::MAX);
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
    pub(super) fn objects(&mut self, schema: &Value, others: &[Value], level: usize) -> Vec<Value> {
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
        let least = count_of(schema, "minProperties").unwrap_or_default();
        let most = count_of(schema, "maxProperties").unwrap_or(usize::MAX);
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

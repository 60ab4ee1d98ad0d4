//! An upper bound for the work of validating a value, computed before the validation.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::keywords::{Child, children};

/// The work one validation may take, in steps of about a tenth of a microsecond: two seconds at
/// worst, and a thousand times what a full page of data takes.
const STEPS_MAX: usize = 20_000_000;
/// How many names or values of a list are compared in one step.
const LISTED_PER_STEP: usize = 16;
/// How many states of a pattern one byte of text may visit in one step, at worst: the engine is
/// linear in the text, but its constant factor may be all states of the pattern.
const STATES_PER_STEP: usize = 20;
/// An upper bound for the states of a pattern of the largest allowed size.
const STATES_MAX: usize = 8_000;

/// The cost of validating against one schema.
pub(super) struct Cost {
    /// The most steps that all schemas applied to one value take together.
    widest: usize,
    texts: Texts,
}

impl Cost {
    pub(super) fn of(schema: &Value) -> Self {
        let mut widest = 1;
        walk(schema, &mut widest);
        let mut texts = Texts::default();
        texts.add(schema);
        Self { widest, texts }
    }

    /// Whether validating `value` stays within the limit.
    pub(super) fn is_affordable(&self, value: &Value) -> bool {
        let values = match self.widest {
            1 => 0,
            widest => count(value).saturating_mul(widest),
        };
        values.saturating_add(self.texts.steps(value)) <= STEPS_MAX
    }
}

/// The cost of the patterns in a schema. All schemas that apply to the same value share one node.
#[derive(Default)]
struct Texts {
    /// Steps per byte that the patterns for the text itself take.
    own: usize,
    /// Steps per byte that the patterns for member names take.
    names: usize,
    /// Patterns that apply to each item.
    items: Option<Box<Texts>>,
    /// Patterns that apply to members by name.
    members: BTreeMap<String, Texts>,
    /// Patterns that apply to any other member.
    others: Option<Box<Texts>>,
}

impl Texts {
    fn add(&mut self, schema: &Value) {
        let Value::Object(node) = schema else {
            return;
        };
        let pattern = node.get("pattern").and_then(Value::as_str);
        self.own += pattern.map_or(0, steps_per_byte);
        let patterns = node.get("patternProperties").and_then(Value::as_object);
        let patterns = patterns.into_iter().flat_map(Map::keys);
        self.names += patterns
            .map(|pattern| steps_per_byte(pattern))
            .sum::<usize>();
        for child in children(node) {
            match child.keyword {
                "dependencies" => self.add(child.schema),
                _ if child.in_place => self.add(child.schema),
                _ => self.add_below(&child),
            }
        }
    }

    fn add_below(&mut self, child: &Child<'_>) {
        let mut below = Self::default();
        below.add(child.schema);
        if below.is_empty() {
            return;
        }
        match child.keyword {
            "items" | "contains" => self.items.get_or_insert_default().join(below),
            "properties" => {
                let name = child.at.strip_prefix("properties.").unwrap_or_default();
                let member = self.members.entry(name.to_owned()).or_default();
                member.join(below);
            }
            "additionalProperties" | "patternProperties" => {
                self.others.get_or_insert_default().join(below);
            }
            "propertyNames" => self.names += below.own,
            _ => {}
        }
    }

    /// Adds the costs of another part of the schema for the same value. It merges finished results
    /// and never walks a schema twice: doing so at every level would double the work each time.
    fn join(&mut self, other: Self) {
        self.own += other.own;
        self.names += other.names;
        for (mine, theirs) in [
            (&mut self.items, other.items),
            (&mut self.others, other.others),
        ] {
            if let Some(theirs) = theirs {
                mine.get_or_insert_default().join(*theirs);
            }
        }
        for (name, theirs) in other.members {
            self.members.entry(name).or_default().join(theirs);
        }
    }

    fn is_empty(&self) -> bool {
        self.own + self.names == 0
            && self.items.is_none()
            && self.members.is_empty()
            && self.others.is_none()
    }

    /// The steps that matching the texts of a value against their patterns may take.
    fn steps(&self, value: &Value) -> usize {
        match value {
            Value::String(text) => self.own.saturating_mul(text.len()),
            Value::Array(items) => self
                .items
                .as_ref()
                .map_or(0, |below| items.iter().map(|item| below.steps(item)).sum()),
            Value::Object(map) => {
                let one = |(name, inner): (&String, &Value)| {
                    let member = self.members.get(name).map_or(0, |below| below.steps(inner));
                    let other = self.others.as_ref().map_or(0, |below| below.steps(inner));
                    self.names * name.len() + member + other
                };
                match self.is_empty() {
                    true => 0,
                    false => map.iter().map(one).sum(),
                }
            }
            _ => 0,
        }
    }
}

/// The steps of a schema and of the schemas applied to the same value; raises `widest` to the
/// largest sum found below.
fn walk(schema: &Value, widest: &mut usize) -> usize {
    let Value::Object(node) = schema else {
        return 0;
    };
    let mut own = steps(node);
    for child in children(node) {
        let below = walk(child.schema, widest);
        // A dependency of one member applies to the whole object.
        if child.in_place || child.keyword == "dependencies" {
            own += below;
        }
    }
    *widest = (*widest).max(own);
    own
}

/// How many values a value contains, itself included.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        Value::Object(map) => 1 + map.values().map(count).sum::<usize>(),
        _ => 1,
    }
}

/// The steps one byte of text may take against a pattern. The number of states is estimated from
/// the pattern's length and its repetitions, and the estimate is high.
fn steps_per_byte(pattern: &str) -> usize {
    let counts = pattern.split('{').skip(1).filter_map(|rest| {
        let (count, _) = rest.split_once('}')?;
        let most = count.rsplit(',').find(|number| !number.is_empty())?;
        most.trim().parse::<usize>().ok()
    });
    let states = counts.fold(pattern.len(), |states, count| {
        states.saturating_mul(count.max(1))
    });
    1 + states.min(STATES_MAX) / STATES_PER_STEP
}

/// The steps of one schema without those below it.
fn steps(node: &Map<String, Value>) -> usize {
    let length = |name: &str| match node.get(name) {
        Some(Value::Object(map)) => map.len(),
        Some(Value::Array(list)) => list.len(),
        _ => 0,
    };
    // Strings are looked up in a hash set; other values are compared one by one.
    let listed = match node.get("enum") {
        Some(Value::Array(values)) if !values.iter().all(Value::is_string) => values.len(),
        _ => 0,
    };
    let looked_up = length("required") + length("properties") + length("dependencies");
    1 + (listed + looked_up) / LISTED_PER_STEP + length("patternProperties")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn is_affordable(schema: Value, value: &Value) -> bool {
        Cost::of(&schema).is_affordable(value)
    }

    #[test]
    fn a_long_list_of_numbers_is_not_compared_with_a_million_values() {
        let listed: Vec<Value> = (0..13_000).map(Value::from).collect();
        let schema = json!({"type":"array","items":{"enum":listed}});
        let values = |count: u32| (0..count).map(Value::from).collect::<Value>();
        assert!(is_affordable(schema.clone(), &values(20_000)));
        assert!(!is_affordable(schema, &values(400_000)));
        let words: Vec<Value> = (0..13_000).map(|n| json!(format!("w{n}"))).collect();
        let schema = json!({"type":"array","items":{"enum":words}});
        assert!(
            is_affordable(schema, &values(400_000)),
            "words are looked up"
        );
    }

    #[test]
    fn a_long_text_is_not_matched_against_a_slow_pattern_and_one_beside_it_costs_nothing() {
        let schema = |pattern: &str| {
            json!({"type":"object","properties":{
                "code":{"type":"string","pattern":pattern},"body":{"type":"string"}}})
        };
        let (slow, long) = ("[ab]*a[ab]{1000}c", "x".repeat(1_000_000));
        let beside = json!({"code":"x","body":long});
        let against = json!({"code":long,"body":""});
        assert!(is_affordable(schema(slow), &beside));
        assert!(!is_affordable(schema(slow), &against));
        assert!(is_affordable(schema("^[a-z]+$"), &against));
    }

    #[test]
    fn a_pattern_deep_down_is_found_in_one_walk_and_counted_at_its_place() {
        let deep = |leaf: Value| {
            (0..30).fold(leaf, |inner, at| match at % 3 {
                0 => json!({"type":"object","properties":{"a":inner}}),
                1 => json!({"type":"array","items":inner}),
                _ => json!({"anyOf":[{"type":"object","additionalProperties":inner}]}),
            })
        };
        // A walk that did twice the work at each level would not end.
        let slow = deep(json!({"type":"string","pattern":"[ab]*a[ab]{1000}c"}));
        let value = |text: &str| {
            (0..30).fold(json!(text), |inner, at| match at % 3 {
                1 => json!([inner]),
                _ => json!({"a":inner}),
            })
        };
        assert!(is_affordable(slow.clone(), &value("x")));
        assert!(!is_affordable(slow, &value(&"x".repeat(1_000_000))));
        let twice = json!({"allOf":[
            {"type":"object","properties":{"a":{"type":"string","pattern":"a"}}},
            {"type":"object","properties":{"a":{"type":"string","pattern":"[ab]*a[ab]{1000}c"}}}]});
        let long = json!({"a":"x".repeat(1_000_000)});
        assert!(!is_affordable(twice, &long), "both are counted");
    }

    #[test]
    fn names_and_conditions_of_many_objects_are_counted() {
        let names: Map<String, Value> = (0..5_000)
            .map(|n| (format!("n{n}"), json!(["a"])))
            .collect();
        let schema = json!({"type":"array","items":{"type":"object","dependencies":names}});
        let objects: Value = (0..100_000).map(|_| json!({})).collect();
        assert!(!is_affordable(schema, &objects));
        let rows: Value = (0..100_000).map(|n| json!({"id":n,"name":"x"})).collect();
        let table = json!({"type":"array","items":{"type":"object","properties":{
            "id":{"type":"integer"},"name":{"type":"string"}},"required":["id","name"]}});
        assert!(is_affordable(table, &rows));
    }
}

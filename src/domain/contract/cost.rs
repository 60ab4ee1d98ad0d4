//! What checking a value may cost, told before it is checked.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::keywords::{Child, children};

/// The work one check may be, in steps of about a tenth of a microsecond: two seconds at the worst,
/// and a thousand times what a full page of data takes.
const STEPS_MAX: usize = 20_000_000;
/// How many names or values of a list are looked at in one step.
const LISTED_PER_STEP: usize = 16;
/// States of a pattern that one byte of text is held against in one step, where it comes to that:
/// the engine is linear in the text, but its factor may be all states of the pattern.
const STATES_PER_STEP: usize = 20;
/// More states than a pattern of the largest size has.
const STATES_MAX: usize = 8_000;

/// The cost of one schema.
pub(super) struct Cost {
    /// The most steps that all schemas of one value take.
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

    /// Whether checking `value` ends within bounds.
    pub(super) fn is_bearable(&self, value: &Value) -> bool {
        let values = match self.widest {
            1 => 0,
            widest => count(value).saturating_mul(widest),
        };
        values.saturating_add(self.texts.steps(value)) <= STEPS_MAX
    }
}

/// Where a schema holds texts against patterns; all schemas of one value are one of these.
#[derive(Default)]
struct Texts {
    /// What the patterns of the text itself take for each of its bytes, in steps.
    own: usize,
    /// What the patterns of a member's name take for each of its bytes, in steps.
    names: usize,
    /// Below each item.
    items: Option<Box<Texts>>,
    /// Below members by name.
    members: BTreeMap<String, Texts>,
    /// Below any member.
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

    /// Takes in what another part of the schema says about the same value. What was read once is
    /// never read again: each level that did would double the work of all above it.
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

    /// What holding the texts of a value against their patterns may take.
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

/// What a schema and those in its place take, after `widest` was raised to the most of those below.
fn walk(schema: &Value, widest: &mut usize) -> usize {
    let Value::Object(node) = schema else {
        return 0;
    };
    let mut own = steps(node);
    for child in children(node) {
        let below = walk(child.schema, widest);
        // A condition of one member holds for the whole object.
        if child.in_place || child.keyword == "dependencies" {
            own += below;
        }
    }
    *widest = (*widest).max(own);
    own
}

/// How many values a value consists of.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        Value::Object(map) => 1 + map.values().map(count).sum::<usize>(),
        _ => 1,
    }
}

/// What one byte of text may take against a pattern. Its states are guessed from its length and from
/// how often it says that something is to be repeated; the guess is high.
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

/// What one schema takes by itself.
fn steps(node: &Map<String, Value>) -> usize {
    let length = |name: &str| match node.get(name) {
        Some(Value::Object(map)) => map.len(),
        Some(Value::Array(list)) => list.len(),
        _ => 0,
    };
    // Texts are looked up; other values are compared one by one.
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

    fn is_bearable(schema: Value, value: &Value) -> bool {
        Cost::of(&schema).is_bearable(value)
    }

    #[test]
    fn a_long_list_of_numbers_is_not_held_against_a_million_values() {
        let listed: Vec<Value> = (0..13_000).map(Value::from).collect();
        let schema = json!({"type":"array","items":{"enum":listed}});
        let values = |count: u32| (0..count).map(Value::from).collect::<Value>();
        assert!(is_bearable(schema.clone(), &values(20_000)));
        assert!(!is_bearable(schema, &values(400_000)));
        let words: Vec<Value> = (0..13_000).map(|n| json!(format!("w{n}"))).collect();
        let schema = json!({"type":"array","items":{"enum":words}});
        assert!(is_bearable(schema, &values(400_000)), "words are looked up");
    }

    #[test]
    fn a_long_text_is_not_held_against_a_slow_pattern_and_one_beside_it_costs_nothing() {
        let schema = |pattern: &str| {
            json!({"type":"object","properties":{
                "code":{"type":"string","pattern":pattern},"body":{"type":"string"}}})
        };
        let (slow, long) = ("[ab]*a[ab]{1000}c", "x".repeat(1_000_000));
        let beside = json!({"code":"x","body":long});
        let against = json!({"code":long,"body":""});
        assert!(is_bearable(schema(slow), &beside));
        assert!(!is_bearable(schema(slow), &against));
        assert!(is_bearable(schema("^[a-z]+$"), &against));
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
        // With twice the work at each level this would not end.
        let slow = deep(json!({"type":"string","pattern":"[ab]*a[ab]{1000}c"}));
        let value = |text: &str| {
            (0..30).fold(json!(text), |inner, at| match at % 3 {
                1 => json!([inner]),
                _ => json!({"a":inner}),
            })
        };
        assert!(is_bearable(slow.clone(), &value("x")));
        assert!(!is_bearable(slow, &value(&"x".repeat(1_000_000))));
        let twice = json!({"allOf":[
            {"type":"object","properties":{"a":{"type":"string","pattern":"a"}}},
            {"type":"object","properties":{"a":{"type":"string","pattern":"[ab]*a[ab]{1000}c"}}}]});
        let long = json!({"a":"x".repeat(1_000_000)});
        assert!(!is_bearable(twice, &long), "both are counted");
    }

    #[test]
    fn names_and_conditions_of_many_objects_are_counted() {
        let names: Map<String, Value> = (0..5_000)
            .map(|n| (format!("n{n}"), json!(["a"])))
            .collect();
        let schema = json!({"type":"array","items":{"type":"object","dependencies":names}});
        let objects: Value = (0..100_000).map(|_| json!({})).collect();
        assert!(!is_bearable(schema, &objects));
        let rows: Value = (0..100_000).map(|n| json!({"id":n,"name":"x"})).collect();
        let table = json!({"type":"array","items":{"type":"object","properties":{
            "id":{"type":"integer"},"name":{"type":"string"}},"required":["id","name"]}});
        assert!(is_bearable(table, &rows));
    }
}

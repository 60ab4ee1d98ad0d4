//! What checking a value may cost, told before it is checked.

use serde_json::{Map, Value};

use super::keywords::children;

/// The work one check may be, in steps of about a tenth of a microsecond: two seconds at the worst,
/// and a thousand times what a full page of data takes.
const STEPS_MAX: usize = 20_000_000;
/// How many names or values of a list are looked at in one step.
const LISTED_PER_STEP: usize = 16;
/// What one byte of text may cost against one pattern: the engine is linear in the text, and its
/// factor is how many states the pattern has.
const STEPS_PER_PATTERN_BYTE: usize = 45;

/// The cost of one schema.
pub(super) struct Cost {
    /// The most steps that all schemas of one value take.
    widest: usize,
    /// The most patterns that one text may meet.
    patterns: usize,
}

impl Cost {
    pub(super) fn of(schema: &Value) -> Self {
        let mut cost = Self {
            widest: 1,
            patterns: 0,
        };
        cost.walk(schema);
        cost
    }

    /// Adds the schemas below one; returns what it and those in its place take.
    fn walk(&mut self, schema: &Value) -> (usize, usize) {
        let Value::Object(node) = schema else {
            return (0, 0);
        };
        let mut own = (steps(node), patterns(node));
        for child in children(node) {
            let below = self.walk(child.schema);
            // A condition of one member holds for the whole object.
            if child.in_place || child.keyword == "dependencies" {
                own = (own.0 + below.0, own.1 + below.1);
            }
        }
        self.widest = self.widest.max(own.0);
        self.patterns = self.patterns.max(own.1);
        own
    }

    /// Whether checking `value` against the schema this was made of ends within bounds.
    pub(super) fn is_bearable(&self, schema: &Value, value: &Value) -> bool {
        if self.widest == 1 && self.patterns == 0 {
            return true;
        }
        // Nearly always a product of the extremes says it; only then each pair is looked at.
        let (values, bytes) = size(value);
        let texts = bytes.saturating_mul(self.patterns * STEPS_PER_PATTERN_BYTE);
        values.saturating_mul(self.widest).saturating_add(texts) <= STEPS_MAX
            || spend(schema, value, &mut { STEPS_MAX })
    }
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

fn patterns(node: &Map<String, Value>) -> usize {
    usize::from(node.contains_key("pattern"))
        + node
            .get("patternProperties")
            .and_then(Value::as_object)
            .map_or(0, Map::len)
}

/// How many values a value consists of, and the bytes of its texts and names.
fn size(value: &Value) -> (usize, usize) {
    let sum = |(values, bytes), (more, text)| (values + more, bytes + text);
    match value {
        Value::Array(items) => items.iter().map(size).fold((1, 0), sum),
        Value::Object(map) => map
            .iter()
            .map(|(name, inner)| sum((0, name.len()), size(inner)))
            .fold((1, 0), sum),
        Value::String(text) => (1, text.len()),
        _ => (1, 0),
    }
}

/// Takes what checking `value` against `schema` may cost from `left`; false if that is not enough.
fn spend(schema: &Value, value: &Value, left: &mut usize) -> bool {
    let Value::Object(node) = schema else {
        return true;
    };
    let mut price = steps(node);
    match value {
        Value::String(text) if node.contains_key("pattern") => {
            price = price.saturating_add(text.len().saturating_mul(STEPS_PER_PATTERN_BYTE));
        }
        Value::Object(map) if node.contains_key("patternProperties") => {
            let bytes: usize = map.keys().map(String::len).sum();
            let each = patterns(node).saturating_mul(STEPS_PER_PATTERN_BYTE);
            price = price.saturating_add(bytes.saturating_mul(each));
        }
        _ => {}
    }
    match left.checked_sub(price) {
        Some(rest) => *left = rest,
        None => return false,
    }
    children(node)
        .iter()
        .all(|child| match (child.keyword, value) {
            _ if child.in_place => spend(child.schema, value, left),
            ("dependencies", Value::Object(_)) => spend(child.schema, value, left),
            ("items" | "contains", Value::Array(items)) => {
                items.iter().all(|item| spend(child.schema, item, left))
            }
            ("properties", Value::Object(map)) => {
                let name = child.at.strip_prefix("properties.").unwrap_or_default();
                let inner = map.get(name);
                inner.is_none_or(|inner| spend(child.schema, inner, left))
            }
            ("additionalProperties" | "patternProperties", Value::Object(map)) => {
                map.values().all(|inner| spend(child.schema, inner, left))
            }
            ("propertyNames", Value::Object(map)) => map
                .keys()
                .all(|name| spend(child.schema, &Value::from(name.as_str()), left)),
            _ => true,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn is_bearable(schema: Value, value: &Value) -> bool {
        Cost::of(&schema).is_bearable(&schema, value)
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
    fn a_long_text_is_not_held_against_a_pattern_and_one_beside_it_costs_nothing() {
        let schema = json!({"type":"object","properties":{
            "code":{"type":"string","pattern":"^[a-z]+$"},"body":{"type":"string"}}});
        let long = "x".repeat(1_000_000);
        assert!(is_bearable(
            schema.clone(),
            &json!({"code":"x","body":long})
        ));
        assert!(!is_bearable(schema, &json!({"code":long,"body":""})));
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

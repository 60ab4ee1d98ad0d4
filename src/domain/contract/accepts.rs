//! Whether a schema accepts one value, as far as that can be told without the engine: yes, no, or unknown.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use super::keywords::types;

/// The work of one comparison of schemas, in steps: one schema, or one value, looked at.
#[derive(Debug)]
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    /// A budget of `steps`.
    pub(super) fn new(steps: usize) -> Self {
        Self { left: steps }
    }

    /// Takes one step; false when there is none left.
    pub(super) fn step(&mut self) -> bool {
        let has_one = self.left > 0;
        self.left = self.left.saturating_sub(1);
        has_one
    }

    /// Whether everything was used up: what was found since is worth nothing.
    pub(super) fn is_spent(&self) -> bool {
        self.left == 0
    }
}

/// A set of disjoint kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    /// Numbers without a fraction, however they are written.
    pub(super) const WHOLE: Self = Self(4);
    /// Numbers with a fraction.
    pub(super) const FRACTION: Self = Self(8);
    pub(super) const NUMBER: Self = Self(4 | 8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    pub(super) const ALL: Self = Self(127);

    /// The kinds a schema's `type` admits.
    pub(super) fn declared(schema: &Value) -> Self {
        if schema.get("type").is_none() {
            return Self::ALL;
        }
        let one = |name: &str| match name {
            "null" => Self::NULL.0,
            "boolean" => Self::BOOLEAN.0,
            "integer" => Self::WHOLE.0,
            "number" => Self::NUMBER.0,
            "string" => Self::STRING.0,
            "array" => Self::ARRAY.0,
            "object" => Self::OBJECT.0,
            _ => 0,
        };
        Self(
            types(schema)
                .into_iter()
                .fold(0, |set, name| set | one(name)),
        )
    }

    /// The kind of one value.
    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if is_whole(number) => Self::WHOLE,
            Value::Number(_) => Self::FRACTION,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn meets(self, other: Self) -> bool {
        !self.and(other).is_empty()
    }

    /// Its single kinds, both kinds of numbers as one.
    pub(super) fn each(self) -> impl Iterator<Item = Self> {
        let all = [
            Self::NULL,
            Self::BOOLEAN,
            Self::NUMBER,
            Self::STRING,
            Self::ARRAY,
            Self::OBJECT,
        ];
        all.into_iter()
            .map(move |kind| self.and(kind))
            .filter(|kind| !kind.is_empty())
    }

    /// For messages.
    pub(super) fn words(self) -> String {
        if self == Self::ALL {
            return "any type".to_owned();
        }
        let names: Vec<&str> = self
            .each()
            .map(|kind| match kind {
                Self::NULL => "null",
                Self::BOOLEAN => "boolean",
                Self::WHOLE => "integer",
                Self::STRING => "string",
                Self::ARRAY => "array",
                Self::OBJECT => "object",
                _ => "number",
            })
            .collect();
        names.join("|")
    }
}

fn is_whole(number: &Number) -> bool {
    whole(number).is_some() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

fn whole(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
}

/// Floats from here on are left alone: they are whole, and larger than any integer on the wire.
const WHOLE_FLOAT_MAX: f64 = 1e30;

/// The exact order of two numbers.
pub(super) fn order(a: &Number, b: &Number) -> Option<Ordering> {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => order_mixed(a, b.as_f64()?),
        (None, Some(b)) => order_mixed(b, a.as_f64()?).map(Ordering::reverse),
        (None, None) => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

fn order_mixed(whole: i128, float: f64) -> Option<Ordering> {
    let (floor, fraction) = floor(float)?;
    Some(whole.cmp(&floor).then(if fraction > 0.0 {
        Ordering::Less
    } else {
        Ordering::Equal
    }))
}

/// The largest whole number that is not above `float`, and what is left.
#[expect(
    clippy::cast_possible_truncation,
    reason = "whole and within ±1e30, which an i128 holds exactly"
)]
fn floor(float: f64) -> Option<(i128, f64)> {
    if float.is_nan() {
        return None;
    }
    let bounded = float.clamp(-WHOLE_FLOAT_MAX, WHOLE_FLOAT_MAX);
    Some((bounded.floor() as i128, bounded - bounded.floor()))
}

/// The smallest whole number from `number` on; above it, where `number` itself is excluded.
pub(super) fn whole_from(number: &Number, excluded: bool) -> Option<i128> {
    let (floor, is_exact) = floor_of(number)?;
    Some(if is_exact && !excluded {
        floor
    } else {
        floor + 1
    })
}

/// The largest whole number up to `number`; below it, where `number` itself is excluded.
pub(super) fn whole_to(number: &Number, excluded: bool) -> Option<i128> {
    let (floor, is_exact) = floor_of(number)?;
    Some(if is_exact && excluded {
        floor - 1
    } else {
        floor
    })
}

fn floor_of(number: &Number) -> Option<(i128, bool)> {
    if let Some(whole) = whole(number) {
        return Some((whole, true));
    }
    let float = number
        .as_f64()
        .filter(|float| float.abs() < WHOLE_FLOAT_MAX)?;
    floor(float).map(|(floor, fraction)| (floor, fraction == 0.0))
}

/// Whether two values are the same JSON; `1` and `1.0` are.
pub(super) fn equal(a: &Value, b: &Value, budget: &mut Budget) -> bool {
    if !budget.step() {
        return false;
    }
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => order(a, b) == Some(Ordering::Equal),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b, budget))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b, budget)))
        }
        _ => a == b,
    }
}

/// The count a keyword like `minLength` gives.
pub(super) fn count(node: &Map<String, Value>, name: &str) -> Option<f64> {
    node.get(name).and_then(Value::as_f64)
}

/// The keywords [`accepts`] does not decide.
const UNDECIDED: &[&str] = &[
    "$ref",
    "contains",
    "dependencies",
    "else",
    "format",
    "if",
    "multipleOf",
    "pattern",
    "patternProperties",
    "propertyNames",
    "then",
    "uniqueItems",
];

/// Whether `schema` accepts `value`; `None` where that is not known.
pub(super) fn accepts(schema: &Value, value: &Value, budget: &mut Budget) -> Option<bool> {
    if !budget.step() {
        return None;
    }
    let node = match schema {
        Value::Bool(flag) => return Some(*flag),
        Value::Object(node) => node,
        _ => return None,
    };
    if node.contains_key("$ref") {
        return None;
    }
    let mut verdicts = Verdicts::default();
    verdicts.add(Some(
        Kinds::declared(schema).and(Kinds::of(value)) == Kinds::of(value),
    ));
    verdicts.add(in_list(node, value, budget));
    verdicts.add(combined(node, value, budget));
    match value {
        Value::Number(number) => verdicts.add(Some(in_range(node, number))),
        #[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
        Value::String(text) => {
            let length = text.chars().count() as f64;
            verdicts.add(Some(
                count(node, "minLength").is_none_or(|min| length >= min)
                    && count(node, "maxLength").is_none_or(|max| length <= max),
            ));
        }
        Value::Array(items) => verdicts.add(array(node, items, budget)),
        Value::Object(members) => verdicts.add(object(node, members, budget)),
        Value::Null | Value::Bool(_) => {}
    }
    if UNDECIDED.iter().any(|name| node.contains_key(*name)) {
        verdicts.add(None);
    }
    verdicts.all()
}

/// Verdicts that all have to hold.
#[derive(Default)]
struct Verdicts {
    has_no: bool,
    has_unknown: bool,
}

impl Verdicts {
    fn add(&mut self, verdict: Option<bool>) {
        self.has_no |= verdict == Some(false);
        self.has_unknown |= verdict.is_none();
    }

    fn all(&self) -> Option<bool> {
        match (self.has_no, self.has_unknown) {
            (true, _) => Some(false),
            (false, true) => None,
            (false, false) => Some(true),
        }
    }
}

/// The values `enum` and `const` leave; nothing where neither stands.
pub(super) fn listed(node: &Map<String, Value>) -> Option<Vec<&Value>> {
    match (node.get("const"), node.get("enum")) {
        (Some(one), _) => Some(vec![one]),
        (None, Some(Value::Array(many))) => Some(many.iter().collect()),
        _ => None,
    }
}

fn in_list(node: &Map<String, Value>, value: &Value, budget: &mut Budget) -> Option<bool> {
    let mut fits = true;
    if let Some(one) = node.get("const") {
        fits &= equal(one, value, budget);
    }
    if let Some(Value::Array(many)) = node.get("enum") {
        fits &= many.iter().any(|one| equal(one, value, budget));
    }
    Some(fits)
}

fn combined(node: &Map<String, Value>, value: &Value, budget: &mut Budget) -> Option<bool> {
    let mut verdicts = Verdicts::default();
    let branches = |name: &str, budget: &mut Budget| -> Option<Vec<Option<bool>>> {
        let branches = node.get(name)?.as_array()?;
        let judge = |branch| accepts(branch, value, budget);
        Some(branches.iter().map(judge).collect())
    };
    for verdict in branches("allOf", budget).into_iter().flatten() {
        verdicts.add(verdict);
    }
    if let Some(any) = branches("anyOf", budget) {
        verdicts.add(if any.contains(&Some(true)) {
            Some(true)
        } else if any.contains(&None) {
            None
        } else {
            Some(false)
        });
    }
    if let Some(one) = branches("oneOf", budget) {
        let yes = one.iter().filter(|verdict| **verdict == Some(true)).count();
        verdicts.add(if yes > 1 {
            Some(false)
        } else if one.contains(&None) {
            None
        } else {
            Some(yes == 1)
        });
    }
    if let Some(not) = node.get("not") {
        verdicts.add(accepts(not, value, budget).map(|fits| !fits));
    }
    verdicts.all()
}

fn in_range(node: &Map<String, Value>, number: &Number) -> bool {
    let holds = |name: &str, allowed: &[Ordering]| match node.get(name) {
        Some(Value::Number(bound)) => {
            order(number, bound).is_some_and(|order| allowed.contains(&order))
        }
        _ => true,
    };
    holds("minimum", &[Ordering::Greater, Ordering::Equal])
        && holds("exclusiveMinimum", &[Ordering::Greater])
        && holds("maximum", &[Ordering::Less, Ordering::Equal])
        && holds("exclusiveMaximum", &[Ordering::Less])
}

#[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
fn array(node: &Map<String, Value>, items: &[Value], budget: &mut Budget) -> Option<bool> {
    let mut verdicts = Verdicts::default();
    let length = items.len() as f64;
    verdicts.add(Some(
        count(node, "minItems").is_none_or(|min| length >= min)
            && count(node, "maxItems").is_none_or(|max| length <= max),
    ));
    if let Some(schema) = node.get("items") {
        for item in items {
            verdicts.add(accepts(schema, item, budget));
        }
    }
    verdicts.all()
}

#[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
fn object(
    node: &Map<String, Value>,
    members: &Map<String, Value>,
    budget: &mut Budget,
) -> Option<bool> {
    let mut verdicts = Verdicts::default();
    let length = members.len() as f64;
    let has_all = node
        .get("required")
        .and_then(Value::as_array)
        .is_none_or(|names| {
            let names = names.iter().filter_map(Value::as_str);
            names.into_iter().all(|name| members.contains_key(name))
        });
    verdicts.add(Some(
        has_all
            && count(node, "minProperties").is_none_or(|min| length >= min)
            && count(node, "maxProperties").is_none_or(|max| length <= max),
    ));
    let properties = node.get("properties").and_then(Value::as_object);
    for (name, value) in members {
        match properties.and_then(|properties| properties.get(name)) {
            Some(schema) => verdicts.add(accepts(schema, value, budget)),
            // A pattern may take the member out of the reach of `additionalProperties`.
            None if node.contains_key("patternProperties") => verdicts.add(None),
            None => {
                if let Some(schema) = node.get("additionalProperties") {
                    verdicts.add(accepts(schema, value, budget));
                }
            }
        }
    }
    verdicts.all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_ordered_exactly_however_they_are_written() {
        let order = |a: Value, b: Value| match (a, b) {
            (Value::Number(a), Value::Number(b)) => order(&a, &b),
            _ => None,
        };
        assert_eq!(order(json!(1), json!(1.0)), Some(Ordering::Equal));
        assert_eq!(order(json!(1), json!(1.5)), Some(Ordering::Less));
        assert_eq!(order(json!(-1), json!(-1.5)), Some(Ordering::Greater));
        let (large, next) = (9_007_199_254_740_992_u64, 9_007_199_254_740_993_u64);
        assert_eq!(order(json!(next), json!(large)), Some(Ordering::Greater));
        assert_eq!(
            order(json!(next), json!(9_007_199_254_740_992.0)),
            Some(Ordering::Greater)
        );
        assert_eq!(order(json!(u64::MAX), json!(1e300)), Some(Ordering::Less));
    }

    #[test]
    fn what_is_not_decided_is_unknown_unless_something_else_refuses_it() {
        let judge = |schema: Value, value: Value| accepts(&schema, &value, &mut Budget::new(100));
        let pattern = json!({"type":"string","pattern":"a"});
        assert_eq!(judge(pattern.clone(), json!("a")), None);
        assert_eq!(judge(pattern, json!(1)), Some(false));
        assert_eq!(judge(json!({"not":{"type":"null"}}), json!(1)), Some(true));
        assert_eq!(judge(json!({"type":"integer"}), json!(1.0)), Some(true));
        let closed = json!({"type":"object","properties":{"a":{}},"additionalProperties":false});
        assert_eq!(judge(closed.clone(), json!({"a":1})), Some(true));
        assert_eq!(judge(closed, json!({"b":1})), Some(false));
    }
}

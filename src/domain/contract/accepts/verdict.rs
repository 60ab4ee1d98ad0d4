//! Whether a schema accepts one value: yes, no, or unknown.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use super::kinds::Kinds;
use super::numbers::order;

/// The work of one comparison of schemas, in steps: one schema, or one value, looked at.
#[derive(Debug)]
pub(in super::super) struct Budget {
    left: usize,
}

impl Budget {
    /// A budget of `steps`.
    pub(in super::super) fn new(steps: usize) -> Self {
        Self { left: steps }
    }

    /// Takes one step; false when there is none left.
    pub(in super::super) fn step(&mut self) -> bool {
        let has_one = self.left > 0;
        self.left = self.left.saturating_sub(1);
        has_one
    }

    /// Whether everything was used up: what was found since is worth nothing.
    pub(in super::super) fn is_spent(&self) -> bool {
        self.left == 0
    }
}

/// Whether two values are the same JSON; `1` and `1.0` are.
pub(in super::super) fn equal(a: &Value, b: &Value, budget: &mut Budget) -> bool {
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
pub(in super::super) fn count(node: &Map<String, Value>, name: &str) -> Option<f64> {
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
pub(in super::super) fn accepts(
    schema: &Value,
    value: &Value,
    budget: &mut Budget,
) -> Option<bool> {
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
pub(in super::super) fn listed(node: &Map<String, Value>) -> Option<Vec<&Value>> {
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

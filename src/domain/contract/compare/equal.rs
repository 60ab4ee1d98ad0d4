//! Equality of JSON values, and the budget that bounds comparisons.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::order::order;

/// The work left for comparing schemas, in steps: one schema or one value looked at.
#[derive(Debug)]
pub(in super::super) struct Budget {
    left: usize,
}

impl Budget {
    /// A budget of `steps`.
    pub(in super::super) fn new(steps: usize) -> Self {
        Self { left: steps }
    }

    /// Takes one step and returns whether there was one left.
    pub(in super::super) fn step(&mut self) -> bool {
        self.take(1)
    }

    /// Takes several steps and returns whether there were enough left.
    pub(in super::super) fn take(&mut self, steps: usize) -> bool {
        let has_all = self.left >= steps;
        self.left = self.left.saturating_sub(steps);
        has_all
    }

    /// Whether the budget is used up; results found after that are incomplete.
    pub(in super::super) fn is_spent(&self) -> bool {
        self.left == 0
    }
}

/// Whether two values are equal JSON; `1` and `1.0` are.
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

/// Reads the value of a keyword such as `minLength`.
pub(in super::super) fn count(node: &Map<String, Value>, name: &str) -> Option<f64> {
    node.get(name).and_then(Value::as_f64)
}

/// The values that `enum` and `const` allow; `None` where neither is present.
pub(in super::super) fn listed(node: &Map<String, Value>) -> Option<Vec<&Value>> {
    match (node.get("const"), node.get("enum")) {
        (Some(one), _) => Some(vec![one]),
        (None, Some(Value::Array(many))) => Some(many.iter().collect()),
        _ => None,
    }
}

//! Tests that numbers are ordered exactly.

use std::cmp::Ordering;

use serde_json::{Value, json};

use super::*;

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

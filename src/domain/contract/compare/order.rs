//! The exact order of numbers, integers and floats mixed.

use std::cmp::Ordering;

use serde_json::Number;

/// Floats above this are not converted: they are whole, and larger than any integer on the wire.
const WHOLE_FLOAT_MAX: f64 = 1e30;

/// Compares two numbers exactly.
pub(in super::super) fn order(a: &Number, b: &Number) -> Option<Ordering> {
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

/// The smallest whole number that is at least `number`, or above it where `number` is excluded.
pub(in super::super) fn whole_from(number: &Number, excluded: bool) -> Option<i128> {
    let (floor, is_exact) = floor_of(number)?;
    Some(if is_exact && !excluded {
        floor
    } else {
        floor + 1
    })
}

/// The largest whole number that is at most `number`, or below it where `number` is excluded.
pub(in super::super) fn whole_to(number: &Number, excluded: bool) -> Option<i128> {
    let (floor, is_exact) = floor_of(number)?;
    Some(if is_exact && excluded {
        floor - 1
    } else {
        floor
    })
}

/// Splits a float into the largest whole number not above it and the rest.
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

fn floor_of(number: &Number) -> Option<(i128, bool)> {
    if let Some(whole) = whole(number) {
        return Some((whole, true));
    }
    let float = number
        .as_f64()
        .filter(|float| float.abs() < WHOLE_FLOAT_MAX)?;
    floor(float).map(|(floor, fraction)| (floor, fraction == 0.0))
}

fn whole(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
}

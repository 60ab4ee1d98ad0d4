//! Sample numbers: within their bounds, and multiples of what they must be multiples of.

use serde_json::{Value, json};

/// How many multiples, or parts of a range, are tried.
const TRIED: i32 = 24;
/// Whole numbers up to here are exact in a float.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// The number nearest to zero that its bounds allow.
pub(super) fn nearest(schema: &Value) -> Value {
    let bound = |keyword: &str| schema.get(keyword).filter(|bound| bound.is_number());
    let beyond = |bound: &Value, step: i64| match (bound.as_i64(), bound.as_f64()) {
        (Some(whole), _) => json!(whole.saturating_add(step)),
        (None, Some(part)) if step < 0 => json!(part.floor()),
        (None, Some(part)) => json!(part.ceil()),
        (None, None) => json!(0),
    };
    let least = [
        bound("minimum").cloned(),
        bound("exclusiveMinimum").map(|bound| beyond(bound, 1)),
    ];
    let most = [
        bound("maximum").cloned(),
        bound("exclusiveMaximum").map(|bound| beyond(bound, -1)),
    ];
    let is = |value: &Value, fits: fn(f64) -> bool| value.as_f64().is_some_and(fits);
    let positive = least
        .into_iter()
        .flatten()
        .find(|least| is(least, |least| least > 0.0));
    let negative = most
        .into_iter()
        .flatten()
        .find(|most| is(most, |most| most < 0.0));
    positive.or(negative).unwrap_or(json!(0))
}

/// Numbers that may fit, likely ones first.
pub(super) fn candidates(schema: &Value) -> Vec<Value> {
    let read = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let low = read("minimum").into_iter().chain(read("exclusiveMinimum"));
    let low = low.reduce(f64::max);
    let high = read("maximum").into_iter().chain(read("exclusiveMaximum"));
    let high = high.reduce(f64::min);
    let mut found = vec![nearest(schema)];
    // The bounds as they are written: a float may not hold them.
    for keyword in ["minimum", "maximum"] {
        found.extend(
            schema
                .get(keyword)
                .filter(|bound| bound.is_number())
                .cloned(),
        );
    }
    let (step, digits) = match schema.get("multipleOf") {
        Some(step) => (step.as_f64().unwrap_or(1.0), digits_of(step)),
        None => (1.0, 0),
    };
    for at in 0..TRIED {
        let at = f64::from(at);
        let multiple = match (low, high) {
            (Some(low), _) => ((low / step).ceil() + at) * step,
            (None, Some(high)) => ((high / step).floor() - at) * step,
            (None, None) => at * step,
        };
        found.extend(written(multiple, digits));
    }
    // Between bounds that are less than one apart.
    if let (Some(low), Some(high)) = (low, high) {
        for part in 1..TRIED {
            let between = low + (high - low) * f64::from(part) / f64::from(TRIED);
            found.push(json!(between));
        }
    }
    for (bound, step) in [(low, 1.0), (high, -1.0)] {
        found.extend(bound.map(|bound| json!(bound + step / 2.0)));
    }
    found
}

/// How many digits a number has after its point.
fn digits_of(number: &Value) -> usize {
    let text = number.to_string();
    match text.split_once('e') {
        Some((_, exponent)) => {
            let exponent: i32 = exponent.parse().unwrap_or_default();
            usize::try_from(-exponent).unwrap_or_default()
        }
        None => text.split_once('.').map_or(0, |(_, digits)| digits.len()),
    }
}

/// A number with so many digits after its point; whole ones without any.
fn written(number: f64, digits: usize) -> Option<Value> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole, and small enough to be exact"
    )]
    if number.fract() == 0.0 && number.abs() < EXACT_MAX {
        return Some(json!(number as i64));
    }
    let text = format!("{number:.digits$}");
    text.parse::<f64>().ok().map(|number| json!(number))
}

/// The count that a keyword such as `minItems` gives.
pub(super) fn count(schema: &Value, keyword: &str) -> Option<usize> {
    let given = schema.get(keyword).and_then(Value::as_u64)?;
    Some(usize::try_from(given).unwrap_or(usize::MAX))
}

//! Arguments of a call as values of Cedar, which knows neither fractions nor nothing.

use cedar_policy::RestrictedExpression;
use serde_json::{Map, Number, Value};

/// How deep arguments may be nested that policies look at: as deep as the original of this policy
/// model goes, and deeper than any form.
const DEPTH_MAX: usize = 64;
/// Values in the arguments that policies look at, nested ones counted: a table of a thousand rows,
/// which takes them a few milliseconds.
const VALUES_MAX: usize = 10_000;

/// Arguments that policies do not look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unprojected {
    /// They hold a number that is not whole.
    #[error("its arguments hold a number that is not whole, and policies know none")]
    Fraction,
    /// They are nested too deep.
    #[error(
        "its arguments are nested deeper than {DEPTH_MAX} levels, and policies do not look deeper"
    )]
    Deep,
    /// They hold too much.
    #[error("its arguments hold more than {VALUES_MAX} values, and policies look at no more")]
    Large,
    /// They have a member twice.
    #[error("its arguments have a member twice")]
    Twice,
}

/// The arguments as a record.
pub(super) fn project(arguments: &Map<String, Value>) -> Result<RestrictedExpression, Unprojected> {
    let mut left = VALUES_MAX;
    record(arguments, 1, &mut left)
}

fn record(
    members: &Map<String, Value>,
    depth: usize,
    left: &mut usize,
) -> Result<RestrictedExpression, Unprojected> {
    let mut fields = Vec::with_capacity(members.len());
    for (name, member) in members {
        fields.push((name.clone(), value(member, depth, left)?));
    }
    RestrictedExpression::new_record(fields).map_err(|_| Unprojected::Twice)
}

/// A value; an empty record for nothing, which no policy takes for a value.
fn value(
    given: &Value,
    depth: usize,
    left: &mut usize,
) -> Result<RestrictedExpression, Unprojected> {
    *left = left.checked_sub(1).ok_or(Unprojected::Large)?;
    if depth > DEPTH_MAX {
        return Err(Unprojected::Deep);
    }
    Ok(match given {
        Value::Null => record(&Map::new(), depth, left)?,
        Value::Bool(given) => RestrictedExpression::new_bool(*given),
        Value::Number(given) => number(given)?,
        Value::String(given) => RestrictedExpression::new_string(given.clone()),
        Value::Array(items) => {
            let mut set = Vec::with_capacity(items.len());
            for item in items {
                set.push(value(item, depth + 1, left)?);
            }
            RestrictedExpression::new_set(set)
        }
        Value::Object(members) => record(members, depth + 1, left)?,
    })
}

/// A whole number; its decimal text where Cedar has no room for it, which no policy that compares
/// numbers takes for one.
fn number(given: &Number) -> Result<RestrictedExpression, Unprojected> {
    if let Some(whole) = given.as_i64() {
        return Ok(RestrictedExpression::new_long(whole));
    }
    match given.as_f64() {
        // 1000.0 is 1000, whoever wrote it. All these are whole numbers that the other type holds.
        Some(float) if float.fract() == 0.0 && float.abs() < 9.0e18 =>
        {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "it is whole and within bounds"
            )]
            Ok(RestrictedExpression::new_long(float as i64))
        }
        Some(float) if given.is_f64() && float.fract() != 0.0 => Err(Unprojected::Fraction),
        Some(float) if given.is_f64() => Ok(RestrictedExpression::new_string(float.to_string())),
        _ => Ok(RestrictedExpression::new_string(given.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use cedar_policy::Context;
    use serde_json::json;

    use super::*;

    /// The arguments as policies see them.
    fn shown(arguments: Value) -> Result<Value, Unprojected> {
        let Value::Object(arguments) = arguments else {
            panic!("an object");
        };
        let seen = [("arguments".to_owned(), project(&arguments)?)];
        let seen = Context::from_pairs(seen).unwrap().to_json_value().unwrap();
        Ok(seen["arguments"].clone())
    }

    #[test]
    fn numbers_are_whole_or_texts_and_nothing_is_an_empty_record() {
        for (given, expected) in [
            (json!({"a": 5}), json!({"a": 5})),
            (json!({"a": -5.0}), json!({"a": -5})),
            (json!({"a": u64::MAX}), json!({"a": "18446744073709551615"})),
            (
                json!({"a": 1e30}),
                json!({"a": "1000000000000000000000000000000"}),
            ),
            (json!({"a": i64::MIN}), json!({"a": i64::MIN})),
            (
                json!({"a": null, "b": {"c": null}}),
                json!({"a": {}, "b": {"c": {}}}),
            ),
            (json!({"a": [1, 1.0]}), json!({"a": [1]})),
            (json!({"a b": true}), json!({"a b": true})),
        ] {
            assert_eq!(shown(given.clone()), Ok(expected), "{given}");
        }
    }

    #[test]
    fn a_fraction_is_refused_wherever_it_stands() {
        for given in [
            json!({"a": 1000.5}),
            json!({"a": 1e-7}),
            json!({"a": [1, {"b": -0.5}]}),
        ] {
            assert_eq!(shown(given.clone()), Err(Unprojected::Fraction), "{given}");
        }
    }

    #[test]
    fn what_is_too_deep_or_too_much_is_refused() {
        let nested = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!({ "a": inner }));
        assert!(shown(nested(DEPTH_MAX)).is_ok());
        assert_eq!(shown(nested(DEPTH_MAX + 1)), Err(Unprojected::Deep));
        assert!(shown(json!({ "a": vec![1; VALUES_MAX - 1] })).is_ok());
        let large = shown(json!({ "a": vec![1; VALUES_MAX] }));
        assert_eq!(large, Err(Unprojected::Large));
    }
}

//! Whole numbers as JSON has them: `25.0` is one, too.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Number, Value};

/// Deserialises a whole number.
pub(crate) fn one<'de, D: Deserializer<'de>, T: TryFrom<i128>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let number = Number::deserialize(deserializer)?;
    let refused = || D::Error::custom(format!("{number} is no whole number, or out of bounds"));
    let whole = whole(&number).ok_or_else(refused)?;
    T::try_from(whole).map_err(|_| refused())
}

/// As [`one`], where absent and null mean `None`.
pub(crate) fn option<'de, D: Deserializer<'de>, T: TryFrom<i128>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    struct Whole<T>(T);
    impl<'de, T: TryFrom<i128>> Deserialize<'de> for Whole<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            one(deserializer).map(Self)
        }
    }
    Ok(Option::<Whole<T>>::deserialize(deserializer)?.map(|whole| whole.0))
}

/// Reads a whole number of at least 0 from a value.
pub(crate) fn of(value: &Value) -> Option<u64> {
    let whole = value.as_number().and_then(whole)?;
    u64::try_from(whole).ok()
}

fn whole(number: &Number) -> Option<i128> {
    /// From here on a float cannot hold a fraction, nor every whole number.
    const FLOAT_MAX: f64 = 9_007_199_254_740_992.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole, and within what both hold exactly"
    )]
    let of_float = |float: f64| {
        let is_whole = float.fract() == 0.0 && float.abs() <= FLOAT_MAX;
        is_whole.then_some(float as i128)
    };
    number
        .as_i128()
        .or_else(|| number.as_f64().and_then(of_float))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(serde::Deserialize)]
    struct Read {
        #[serde(default, deserialize_with = "option")]
        it: Option<u32>,
        #[serde(default, deserialize_with = "option")]
        signed: Option<i64>,
    }

    fn read(value: Value) -> Option<Option<u32>> {
        serde_json::from_value::<Read>(value)
            .ok()
            .map(|read| read.it)
    }

    #[test]
    fn a_float_without_a_fraction_is_a_whole_number() {
        for (written, meant) in [("25", 25), ("25.0", 25), ("2.5e1", 25), ("0.0", 0)] {
            let read = serde_json::from_str::<Read>(&format!("{{\"it\":{written}}}"));
            assert_eq!(read.ok().and_then(|read| read.it), Some(meant), "{written}");
        }
        for refused in [json!(0.5), json!(-1), json!(-1.0), json!(1e10), json!("1")] {
            assert_eq!(read(json!({"it": refused})), None);
        }
        for (written, meant) in [("-1", -1), ("-1.0", -1), ("7.0", 7)] {
            let read = serde_json::from_str::<Read>(&format!("{{\"signed\":{written}}}"));
            assert_eq!(
                read.ok().and_then(|read| read.signed),
                Some(meant),
                "{written}"
            );
        }
        assert_eq!(read(json!({"it": null})), Some(None));
        assert_eq!(read(json!({})), Some(None));
    }
}

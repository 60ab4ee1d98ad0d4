//! JSON Merge Patch (RFC 7396).

use serde_json::{Map, Value};

/// Applies a patch: null deletes, objects merge, everything else replaces.
pub(crate) fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    if let Value::Object(target) = target {
        for (key, value) in patch {
            if value.is_null() {
                // A shift keeps the order of the other members.
                target.shift_remove(key);
            } else {
                merge(target.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::domain::contract::generate::{cases, value};

    fn merged(target: &Value, patch: &Value) -> Value {
        let mut target = target.clone();
        merge(&mut target, patch);
        target
    }

    /// The patch that turns one value into another without nulls.
    fn difference(from: &Value, to: &Value) -> Value {
        let (Value::Object(from), Value::Object(to)) = (from, to) else {
            return to.clone();
        };
        let gone = from.keys().filter(|name| !to.contains_key(*name));
        let gone = gone.map(|name| (name.clone(), Value::Null));
        let kept = to.iter().filter(|(name, to)| from.get(*name) != Some(to));
        let kept = kept.map(|(name, to)| {
            let from = from.get(name).unwrap_or(&Value::Null);
            (name.clone(), difference(from, to))
        });
        Value::Object(gone.chain(kept).collect())
    }

    /// The same value without its nulls.
    fn without_nulls(value: &Value) -> Value {
        match value {
            Value::Object(map) => map
                .iter()
                .filter(|(_, inner)| !inner.is_null())
                .map(|(name, inner)| (name.clone(), without_nulls(inner)))
                .collect::<Map<_, _>>()
                .into(),
            _ => value.clone(),
        }
    }

    #[test]
    fn every_example_of_the_rfc_comes_out_as_it_says() {
        for (target, patch, result) in [
            (json!({"a":"b"}), json!({"a":"c"}), json!({"a":"c"})),
            (json!({"a":"b"}), json!({"b":"c"}), json!({"a":"b","b":"c"})),
            (json!({"a":"b"}), json!({"a":null}), json!({})),
            (
                json!({"a":"b","b":"c"}),
                json!({"a":null}),
                json!({"b":"c"}),
            ),
            (json!({"a":["b"]}), json!({"a":"c"}), json!({"a":"c"})),
            (json!({"a":"c"}), json!({"a":["b"]}), json!({"a":["b"]})),
            (
                json!({"a":{"b":"c"}}),
                json!({"a":{"b":"d","c":null}}),
                json!({"a":{"b":"d"}}),
            ),
            (json!({"a":[{"b":"c"}]}), json!({"a":[1]}), json!({"a":[1]})),
            (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
            (json!({"a":"b"}), json!(["c"]), json!(["c"])),
            (json!({"a":"foo"}), json!(null), json!(null)),
            (json!({"a":"foo"}), json!("bar"), json!("bar")),
            (json!({"e":null}), json!({"a":1}), json!({"e":null,"a":1})),
            (json!([1, 2]), json!({"a":"b","c":null}), json!({"a":"b"})),
            (
                json!({}),
                json!({"a":{"bb":{"ccc":null}}}),
                json!({"a":{"bb":{}}}),
            ),
        ] {
            assert_eq!(merged(&target, &patch), result, "{target} {patch}");
        }
    }

    proptest! {
        #![proptest_config(cases(500))]

        #[test]
        fn a_patch_leads_from_any_value_to_any_other_that_holds_no_null(
            from in value(),
            to in value(),
        ) {
            let to = without_nulls(&to);
            prop_assert_eq!(merged(&from, &difference(&from, &to)), to);
        }

        #[test]
        fn a_patch_changes_only_what_it_names_and_a_second_time_nothing(
            target in value(),
            patch in value(),
        ) {
            let once = merged(&target, &patch);
            prop_assert_eq!(merged(&once, &patch), once.clone());
            if let (Value::Object(before), Value::Object(named)) = (&target, &patch) {
                for (name, value) in before.iter().filter(|(name, _)| !named.contains_key(*name)) {
                    prop_assert_eq!(once.get(name), Some(value));
                }
                for (name, _) in named.iter().filter(|(_, value)| value.is_null()) {
                    prop_assert_eq!(once.get(name), None);
                }
            }
        }
    }
}

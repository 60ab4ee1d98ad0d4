//! Validates values and explains violations.

use std::sync::Arc;

use jsonschema::Validator;
use serde_json::Value;

use super::close::{closed, executable};
use super::cost::Cost;
use super::explain::explain;
use super::formats;
use super::keywords::children;
use super::limits::ContractLimits;
use super::patterns::Patterns;
use super::refs::expand;
use super::violations::{VIOLATIONS_MAX, synthetic};
use crate::wire::contract::Violation;

/// One compiled schema.
pub(crate) struct Checker {
    schema: Value,
    validator: Validator,
    patterns: Arc<Patterns>,
    cost: Cost,
    /// Whether the schema has numeric formats, which the validator does not check itself.
    has_numeric_formats: bool,
}

impl Checker {
    /// Compiles a schema that is not part of a contract; references are allowed.
    ///
    /// # Errors
    ///
    /// A message about the references, or the validator's message.
    pub(crate) fn standalone(schema: &Value, limits: &ContractLimits) -> Result<Self, String> {
        let schema = expand(schema, limits)?.schema;
        Self::new(&closed(&schema), &Arc::new(Patterns::of(&schema)))
    }

    /// Compiles a closed schema whose patterns are compiled already.
    ///
    /// # Errors
    ///
    /// The validator's message, for schemas that the gate should have refused.
    pub(super) fn new(closed: &Value, patterns: &Arc<Patterns>) -> Result<Self, String> {
        let schema = executable(closed);
        let validator = formats::validator(&schema)?;
        Ok(Self {
            cost: Cost::of(&schema),
            has_numeric_formats: has_numeric_formats(&schema),
            schema,
            validator,
            patterns: Arc::clone(patterns),
        })
    }

    /// Whether a value is valid.
    pub(super) fn accepts(&self, value: &Value) -> bool {
        match self.has_numeric_formats {
            true => self.check(value, "").is_ok(),
            false => self.cost.is_affordable(value) && self.validator.is_valid(value),
        }
    }

    /// Validates one value; violations are reported below the path `prefix`.
    ///
    /// # Errors
    ///
    /// Every violation, up to [`VIOLATIONS_MAX`], and a line about the rest.
    pub(crate) fn check(&self, value: &Value, prefix: &str) -> Result<(), Vec<Violation>> {
        if !self.cost.is_affordable(value) {
            let message = "the value is too large to be checked against this schema";
            return Err(vec![synthetic(prefix, message)]);
        }
        let is_valid = self.validator.is_valid(value);
        if is_valid && !self.has_numeric_formats {
            return Ok(());
        }
        let mut violations = explain(&self.schema, value, prefix, &self.patterns);
        violations.truncate(VIOLATIONS_MAX + 1);
        if violations.is_empty() && !is_valid {
            violations.push(synthetic(prefix, "must match the schema"));
        }
        if violations.is_empty() {
            Ok(())
        } else {
            Err(violations)
        }
    }
}

fn has_numeric_formats(schema: &Value) -> bool {
    schema.as_object().is_some_and(|node| {
        let format = node.get("format").and_then(Value::as_str);
        matches!(format, Some("int32" | "int64"))
            || children(node)
                .iter()
                .any(|child| has_numeric_formats(child.schema))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn checker(schema: &Value) -> Checker {
        Checker::new(&closed(schema), &Arc::new(Patterns::of(schema))).unwrap()
    }

    fn violations(schema: Value, value: Value) -> Vec<String> {
        let checker = checker(&schema);
        match checker.check(&value, "") {
            Ok(()) => Vec::new(),
            Err(violations) => violations
                .into_iter()
                .map(|v| {
                    let pair = match (v.expected, v.received) {
                        (Some(e), Some(r)) => format!(" ({e}, {r})"),
                        _ => String::new(),
                    };
                    format!(
                        "{} {}: {}{pair}",
                        v.keyword.unwrap_or_default(),
                        v.field,
                        v.message
                    )
                })
                .collect(),
        }
    }

    #[test]
    fn every_violation_has_the_published_message() {
        let schema = json!({"type":"object","properties":{
            "items":{"type":"array","items":{"type":"object","properties":{
                "sku":{"type":"string","pattern":"^[A-Z]"},"qty":{"type":"integer","minimum":0}},
                "required":["sku"]}},
            "currency":{"type":"string","enum":["EUR","USD"]},
            "note":{"type":["string","null"]},
            "kind":{"const":1}},
            "required":["currency","items"]});
        let value = json!({"items":[{"sku":"a1","qty":-1},{"qty":1.5,"x":true}],"note":5,"kind":2,"extra":null});
        assert_eq!(
            violations(schema, value),
            [
                "required currency: Required field 'currency' missing (present, undefined)",
                "pattern items[0].sku: must match pattern \"^[A-Z]\" (^[A-Z], a1)",
                "minimum items[0].qty: must be >= 0",
                "required items[1].sku: Required field 'sku' missing at 'items[1]' (present, undefined)",
                "type items[1].qty: must be integer (integer, number)",
                "additionalProperties items[1].x: Undeclared field 'x' at 'items[1]'. Declared keys: [sku, qty]. (<declared key>, boolean)",
                "type note: must be string,null (string|null, number)",
                "const kind: must be equal to constant (1, 2)",
                "additionalProperties extra: Undeclared field 'extra'. Declared keys: [items, currency, note, kind]. (<declared key>, null)",
            ]
        );
    }

    #[test]
    fn the_messages_of_other_keywords_match_the_reference() {
        for (schema, value, text) in [
            (
                json!({"type":"string","minLength":3}),
                json!("ab"),
                "minLength : must NOT have fewer than 3 characters",
            ),
            (
                json!({"type":"string","maxLength":1}),
                json!("ab"),
                "maxLength : must NOT have more than 1 characters",
            ),
            (
                json!({"type":"array","minItems":1}),
                json!([]),
                "minItems : must NOT have fewer than 1 items",
            ),
            (
                json!({"type":"string","format":"date"}),
                json!("x"),
                "format : must match format \"date\"",
            ),
            (
                json!({"type":"integer","format":"int32"}),
                json!(3_000_000_000_u64),
                "format : must match format \"int32\"",
            ),
            (
                json!({"type":"number","multipleOf":0.01}),
                json!(19.995),
                "multipleOf : must be multiple of 0.01",
            ),
            (
                json!({"type":"number","exclusiveMinimum":0}),
                json!(0),
                "exclusiveMinimum : must be > 0",
            ),
            (
                json!({"not":{"const":1}}),
                json!(1),
                "not : must NOT be valid",
            ),
            (
                json!({"type":"array","uniqueItems":true}),
                json!([1, 1]),
                "uniqueItems : must NOT have duplicate items (items ## 0 and 1 are identical)",
            ),
            (
                json!({"type":"array","contains":{"const":1}}),
                json!([2]),
                "contains : must contain at least 1 valid item(s)",
            ),
            (
                json!({"type":"object"}),
                json!({"k":1}),
                "additionalProperties k: Undeclared field 'k'. Declared keys: (none). (<declared key>, number)",
            ),
        ] {
            assert_eq!(violations(schema.clone(), value), [text], "{schema}");
        }
        assert!(violations(json!({"type":"number","multipleOf":0.01}), json!(19.99)).is_empty());
        assert!(violations(json!({"type":"number","multipleOf":0.1}), json!(0.3)).is_empty());
    }

    #[test]
    fn the_engine_and_the_explanation_agree_on_every_pair() {
        let text = json!({"type":"string"});
        let schemas = [
            json!({}),
            text,
            json!({"type":["integer","null"]}),
            json!({"type":"number","minimum":1,"exclusiveMaximum":5}),
            json!({"enum":[1,"a",null,[1]]}),
            json!({"enum":[{"b":2,"a":1}]}),
            json!({"const":{"a":1}}),
            json!({"const":{"a":1,"b":2}}),
            json!({"type":"array","items":{"type":"integer"},"minItems":1,"uniqueItems":true}),
            json!({"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}),
            json!({"type":"object","patternProperties":{"^x":{"type":"string"}},"maxProperties":1}),
            json!({"type":"object","additionalProperties":{"type":"integer"},"propertyNames":{"maxLength":1}}),
            json!({"type":"object","additionalProperties":true,"dependencies":{"a":["b"],"b":{"minProperties":2}}}),
            json!({"anyOf":[{"type":"string","minLength":2},{"type":"integer"}]}),
            json!({"oneOf":[{"type":"integer"},{"minimum":2}]}),
            json!({"allOf":[{"type":"number"},{"multipleOf":0.5}]}),
            json!({"not":{"type":"string"}}),
            json!({"if":{"type":"string"},"then":{"maxLength":1},"else":{"type":"number"}}),
            json!({"type":"array","contains":{"const":1}}),
            json!({"type":"array","uniqueItems":true}),
            json!({"type":"string","format":"date"}),
            json!({"type":"string","pattern":"^a"}),
        ];
        let values = [
            json!(null),
            json!(true),
            json!(0),
            json!(1),
            json!(1.0),
            json!(1.5),
            json!(3),
            json!(-7),
            json!(""),
            json!("a"),
            json!("abc"),
            json!("2026-01-31"),
            json!([]),
            json!([1]),
            json!([1, 1]),
            json!(["a", 1]),
            json!({}),
            json!({"a":1}),
            json!({"a":"1"}),
            json!({"a":1,"b":2}),
            json!({"b":2,"a":1}),
            json!([{"a":1,"b":2},{"b":2,"a":1}]),
            json!({"b":1}),
            json!({"xy":"z"}),
            json!({"xy":1,"z":1}),
        ];
        for schema in &schemas {
            let checker = checker(schema);
            for value in &values {
                let violations = explain(&checker.schema, value, "", &checker.patterns);
                assert_eq!(
                    checker.validator.is_valid(value),
                    violations.is_empty(),
                    "{schema} {value} {violations:?}"
                );
            }
        }
    }

    #[test]
    fn members_in_another_order_are_the_same_value() {
        let (one, other) = (
            json!({"a":1,"b":{"c":1,"d":2}}),
            json!({"b":{"d":2,"c":1},"a":1}),
        );
        assert!(violations(json!({"const":one}), other.clone()).is_empty());
        assert!(violations(json!({"enum":[one, 1]}), other.clone()).is_empty());
        let unique = json!({"type":"array","uniqueItems":true});
        assert_eq!(violations(unique, json!([one, other])).len(), 1);
    }

    #[test]
    fn a_failed_union_reports_the_union_and_its_branches() {
        let schema = json!({"oneOf":[{"type":"string"},{"type":"integer"}]});
        assert_eq!(
            violations(schema, json!(null)),
            [
                "oneOf : must match exactly one schema in oneOf",
                "type : must be string (string, null)",
                "type : must be integer (integer, null)",
            ]
        );
    }

    #[test]
    fn names_with_a_meaning_in_other_languages_are_ordinary() {
        let schema = json!({"type":"object","properties":{"constructor":{"type":"object","properties":{"__proto__":{"type":"string"}}}}});
        assert!(violations(schema.clone(), json!({"constructor":{"__proto__":"x"}})).is_empty());
        assert_eq!(violations(schema, json!({"toString":1})).len(), 1);
    }

    #[test]
    fn a_thousand_violations_are_bounded_and_the_rest_is_counted() {
        let schema = json!({"type":"array","items":{"type":"string"}});
        let value: Value = (0..1_000).map(Value::from).collect();
        let violations = violations(schema, value);
        assert_eq!(violations.len(), VIOLATIONS_MAX + 1);
        assert!(
            violations[VIOLATIONS_MAX].contains("and 900 more violations"),
            "{}",
            violations[VIOLATIONS_MAX]
        );
    }

    #[test]
    fn counting_a_million_wrong_values_stops_early() {
        let schema =
            json!({"type":"array","items":{"anyOf":[{"type":"string"},{"type":"object"}]}});
        let value: Value = (0..600_000).map(Value::from).collect();
        let violations = violations(schema, value);
        assert!(
            violations[VIOLATIONS_MAX].contains("at least"),
            "{}",
            violations[VIOLATIONS_MAX]
        );
    }

    #[test]
    fn content_keywords_and_repeated_ids_assert_nothing() {
        let schema = json!({"type":"object","properties":{
            "a":{"$id":"x","type":"string","contentEncoding":"base64"},
            "b":{"$id":"x","type":"string","contentMediaType":"application/json"}}});
        assert!(violations(schema, json!({"a":"?","b":"{"})).is_empty());
    }
}

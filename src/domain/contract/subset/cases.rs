//! Tests of schema inclusion, case by case.

use serde_json::{Value, json};

use super::comparison::Comparison;
use super::misfit::{Misfit, Reason};

fn reasons(sub: Value, sup: Value) -> Vec<(String, &'static str)> {
    let found = Comparison::default().misfits(&sub, &sup);
    found
        .into_iter()
        .map(|misfit| (misfit.path, misfit.reason.as_str()))
        .collect()
}

#[track_caller]
fn fits(sub: Value, sup: Value) {
    assert_eq!(reasons(sub.clone(), sup.clone()), [], "{sub} in {sup}");
}

#[track_caller]
fn misfits(sub: Value, sup: Value, path: &str, reason: &str) {
    let found = reasons(sub.clone(), sup.clone());
    let first = found.first().map(|(path, reason)| (path.as_str(), *reason));
    assert_eq!(first, Some((path, reason)), "{sub} in {sup}");
}

#[test]
fn a_schema_within_another_one_has_no_misfit() {
    let closed = |properties: Value| json!({"type":"object","properties":properties,"additionalProperties":false});
    for (sub, sup) in [
        (json!({"type":"string"}), json!({})),
        (json!({"type":"integer"}), json!({"type":"number"})),
        (
            json!({"type":"string"}),
            json!({"type":"string","nullable":true}),
        ),
        (
            json!({"type":["string","null"]}),
            json!({"anyOf":[{"type":"string"},{"type":"null"}]}),
        ),
        (
            json!({"type":["string","null"]}),
            json!({"oneOf":[{"type":"string"},{"type":"null"}]}),
        ),
        (
            json!({"anyOf":[{"type":"string"},{"type":"null"}]}),
            json!({"type":["string","null"]}),
        ),
        (
            json!({"type":"integer","minimum":1,"maximum":5}),
            json!({"type":"number","minimum":0,"maximum":5}),
        ),
        (
            json!({"type":"integer","exclusiveMinimum":0}),
            json!({"type":"integer","minimum":1}),
        ),
        (
            json!({"type":"number","exclusiveMinimum":0}),
            json!({"type":"number","minimum":0}),
        ),
        (
            json!({"type":"string","minLength":2,"maxLength":3}),
            json!({"type":"string","minLength":1}),
        ),
        (
            json!({"type":"string","enum":["a","b"]}),
            json!({"enum":["b","a","c"]}),
        ),
        (json!({"const":3}), json!({"type":"integer","minimum":3})),
        (json!({"type":"boolean"}), json!({"enum":[true,false]})),
        (
            json!({"type":"string","enum":["a",1]}),
            json!({"enum":["a"]}),
        ),
        (
            json!({"type":"string","pattern":"a"}),
            json!({"pattern":"a"}),
        ),
        (
            json!({"type":"array","maxItems":0}),
            json!({"type":"array","items":{"type":"string"}}),
        ),
        (
            json!({"type":"array","items":{"const":1}}),
            json!({"type":"array","items":{"type":"integer"}}),
        ),
        (
            closed(json!({"a":{"type":"integer"}})),
            closed(json!({"a":{"type":"number"},"b":{}})),
        ),
        (
            closed(json!({"a":{"type":"integer"}})),
            json!({"type":"object","additionalProperties":{"type":"integer"}}),
        ),
        (
            json!({"type":"object","properties":{"a":{}},"required":["a"]}),
            json!({"type":"object","minProperties":1}),
        ),
        (
            json!({"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},closed(json!({"a":{}}))]}),
            closed(json!({"a":{"type":"string"}})),
        ),
        (
            json!({"type":"string","anyOf":[{"const":"a"},{"const":"b"},{"const":1}]}),
            json!({"enum":["a","b"]}),
        ),
    ] {
        fits(sub, sup);
    }
}

#[test]
fn a_schema_that_is_not_within_another_one_says_where_and_why() {
    let object = |schema: Value| json!({"type":"object","properties":{"a":schema}});
    let closed = |schema: Value| json!({"type":"object","properties":{"a":schema},"additionalProperties":false});
    for (sub, sup, path, reason) in [
        (json!({}), json!({"type":"string"}), "", "type-mismatch"),
        (
            json!({"type":"number"}),
            json!({"type":"integer"}),
            "",
            "type-mismatch",
        ),
        (
            json!({"type":"string","nullable":true}),
            json!({"type":"string"}),
            "",
            "type-mismatch",
        ),
        (
            closed(json!({"type":"string"})),
            closed(json!({"type":"number"})),
            "properties.a",
            "type-mismatch",
        ),
        (
            closed(json!({})),
            json!({"type":"object","additionalProperties":false}),
            "properties.a",
            "extra-property",
        ),
        (
            json!({"type":"object"}),
            closed(json!({})),
            "",
            "additional-properties-widens",
        ),
        (
            json!({"type":"object"}),
            object(json!({"type":"string"})),
            "properties.a",
            "additional-properties-widens",
        ),
        (
            json!({"type":"object","additionalProperties":false}),
            json!({"type":"object","properties":{"a":{}},"required":["a"]}),
            "properties.a",
            "missing-required",
        ),
        (
            json!({"type":"array"}),
            json!({"type":"array","items":{"type":"string"}}),
            "",
            "items-mismatch",
        ),
        (
            json!({"type":"array","items":{"type":"number"}}),
            json!({"type":"array","items":{"type":"string"}}),
            "items",
            "type-mismatch",
        ),
        (
            json!({"type":"string"}),
            json!({"type":"string","pattern":"a"}),
            "",
            "unsupported",
        ),
        (
            json!({"type":"string"}),
            json!({"type":"string","format":"email"}),
            "",
            "unsupported",
        ),
        (
            json!({"type":"string"}),
            json!({"not":{"const":"a"}}),
            "",
            "unsupported",
        ),
        (
            json!({"type":"integer","minimum":0}),
            json!({"type":"integer","minimum":1}),
            "",
            "type-mismatch",
        ),
        (
            json!({"type":"integer","maximum":9_007_199_254_740_993_u64}),
            json!({"type":"integer","maximum":9_007_199_254_740_992_u64}),
            "",
            "type-mismatch",
        ),
        (
            json!({"type":"string"}),
            json!({"enum":["a"]}),
            "",
            "type-mismatch",
        ),
        (
            json!({"enum":["a","b"]}),
            json!({"enum":["a"]}),
            "",
            "type-mismatch",
        ),
        (
            json!({"enum":["a"]}),
            json!({"type":"string","pattern":"b"}),
            "",
            "type-mismatch",
        ),
        (
            json!({"anyOf":[{"type":"string"},{"type":"null"}]}),
            json!({"type":"string"}),
            "",
            "type-mismatch",
        ),
        (
            json!({"type":"object","patternProperties":{"^x":{}},"additionalProperties":false}),
            json!({"type":"object","additionalProperties":false}),
            "",
            "additional-properties-widens",
        ),
        (
            json!({"oneOf":[{"type":"string"}]}),
            json!({"oneOf":[{"type":"string"},{"type":"string","maxLength":3}]}),
            "",
            "unsupported",
        ),
    ] {
        misfits(sub, sup, path, reason);
    }
}

#[test]
fn an_action_without_data_fits_unless_something_is_required() {
    let mut comparison = Comparison::default();
    let optional = json!({"type":"object","properties":{"a":{"type":"string"}}});
    assert_eq!(comparison.void_misfits(&optional), []);
    let required = json!({"type":"object","properties":{"a":{}},"required":["a"]});
    let found = comparison.void_misfits(&required);
    assert_eq!(
        Misfit::describe(&found),
        "properties.a: missing-required: \"a\" is required and may be left out here"
    );
}

#[test]
fn a_comparison_beyond_the_budget_ends_and_claims_nothing() {
    let mut sub = json!({"type":"string"});
    let mut sup = json!({"type":"string","minLength":1});
    for level in 0..12 {
        let other = json!({"type":"object","properties":{"k":{"const":level}}});
        sub = json!({"anyOf":[{"type":"array","items":sub},{"type":"array","items":other}]});
        sup = json!({"anyOf":[{"type":"array","items":sup},{"type":"array","items":sup},other]});
    }
    let found = Comparison::default().misfits(&sub, &sup);
    assert_eq!(found[0].reason, Reason::Unsupported);
}

//! Tests of which schemas the dialect accepts.

use serde_json::{Map, Value, json};

use super::super::limits::ContractLimits;
use super::super::refs::expand;
use super::schema::schema_problems;

fn problems(schema: Value) -> Vec<String> {
    schema_problems(&schema)
}

#[test]
fn the_dialect_has_what_a_strict_validator_accepts() {
    for schema in [
        json!({}),
        json!({"type":"string","minLength":1,"pattern":"^a"}),
        json!({"type":"array","maxItems":3,"items":{"type":"number","minimum":0}}),
        json!({"allOf":[{"type":"string"}],"not":{"const":"x"}}),
        json!({"type":"string","format":"uuid"}),
        json!({"type":"string","nullable":true}),
        json!({"type":["string","null"]}),
        json!({"type":"string","title":"t","example":"e","examples":["e"]}),
        json!({"type":"object","properties":{"constructor":{"type":"string"},"__proto__":{"type":"string"}},"required":["constructor"]}),
        json!({"type":"object","required":["a"],"allOf":[{"properties":{"a":{}}}]}),
        json!({"type":"object","properties":{"ax":{}},"patternProperties":{"^b":{"type":"string"}}}),
        json!({"type":"object","properties":{"a":{"type":"string"}},"oneOf":[{"properties":{"b":{"type":"string"}},"required":["b"]}]}),
        json!({"type":"number","anyOf":[{"type":"integer"}]}),
        json!({"type":"object","propertyNames":{"minLength":1}}),
        json!({"type":"object","properties":{"a":{"type":"string"}},"dependencies":{"a":["b"]}}),
        json!({"type":"object","properties":{},"additionalProperties":false,"patternProperties":{"^x":{}}}),
        json!({"type":"object","properties":{"ab":{}},"patternProperties":{"^a":{}}}),
        json!({"type":"string","$comment":"x","$id":"http://a/b","$schema":"http://json-schema.org/draft-07/schema#"}),
        json!({"type":"string","deprecated":true}),
        json!({"type":"string","const":1}),
        json!({"type":"string","nullable":true,"enum":["a"]}),
        json!({"type":"null","nullable":true}),
        json!({"type":"string","default":5}),
        json!({"type":"array","uniqueItems":true}),
        json!({"type":"string","if":{"pattern":"a"},"then":{"minLength":1}}),
        json!({"type":"object","properties":{"a":{"type":"string"}},"if":{"properties":{"a":{"const":"x"}}},"then":{"required":["a"]}}),
        json!({"$ref":"#/definitions/a","definitions":{"a":{"type":"string"}}}),
        json!({"type":"string","format":"email","minLength":3}),
        json!({"type":"object","required":[]}),
        json!({"type":["null"]}),
        json!({"type":"string","pattern":"\\p{L}"}),
        json!({"type":"string","contentEncoding":"base64"}),
        json!({"type":"string","contentMediaType":"x"}),
        json!({"readOnly":true}),
        json!({"type":"array","minItems":3,"maxItems":1}),
        json!({"type":"object","additionalProperties":{"type":"object","additionalProperties":true}}),
        json!({"$defs":{"a":{"type":"string"}},"type":"string"}),
        json!({"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}),
        json!({"const":{"$ref":"x"}}),
        json!({"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}),
        json!({"type":"integer","minimum":1,"format":"int32"}),
    ] {
        assert_eq!(problems(schema.clone()), Vec::<String>::new(), "{schema}");
    }
}

#[test]
fn the_dialect_refuses_what_a_strict_validator_refuses() {
    for schema in [
        json!({"type":"string","format":"colour"}),
        json!({"type":["string","number"]}),
        json!({"type":"object","required":["a"]}),
        json!({"foo":1}),
        json!({"type":"array","prefixItems":[]}),
        json!({"if":{"type":"string"}}),
        json!({"type":"string","then":{"minLength":1}}),
        json!({"type":"string","minimum":1}),
        json!({"type":"string","oneOf":[{"maxItems":1}]}),
        json!({"$ref":"https://example.com/x.json"}),
        json!({"$ref":"file:///etc/passwd"}),
        json!({"$ref":"#/definitions/none"}),
        json!({"type":"string","pattern":"("}),
        json!({"type":"object","properties":{"ab":{}},"patternProperties":{"^a":{"type":"string"}}}),
        json!({"minLength":1}),
        json!({"properties":{"a":{"type":"string"}}}),
        json!({"type":"object","properties":{"kind":{"type":"string"}},"oneOf":[{"required":["kind"]}]}),
        json!({"type":"object","oneOf":[{"required":["kind"]}],"properties":{"kind":{"type":"string"}}}),
        json!({"type":"string","anyOf":[{"type":"number"}]}),
        json!({"type":"integer","anyOf":[{"type":"number","minimum":1}]}),
        json!({"enum":["a","a"]}),
        json!({"enum":[]}),
        json!({"type":"object","properties":{"a":{"type":"string"}},"dependencies":{"a":{"required":["a"]}}}),
        json!({"anyOf":[{"type":"text"}]}),
        json!({"type":"array","items":{},"additionalItems":false}),
        json!({"type":"string","$schema":"https://json-schema.org/draft/2020-12/schema"}),
        json!({"type":["string","null"],"nullable":false}),
        json!({"type":"array","contains":{"minimum":1}}),
        json!({"if":{"type":"string"},"then":{"minLength":1}}),
        json!({"$ref":"#/definitions/a","definitions":{"a":{"foo":1}}}),
        json!({"format":"email"}),
        json!({"type":"object","required":["a","a"],"properties":{"a":{}}}),
        json!({"type":[],"x":1}),
        json!({"type":[]}),
        json!({"type":"string","title":5}),
        json!({"type":"array","items":[{"type":"string"}]}),
        json!({"type":"number","multipleOf":0}),
        json!({"type":"boolean","format":"date"}),
        json!({"additionalProperties":false}),
        json!({"items":{}}),
        json!({"type":"array","items":{"type":"string"},"minItems":1.5}),
        json!({"allOf":[]}),
        json!({"type":"object","minProperties":1,"properties":{"a":{"nullable":true}}}),
        json!({"type":"object","properties":{"x":{"$ref":"#/definitions/a","minLength":3}},"definitions":{"a":{"type":"string"}}}),
        json!({"$anchor":"a"}),
        json!({"type":"string","examples":"a"}),
        json!({"type":"string","minLength":-1}),
        json!({"exclusiveMinimum":true,"type":"number"}),
        json!({"type":"array","contains":{"type":"string"},"minContains":1}),
        json!({"anyOf":[{"type":"string"},{"type":"number"}],"minLength":1}),
        json!({"anyOf":[{"type":"string"},{"type":"null"}],"nullable":true}),
        json!({"type":"object","properties":{"a":{"type":"object","properties":{"b":{}}}},"anyOf":[{"properties":{"a":{"required":["b"]}}}]}),
        json!({"type":"object","properties":{"a":{"type":"object","properties":{"b":{}}}},"anyOf":[{"properties":{"a":{"type":"object","required":["b"]}}}]}),
    ] {
        // A missing target is found when references are resolved.
        let expanded = expand(&schema, &ContractLimits::default());
        assert!(
            !problems(schema.clone()).is_empty() || expanded.is_err(),
            "{schema}"
        );
    }
}

#[test]
fn the_dialect_refuses_what_cannot_be_validated_safely_in_every_client() {
    for schema in [
        json!({"not":true}),
        json!({"$ref":"#"}),
        json!({"type":"string","definitions":{"a":{"foo":1}}}),
        json!({"$defs":{"a":{"foo":1}},"type":"string"}),
        json!({"type":"string","pattern":"(?=a)"}),
        json!({"type":"object","properties":{"__proto__":{"type":"string"}},"required":["toString"]}),
        json!({"type":"object","patternProperties":{"(":{}}}),
        json!({"type":"object","properties":{"x":{"$ref":"#/definitions/a","type":"string"}},"definitions":{"a":{"type":"string"}}}),
    ] {
        assert!(!problems(schema.clone()).is_empty(), "{schema}");
    }
}

#[test]
fn caps_refuse_wide_deep_and_long_schemas() {
    let branches: Vec<_> = (0..17).map(|n| json!({"const": n})).collect();
    assert!(problems(json!({"anyOf": branches}))[0].contains("16 branches"));
    let mut deep = json!({"type":"string"});
    for _ in 0..40 {
        deep = json!({"type":"array","items":deep});
    }
    assert!(problems(deep)[0].contains("deeper than 32"));
    assert!(problems(json!({"const": "x".repeat(70_000)}))[0].contains("65536"));
    let properties: Map<_, _> = (0..2_001).map(|n| (n.to_string(), json!({}))).collect();
    assert!(problems(json!({"type":"object","properties":properties}))[0].contains("2000 sub"));
    let patterns: Map<_, _> = (0..65)
        .map(|n| (n.to_string(), json!({"type":"string","pattern":"a"})))
        .collect();
    assert!(problems(json!({"type":"object","properties":patterns}))[0].contains("64 patterns"));
}

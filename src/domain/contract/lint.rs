//! The schema phase of the gate: a strict draft 7 subset with caps, judged before compiling.

use serde_json::{Map, Value};

use super::formats;
use super::keywords::{ANNOTATIONS, Kind, children, keyword, types};
use super::limits::ContractLimits;
use super::violations::{join_key, type_name};

/// How many problems of one schema are told.
const PROBLEMS_MAX: usize = 20;

/// Everything that keeps `schema` out of the dialect of ggui-mcp §3.3.
pub(super) fn check(schema: &Value, limits: &ContractLimits, patterns: &mut usize) -> Vec<String> {
    let bytes = schema.to_string().len();
    if bytes > limits.schema_bytes_max {
        let max = limits.schema_bytes_max;
        return vec![format!(
            "the schema is {bytes} bytes of JSON, more than {max}"
        )];
    }
    let mut lint = Lint {
        limits,
        patterns,
        subschemas: 0,
        problems: Vec::new(),
    };
    lint.node(schema, "", &Scope::default(), 0);
    if lint.subschemas > limits.subschemas_max {
        let max = limits.subschemas_max;
        lint.tell("", format!("the schema has more than {max} subschemas"));
    }
    lint.problems
}

/// As [`check`], for a schema outside a contract, under the default limits.
pub(crate) fn schema_problems(schema: &Value) -> Vec<String> {
    check(schema, &ContractLimits::default(), &mut 0)
}

struct Lint<'a> {
    limits: &'a ContractLimits,
    /// Counts the patterns of the whole contract.
    patterns: &'a mut usize,
    subschemas: usize,
    problems: Vec<String>,
}

/// What the schemas around a schema already said about the same value.
#[derive(Clone, Default)]
struct Scope<'a> {
    /// The types they declared; empty if none did.
    types: Vec<&'a str>,
    /// The properties they declared.
    properties: Vec<&'a Map<String, Value>>,
}

impl Lint<'_> {
    fn tell(&mut self, at: &str, problem: impl AsRef<str>) {
        if self.problems.len() < PROBLEMS_MAX {
            let at = if at.is_empty() {
                String::new()
            } else {
                format!("at {at}: ")
            };
            self.problems.push(format!("{at}{}", problem.as_ref()));
        }
    }

    fn node(&mut self, schema: &Value, at: &str, outer: &Scope<'_>, depth: usize) {
        let Value::Object(node) = schema else {
            let received = type_name(schema);
            return self.tell(at, format!("a schema must be an object, not {received}"));
        };
        self.subschemas += 1;
        if depth >= self.limits.schema_depth_max {
            let max = self.limits.schema_depth_max;
            return self.tell(at, format!("schemas nest deeper than {max}"));
        }
        if self.subschemas > self.limits.subschemas_max || self.problems.len() >= PROBLEMS_MAX {
            return;
        }
        let mut scope = outer.clone();
        let declared = types(schema);
        if !declared.is_empty() {
            scope.types = declared;
        }
        if let Some(Value::Object(properties)) = node.get("properties") {
            scope.properties.push(properties);
        }
        for (name, value) in node {
            self.keyword(name, value, at, &scope);
        }
        self.combinations(node, schema, at);
        let nested = Scope::default();
        for child in children(node) {
            let inner = if child.in_place { &scope } else { &nested };
            let at = if at.is_empty() {
                child.at
            } else {
                format!("{at}.{}", child.at)
            };
            self.node(child.schema, &at, inner, depth + 1);
        }
    }

    fn keyword(&mut self, name: &str, value: &Value, at: &str, scope: &Scope<'_>) {
        let Some((kind, speaks_of)) = keyword(name) else {
            return self.tell(at, format!("unknown keyword \"{name}\""));
        };
        if !speaks_of.is_empty()
            && !scope.types.is_empty()
            && !speaks_of.iter().any(|speaks| scope.types.contains(speaks))
        {
            let types = scope.types.join("|");
            self.tell(at, format!("\"{name}\" does not apply to type {types}"));
        }
        if let Some(problem) = self.value(name, kind, value, scope) {
            self.tell(at, problem);
        }
    }

    /// What is wrong with a keyword's value.
    fn value(
        &mut self,
        name: &str,
        kind: Kind,
        value: &Value,
        scope: &Scope<'_>,
    ) -> Option<String> {
        let must = |what: &str| Some(format!("\"{name}\" must be {what}"));
        match kind {
            Kind::List if !value.is_array() => must("a list"),
            Kind::Count if !value.as_f64().is_some_and(|n| n >= 0.0 && n.fract() == 0.0) => {
                must("a whole number from 0")
            }
            Kind::Dependencies | Kind::SchemaMap if !value.is_object() => must("an object"),
            Kind::Dependencies => value
                .as_object()
                .is_some_and(|map| {
                    map.values()
                        .any(|entry| !entry.is_object() && !is_names(entry))
                })
                .then(|| format!("\"{name}\" must hold schemas or lists of names")),
            Kind::SchemaMap if name == "patternProperties" => value
                .as_object()
                .into_iter()
                .flatten()
                .find_map(|(pattern, _)| self.pattern(pattern)),
            Kind::Enum if value.as_array().is_none_or(Vec::is_empty) => {
                must("a list of at least one value")
            }
            Kind::Flag if !value.is_boolean() => must("true or false"),
            Kind::Format => match value.as_str() {
                Some(format) if formats::is_known(format) => None,
                Some(format) => Some(format!("unknown format \"{format}\"")),
                None => must("a string"),
            },
            Kind::Number if !value.is_number() => must("a number"),
            Kind::Pattern => match value.as_str() {
                Some(pattern) => self.pattern(pattern),
                None => must("a string"),
            },
            Kind::Positive if !value.as_f64().is_some_and(|number| number > 0.0) => {
                must("a number above 0")
            }
            Kind::Ref if !value.as_str().is_some_and(|to| to.starts_with("#/")) => {
                Some("\"$ref\" must point into the same schema, as in #/definitions/x".to_owned())
            }
            Kind::Required => required(value, scope),
            Kind::SchemaOrFlag if !value.is_object() && !value.is_boolean() => {
                must("a schema or a boolean")
            }
            Kind::Schemas => match value.as_array() {
                None => must("a list of schemas"),
                Some(branches) if branches.is_empty() => must("a list of at least one schema"),
                Some(branches) if branches.len() > self.limits.branches_max => {
                    let max = self.limits.branches_max;
                    Some(format!("\"{name}\" has more than {max} branches"))
                }
                Some(_) => None,
            },
            Kind::Text if !value.is_string() => must("a string"),
            Kind::Type => types_problem(value),
            _ => None,
        }
    }

    fn pattern(&mut self, pattern: &str) -> Option<String> {
        *self.patterns += 1;
        let (max, bytes_max) = (self.limits.patterns_max, self.limits.pattern_bytes_max);
        if *self.patterns > max {
            return Some(format!("the contract has more than {max} patterns"));
        }
        if pattern.len() > bytes_max {
            return Some(format!("a pattern is longer than {bytes_max} bytes"));
        }
        formats::single("pattern", &Value::from(pattern)).err().map(|_| {
            format!(
                "pattern \"{pattern}\" is not a regular expression of the supported kind (no look-around, no back-references, no huge repetitions)"
            )
        })
    }

    /// Keywords that need or forbid each other.
    fn combinations(&mut self, node: &Map<String, Value>, schema: &Value, at: &str) {
        let has = |name: &str| node.contains_key(name);
        if has("if") && !has("then") && !has("else") {
            self.tell(at, "\"if\" without \"then\" or \"else\" does nothing");
        }
        if (has("then") || has("else")) && !has("if") {
            self.tell(at, "\"then\" and \"else\" need an \"if\"");
        }
        if has("nullable") && !has("type") {
            self.tell(at, "\"nullable\" needs a \"type\"");
        }
        if node.get("nullable") == Some(&Value::Bool(false)) && types(schema).contains(&"null") {
            self.tell(at, "\"nullable\": false contradicts type null");
        }
        if has("$ref")
            && let Some(other) = node
                .keys()
                .find(|name| *name != "$ref" && !ANNOTATIONS.contains(&name.as_str()))
        {
            self.tell(at, format!("\"{other}\" cannot stand beside \"$ref\""));
        }
    }
}

fn is_names(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|names| names.iter().all(Value::is_string))
}

fn required(value: &Value, scope: &Scope<'_>) -> Option<String> {
    if !is_names(value) {
        return Some("\"required\" must be a list of names".to_owned());
    }
    let names: Vec<&str> = value.as_array()?.iter().filter_map(Value::as_str).collect();
    if let Some(twice) = names
        .iter()
        .enumerate()
        .find_map(|(at, name)| names[..at].contains(name).then_some(name))
    {
        return Some(format!("\"required\" names {} twice", join_key("", twice)));
    }
    let undeclared = names.iter().find(|name| {
        !scope
            .properties
            .iter()
            .any(|properties| properties.contains_key(**name))
    })?;
    Some(format!(
        "required property \"{undeclared}\" is not declared under \"properties\""
    ))
}

fn types_problem(value: &Value) -> Option<String> {
    let Value::Array(names) = value else {
        return None;
    };
    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    let distinct = |(at, name): (usize, &&str)| !names[..at].contains(name);
    if names.is_empty() || !names.iter().enumerate().all(distinct) {
        return Some("\"type\" must be a list of distinct type names".to_owned());
    }
    (names.iter().filter(|name| **name != "null").count() > 1).then(|| {
        format!(
            "a union of types ({}) is only allowed with null; use anyOf",
            names.join("|")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn problems(schema: Value) -> Vec<String> {
        check(&schema, &ContractLimits::default(), &mut 0)
    }

    #[test]
    fn the_published_accepted_schemas_are_accepted() {
        for schema in [
            json!({}),
            json!({"type":"string","minLength":1,"pattern":"^a"}),
            json!({"type":"array","maxItems":3,"items":{"type":"number","minimum":0}}),
            json!({"allOf":[{"type":"string"}],"not":{"const":"x"}}),
            json!({"type":"integer","minimum":1}),
            json!({"type":"object","additionalProperties":{"type":"string"}}),
            json!({"type":"string","format":"uuid"}),
            json!({"type":"string","nullable":true}),
            json!({"type":["string","null"]}),
            json!({"type":"string","title":"t","example":"e","examples":["e"]}),
            json!({"type":"object","properties":{"a":{"$ref":"#/definitions/a"}},"definitions":{"a":{"type":"string"}}}),
            json!({"type":"object","properties":{"kind":{"type":"string"}},"oneOf":[{"required":["kind"]}]}),
            json!({"type":"object","properties":{"constructor":{"type":"string"},"__proto__":{"type":"string"}},"required":["constructor"]}),
        ] {
            assert_eq!(problems(schema.clone()), Vec::<String>::new(), "{schema}");
        }
    }

    #[test]
    fn the_published_refused_schemas_are_refused() {
        for schema in [
            json!({"type":"string","format":"colour"}),
            json!({"nullable":true}),
            json!({"type":["string","number"]}),
            json!({"type":"object","required":["a"]}),
            json!({"foo":1}),
            json!({"type":"array","prefixItems":[]}),
            json!({"if":{"type":"string"}}),
            json!({"type":"string","minimum":1}),
            json!({"type":"string","oneOf":[{"maxItems":1}]}),
            json!({"$ref":"https://example.com/x.json"}),
            json!({"$ref":"file:///etc/passwd"}),
            json!({"$ref":"#"}),
            json!({"type":"string","pattern":"("}),
            json!({"not":true}),
            json!({"type":"array","items":[{"type":"string"}]}),
            json!({"enum":[]}),
            json!({"type":"string","minLength":-1}),
            json!({"type":"number","multipleOf":0}),
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
        assert!(
            problems(json!({"type":"object","properties":patterns}))[0].contains("64 patterns")
        );
    }
}

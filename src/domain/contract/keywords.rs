//! The JSON Schema keywords a contract may use, and how to visit the subschemas of a schema.

use serde_json::{Map, Value};

/// What the value of a keyword has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Anything.
    Any,
    /// A list of anything.
    List,
    /// A whole number from 0.
    Count,
    /// A map from a name to a schema or a list of names.
    Dependencies,
    /// The address of the supported draft.
    Draft,
    /// A list of at least one value, without duplicates.
    Enum,
    Flag,
    /// The name of a known format.
    Format,
    Number,
    /// A regular expression for the linear-time engine.
    Pattern,
    /// A number above 0.
    Positive,
    /// A JSON pointer into the same schema.
    Ref,
    /// A list of distinct names.
    Required,
    Schema,
    /// A schema or a boolean.
    SchemaOrFlag,
    /// A list of schemas.
    Schemas,
    /// A map from a name to a schema.
    SchemaMap,
    Text,
    /// A type name or a list of them.
    Type,
}

/// The types a keyword applies to; empty means all.
pub(super) type Types = &'static [&'static str];

const ALL: Types = &[];
const ARRAY: Types = &["array"];
const NUMBER: Types = &["number", "integer"];
const OBJECT: Types = &["object"];
const SCALAR: Types = &["string", "number", "integer"];
const STRING: Types = &["string"];

/// The keywords of contract.md §3.1: draft 7, `nullable` and `example`. Others are refused.
const KEYWORDS: &[(&str, Kind, Types)] = &[
    ("$comment", Kind::Text, ALL),
    ("$defs", Kind::SchemaMap, ALL),
    ("$id", Kind::Text, ALL),
    ("$ref", Kind::Ref, ALL),
    ("$schema", Kind::Draft, ALL),
    ("additionalProperties", Kind::SchemaOrFlag, OBJECT),
    ("allOf", Kind::Schemas, ALL),
    ("anyOf", Kind::Schemas, ALL),
    ("const", Kind::Any, ALL),
    ("contains", Kind::Schema, ARRAY),
    ("contentEncoding", Kind::Text, ALL),
    ("contentMediaType", Kind::Text, ALL),
    ("default", Kind::Any, ALL),
    ("definitions", Kind::SchemaMap, ALL),
    ("dependencies", Kind::Dependencies, OBJECT),
    ("deprecated", Kind::Flag, ALL),
    ("description", Kind::Text, ALL),
    ("else", Kind::Schema, ALL),
    ("enum", Kind::Enum, ALL),
    ("example", Kind::Any, ALL),
    ("examples", Kind::List, ALL),
    ("exclusiveMaximum", Kind::Number, NUMBER),
    ("exclusiveMinimum", Kind::Number, NUMBER),
    ("format", Kind::Format, SCALAR),
    ("if", Kind::Schema, ALL),
    ("items", Kind::Schema, ARRAY),
    ("maxItems", Kind::Count, ARRAY),
    ("maxLength", Kind::Count, STRING),
    ("maxProperties", Kind::Count, OBJECT),
    ("maximum", Kind::Number, NUMBER),
    ("minItems", Kind::Count, ARRAY),
    ("minLength", Kind::Count, STRING),
    ("minProperties", Kind::Count, OBJECT),
    ("minimum", Kind::Number, NUMBER),
    ("multipleOf", Kind::Positive, NUMBER),
    ("not", Kind::Schema, ALL),
    ("nullable", Kind::Flag, ALL),
    ("oneOf", Kind::Schemas, ALL),
    ("pattern", Kind::Pattern, STRING),
    ("patternProperties", Kind::SchemaMap, OBJECT),
    ("properties", Kind::SchemaMap, OBJECT),
    ("propertyNames", Kind::Schema, OBJECT),
    ("readOnly", Kind::Flag, ALL),
    ("required", Kind::Required, OBJECT),
    ("then", Kind::Schema, ALL),
    ("title", Kind::Text, ALL),
    ("type", Kind::Type, ALL),
    ("uniqueItems", Kind::Flag, ARRAY),
    ("writeOnly", Kind::Flag, ALL),
];

/// The type names of JSON Schema.
pub(super) const TYPE_NAMES: &[&str] = &[
    "string", "number", "integer", "boolean", "array", "object", "null",
];

/// Keywords whose subschemas apply to the same value as the schema they are in.
const IN_PLACE: &[&str] = &["allOf", "anyOf", "else", "if", "not", "oneOf", "then"];

/// Keywords without effect on validation; they may be used beside a `$ref`.
pub(super) const ANNOTATIONS: &[&str] = &[
    "$comment",
    "$id",
    "$schema",
    "default",
    "definitions",
    "$defs",
    "deprecated",
    "description",
    "example",
    "examples",
    "readOnly",
    "title",
    "writeOnly",
];

/// Whether the subschemas of a keyword apply to the same value as the schema they are in.
pub(super) fn is_in_place(name: &str) -> bool {
    IN_PLACE.contains(&name)
}

/// Looks a keyword up; `None` if the dialect does not have it.
pub(super) fn keyword(name: &str) -> Option<(Kind, Types)> {
    KEYWORDS
        .binary_search_by(|(known, _, _)| known.cmp(&name))
        .ok()
        .map(|at| (KEYWORDS[at].1, KEYWORDS[at].2))
}

/// The names of all keywords.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|(name, _, _)| *name)
}

/// One schema directly below another.
pub(super) struct Child<'a> {
    /// The keyword it is under.
    pub(super) keyword: &'a str,
    /// Its path relative to the parent, dotted.
    pub(super) at: String,
    pub(super) schema: &'a Value,
    /// Whether it applies to the same value as its parent.
    pub(super) in_place: bool,
}

/// The schemas directly below `node`, whether they are well-formed or not.
pub(super) fn children(node: &Map<String, Value>) -> Vec<Child<'_>> {
    let mut children = Vec::new();
    for (name, value) in node {
        let Some((kind, _)) = keyword(name) else {
            continue;
        };
        let in_place = is_in_place(name);
        let mut add = |at: String, schema| {
            children.push(Child {
                keyword: name,
                at,
                schema,
                in_place,
            });
        };
        match (kind, value) {
            (Kind::Schema, _) | (Kind::SchemaOrFlag, Value::Object(_)) => add(name.clone(), value),
            (Kind::Schemas, Value::Array(branches)) => {
                for (index, branch) in branches.iter().enumerate() {
                    add(format!("{name}[{index}]"), branch);
                }
            }
            (Kind::SchemaMap, Value::Object(map)) => {
                for (key, schema) in map {
                    add(format!("{name}.{key}"), schema);
                }
            }
            (Kind::Dependencies, Value::Object(map)) => {
                for (key, schema) in map.iter().filter(|(_, value)| value.is_object()) {
                    add(format!("{name}.{key}"), schema);
                }
            }
            _ => {}
        }
    }
    children
}

/// What happens to a keyword while a schema is rewritten.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// It is left out.
    Drop,
    /// It stays as it is.
    Keep,
    /// The schemas under it are rewritten.
    Rewrite,
}

/// Copies `node`, rewriting the schemas directly below it as `step` says.
///
/// # Errors
///
/// The first error of `rewrite`.
pub(super) fn try_rewrite<'a, E>(
    node: &'a Map<String, Value>,
    step: impl Fn(&str) -> Step,
    mut rewrite: impl FnMut(&str, &'a Value) -> Result<Value, E>,
) -> Result<Map<String, Value>, E> {
    let mut rewritten = Map::new();
    for (name, value) in node {
        let kind = match step(name) {
            Step::Drop => continue,
            Step::Keep => None,
            Step::Rewrite => keyword(name).map(|(kind, _)| kind),
        };
        let new = match (kind, value) {
            (Some(Kind::Schema | Kind::SchemaOrFlag), Value::Object(_)) => rewrite(name, value)?,
            (Some(Kind::Schemas), Value::Array(branches)) => branches
                .iter()
                .map(|branch| rewrite(name, branch))
                .collect::<Result<_, _>>()?,
            (Some(Kind::SchemaMap | Kind::Dependencies), Value::Object(map)) => {
                let mut new = Map::new();
                for (key, inner) in map {
                    let inner = match inner {
                        Value::Object(_) => rewrite(name, inner)?,
                        _ => inner.clone(),
                    };
                    new.insert(key.clone(), inner);
                }
                Value::Object(new)
            }
            _ => value.clone(),
        };
        rewritten.insert(name.clone(), new);
    }
    Ok(rewritten)
}

/// As [`try_rewrite`], for a rewrite that cannot fail.
pub(super) fn rewrite<'a>(
    node: &'a Map<String, Value>,
    step: impl Fn(&str) -> Step,
    mut rewrite: impl FnMut(&str, &'a Value) -> Value,
) -> Map<String, Value> {
    let done: Result<_, std::convert::Infallible> =
        try_rewrite(node, step, |name, child| Ok(rewrite(name, child)));
    match done {
        Ok(rewritten) => rewritten,
        Err(never) => match never {},
    }
}

/// Whether the keyword's value consists of schemas.
pub(super) fn holds_schemas(name: &str) -> bool {
    keyword(name).is_some_and(|(kind, _)| {
        matches!(
            kind,
            Kind::Schema
                | Kind::SchemaOrFlag
                | Kind::Schemas
                | Kind::SchemaMap
                | Kind::Dependencies
        )
    })
}

/// The declared types of a schema, `nullable` included; empty when it declares none.
pub(super) fn types(node: &Value) -> Vec<&str> {
    let mut types: Vec<&str> = match node.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if node.get("nullable") == Some(&Value::Bool(true))
        && !types.is_empty()
        && !types.contains(&"null")
    {
        types.push("null");
    }
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found_by_its_name() {
        for (name, kind, _) in KEYWORDS {
            assert_eq!(keyword(name).map(|(kind, _)| kind), Some(*kind), "{name}");
        }
        assert!(keyword("prefixItems").is_none());
    }

    #[test]
    fn a_property_named_like_a_keyword_is_a_schema_and_not_a_keyword() {
        let schema =
            serde_json::json!({"properties":{"items":{"type":"string"}},"enum":[{"items":1}]});
        let found: Vec<_> = children(schema.as_object().unwrap())
            .into_iter()
            .map(|child| child.at)
            .collect();
        assert_eq!(found, ["properties.items"]);
    }
}

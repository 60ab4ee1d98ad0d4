//! The schemas of an operation, made from the types of its arguments and of its result.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

/// How many words about a member of a result say more than its name does; results are read, and
/// what is sent matters more.
const INFORMATIVE_WORDS_MIN: usize = 7;

/// The schema of a wire type: flat, definitions inlined. It takes `null` for a member
/// that is left out, since many models write one.
///
/// Lean, because it enters every model's context: no words about the type as a whole, closed sets
/// as `enum`, and no keyword that only repeats the type.
pub(crate) fn input_schema<T: JsonSchema>() -> Value {
    lean(root_schema::<T>(SchemaSettings::draft2020_12()), Words::All)
}

/// As [`input_schema`], for a result: what is absent is never null, and only its own members are
/// described, where their names do not say it all.
fn result_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    lean(root_schema::<T>(settings), Words::OfMembers)
}

fn root_schema<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
        settings
            .transforms
            .push(Box::new(RecursiveTransform(without_word_sizes)));
    });
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    if let Some(root) = schema.as_object_mut() {
        root.remove("title");
        root.remove("description");
    }
    schema
}

/// Which descriptions a schema keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    /// Every one.
    All,
    /// Those of the members of the root; results are never null.
    OfMembers,
    /// None.
    No,
}

fn lean(mut schema: Value, words: Words) -> Value {
    let Some(node) = schema.as_object_mut() else {
        return schema;
    };
    if words == Words::No {
        node.remove("description");
    }
    if node.get("default") == Some(&Value::Null) {
        node.remove("default");
    }
    if node.get("additionalProperties") == Some(&Value::Bool(true)) {
        node.remove("additionalProperties");
    }
    node.retain(|name, value| {
        name != "format"
            || !value
                .as_str()
                .is_some_and(|format| format.starts_with("uint"))
    });
    if words != Words::All {
        node.shift_remove("minimum");
        let types = node.get_mut("type").and_then(Value::as_array_mut);
        if let Some(types) = types {
            types.retain(|one| one != "null");
            if let [only] = types.as_slice() {
                node["type"] = only.clone();
            }
        }
        let union = node.get_mut("anyOf").and_then(Value::as_array_mut);
        if let Some(union) = union {
            union.retain(|branch| branch.get("type") != Some(&"null".into()));
            if let [Value::Object(only)] = union.as_mut_slice() {
                let only = std::mem::take(only);
                node.shift_remove("anyOf");
                for (name, value) in only {
                    node.entry(name).or_insert(value);
                }
            }
        }
    }
    let values = node.get("oneOf").and_then(Value::as_array).map(|variants| {
        let values = variants.iter().map(|variant| variant.get("const").cloned());
        values.collect::<Option<Vec<_>>>()
    });
    if let Some(Some(values)) = values {
        node.shift_remove("oneOf");
        node.insert("type".into(), "string".into());
        node.insert("enum".into(), values.into());
    }
    let inner = match words {
        Words::All => Words::All,
        Words::OfMembers | Words::No => Words::No,
    };
    for (name, value) in node.iter_mut() {
        match (name.as_str(), value) {
            ("properties", Value::Object(members)) => {
                for member in members.values_mut() {
                    let mut words_of_member = member.get("description").cloned();
                    *member = lean(member.take(), inner);
                    if words == Words::OfMembers
                        && let (Some(member), Some(words)) =
                            (member.as_object_mut(), words_of_member.take())
                        && words.as_str().is_some_and(is_informative)
                    {
                        member.insert("description".into(), words);
                    }
                }
            }
            ("items" | "additionalProperties" | "propertyNames", value) => {
                *value = lean(value.take(), inner);
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(branches)) => {
                for branch in branches {
                    *branch = lean(branch.take(), inner);
                }
            }
            _ => {}
        }
    }
    schema
}

fn is_informative(words: &str) -> bool {
    words.split_whitespace().count() >= INFORMATIVE_WORDS_MIN
}

/// The size of a machine word says nothing about JSON, and official clients warn on their console of
/// every format they do not know.
fn without_word_sizes(schema: &mut Schema) {
    let format = schema.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| format.starts_with("uint") || format.starts_with("int")) {
        schema.remove("format");
    }
}

/// A result's schema, with room for the error: clients that listed the tools judge both by it, and
/// one that is closed would turn every recovery into an exception.
pub(super) fn output_schema<T: JsonSchema>() -> Value {
    let mut schema = result_schema::<T>();
    // Where nothing is required, anything is a success.
    let required = match schema["required"].take() {
        Value::Null => json!([]),
        required => required,
    };
    if let Some(root) = schema.as_object_mut() {
        root.remove("required");
    }
    schema["properties"]["error"] = json!({
        "type": "object",
        "required": ["code", "message"],
    });
    schema["anyOf"] = json!([{ "required": required }, { "required": ["error"] }]);
    shown(schema)
}

/// What clients are shown of a schema: one type a place, because model providers map schemas onto
/// dialects without lists of types. An optional member is left out; `null` is taken all the same.
pub(crate) fn shown(mut schema: Value) -> Value {
    match &mut schema {
        Value::Array(items) => items.iter_mut().for_each(|item| *item = shown(item.take())),
        Value::Object(members) => {
            members.retain(|name, value| match name.as_str() {
                "default" => !value.is_null(),
                // Words that say no more than the member's name or type.
                "description" => value != "The session.",
                "format" => value != "double",
                "writeOnly" => !value.is_boolean(),
                _ => true,
            });
            if let Some(Value::Array(types)) = members.get_mut("type") {
                types.retain(|one| one != "null");
                if let [one] = types.as_mut_slice() {
                    let one = one.take();
                    members.insert("type".to_owned(), one);
                }
            }
            if let Some(Value::Array(branches)) = members.get_mut("anyOf") {
                branches.retain(|branch| branch["type"] != "null");
                if let [one] = branches.as_mut_slice()
                    && let Value::Object(only) = one.take()
                {
                    members.remove("anyOf");
                    for (name, value) in only {
                        members.entry(name).or_insert(value);
                    }
                }
            }
            for value in members.values_mut() {
                *value = shown(value.take());
            }
        }
        _ => {}
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_shown_with_one_type_a_place_and_a_missing_member_for_nothing() {
        let schema = json!({"type": "object", "properties": {
            "type": {"type": ["string", "null"], "default": null, "minLength": 1},
            "anyOf": {"description": "Which", "anyOf": [{"type": "array", "items": {"type": ["integer", "null"]}}, {"type": "null"}]},
            "either": {"type": ["string", "integer"], "default": 1},
        }});
        let properties = json!({
            "type": {"type": "string", "minLength": 1},
            "anyOf": {"description": "Which", "type": "array", "items": {"type": "integer"}},
            "either": {"type": ["string", "integer"], "default": 1},
        });
        assert_eq!(shown(schema)["properties"], properties);
    }
}

//! Schemas as clients are shown them: one type a place.

use serde_json::Value;

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
    use serde_json::json;

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

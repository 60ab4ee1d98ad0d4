//! What a tool says of itself, as lines that people read and compare.

use serde_json::{Map, Value};

use super::super::redaction::visible;

/// Letters of a line: what a phone shows without moving it aside, where something could hide.
const LINE_CHARS: usize = 36;
/// How deep schemas are told member by member; deeper ones stand as JSON in one line.
const DEPTH_MAX: usize = 6;

/// A definition as lines. Everything in it is told, but for the order of members and of the names
/// that are required. A line that goes on begins with two spaces, so that nothing in a text can look like a line of its own.
pub(super) fn lines(definition: &Map<String, Value>) -> Vec<String> {
    let mut lines = Lines::default();
    for (member, label) in [
        ("server", "Server"),
        ("name", "Name"),
        ("title", "Title"),
        ("description", "Description"),
    ] {
        if let Some(value) = definition.get(member) {
            lines.say(label, &plain(value));
        }
    }
    match definition.get("annotations") {
        None => {}
        Some(Value::Object(annotations)) => {
            if annotations.is_empty() {
                lines.say("Annotations", "none");
            }
            for (name, value) in sorted(annotations) {
                lines.say(hint(name), &plain(value));
            }
        }
        Some(other) => lines.say("Annotations", &plain(other)),
    }
    for (member, label) in [("inputSchema", "Argument"), ("outputSchema", "Result")] {
        if let Some(schema) = definition.get(member) {
            lines.schema(label, "", schema, false, 0);
        }
    }
    lines.0
}

/// A label and a text as lines.
pub(super) fn labelled(label: &str, text: &str) -> Vec<String> {
    let mut lines = Lines::default();
    lines.say(label, text);
    lines.0
}

/// What a server says a tool does, in words.
fn hint(name: &str) -> &str {
    match name {
        "readOnlyHint" => "Only reads",
        "destructiveHint" => "May destroy",
        "idempotentHint" => "Twice is as once",
        "openWorldHint" => "Reaches others",
        "title" => "Title in annotations",
        other => other,
    }
}

#[derive(Default)]
struct Lines(Vec<String>);

impl Lines {
    /// A line with its label, over as many as it takes.
    fn say(&mut self, label: &str, text: &str) {
        let text = format!("{}: {}", spelled(label), spelled(text));
        let mut line = String::new();
        let mut letters = 0;
        for word in text.split_inclusive(' ') {
            for piece in pieces(word) {
                let length = piece.chars().count();
                if letters > 0 && letters + length > LINE_CHARS {
                    self.0.push(line.trim_end().to_owned());
                    line = "  ".to_owned();
                    letters = 2;
                }
                line.push_str(piece);
                letters += length;
            }
        }
        self.0.push(line.trim_end().to_owned());
    }

    /// A schema: a line for what it is, and one for each member inside it.
    fn schema(&mut self, label: &str, path: &str, schema: &Value, required: bool, depth: usize) {
        let place = match path {
            "" => format!("{label}s"),
            path => format!("{label} {path}"),
        };
        let Value::Object(members) = schema else {
            return self.say(&place, &schema.to_string());
        };
        if depth >= DEPTH_MAX {
            return self.say(&place, &schema.to_string());
        }
        let required_names = members.get("required").and_then(Value::as_array);
        let is_required = |name: &str| {
            let mut names = required_names.into_iter().flatten();
            names.any(|one| one == name)
        };
        let properties = members.get("properties").and_then(Value::as_object);
        let items = members.get("items").filter(|items| items.is_object());
        let mut words = vec![kind(members.get("type"))];
        if required {
            words.push("required".to_owned());
        }
        for (name, value) in sorted(members) {
            match name {
                "type" | "description" => {}
                "properties" if properties.is_some_and(|all| !all.is_empty()) => {}
                "items" if items.is_some() => {}
                "required" if names_only(value, properties) => {}
                name => words.push(format!("{name} {value}")),
            }
        }
        let mut text = words.join(", ");
        if let Some(description) = members.get("description") {
            text = format!("{text}. {}", plain(description));
        }
        self.say(&place, &text);
        for (name, member) in properties.into_iter().flat_map(sorted) {
            let path = match path {
                "" => name.to_owned(),
                path => format!("{path}.{name}"),
            };
            self.schema(label, &path, member, is_required(name), depth + 1);
        }
        if let Some(items) = items {
            self.schema(label, &format!("{path}[]"), items, false, depth + 1);
        }
    }
}

/// Whether a list of required members is told with the members themselves.
fn names_only(required: &Value, properties: Option<&Map<String, Value>>) -> bool {
    let names = required.as_array();
    names.is_some_and(|names| {
        let mut each = names.iter();
        !names.is_empty()
            && each.all(|name| {
                let name = name.as_str();
                name.is_some_and(|name| properties.is_some_and(|all| all.contains_key(name)))
            })
    })
}

/// A type in words.
fn kind(kind: Option<&Value>) -> String {
    let word = |name: &str| match name {
        "array" => "list".to_owned(),
        "boolean" => "yes or no".to_owned(),
        "integer" => "whole number".to_owned(),
        "null" => "nothing".to_owned(),
        "object" => "group".to_owned(),
        "string" => "text".to_owned(),
        other => other.to_owned(),
    };
    match kind {
        None => "anything".to_owned(),
        Some(Value::String(name)) => word(name),
        Some(other) => other.to_string(),
    }
}

/// A value as people write it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        other => other.to_string(),
    }
}

/// A text in one line, in which everything can be seen.
fn spelled(text: &str) -> String {
    visible(text).replace('\n', "⏎")
}

/// Members in the order of their names, which says nothing.
fn sorted(members: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    let mut sorted: Vec<_> = members.iter().collect();
    sorted.sort_by_key(|(name, _)| *name);
    sorted.into_iter().map(|(name, value)| (&**name, value))
}

/// A word in pieces that fit a line.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    /// Letters of a piece: a line without its beginning.
    const PIECE_CHARS: usize = LINE_CHARS - 2;
    let mut rest = word;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.char_indices().nth(PIECE_CHARS);
        let (piece, left) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = left;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(definition: Value) -> Vec<String> {
        match definition {
            Value::Object(definition) => lines(&definition),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn a_definition_is_told_in_words() {
        let lines = of(json!({
            "name": "delete_file",
            "description": "Deletes.",
            "server": "files",
            "annotations": {"readOnlyHint": false},
            "inputSchema": {
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "Which one"},
                    "how": {"type": "object", "properties": {"often": {"type": "integer", "minimum": 1}}},
                    "tags": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["path"],
            },
        }));
        assert_eq!(
            lines,
            [
                "Server: files",
                "Name: delete_file",
                "Description: Deletes.",
                "Only reads: no",
                "Arguments: group",
                "Argument how: group",
                "Argument how.often: whole number,",
                "  minimum 1",
                "Argument path: text, required.",
                "  Which one",
                "Argument tags: list",
                "Argument tags[]: text",
            ]
        );
    }

    #[test]
    fn whatever_differs_in_a_definition_differs_in_its_lines() {
        let base = json!({
            "name": "a", "title": "A", "description": "d", "server": "s",
            "annotations": {"readOnlyHint": true},
            "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}},
            "outputSchema": {"type": "object"},
        });
        let lines = of(base.clone());
        for (pointer, value) in [
            ("/name", json!("b")),
            ("/title", json!("B")),
            ("/description", json!("e")),
            ("/server", json!("t")),
            ("/annotations", json!({})),
            ("/annotations", json!({"readOnlyHint": false})),
            ("/annotations", json!({"readOnlyHint": true, "own": [1]})),
            ("/inputSchema/properties/x", json!({"type": "number"})),
            (
                "/inputSchema/properties/x",
                json!({"type": "string", "maxLength": 5}),
            ),
            ("/inputSchema/properties/x", json!(true)),
            ("/inputSchema/properties", json!({})),
            ("/inputSchema/properties", json!([])),
            (
                "/inputSchema",
                json!({"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}),
            ),
            (
                "/inputSchema",
                json!({"type": "object", "properties": {"x": {"type": "string"}}, "required": ["y"]}),
            ),
            (
                "/inputSchema",
                json!({"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": false}),
            ),
            ("/outputSchema", json!({"type": "array"})),
            ("/outputSchema", json!({"type": "object", "items": [{}]})),
        ] {
            let mut other = base.clone();
            *other.pointer_mut(pointer).unwrap() = value;
            assert_ne!(of(other), lines, "{pointer}");
        }
        let mut without = base;
        without
            .as_object_mut()
            .unwrap()
            .shift_remove("outputSchema");
        assert_ne!(of(without), lines);
    }

    #[test]
    fn a_text_cannot_look_like_a_line_of_its_own() {
        let lines = of(
            json!({"description": format!("x\nOnly reads: yes\u{202e} {}", "long ".repeat(40))}),
        );
        assert_eq!(lines[0], "Description: x⏎Only reads:");
        assert!(lines[1].starts_with("  yes\\u{202e} long"), "{lines:?}");
        assert!(lines.len() > 2);
        assert!(
            lines[1..].iter().all(|line| line.starts_with("  ")),
            "{lines:?}"
        );
        assert!(
            lines.iter().all(|line| line.chars().count() <= LINE_CHARS),
            "{lines:?}"
        );
        let one_word = of(json!({"description": "x".repeat(200)}));
        assert!(
            one_word
                .iter()
                .all(|line| line.chars().count() <= LINE_CHARS),
            "{one_word:?}"
        );
    }
}

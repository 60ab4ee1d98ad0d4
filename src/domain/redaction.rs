//! Values as people are shown them: without secrets, and with everything in them visible.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::wire::gate::ShownValue;

/// What stands for a secret.
pub(crate) const REDACTED: &str = "[REDACTED]";
/// Parts of names that say that a value is a secret, in lower case without separators.
const SECRET_NAMES: [&str; 14] = [
    "accesskey",
    "apikey",
    "authorization",
    "cardnumber",
    "cookie",
    "credential",
    "cvv",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "secret",
    "signature",
    "token",
];
/// Characters of one value that are shown: what fits a screen.
const VALUE_CHARS_MAX: usize = 2_000;
/// Values that are shown, nested ones counted.
const ROWS_MAX: usize = 100;
/// How deep values are shown apart; deeper ones stand as JSON in one row.
const DEPTH_MAX: usize = 6;

/// Which values nobody is shown, besides those whose names say that they are secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Redaction {
    paths: Vec<Vec<String>>,
    /// Members of these names are secrets wherever they stand.
    names: BTreeSet<String>,
}

impl Redaction {
    /// Paths with dots, such as `card.number`; lists are passed through.
    #[cfg(any(feature = "gate", test))]
    pub(crate) fn of(fields: &[String]) -> Self {
        let paths = fields
            .iter()
            .map(|field| field.split('.').map(str::to_owned).collect());
        Self {
            paths: paths.collect(),
            names: BTreeSet::new(),
        }
    }

    /// What a schema marks as secret anywhere in it: `writeOnly: true` or `format: "password"`. A
    /// name that is a secret in one place is taken for one in every place.
    pub(crate) fn marked_in(schema: &Value) -> Self {
        let mut names = BTreeSet::new();
        loop {
            let known = names.len();
            note_secrets(schema, &mut names);
            // A definition that was found makes secrets of all that refer to it.
            if names.len() == known {
                break;
            }
        }
        Self {
            paths: Vec::new(),
            names,
        }
    }

    /// Arguments as rows of a name and a text. What does not fit is counted, never left out
    /// silently.
    pub(crate) fn rows(&self, arguments: &Map<String, Value>) -> Vec<ShownValue> {
        let mut rows = Vec::new();
        let shown = self.shown(&Value::Object(arguments.clone()), &mut Vec::new());
        flatten("", &shown, 0, &mut rows);
        if rows.len() > ROWS_MAX {
            let more = rows.len() - ROWS_MAX;
            rows.truncate(ROWS_MAX);
            rows.push(ShownValue {
                name: "…".to_owned(),
                value: format!("{more} more values"),
            });
        }
        rows
    }

    /// Whether an argument is shown as it is, whole: nothing of it is secret, hidden or cut.
    #[cfg(feature = "gate")]
    pub(crate) fn shows(&self, name: &str, text: &str) -> bool {
        let is_kept = self.is_secret(name) || self.paths.iter().any(|path| *path == [name]);
        !is_kept && text.chars().count() <= VALUE_CHARS_MAX && visible(text) == text
    }

    /// The same value with what is secret replaced.
    fn shown(&self, value: &Value, path: &mut Vec<String>) -> Value {
        match value {
            Value::Object(members) => {
                let members = members.iter().map(|(name, member)| {
                    path.push(name.clone());
                    let member = match self.is_secret(name) || self.paths.contains(path) {
                        true => REDACTED.into(),
                        false => self.shown(member, path),
                    };
                    path.pop();
                    (name.clone(), member)
                });
                Value::Object(members.collect())
            }
            Value::Array(items) => items.iter().map(|item| self.shown(item, path)).collect(),
            other => other.clone(),
        }
    }

    fn is_secret(&self, name: &str) -> bool {
        self.names.contains(name) || is_secret(name)
    }
}

/// Whether a schema says that its value is a secret, itself or by a definition that is known for one.
fn is_marked(schema: &Value, names: &BTreeSet<String>) -> bool {
    let refers = schema["$ref"].as_str().and_then(|to| to.rsplit('/').next());
    schema["writeOnly"] == true
        || schema["format"] == "password"
        || refers.is_some_and(|name| names.contains(name))
}

fn note_secrets(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            for (keyword, value) in members {
                if let ("properties" | "definitions" | "$defs", Value::Object(named)) =
                    (keyword.as_str(), value)
                {
                    let marked = named.iter().filter(|(_, part)| holds_mark(part, names));
                    let marked: Vec<_> = marked.map(|(name, _)| name.clone()).collect();
                    names.extend(marked);
                }
                note_secrets(value, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| note_secrets(item, names)),
        _ => {}
    }
}

/// Whether a value may be a secret: by its own schema, a branch of it or that of its items.
fn holds_mark(schema: &Value, names: &BTreeSet<String>) -> bool {
    let branches = ["allOf", "anyOf", "oneOf", "items"].into_iter();
    let mut parts = branches.flat_map(|keyword| match &schema[keyword] {
        Value::Array(parts) => parts.iter().collect(),
        Value::Null => Vec::new(),
        part => vec![part],
    });
    is_marked(schema, names) || parts.any(|part| holds_mark(part, names))
}

fn is_secret(name: &str) -> bool {
    let plain: String = name
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    SECRET_NAMES.iter().any(|secret| plain.contains(secret))
}

fn flatten(name: &str, value: &Value, depth: usize, rows: &mut Vec<ShownValue>) {
    let mut push = |text: &str| {
        rows.push(ShownValue {
            name: name.to_owned(),
            value: cut(text),
        });
    };
    match value {
        Value::Object(members) if depth < DEPTH_MAX && !members.is_empty() => {
            for (member, value) in members {
                let name = match name {
                    "" => visible(member),
                    name => format!("{name}.{}", visible(member)),
                };
                flatten(&name, value, depth + 1, rows);
            }
        }
        Value::Object(members) if depth == 0 && members.is_empty() => {}
        Value::String(text) => push(text),
        other => push(&other.to_string()),
    }
}

/// The beginning of a text, and how much more there is.
fn cut(text: &str) -> String {
    let shown: String = text.chars().take(VALUE_CHARS_MAX).collect();
    let more = text.chars().count().saturating_sub(VALUE_CHARS_MAX);
    match more {
        0 => visible(&shown),
        more => format!("{}… {more} more characters", visible(&shown)),
    }
}

/// A text in which everything can be seen: what would move, hide or reorder letters is spelled out.
pub(crate) fn visible(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => spelled.push('\n'),
            letter if is_unseen(letter) => spelled.extend(letter.escape_unicode()),
            letter => spelled.push(letter),
        }
    }
    spelled
}

fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || (letter.is_whitespace() && letter != ' ')
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rows(fields: &[&str], arguments: Value) -> Vec<(String, String)> {
        let Value::Object(arguments) = arguments else {
            panic!("an object");
        };
        let fields: Vec<_> = fields.iter().map(|field| (*field).to_owned()).collect();
        let rows = Redaction::of(&fields).rows(&arguments);
        rows.into_iter().map(|row| (row.name, row.value)).collect()
    }

    #[test]
    fn secrets_are_replaced_by_path_and_by_name_at_any_depth() {
        let arguments = json!({
            "path": "/a", "apiKey": "S", "n": 5, "note": "S",
            "card": {"number": "S", "owner": "Ida"},
            "users": [{"PASS-WORD": {"deep": "S"}, "name": "x"}],
            "lines": [{"pin": "S"}],
        });
        let rows = rows(&["card.number", "note", "lines.pin"], arguments);
        assert!(
            rows.iter()
                .all(|(_, value)| !value.contains('S') || value.contains(REDACTED)),
            "{rows:?}"
        );
        assert!(
            !format!("{rows:?}").replace(REDACTED, "").contains("\"S\""),
            "{rows:?}"
        );
        assert!(rows.contains(&("card.owner".to_owned(), "Ida".to_owned())));
        assert!(rows.contains(&("n".to_owned(), "5".to_owned())));
    }

    #[test]
    fn what_a_schema_marks_as_secret_is_replaced_wherever_it_stands() {
        let schema = json!({
            "definitions": {"hidden": {"type": "string", "writeOnly": true}},
            "properties": {
                "code": {"type": "string", "format": "password"},
                "lines": {"items": {"properties": {"answer": {"$ref": "#/definitions/hidden"}}}},
                "either": {"oneOf": [{"type": "null"}, {"type": "string", "writeOnly": true}]},
                "name": {"type": "string"},
            },
        });
        let Value::Object(given) = json!({
            "code": "S", "lines": [{"answer": "S"}], "either": "S", "name": "Tea",
        }) else {
            panic!("an object");
        };
        let rows = Redaction::marked_in(&schema).rows(&given);
        let shown = json!(rows).to_string();
        assert!(!shown.contains("\"S\""), "{shown}");
        assert!(shown.contains("Tea"), "{shown}");
        assert!(!shown.contains(":\\\"S"), "{shown}");
    }

    #[test]
    fn what_hides_or_reorders_letters_is_spelled_out() {
        let rows = rows(&[], json!({"a\u{202e}b": "x\u{200b}y\rz\u{1b}[2J\nend"}));
        assert_eq!(rows[0].0, "a\\u{202e}b");
        assert_eq!(rows[0].1, "x\\u{200b}y\\u{d}z\\u{1b}[2J\nend");
    }

    #[test]
    fn what_is_cut_says_how_much_is_missing() {
        let many: Map<String, Value> = (0..150).map(|n| (n.to_string(), n.into())).collect();
        let rows_of_many = rows(&[], Value::Object(many));
        assert_eq!(rows_of_many.len(), ROWS_MAX + 1);
        assert_eq!(rows_of_many[ROWS_MAX].1, "50 more values");
        let long = rows(&[], json!({"a": "x".repeat(VALUE_CHARS_MAX + 7)}));
        assert!(long[0].1.ends_with("… 7 more characters"));
    }
}

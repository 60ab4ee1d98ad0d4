//! Puts the values of environment variables into the texts of a file.

use serde_json::Value;

/// Replaces `${NAME}` and `${NAME:-default}` in every text of a value, and adds what is wrong to the
/// problems. Texts are replaced after the file was read, so a variable cannot add members to it.
pub(crate) fn substitute(
    value: &mut Value,
    variable: &dyn Fn(&str) -> Option<String>,
    problems: &mut Vec<String>,
) {
    walk(value, "", variable, problems);
}

fn walk(
    value: &mut Value,
    path: &str,
    variable: &dyn Fn(&str) -> Option<String>,
    problems: &mut Vec<String>,
) {
    let below = |name: &str| match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    };
    match value {
        Value::String(text) => match replaced(text, variable) {
            Ok(new) => *text = new,
            Err(problem) => problems.push(format!("{path}: {problem}")),
        },
        Value::Array(items) => {
            for (at, item) in items.iter_mut().enumerate() {
                walk(item, &below(&at.to_string()), variable, problems);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                walk(member, &below(name), variable, problems);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn replaced(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut done = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((inner, end)) = after.split_once('}') else {
            return Err("\"${\" has no \"}\"".to_owned());
        };
        let (name, default) = match inner.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inner, None),
        };
        if !is_name(name) {
            return Err(format!("\"${{{inner}}}\" names no variable"));
        }
        let value = variable(name).filter(|value| default.is_none() || !value.is_empty());
        let value = value.or_else(|| default.map(str::to_owned));
        let missing = || {
            format!(
                "the environment variable {name} is not set; set it or write ${{{name}:-default}} (V-014)"
            )
        };
        done.push_str(before);
        done.push_str(&value.ok_or_else(missing)?);
        rest = end;
    }
    done.push_str(rest);
    Ok(done)
}

fn is_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && !name.as_bytes()[0].is_ascii_digit() && name.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn variables_stand_anywhere_in_a_text_and_may_have_defaults() {
        let variable = |name: &str| match name {
            "HOST" => Some("h".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        };
        let mut problems = Vec::new();
        let mut value =
            json!({"a": ["http://${HOST}:${PORT:-80}/", 5], "b": "${EMPTY:-x}${EMPTY}"});
        substitute(&mut value, &variable, &mut problems);
        assert_eq!(value, json!({"a": ["http://h:80/", 5], "b": "x"}));
        assert!(problems.is_empty());
    }

    #[test]
    fn every_variable_that_is_missing_is_told_with_its_place() {
        let mut problems = Vec::new();
        let mut value = json!({"sources": [{"url": "${NOWHERE}"}], "b": "${", "c": "${a b}"});
        substitute(&mut value, &|_| None, &mut problems);
        assert_eq!(
            problems,
            [
                "sources.0.url: the environment variable NOWHERE is not set; set it or write \
                 ${NOWHERE:-default} (V-014)",
                "b: \"${\" has no \"}\"",
                "c: \"${a b}\" names no variable",
            ]
        );
    }
}

//! Arguments of operations, held against their input schema: every problem at once.

use std::fmt;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use crate::domain::size::shorten;

/// Problems reported of one call: enough to mend it, too few to flood a model's context.
const PROBLEMS_MAX: usize = 50;

/// Characters of all unknown keys of one place: they are the caller's, and it knows them.
const KEYS_CHARS_MAX: usize = 500;

/// Why arguments were refused.
#[derive(Debug, thiserror::Error)]
#[error("invalid arguments")]
pub(crate) struct ArgumentsError {
    /// All that is wrong with them.
    pub(crate) problems: Vec<Problem>,
}

/// One thing that is wrong with arguments; as text, `path: text`.
#[derive(Debug)]
pub(crate) struct Problem {
    /// Names of members and places in lists, with points between them; empty for the whole.
    pub(crate) path: String,
    /// What kind of problem it is, for programs: `missing`, `extra_forbidden`, `value_error`, or the
    /// type that was expected, such as `string_type`.
    pub(crate) kind: String,
    /// What would be right, for people.
    pub(crate) text: String,
}

impl Problem {
    /// A problem of a member.
    pub(crate) fn new(path: &str, kind: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            kind: kind.into(),
            text: text.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = if self.path.is_empty() {
            "<root>"
        } else {
            &self.path
        };
        write!(f, "{named}: {}", self.text)
    }
}

/// The input schema of an operation, compiled once.
pub(crate) struct Input {
    schema: Value,
    validator: Validator,
}

impl Input {
    /// Compiles a schema.
    #[expect(
        clippy::expect_used,
        reason = "the schemas are our own; a test compiles each of them"
    )]
    pub(crate) fn of(schema: Value) -> Self {
        let options = jsonschema::options()
            .with_draft(jsonschema::Draft::Draft7)
            .offline();
        let validator = options.build(&schema).expect("a sound input schema");
        Self { schema, validator }
    }

    /// The schema.
    pub(crate) fn schema(&self) -> &Value {
        &self.schema
    }

    /// Everything that is wrong with arguments.
    pub(crate) fn check(&self, arguments: &Value) -> Result<(), ArgumentsError> {
        let Self { schema, validator } = self;
        if validator.is_valid(arguments) {
            return Ok(());
        }
        // The validator keeps all errors before the first is told, so it is shown short lists.
        let shown = shortened(arguments);
        let mut problems: Vec<_> = validator
            .iter_errors(&shown)
            .flat_map(|error| problems(schema, &error))
            .take(PROBLEMS_MAX)
            .collect();
        if problems.is_empty()
            && let Err(error) = validator.validate(arguments)
        {
            problems = self::problems(schema, &error);
        }
        Err(ArgumentsError { problems })
    }
}

impl From<serde_json::Error> for ArgumentsError {
    fn from(error: serde_json::Error) -> Self {
        Self {
            problems: vec![Problem::new("", "value_error", error.to_string())],
        }
    }
}

/// The same with no more items in each list than problems are told.
fn shortened(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().take(PROBLEMS_MAX).map(shortened).collect(),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, member)| (name.clone(), shortened(member)));
            Value::Object(members.collect())
        }
        _ => value.clone(),
    }
}

/// Each problem: where, and what would be right.
fn problems(schema: &Value, error: &ValidationError<'_>) -> Vec<Problem> {
    let pointer = error.instance_path().to_string();
    let path = pointer.trim_start_matches('/').replace('/', ".");
    // The schema around the keyword that refuses.
    let keyword = error.schema_path().to_string();
    let around = keyword.rsplit_once('/').map_or("", |(around, _)| around);
    let around = schema.pointer(around).unwrap_or(&Value::Null);
    vec![match error.kind() {
        ValidationErrorKind::Required { property } => {
            let property = property.as_str().unwrap_or_default();
            let dot = if path.is_empty() { "" } else { "." };
            let words = &around["properties"][property]["description"];
            let words = words.as_str().unwrap_or_default();
            let path = format!("{path}{dot}{property}");
            Problem::new(&path, "missing", format!("is REQUIRED. {words}"))
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let quoted: Vec<_> = unexpected.iter().map(|key| format!("\"{key}\"")).collect();
            let known = around["properties"].as_object().into_iter().flatten();
            let known: Vec<_> = known.map(|(key, _)| key.as_str()).collect();
            let quoted = shorten(&quoted.join(", "), KEYS_CHARS_MAX);
            let known = known.join(", ");
            let text = format!("unknown key(s) {quoted}; there are {known}");
            Problem::new(&path, "extra_forbidden", text)
        }
        ValidationErrorKind::Type { .. } => of_type(&path, &types(around)),
        // Of a union the branch is told whose type the value has, else all their types.
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let is_other_type = |inner: &ValidationError<'_>| {
                let is_type = matches!(inner.kind(), ValidationErrorKind::Type { .. });
                is_type && inner.instance_path() == error.instance_path()
            };
            let mut branches = context.iter();
            match branches.find(|branch| !branch.iter().any(is_other_type)) {
                Some(branch) => {
                    let inner = branch.iter().flat_map(|inner| problems(schema, inner));
                    return inner.collect();
                }
                None => {
                    let branches = ["anyOf", "oneOf"].iter().find_map(|name| around.get(name));
                    let branches = branches.and_then(Value::as_array).into_iter().flatten();
                    let names = branches.map(types).filter(|names| !names.is_empty());
                    let names: Vec<_> = names.collect();
                    of_type(&path, &names.join(" or "))
                }
            }
        }
        // Masked: the value may be something the caller wants in no log.
        _ => Problem::new(
            &path,
            "value_error",
            error.masked_with("the value").to_string(),
        ),
    }]
}

/// A value of another type than these.
fn of_type(path: &str, types: &str) -> Problem {
    let kind = format!("{}_type", types.replace(" or ", "_or_"));
    Problem::new(path, kind, format!("must be {types}"))
}

/// The types a schema admits; null, which stands for what is left out, is not among them.
fn types(schema: &Value) -> String {
    let names = match &schema["type"] {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        one => Vec::from_iter(one.as_str()),
    };
    let names: Vec<_> = names.into_iter().filter(|name| *name != "null").collect();
    names.join(" or ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::operation::{Signature, input_schema, table};
    use crate::wire::tools::ConsumeParams;

    /// What is wrong with the arguments of an operation.
    fn problems_of<O: Signature>(given: &Value) -> Vec<String> {
        let input = Input::of(input_schema::<O::Params>());
        let checked = input.check(given);
        let problems = checked.map_or_else(|error| error.problems, |()| Vec::new());
        problems.iter().map(Problem::to_string).collect()
    }

    #[test]
    fn every_problem_of_a_call_is_reported_at_once() {
        let given = json!({"intent": "", "blueprintDraft": {"contract": 5, "colour": "red"}});
        let problems = problems_of::<table::Handshake>(&given);
        assert_eq!(
            problems,
            [
                "intent: the value is shorter than 1 character",
                "blueprintDraft.contract: must be object",
                "blueprintDraft: unknown key(s) \"colour\"; there are contract, variance, view, \
                 generator",
            ]
        );
    }

    #[test]
    fn a_member_that_is_missing_is_told_with_what_it_is() {
        let problems = problems_of::<table::Render>(&json!({"props": {}}));
        assert_eq!(
            problems,
            ["handshakeId: is REQUIRED. From `ggui_handshake`, called first; single use."]
        );
    }

    #[test]
    fn a_member_of_the_wrong_type_is_told_what_it_must_be() {
        let given = json!({"sessionId": "s", "kind": "merge", "patch": [], "expectedVersion": "1"});
        let problems = problems_of::<table::Update>(&given);
        let expected = ["patch: must be object", "expectedVersion: must be integer"];
        assert_eq!(problems, expected);
        // No input schema of a tool leaves it open what a member must be.
        for (tool, schema) in table::input_schemas() {
            let Input { schema, validator } = Input::of(schema);
            for (name, _) in schema["properties"].as_object().into_iter().flatten() {
                for wrong in [json!(1.5), json!([1]), json!({"a": 1}), json!(true)] {
                    let given = json!({name: wrong});
                    for error in validator.iter_errors(&given) {
                        for problem in super::problems(&schema, &error) {
                            let problem = problem.to_string();
                            let is_open =
                                problem.ends_with("must be ") || problem.contains("anyOf");
                            assert!(!is_open, "{tool} {problem}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_million_wrong_items_are_told_by_the_first_of_them() {
        let wrong = vec![1; 1_000_000];
        let given = json!({"intent": "x", "blueprintDraft": {"contract": {}, "view": {"components": wrong}}});
        let problems = problems_of::<table::Handshake>(&given);
        assert_eq!(problems.len(), PROBLEMS_MAX);
        assert_eq!(
            problems[1],
            "blueprintDraft.view.components.1: must be object"
        );
    }

    #[test]
    fn unknown_top_level_arguments_are_dropped() {
        let given = json!({"sessionId": "s", "timeout": 0, "colour": "red"});
        assert!(problems_of::<table::Consume>(&given).is_empty());
        let params: ConsumeParams = serde_json::from_value(given).unwrap();
        assert_eq!(params.session_id, "s");
    }

    #[test]
    fn input_schemas_are_flat_objects_without_references() {
        for (_, schema) in table::input_schemas() {
            assert_eq!(schema["type"], "object");
            assert!(!schema.to_string().contains("$ref"), "{schema}");
        }
    }
}

//! Arguments of tools: judged against their input schema, every problem at once, then decoded.

use std::collections::HashMap;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::domain::operation::OperationKind;
use crate::domain::size::shorten;
use crate::wire::{discovery, runtime, tools};

/// Problems reported of one call: enough to mend it, too few to flood a model's context.
const PROBLEMS_MAX: usize = 50;

/// Characters of all unknown keys of one place: they are the caller's, and it knows them.
const KEYS_CHARS_MAX: usize = 500;

/// Why arguments were refused: one line a problem.
#[derive(Debug, thiserror::Error)]
#[error("invalid arguments")]
pub(crate) struct ArgumentsError {
    /// `path: text`, one a problem.
    pub(crate) problems: Vec<String>,
}

/// How many words about a member of a result say more than its name does; results are read, and
/// what is sent matters more.
const INFORMATIVE_WORDS_MIN: usize = 7;

/// The schema of a wire type: flat, definitions inlined. It takes `null` for a member
/// that is left out, since many models write one.
///
/// Lean, because it enters every model's context: no words about the type as a whole, closed sets
/// as `enum`, and no keyword that only repeats the type.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    lean(root_schema::<T>(SchemaSettings::draft2020_12()), Words::All)
}

/// As [`schema_of`], for a result: what is absent is never null, and only its own members are
/// described, where their names do not say it all.
pub(crate) fn result_schema_of<T: JsonSchema>() -> Value {
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
    if format.is_some_and(|format| format.starts_with("uint")) {
        schema.remove("format");
    }
}

/// The input schemas, compiled once.
pub(crate) struct Arguments {
    schemas: HashMap<OperationKind, (Value, jsonschema::Validator)>,
}

impl Arguments {
    /// Compiles the schemas of all operations.
    #[expect(
        clippy::expect_used,
        reason = "the schemas are our own; a test compiles each of them"
    )]
    pub(crate) fn new() -> Self {
        use OperationKind::*;
        let schemas = [
            (Handshake, schema_of::<tools::HandshakeParams>()),
            (Render, schema_of::<tools::RenderParams>()),
            (Update, schema_of::<tools::UpdateParams>()),
            (Amend, schema_of::<tools::UpdateParams>()),
            (Consume, schema_of::<tools::ConsumeParams>()),
            (Emit, schema_of::<tools::EmitParams>()),
            (GetSession, schema_of::<tools::GetSessionParams>()),
            (DeleteSession, schema_of::<tools::GetSessionParams>()),
            (Note, schema_of::<runtime::TelemetryParams>()),
            (Pull, schema_of::<runtime::PullParams>()),
            (RefreshWsToken, schema_of::<runtime::RefreshWsTokenParams>()),
            (SyncContext, schema_of::<runtime::SyncContextParams>()),
            (
                GetRenderSource,
                schema_of::<discovery::GetRenderSourceParams>(),
            ),
            (ListFeaturedBlueprints, schema_of::<discovery::AllParams>()),
            (ListGadgets, schema_of::<discovery::OfAppParams>()),
            (ListSessions, schema_of::<discovery::ListSessionsParams>()),
            (ListThemes, schema_of::<discovery::OfAppParams>()),
            (RenderBlueprint, schema_of::<discovery::BlueprintParams>()),
            (GetBlueprint, schema_of::<discovery::BlueprintParams>()),
            (DeleteBlueprint, schema_of::<discovery::BlueprintParams>()),
            (ListBlueprints, schema_of::<discovery::AllParams>()),
            (
                SearchBlueprints,
                schema_of::<discovery::SearchBlueprintsParams>(),
            ),
            (RequestAuth, schema_of::<tools::RequestAuthParams>()),
            (SubmitAction, schema_of::<runtime::SubmitActionParams>()),
        ];
        let compile = |(kind, schema): (OperationKind, Value)| {
            let options = jsonschema::options()
                .with_draft(jsonschema::Draft::Draft7)
                .offline();
            let validator = options.build(&schema).expect("a sound input schema");
            (kind, (schema, validator))
        };
        Self {
            schemas: schemas.into_iter().map(compile).collect(),
        }
    }

    /// The input schema of an operation.
    pub(crate) fn schema(&self, kind: OperationKind) -> &Value {
        self.schemas
            .get(&kind)
            .map_or(&Value::Null, |(schema, _)| schema)
    }

    /// The input schemas by the names of their tools.
    pub(crate) fn by_tool(&self) -> HashMap<&'static str, Value> {
        let schemas = self.schemas.iter();
        schemas
            .map(|(kind, (schema, _))| (kind.tool(), schema.clone()))
            .collect()
    }

    /// Judges and decodes the arguments of an operation.
    pub(crate) fn decode<T: DeserializeOwned>(
        &self,
        kind: OperationKind,
        arguments: Value,
    ) -> Result<T, ArgumentsError> {
        if let Some((schema, validator)) = self.schemas.get(&kind)
            && !validator.is_valid(&arguments)
        {
            // The validator keeps all errors before the first is told, so it is shown short lists.
            let shown = shortened(&arguments);
            let mut problems: Vec<_> = validator
                .iter_errors(&shown)
                .flat_map(|error| problems(schema, &error))
                .take(PROBLEMS_MAX)
                .collect();
            if problems.is_empty()
                && let Err(error) = validator.validate(&arguments)
            {
                problems = self::problems(schema, &error);
            }
            return Err(ArgumentsError { problems });
        }
        serde_json::from_value(arguments).map_err(|error| ArgumentsError {
            problems: vec![format!("<root>: {error}")],
        })
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

/// Each problem in a line: where, and what would be right.
fn problems(schema: &Value, error: &ValidationError<'_>) -> Vec<String> {
    let pointer = error.instance_path().to_string();
    let path = pointer.trim_start_matches('/').replace('/', ".");
    let named = if path.is_empty() { "<root>" } else { &path };
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
            format!("{path}{dot}{property}: is REQUIRED. {words}")
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let quoted: Vec<_> = unexpected.iter().map(|key| format!("\"{key}\"")).collect();
            let known = around["properties"].as_object().into_iter().flatten();
            let known: Vec<_> = known.map(|(key, _)| key.as_str()).collect();
            let quoted = shorten(&quoted.join(", "), KEYS_CHARS_MAX);
            let known = known.join(", ");
            format!("{named}: unknown key(s) {quoted}; there are {known}")
        }
        ValidationErrorKind::Type { .. } => format!("{named}: must be {}", types(around)),
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
                    format!("{named}: must be {}", names.join(" or "))
                }
            }
        }
        // Masked: the value may be something the caller wants in no log.
        _ => format!("{named}: {}", error.masked_with("the value")),
    }]
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

    #[test]
    fn every_problem_of_a_call_is_reported_at_once() {
        let arguments = Arguments::new();
        let given = json!({"intent": "", "blueprintDraft": {"contract": 5, "colour": "red"}});
        let error = arguments
            .decode::<tools::HandshakeParams>(OperationKind::Handshake, given)
            .unwrap_err();
        assert_eq!(
            error.problems,
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
        let arguments = Arguments::new();
        let error = arguments
            .decode::<tools::RenderParams>(OperationKind::Render, json!({"props": {}}))
            .unwrap_err();
        assert_eq!(
            error.problems,
            ["handshakeId: is REQUIRED. From `ggui_handshake`, called first; single use."]
        );
    }

    #[test]
    fn a_member_of_the_wrong_type_is_told_what_it_must_be() {
        let arguments = Arguments::new();
        let given = json!({"sessionId": "s", "kind": "merge", "patch": [], "expectedVersion": "1"});
        let error = arguments
            .decode::<tools::UpdateParams>(OperationKind::Update, given)
            .unwrap_err();
        let problems = ["patch: must be object", "expectedVersion: must be integer"];
        assert_eq!(error.problems, problems);
        // No input schema of a tool leaves it open what a member must be.
        for (kind, (schema, validator)) in &arguments.schemas {
            for (name, _) in schema["properties"].as_object().into_iter().flatten() {
                for wrong in [json!(1.5), json!([1]), json!({"a": 1}), json!(true)] {
                    let given = json!({name: wrong});
                    for error in validator.iter_errors(&given) {
                        for problem in super::problems(schema, &error) {
                            let is_open =
                                problem.ends_with("must be ") || problem.contains("anyOf");
                            assert!(!is_open, "{kind:?} {problem}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_million_wrong_items_are_told_by_the_first_of_them() {
        let arguments = Arguments::new();
        let wrong = vec![1; 1_000_000];
        let given = json!({"intent": "x", "blueprintDraft": {"contract": {}, "view": {"components": wrong}}});
        let error = arguments
            .decode::<tools::HandshakeParams>(OperationKind::Handshake, given)
            .unwrap_err();
        assert_eq!(error.problems.len(), PROBLEMS_MAX);
        assert_eq!(
            error.problems[1],
            "blueprintDraft.view.components.1: must be object"
        );
    }

    #[test]
    fn unknown_top_level_arguments_are_dropped() {
        let arguments = Arguments::new();
        let given = json!({"sessionId": "s", "timeout": 0, "colour": "red"});
        let decoded: tools::ConsumeParams =
            arguments.decode(OperationKind::Consume, given).unwrap();
        assert_eq!(decoded.session_id, "s");
    }

    #[test]
    fn input_schemas_are_flat_objects_without_references() {
        let arguments = Arguments::new();
        for (schema, _) in arguments.schemas.values() {
            assert_eq!(schema["type"], "object");
            assert!(!schema.to_string().contains("$ref"), "{schema}");
        }
    }
}

//! Arguments of tools: judged against their input schema, every problem at once, then decoded.

use std::collections::HashMap;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::domain::operation::OperationKind;
use crate::wire::{runtime, tools};

/// Problems reported of one call: enough to mend it, too few to flood a model's context.
const PROBLEMS_MAX: usize = 50;

/// Why arguments were refused: one line a problem.
#[derive(Debug, thiserror::Error)]
#[error("invalid arguments")]
pub(crate) struct ArgumentsError {
    /// `path: text`, one a problem.
    pub(crate) problems: Vec<String>,
}

/// The schema of a wire type as tools publish it: flat, definitions inlined (ruling 4).
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
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
    }
    schema
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
            (SubmitAction, schema_of::<tools::SubmitActionParams>()),
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
        if let Some((_, validator)) = self.schemas.get(&kind) {
            let problems: Vec<_> = validator
                .iter_errors(&arguments)
                .take(PROBLEMS_MAX)
                .map(|error| problem(&error))
                .collect();
            if !problems.is_empty() {
                return Err(ArgumentsError { problems });
            }
        }
        serde_json::from_value(arguments).map_err(|error| ArgumentsError {
            problems: vec![format!("<root>: {error}")],
        })
    }
}

fn problem(error: &jsonschema::ValidationError<'_>) -> String {
    let path = error.instance_path().to_string();
    let path = path.trim_start_matches('/').replace('/', ".");
    let path = if path.is_empty() { "<root>" } else { &path };
    // Masked: the value may be a whole contract, or something the caller wants in no log.
    format!("{path}: {}", error.masked_with("the value"))
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
        assert_eq!(error.problems.len(), 3, "{:?}", error.problems);
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

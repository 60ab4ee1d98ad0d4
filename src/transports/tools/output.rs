//! The schema of every tool's result.

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::schemas::shown;
use crate::domain::operation::OperationKind;
use crate::services::arguments::result_schema_of;
use crate::wire::discovery::{
    BlueprintDetail, GetRenderSourceResult, ListFeaturedBlueprintsResult, ListGadgetsResult,
    ListSessionsResult, ListThemesResult, RenderBlueprintResult, SearchBlueprintsResult,
    StoredBlueprint,
};
use crate::wire::runtime::{PullResult, RuntimeResult};
use crate::wire::tools::{
    ConsumeResult, EmitResult, GetSessionResult, HandshakeResult, RenderResult, RequestAuthResult,
    UpdateResult,
};

/// A result's schema, with room for the error: clients that listed the tools judge both by it, and
/// one that is closed would turn every recovery into an exception.
pub(super) fn output_schema(kind: OperationKind) -> Value {
    fn of<T: JsonSchema>() -> Value {
        let mut schema = result_schema_of::<T>();
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
    match kind {
        OperationKind::Amend | OperationKind::Update => of::<UpdateResult>(),
        OperationKind::Consume => of::<ConsumeResult>(),
        OperationKind::Emit => of::<EmitResult>(),
        OperationKind::GetSession => of::<GetSessionResult>(),
        OperationKind::Handshake => of::<HandshakeResult>(),
        OperationKind::DeleteBlueprint
        | OperationKind::DeleteSession
        | OperationKind::Note
        | OperationKind::RefreshWsToken
        | OperationKind::SubmitAction
        | OperationKind::SyncContext => of::<RuntimeResult>(),
        OperationKind::Pull => of::<PullResult>(),
        OperationKind::Render => of::<RenderResult>(),
        OperationKind::GetBlueprint => of::<BlueprintDetail>(),
        OperationKind::ListBlueprints => of::<StoredBlueprint>(),
        OperationKind::GetRenderSource => of::<GetRenderSourceResult>(),
        OperationKind::ListFeaturedBlueprints => of::<ListFeaturedBlueprintsResult>(),
        OperationKind::ListGadgets => of::<ListGadgetsResult>(),
        OperationKind::ListSessions => of::<ListSessionsResult>(),
        OperationKind::ListThemes => of::<ListThemesResult>(),
        OperationKind::RenderBlueprint => of::<RenderBlueprintResult>(),
        OperationKind::SearchBlueprints => of::<SearchBlueprintsResult>(),
        OperationKind::RequestAuth => of::<RequestAuthResult>(),
    }
}

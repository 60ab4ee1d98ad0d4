//! The tool table: name, schemas, operation, and the shape of each result.

use std::sync::{Arc, OnceLock};

use schemars::JsonSchema;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::doors::Doors;
use super::extract;
use super::fault::Fault;
use super::mcp::generic_uri;
use super::result::ToolResult;
use super::schemas::shown;
use super::shell;
use crate::domain::operation::{Caller, OperationKind};
use crate::domain::session::Session;
use crate::services::arguments::{Arguments, result_schema_of, schema_of};
use crate::services::auth::ChannelToken;
use crate::services::content::{Changed, Rendered, resource_uri};
use crate::services::dispatch::{Answered, Outcome};
use crate::services::live::Pulled;
use crate::wire::discovery::{
    BlueprintDetail, GetRenderSourceResult, HOST_SESSION_KEY, HostSession,
    ListFeaturedBlueprintsResult, ListGadgetsResult, ListSessionsResult, ListThemesResult,
    RenderBlueprintResult, SearchBlueprintsResult, SessionRow, StoredBlueprint,
};
use crate::wire::fault::{Code, Era};
use crate::wire::runtime::{PullResult, RuntimeResult};
use crate::wire::slice::SLICE_KEY;
use crate::wire::tools::{
    CONSUME_TIMEOUT_S_MAX, CacheOutcome, ConsumeArgs, ConsumeResult, EmitResult, GetSessionResult,
    HandshakeAction, HandshakeResult, RenderNextStep, RenderResult, RequestAuthResult,
    SessionStatus, UpdateResult,
};

/// Where a result says how long it took.
const LATENCY_KEY: &str = "_latency_ms";

/// One tool.
struct Row {
    kind: OperationKind,
    title: &'static str,
    /// Written for a model: what it does, when to use it, what comes next.
    description: &'static str,
    /// Changes nothing.
    read_only: bool,
    /// The same call again changes nothing more.
    idempotent: bool,
    /// What hosts are told of UIs.
    ui: Ui,
}

/// What hosts are told of a tool and UIs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ui {
    /// Its result is shown.
    Shown,
    /// Only the shown UI calls it.
    AppOnly,
    /// Nothing.
    Plain,
}

impl OperationKind {
    /// Whether failures are told in band, `{ok:false, code, message}`: hosts hand the result to the
    /// UI as it is (§2.8).
    fn fails_in_band(self) -> bool {
        matches!(
            self,
            Self::RefreshWsToken | Self::SubmitAction | Self::SyncContext
        )
    }
}

const TABLE: &[Row] = &[
    Row {
        kind: OperationKind::Handshake,
        title: "Negotiate a UI",
        description: "First step to show a person a UI. Give the intent and a data contract: \
            propsSpec.properties{name:{schema,required?}} is what you show, \
            actionSpec{name:{label,schema?,confirm?}} what the person can do, \
            streamSpec{channel:{schema,mode:append|replace,replay?,complete?}} live data, \
            contextSpec{slot:{schema,default?}} inputs you can observe. Schemas are JSON Schema \
            draft 7; objects take only the keys they declare. Returns a single-use handshakeId \
            (ten minutes) for ggui_render. Of an unsound draft only what is sound is kept (origin \
            \"synth\", every problem in validationFindings); if nothing is, action is \"declined\".",
        read_only: false,
        idempotent: false,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::Render,
        title: "Show a UI",
        description: "Second step: put the negotiated UI in front of the person with its first \
            props. Returns the sessionId for every later call and a viewerUrl to hand to the \
            person if your client shows no UI. Problems with props are listed all at once and \
            leave the handshake usable. If the UI has actions, call ggui_consume next.",
        read_only: false,
        idempotent: false,
        ui: Ui::Shown,
    },
    Row {
        kind: OperationKind::Update,
        title: "Show a new version",
        description: "Change the props of a shown UI as a new version: hosts show a new card and \
            keep the old one as history. kind \"merge\" takes an RFC 7396 patch, \"replace\" all \
            props. To repaint in place use ggui_amend.",
        read_only: false,
        idempotent: true,
        ui: Ui::Shown,
    },
    Row {
        kind: OperationKind::Amend,
        title: "Repaint in place",
        description: "Change the props of a shown UI in place: the person sees it at once, \
            nothing is added to the history. kind \"merge\" takes an RFC 7396 patch (arrays \
            replace), \"replace\" all props. Use it to answer a click.",
        read_only: false,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::Consume,
        title: "Wait for the person",
        description: "Take what the person did since the last call, waiting up to timeout seconds \
            (25 is best; 0 only looks). Every event is delivered once: {intent, actionData, \
            uiContext}. Call it again while status is \"active\"; \"expired\" ends the loop.",
        read_only: false,
        idempotent: false,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::Emit,
        title: "Stream an item",
        description: "Send one item on a channel of streamSpec: log lines, samples, progress. \
            complete:true ends a channel that was declared with complete. Accepted even while \
            nobody watches.",
        read_only: false,
        idempotent: false,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::RequestAuth,
        title: "Ask for consent",
        description: "Ask the person to consent elsewhere (OAuth): the UI shows a button to \
            authUrl (https). Their answer comes through ggui_consume as intent \"_ggui:auth\" with \
            {authRequestId, outcome: completed|cancelled}.",
        read_only: false,
        idempotent: false,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::GetSession,
        title: "Read a UI's state",
        description: "The state of a shown UI: its props, epoch, position, actions that wait, and \
            when it expires.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::GetRenderSource,
        title: "Read how a UI is made",
        description: "The view of a shown UI as JSON, its contract and its first props.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::ListSessions,
        title: "List shown UIs",
        description: "Your live sessions, newest first; a host that comes back filters by its \
            own names.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::SearchBlueprints,
        title: "Search stored UIs",
        description: "UIs rendered before, found by words of their intent or contract. Negotiating \
            the same contract again reuses one by itself.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::ListFeaturedBlueprints,
        title: "List proven UIs",
        description: "Stored UIs that were shown again, most often first.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::RenderBlueprint,
        title: "Read a stored UI",
        description: "View and contract of a stored UI; pass the contract to ggui_handshake to \
            show it.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::ListGadgets,
        title: "List browser abilities",
        description: "Packages a contract may name under clientCapabilities.gadgets.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::ListThemes,
        title: "List themes",
        description: "Looks to choose from with themeId of ggui_render.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::SubmitAction,
        title: "Submit an action",
        description: "Called by a shown UI through its host, not by the model: hands in what the \
            person did. Accepted once per actionId; answers {ok:false, code} when it does not fit \
            the contract.",
        read_only: false,
        idempotent: true,
        ui: Ui::AppOnly,
    },
    Row {
        kind: OperationKind::SyncContext,
        title: "Sync context slots",
        description: "Called by a shown UI: what its context slots hold now.",
        read_only: false,
        idempotent: true,
        ui: Ui::AppOnly,
    },
    Row {
        kind: OperationKind::Pull,
        title: "Pull events",
        description: "Called by a shown UI that has no other channel: rows of the session's ledger \
            after sinceSequence, waiting up to wait seconds for the first.",
        read_only: true,
        idempotent: true,
        ui: Ui::AppOnly,
    },
    Row {
        kind: OperationKind::RefreshWsToken,
        title: "Refresh a channel token",
        description: "Called by a shown UI: a fresh token of the live channel for an old one.",
        read_only: true,
        idempotent: false,
        ui: Ui::AppOnly,
    },
    Row {
        kind: OperationKind::Note,
        title: "Report",
        description: "Called by a shown UI: how it fares, for the server's log.",
        read_only: false,
        idempotent: false,
        ui: Ui::AppOnly,
    },
];

/// `tools/list`, made once.
pub(super) fn list(arguments: &Arguments) -> &'static Value {
    static LIST: OnceLock<Value> = OnceLock::new();
    LIST.get_or_init(|| TABLE.iter().map(|row| descriptor(row, arguments)).collect())
}

fn descriptor(row: &Row, arguments: &Arguments) -> Value {
    // What is the default of the protocol is not said again: every byte is in a model's context.
    let mut annotations = json!({ "openWorldHint": false });
    if row.read_only {
        annotations["readOnlyHint"] = true.into();
    } else {
        annotations["destructiveHint"] = false.into();
        if row.idempotent {
            annotations["idempotentHint"] = true.into();
        }
    }
    let mut tool = json!({
        "name": row.kind.tool(),
        "title": row.title,
        "description": row.description,
        "inputSchema": shown(arguments.schema(row.kind).clone()),
        "outputSchema": output_schema(row.kind),
        "annotations": annotations,
    });
    match row.ui {
        Ui::Plain => {}
        Ui::AppOnly => tool["_meta"] = json!({ "ui": { "visibility": ["app"] } }),
        Ui::Shown => {
            let uri = generic_uri();
            tool["_meta"] = json!({
                "ui": { "resourceUri": uri, "visibility": ["model"] },
                "ui/resourceUri": uri,
            });
        }
    }
    tool
}

/// A result's schema, with room for the error: clients that listed the tools judge both by it, and
/// one that is closed would turn every recovery into an exception.
fn output_schema(kind: OperationKind) -> Value {
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
        schema["properties"]["_latency_ms"] = json!({ "type": "integer" });
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

/// Whether a call will wait for something to happen.
pub(super) fn waits(params: &Map<String, Value>) -> bool {
    let name = params.get("name").and_then(Value::as_str);
    let span = [
        (OperationKind::Consume, "timeout"),
        (OperationKind::Pull, "wait"),
    ];
    span.iter().any(|(kind, argument)| {
        let arguments = params.get("arguments");
        let seconds = arguments.and_then(|arguments| arguments.get(argument)?.as_u64());
        name == Some(kind.tool()) && seconds.is_some_and(|seconds| seconds > 0)
    })
}

/// `tools/call`; the caller may have named its attempt in a header.
pub(super) async fn call(
    doors: &Doors,
    caller: &Caller,
    era: Era,
    params: &Map<String, Value>,
    attempt: Option<&str>,
) -> Result<ToolResult, Fault> {
    let name = params.get("name").and_then(Value::as_str);
    let arguments = params
        .get("arguments")
        .cloned()
        .unwrap_or_else(|| json!({}));
    let mut problems = Vec::new();
    if name.is_none() {
        problems.push("- params.name: a text is required");
    }
    if !arguments.is_object() {
        problems.push("- params.arguments: must be object");
    }
    let (Some(name), true) = (name, problems.is_empty()) else {
        let message = format!("Invalid params:\n{}", problems.join("\n"));
        return Err(Fault::saying(Code::InvalidParams, message));
    };
    let row = TABLE
        .iter()
        .find(|row| row.kind.tool() == name)
        .ok_or_else(|| {
            let known: Vec<_> = TABLE.iter().map(|row| row.kind.tool()).collect();
            let message = format!("Unknown tool: {name}. Known tools: {}", known.join(", "));
            Fault::saying(Code::UnknownTool, message)
        })?;
    let caller = Caller {
        host: host_of(params)?,
        ..caller.clone()
    };
    let started = Instant::now();
    let answered = match extract::attempt(attempt, params) {
        Ok(key) => {
            let run = doors.dispatch.run(caller, row.kind, arguments, key);
            run.await.map_err(|error| Fault::in_tool(name, error))
        }
        Err(fault) => Err(fault),
    };
    let latency_ms = elapsed_ms(started);
    match answered {
        Ok(Answered { outcome, is_replay }) => {
            let mut result = result(doors, outcome);
            result
                .meta
                .insert(LATENCY_KEY.to_owned(), latency_ms.into());
            if is_replay {
                result
                    .meta
                    .insert("idempotentReplay".to_owned(), true.into());
            }
            Ok(result)
        }
        Err(fault) => {
            if row.kind.fails_in_band() {
                return Ok(not_ok(row.kind, &fault));
            }
            if fault.is_tool_result(era) {
                Ok(fault.to_tool_result(era, latency_ms))
            } else {
                Err(fault)
            }
        }
    }
}

fn elapsed_ms(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// A failure in band, in the words the UI knows for this tool (§2.8).
fn not_ok(kind: OperationKind, fault: &Fault) -> ToolResult {
    let code = match (kind, fault.code()) {
        (_, Code::RateLimited | Code::IdempotencyInProgress) => Code::RateLimitedFrame,
        (_, Code::Internal) => Code::InternalFrame,
        (OperationKind::SubmitAction, Code::SessionNotFound) => Code::PipeNotFound,
        (OperationKind::SubmitAction, _) => Code::InvalidActionKind,
        (OperationKind::SyncContext, Code::SessionNotFound) => Code::SessionNotFoundFrame,
        (OperationKind::SyncContext, Code::InvalidArguments) => Code::ContextSchemaViolation,
        (OperationKind::RefreshWsToken, Code::InvalidArguments) => Code::BootstrapInvalid,
        (_, code) => code,
    };
    let result = RuntimeResult {
        code: Some(code.row().word),
        message: Some(fault.message().to_owned()),
        ..RuntimeResult::default()
    };
    ToolResult::of(&result, None)
}

fn result(doors: &Doors, outcome: Outcome) -> ToolResult {
    match outcome {
        Outcome::AuthRequested(result) => ToolResult::of(&result, None),
        Outcome::Blueprint(blueprint) => ToolResult::of(&blueprint, None),
        Outcome::Blueprints(blueprints) => ToolResult::of(&blueprints, None),
        Outcome::Changed(changed) => update_result(doors, changed),
        Outcome::Consumed(result) => ToolResult::of(&result, None),
        Outcome::Emitted(result) => ToolResult::of(&result, None),
        Outcome::Featured(result) => ToolResult::of(&result, None),
        Outcome::Gadgets(result) => ToolResult::of(&result, None),
        Outcome::Got(result) => ToolResult::of(&result, None),
        Outcome::Listed(sessions) => {
            let sessions = sessions.iter().map(|session| row(doors, session)).collect();
            ToolResult::of(&ListSessionsResult { sessions }, None)
        }
        Outcome::Negotiated(result) => ToolResult::of(&result, None),
        Outcome::Noted => ok(RuntimeResult::default()),
        Outcome::Pulled(pulled) => ToolResult::of(&pull_result(pulled), None),
        Outcome::Refreshed(token) => refreshed(token),
        Outcome::Rendered(rendered) => render_result(doors, rendered),
        Outcome::Searched(result) => ToolResult::of(&result, None),
        Outcome::ShownBlueprint(result) => ToolResult::of(&result, None),
        Outcome::Source(result) => ToolResult::of(&result, None),
        Outcome::Themes(result) => ToolResult::of(&result, None),
        Outcome::Submitted { consumer_present } => ok(RuntimeResult {
            consumer_present,
            ..RuntimeResult::default()
        }),
    }
}

fn ok(result: RuntimeResult) -> ToolResult {
    ToolResult::of(&RuntimeResult { ok: true, ..result }, None)
}

fn refreshed(token: ChannelToken) -> ToolResult {
    ok(RuntimeResult {
        expires_at: Some(token.expires_at.to_string()),
        envelope: Some(token.text),
        ..RuntimeResult::default()
    })
}

fn pull_result(pulled: Pulled) -> PullResult {
    match pulled {
        Pulled::HorizonPassed { current } => PullResult {
            reason: Some(Code::ReplayHorizonPassed.row().word),
            current_sequence: Some(current.0),
            ..PullResult::default()
        },
        Pulled::Page {
            rows,
            last,
            has_more,
        } => PullResult {
            events: Some(rows),
            last_sequence: Some(last.0),
            has_more: Some(has_more),
            ..PullResult::default()
        },
    }
}

/// One session of the list, with a key to its live channel.
fn row(doors: &Doors, session: &Session) -> SessionRow {
    let token = doors.auth.mint_ws(&session.key);
    let host = session.creation.host.as_deref().cloned();
    let (host_name, host_session_id) = host
        .map(|host| (host.host_name, host.host_session_id))
        .unzip();
    SessionRow {
        session_id: session.key.session.to_string(),
        host_name,
        host_session_id,
        created_at: session.created_at.to_string(),
        last_activity_at: session.last_activity_at.to_string(),
        status: SessionStatus::Active,
        ws_token: token.text,
        ws_token_expires_at: token.expires_at.to_string(),
    }
}

/// The host a request says it comes from, or all that is wrong with how it says so.
fn host_of(params: &Map<String, Value>) -> Result<Option<Arc<HostSession>>, Fault> {
    let Some(given) = params
        .get("_meta")
        .and_then(|meta| meta.get(HOST_SESSION_KEY))
    else {
        return Ok(None);
    };
    static CHECK: OnceLock<Value> = OnceLock::new();
    let schema = CHECK.get_or_init(schema_of::<HostSession>);
    let problems: Vec<_> = jsonschema::validator_for(schema)
        .map(|check| {
            let errors = check.iter_errors(given);
            errors
                .map(|error| {
                    let place = error.instance_path().to_string().replace('/', ".");
                    let told = error.masked_with("the value");
                    format!("- params._meta.{HOST_SESSION_KEY}{place}: {told}")
                })
                .collect()
        })
        .unwrap_or_default();
    if !problems.is_empty() {
        let message = format!("Invalid params:\n{}", problems.join("\n"));
        return Err(Fault::saying(Code::InvalidParams, message));
    }
    Ok(serde_json::from_value(given.clone()).ok().map(Arc::new))
}

fn update_result(doors: &Doors, Changed { result, reminted }: Changed) -> ToolResult {
    let mut told = ToolResult::of(&result, None);
    if let Some(session) = reminted {
        told.meta = mount_meta(doors, &session, &result.resource_uri);
    }
    told
}

fn render_result(
    doors: &Doors,
    Rendered {
        session,
        blueprint,
        is_reused,
    }: Rendered,
) -> ToolResult {
    let creation = &session.creation;
    let session_id = session.key.session.to_string();
    let uri = resource_uri(&session.key.session, creation.contract.hash(), None);
    let example = format!(
        "ggui_consume({{ sessionId: \"{session_id}\", timeout: {CONSUME_TIMEOUT_S_MAX} }})"
    );
    let next_step = creation.contract.has_action_spec().then(|| RenderNextStep {
        tool: OperationKind::Consume.tool().to_owned(),
        description: "Wait for what the person does; repeat while status is active.".to_owned(),
        example: example.clone(),
        args: ConsumeArgs {
            session_id: session_id.clone(),
            timeout: CONSUME_TIMEOUT_S_MAX,
        },
    });
    let hint = next_step.is_some().then(|| {
        format!(
            "The UI is shown. Now wait for the person: {example}. Repeat while status is active."
        )
    });
    let meta = mount_meta(doors, &session, &uri);
    let result = RenderResult {
        session_id,
        resource_uri: uri,
        viewer_url: doors.site.viewer_url(&creation.short_code),
        action: HandshakeAction::Create,
        contract_hash: creation.contract.hash().to_owned(),
        blueprint_id: blueprint.id.to_string(),
        variant_key: blueprint.variant_key.clone(),
        cache: CacheOutcome {
            hit: is_reused,
            similarity: is_reused.then_some(1.0),
            cached_blueprint_id: is_reused.then(|| blueprint.id.to_string()),
            llm_calls_avoided: is_reused.into(),
            kind: if is_reused { "full-template" } else { "cold" },
            reason: match (is_reused, &blueprint.view) {
                (true, _) => "match-exact: the same contract and variance were rendered before",
                (false, Some(_)) => "cold: a view of the agent's own",
                (false, None) => "cold: composed from the contract",
            }
            .to_owned(),
        },
        next_step,
    };
    let mut told = ToolResult::of(&result, hint);
    told.meta = meta;
    told
}

/// What a host needs to mount a session, in both spellings of the address.
fn mount_meta(doors: &Doors, session: &Arc<Session>, uri: &str) -> Map<String, Value> {
    let ui = json!({ "resourceUri": uri, "csp": shell::csp_meta(&doors.site) });
    let slice = serde_json::to_value(doors.slice(session)).unwrap_or_default();
    Map::from_iter([
        (SLICE_KEY.to_owned(), slice),
        ("ui".to_owned(), ui),
        ("ui/resourceUri".to_owned(), uri.into()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the agent's tools may take of a model's context.
    const LIST_BYTES_MAX: usize = 24_000;

    #[test]
    fn the_list_of_tools_stays_small_enough_for_a_model_s_context() {
        let arguments = Arguments::new();
        // What only a UI calls, hosts keep from the model.
        let rows = TABLE.iter().filter(|row| row.ui != Ui::AppOnly);
        let bytes: usize = rows
            .map(|row| descriptor(row, &arguments).to_string().len())
            .sum();
        assert!(bytes <= LIST_BYTES_MAX, "{bytes} bytes");
    }

    #[test]
    fn no_schema_of_a_tool_speaks_of_null() {
        let arguments = Arguments::new();
        for row in TABLE {
            let text = descriptor(row, &arguments).to_string();
            assert!(!text.contains("\"null\""), "{text}");
        }
    }

    #[test]
    fn a_tool_is_read_only_where_its_operation_only_looks() {
        for row in TABLE {
            assert_eq!(row.read_only, row.kind.is_read(), "{}", row.kind.tool());
            assert!(
                OperationKind::ALL.contains(&row.kind),
                "{}",
                row.kind.tool()
            );
        }
    }

    #[test]
    fn every_output_schema_is_open_at_the_root_and_allows_the_error() {
        for row in TABLE {
            let schema = output_schema(row.kind);
            assert_eq!(schema["type"], "object");
            assert!(schema.get("additionalProperties").is_none());
            assert_eq!(schema["anyOf"][1]["required"][0], "error");
            assert!(!schema.to_string().contains("$ref"));
            let error = json!({ "error": { "code": "x", "message": "y", "details": {} } });
            assert!(jsonschema::is_valid(&schema, &error), "{}", row.kind.tool());
        }
    }
}

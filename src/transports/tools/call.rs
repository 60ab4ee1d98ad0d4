//! A call of a tool: which one, by whom, and what its failure looks like.

use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::super::doors::Doors;
use super::super::mcp;
use super::answer;
use super::result::ToolResult;
use super::table::TABLE;
use crate::domain::operation::{Caller, OperationKind};
use crate::services::arguments::schema_of;
use crate::services::dispatch::Answered;
use crate::transports::faults::Fault;
use crate::transports::request::extract;
use crate::wire::discovery::{HOST_SESSION_KEY, HostSession};
use crate::wire::fault::{Code, Era};
use crate::wire::runtime::RuntimeResult;

/// Where a result says how long it took.
const LATENCY_KEY: &str = "_latency_ms";

impl OperationKind {
    /// Whether failures are told in band, `{ok:false, code, message}`: hosts hand the result to the
    /// UI as it is (errors.md §3.3).
    fn fails_in_band(self) -> bool {
        matches!(
            self,
            Self::RefreshWsToken | Self::SubmitAction | Self::SyncContext
        )
    }
}

/// What a call gives that waits for something to happen, and is taken back before it does.
pub(in super::super) fn idle(params: &Map<String, Value>) -> Option<ToolResult> {
    let name = params.get("name").and_then(Value::as_str)?;
    let row = TABLE.iter().find(|row| row.kind.tool() == name)?;
    answer::idle(row.kind, params.get("arguments"))
}

/// `tools/call`; the caller may have named its attempt in a header.
pub(in super::super) async fn call(
    doors: &Doors,
    caller: &Caller,
    era: Era,
    mut params: Map<String, Value>,
    attempt: Option<&str>,
) -> Result<ToolResult, Fault> {
    let arguments = params.remove("arguments").unwrap_or_else(|| json!({}));
    let name = params.get("name").and_then(Value::as_str);
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
        host: host_of(&params)?,
        ..caller.clone()
    };
    let shows_ui = mcp::shows_ui(era, &params);
    let started = Instant::now();
    let answered = match extract::attempt(attempt, &params) {
        Ok(key) => {
            let run = doors.dispatch.run(caller.clone(), row.kind, arguments, key);
            run.await.map_err(|error| Fault::in_tool(name, error))
        }
        Err(fault) => Err(fault),
    };
    let latency_ms = elapsed_ms(started);
    match answered {
        Ok(Answered { outcome, is_replay }) => {
            let mut result = answer::result(doors, &caller.principal, outcome, shows_ui);
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
            if fault.is_tool_result(era, doors.unfit_is_result) {
                Ok(fault.to_tool_result(era, latency_ms))
            } else {
                Err(fault)
            }
        }
    }
}

/// What a tool gives, without the words around it: the `structuredContent` of its result.
pub(in super::super) async fn structured(
    doors: &Doors,
    caller: &Caller,
    kind: OperationKind,
    arguments: Value,
) -> Result<Value, Fault> {
    let run = doors.dispatch.run(caller.clone(), kind, arguments, None);
    let answered = run
        .await
        .map_err(|error| Fault::in_tool(kind.tool(), error))?;
    Ok(answer::result(doors, &caller.principal, answered.outcome, None).structured())
}

fn elapsed_ms(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// A failure in band, in the words the UI knows for this tool (tools.md §12).
fn not_ok(kind: OperationKind, fault: &Fault) -> ToolResult {
    let code = match (kind, fault.code()) {
        (
            _,
            Code::IdempotencyInProgress | Code::MemoryLimit | Code::RateLimited | Code::WorkLimit,
        ) => Code::RateLimitedFrame,
        (_, Code::Internal) => Code::InternalFrame,
        (_, Code::CapabilityDenied) => Code::UnauthenticatedFrame,
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

/// The host a request says it comes from, or all that is wrong with how it says so.
fn host_of(params: &Map<String, Value>) -> Result<Option<Arc<HostSession>>, Fault> {
    let Some(given) = params
        .get("_meta")
        .and_then(|meta| meta.get(HOST_SESSION_KEY))
    else {
        return Ok(None);
    };
    static CHECK: OnceLock<Option<Validator>> = OnceLock::new();
    let check = CHECK.get_or_init(|| jsonschema::validator_for(&schema_of::<HostSession>()).ok());
    let problems: Vec<_> = check
        .as_ref()
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

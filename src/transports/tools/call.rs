//! A call of a tool: which one, by whom, and what its failure looks like.

use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::super::mcp;
use super::answer;
use super::list::seen;
use super::result::ToolResult;
use crate::domain::operation::{Caller, Fails, Operation, Wait, input_schema, table};
use crate::services::dispatch::{Answered, Dispatch};
use crate::transports::faults::Fault;
use crate::transports::mcp::Mcp;
use crate::transports::request::extract;
use crate::wire::discovery::{HOST_SESSION_KEY, HostSession};
use crate::wire::fault::{Code, Endpoint, Era};
use crate::wire::runtime::RuntimeResult;

/// Where a result says how long it took.
const LATENCY_KEY: &str = "_latency_ms";

/// What a call gives that waits for something to happen, and is taken back before it does; nothing
/// where a call does not wait.
pub(crate) fn idle(params: &Map<String, Value>) -> Option<ToolResult> {
    let row = table::row(params.get("name")?.as_str()?)?;
    let Wait { argument, nothing } = row.rules.waits?;
    let arguments = params.get("arguments")?;
    let seconds = arguments.get(argument)?.as_f64()?;
    (seconds > 0.0).then(|| ToolResult::of(nothing(arguments), None))
}

/// Whether a call may wait for a model.
pub(crate) fn draws(params: &Map<String, Value>) -> bool {
    let name = params.get("name").and_then(Value::as_str);
    name.and_then(table::row).is_some_and(|row| row.rules.draws)
}

/// There is no tool of this name.
pub(crate) fn unknown(
    dispatch: &Dispatch,
    endpoint: Endpoint,
    caller: &Caller,
    name: &str,
) -> Fault {
    let tools = seen(dispatch, endpoint, caller);
    let known: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    let message = format!("Unknown tool: {name}. Known tools: {}", known.join(", "));
    Fault::saying(Code::UnknownTool, message)
}

/// `tools/call`; the caller may have named its attempt in a header.
pub(in super::super) async fn call(
    mcp: &Mcp,
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
    let dispatch = &mcp.access.dispatch;
    let tool = dispatch.registry.tool(mcp.endpoint, name);
    let tool = tool.ok_or_else(|| unknown(dispatch, mcp.endpoint, caller, name))?;
    let caller = Caller {
        host: host_of(&params)?,
        ..caller.clone()
    };
    let shows_ui = mcp::shows_ui(era, &params);
    let started = Instant::now();
    let answered = match extract::attempt(attempt, &params) {
        Ok(idempotency_key) => {
            let operation = Operation {
                caller: caller.clone(),
                name: Arc::clone(&tool.name),
                arguments,
                idempotency_key,
            };
            let run = mcp.access.dispatch.run(operation).await;
            run.map_err(|error| Fault::of_operation(name, error).in_tool())
        }
        Err(fault) => Err(fault),
    };
    let latency_ms = elapsed_ms(started);
    match (answered, tool.rules.fails) {
        (Ok(Answered { answer, is_replay }), _) => {
            let mut result = match tool.rules.text {
                Some(member) => ToolResult::reading(answer.result, member),
                None => answer::result(mcp, &caller.principal, answer, shows_ui).await,
            };
            result.meta.add(LATENCY_KEY, &latency_ms);
            if is_replay {
                result.meta.add("idempotentReplay", &true);
            }
            Ok(result)
        }
        (Err(fault), Fails::InBand(words)) => Ok(in_band(words, fault)),
        (Err(fault), Fails::ByCode)
            if fault.is_tool_result(era, mcp.unfit_is_result, mcp.endpoint) =>
        {
            let is_of_pages = tool.rules.listed.contains(&Endpoint::Brain);
            Ok(fault.to_tool_result(era, latency_ms, is_of_pages))
        }
        (Err(fault), Fails::ByCode) => Err(fault),
    }
}

fn elapsed_ms(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// A failure in band: in the words the UI knows for this tool (tools.md §12), else as in frames.
fn in_band(words: &[(Code, Code)], fault: Fault) -> ToolResult {
    let own = words.iter().find(|(code, _)| *code == fault.code());
    let fault = match own {
        Some((_, code)) => Fault {
            code: *code,
            ..fault
        },
        None => fault.in_frame(),
    };
    let result = RuntimeResult {
        code: Some(fault.code().row().word),
        message: Some(fault.message),
        ..RuntimeResult::default()
    };
    ToolResult::writing(&result)
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
    let check =
        CHECK.get_or_init(|| jsonschema::validator_for(&input_schema::<HostSession>()).ok());
    let problems: Vec<_> = check
        .as_ref()
        .map(|check| {
            let errors = check.iter_errors(given);
            errors
                .map(|error| {
                    let place = error.instance_path().to_string().replace('/', ".");
                    let problem = error.masked_with("the value");
                    format!("- params._meta.{HOST_SESSION_KEY}{place}: {problem}")
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

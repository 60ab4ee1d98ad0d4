//! The methods of the protocol that servers behind the gate answer: at `/mcp/gate` all of them, and
//! beside our own tools theirs.

use std::sync::Arc;

use serde_json::{Value, json};
use tracing::Instrument as _;

use super::super::request::extract::attempt;
use super::super::tools::{self, Audience};
use super::answer::Answer;
use super::era::revision;
use super::era::shows_ui;
use super::exchange::Level;
use super::results::{finished_now, server_info};
use super::rpc_call::{LISTEN, METHOD_CHARS_LOGGED, RpcCall};
use super::state::Mcp;
use super::updates::listened;
use crate::domain::gate::{Requester, TASKS};
use crate::domain::operation::{Caller, Operation, Signature as _, table};
use crate::domain::size::shorten;
use crate::transports::faults::Fault;
use crate::wire::fault::{Code, Endpoint, Era};
use crate::wire::gate::SESSION_KEY;

/// What a model is taught before it sees a tool.
const INSTRUCTIONS: &str = "\
Tools, resources and prompts of several servers, behind one gate. What is listed may be used. A call \
that is answered with \"Policy denied\" is denied by whoever runs this gate: do not repeat it, and \
tell the person the reason in data.reason.";

/// Chooses which log messages a client is told.
const LOG_LEVEL: &str = "logging/setLevel";
/// Bytes of the id of a session: more than those of any that this server makes.
const SESSION_BYTES_MAX: usize = 256;

/// Whether a request is one for the gate to answer.
pub(super) fn is_its(mcp: &Mcp, asked: &RpcCall) -> bool {
    mcp.endpoint == Endpoint::Gate
        || is_call(mcp, asked)
        || (mcp.has_gate && asked.method == LOG_LEVEL && asked.era == Era::Legacy)
}

/// Whether a tool is called, beside our own, that is none of them: their names come first.
pub(super) fn is_call(mcp: &Mcp, asked: &RpcCall) -> bool {
    let name = || asked.params.get("name").and_then(Value::as_str);
    let is_own = |name| mcp.access.dispatch.registry.tool(mcp.endpoint, name);
    mcp.has_gate
        && asked.method == "tools/call"
        && name().is_some_and(|name| is_own(name).is_none())
}

/// Our own tools, and those behind the gate that the caller may see and that have other names. Where
/// the gate has no list, ours are listed alone.
pub(super) async fn listed(mcp: &Mcp, caller: &Caller, asked: &RpcCall) -> Answer {
    let audience = Audience::of(shows_ui(asked.era, &asked.params));
    let mut list = tools::list(&mcp.access.dispatch, mcp.endpoint, caller, audience);
    let theirs = behind(mcp, caller).await;
    if let Value::Array(own) = &mut list {
        let is_new = |tool: &Value| own.iter().all(|one| one["name"] != tool["name"]);
        let theirs: Vec<_> = theirs.into_iter().filter(is_new).collect();
        own.extend(theirs);
    }
    asked.finish_with(json!({ "tools": list }), |result| {
        finished_now(asked.era, &asked.method, result)
    })
}

/// The tools behind the gate that a caller may see.
async fn behind(mcp: &Mcp, caller: &Caller) -> Vec<Value> {
    let arguments = json!({ "method": "tools/list", "params": {} });
    let operation = Operation::new(caller.clone(), table::GateRead::NAME, arguments);
    let Ok(answered) = mcp.access.dispatch.run(operation).await else {
        return Vec::new();
    };
    let list = serde_json::from_str(answered.answer.result.get());
    let list = list.map(|mut list: Value| list["tools"].take());
    match list {
        Ok(Value::Array(tools)) => tools,
        _ => Vec::new(),
    }
}

/// Answers a request.
pub(super) async fn answer(
    mcp: &Mcp,
    caller: &Caller,
    asked: &mut RpcCall,
) -> Result<Answer, Fault> {
    let span = tracing::info_span!("transports.mcp.gate", rpc.method = ?shorten(&asked.method, METHOD_CHARS_LOGGED));
    let held = mcp.held.hold(&caller.principal, &asked.id);
    tokio::select! {
        biased;
        () = held.taken_back() => {
            let why = "the request was taken back";
            Err(Fault::saying(Code::GateInvalidRequest, why))
        }
        answer = dispatch(mcp, caller, asked).instrument(span) => answer,
    }
}

async fn dispatch(mcp: &Mcp, caller: &Caller, asked: &mut RpcCall) -> Result<Answer, Fault> {
    let params = std::mem::take(&mut asked.params);
    let result = match (asked.era, asked.method.as_str()) {
        (Era::Legacy, "initialize") => json!({
            "protocolVersion": revision(&params),
            "capabilities": capabilities(),
            "serverInfo": server_info(),
            "instructions": INSTRUCTIONS,
        }),
        (Era::Legacy, "ping") => json!({}),
        (Era::Legacy, LOG_LEVEL) => {
            let Some(level) = params.get("level").and_then(Level::of) else {
                let names = Level::names();
                let why = format!("Invalid params:\n- params.level: must be one of {names}");
                return Err(Fault::saying(Code::InvalidParams, why));
            };
            mcp.exchanges.levels.choose(&caller.principal, level);
            json!({})
        }
        (Era::Modern, "server/discover") => {
            let mut capabilities = capabilities();
            for name in ["prompts", "resources", "tools"] {
                capabilities[name]["listChanged"] = true.into();
            }
            capabilities["extensions"] = json!({ TASKS: {} });
            json!({
                "supportedVersions": super::era::supported(),
                "capabilities": capabilities,
                "serverInfo": server_info(),
                "instructions": INSTRUCTIONS,
            })
        }
        // Answered when its stream has ended.
        (Era::Modern, LISTEN) => listened(&asked.id),
        (_, "tools/call") => {
            let name = params.get("name").and_then(Value::as_str);
            let name = name.unwrap_or_default().to_owned();
            let idempotency_key = attempt(asked.attempt.as_deref(), &params)?;
            let arguments = match params.get("arguments") {
                None | Some(Value::Null) => json!({}),
                Some(given) => given.clone(),
            };
            let mut problems = Vec::new();
            if name.is_empty() || !arguments.is_object() {
                problems.push("- params: name is a text, arguments an object".to_owned());
            }
            let session = params.get("_meta").and_then(|meta| meta.get(SESSION_KEY));
            if session.is_some_and(|session| !is_name(session)) {
                problems.push(format!("- params._meta.{SESSION_KEY}: the id of a session"));
            }
            if !problems.is_empty() {
                let why = format!("Invalid params:\n{}", problems.join("\n"));
                return Err(Fault::saying(Code::InvalidParams, why));
            }
            let mut arguments = json!({ "name": name, "arguments": arguments });
            if let Some(session) = session {
                arguments["session"] = session.clone();
            }
            let operation = Operation {
                idempotency_key,
                ..Operation::new(caller.clone(), table::GateCall::NAME, arguments)
            };
            let called = run(mcp, operation, &name, asked.requester.take()).await;
            match called {
                Ok(result) => result,
                Err(fault) => return Err(refused(mcp, caller, &name, fault).await),
            }
        }
        (_, method) => {
            let name = ["name", "uri"].iter().find_map(|key| params.get(*key));
            let name = name.and_then(Value::as_str).unwrap_or(method).to_owned();
            let arguments = json!({ "method": method, "params": params });
            let operation = Operation::new(caller.clone(), table::GateRead::NAME, arguments);
            let read = run(mcp, operation, &name, asked.requester.take()).await;
            match read {
                Ok(result) => result,
                Err(fault) => return Err(refused(mcp, caller, &name, fault).await),
            }
        }
    };
    // What may be used, and by whom, changes whenever the gate does.
    Ok(asked.finish_with(result, |result| {
        finished_now(asked.era, &asked.method, result)
    }))
}

/// The version of a resource, or the next one after the one that is known.
pub(super) async fn follow(
    mcp: &Mcp,
    caller: &Caller,
    (uri, known): (&str, Option<u64>),
    follower: &Arc<dyn Requester>,
) -> Result<u64, Fault> {
    let arguments = json!({ "uri": uri, "version": known });
    let operation = Operation::new(caller.clone(), table::GateFollow::NAME, arguments);
    match run(mcp, operation, uri, Some(Arc::clone(follower))).await {
        Ok(followed) => Ok(followed["version"].as_u64().unwrap_or_default()),
        Err(fault) => Err(refused(mcp, caller, uri, fault).await),
    }
}

/// Whether a value may be the id of a session.
fn is_name(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|id| (1..=SESSION_BYTES_MAX).contains(&id.len()))
}

/// A refusal in the words of whoever refuses: what a credential may not do is the gate's to deny,
/// too, and what nobody has is unknown beside our own tools as it is without a gate.
async fn refused(mcp: &Mcp, caller: &Caller, name: &str, fault: Fault) -> Fault {
    let is_beside = mcp.endpoint != Endpoint::Gate;
    match fault.code() {
        Code::CapabilityDenied if is_beside => {
            let listed = behind(mcp, caller).await;
            match listed.iter().any(|tool| tool["name"] == name) {
                true => Fault::denied(name, fault.message()),
                false => tools::unknown(&mcp.access.dispatch, mcp.endpoint, caller, name),
            }
        }
        Code::CapabilityDenied => Fault::denied(name, fault.message()),
        Code::GateUnknownTool if is_beside => {
            tools::unknown(&mcp.access.dispatch, mcp.endpoint, caller, name)
        }
        _ => fault,
    }
}

/// Runs an operation for something that the caller named.
async fn run(
    mcp: &Mcp,
    operation: Operation,
    name: &str,
    requester: Option<Arc<dyn Requester>>,
) -> Result<Value, Fault> {
    let dispatch = &mcp.access.dispatch;
    let answered = match requester {
        Some(requester) => dispatch.run_for(operation, requester).await,
        None => dispatch.run(operation).await,
    };
    let answered = answered.map_err(|error| Fault::of_operation(name, error))?;
    let result = answered.answer.result;
    // It was JSON when it came.
    Ok(serde_json::from_str(result.get()).unwrap_or_default())
}

/// What can be done here in every era.
fn capabilities() -> Value {
    json!({
        "tools": {},
        "resources": { "subscribe": true },
        "prompts": {},
        "completions": {},
        "logging": {},
    })
}

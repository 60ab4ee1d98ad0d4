//! `POST /mcp/gate`: the methods of the protocol, answered by the servers behind the gate.

use std::sync::Arc;

use serde_json::{Value, json};
use tracing::Instrument as _;

use super::super::request::extract::attempt;
use super::answer::Answer;
use super::exchange::Level;
use super::exchange::tasks::EXTENSION;
use super::listen::listened;
use super::methods::{LISTEN, METHOD_CHARS_LOGGED, RpcCall, revision};
use super::results::{finished_now, server_info};
use super::state::Mcp;
use crate::domain::gate::Requester;
use crate::domain::operation::{Caller, Operation, Signature as _, table};
use crate::domain::size::shorten;
use crate::transports::faults::Fault;
use crate::wire::fault::{Code, Era};
use crate::wire::gate::SESSION_KEY;

/// What a model is taught before it sees a tool.
const INSTRUCTIONS: &str = "\
Tools, resources and prompts of several servers, behind one gate. What is listed may be used. A call \
that is answered with \"Policy denied\" is denied by whoever runs this gate: do not repeat it, and \
tell the person the reason in data.reason.";

/// Bytes of the id of a session: more than those of any that this server makes.
const SESSION_BYTES_MAX: usize = 256;

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
        (Era::Legacy, "logging/setLevel") => {
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
            capabilities["extensions"] = json!({ EXTENSION: {} });
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
            run(mcp, operation, &name, asked.requester.take()).await?
        }
        (_, method) => {
            let name = ["name", "uri"].iter().find_map(|key| params.get(*key));
            let name = name.and_then(Value::as_str).unwrap_or(method).to_owned();
            let arguments = json!({ "method": method, "params": params });
            let operation = Operation::new(caller.clone(), table::GateRead::NAME, arguments);
            run(mcp, operation, &name, asked.requester.take()).await?
        }
    };
    // What may be used, and by whom, changes whenever the gate does.
    Ok(asked.finish_with(result, |result| {
        finished_now(asked.era, &asked.method, result)
    }))
}

/// Whether a value may be the id of a session.
fn is_name(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|id| (1..=SESSION_BYTES_MAX).contains(&id.len()))
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
    let answered = answered.map_err(|error| {
        let fault = Fault::of_operation(name, error);
        match fault.code() {
            // What a credential may not do is the gate's to deny, too.
            Code::CapabilityDenied => Fault::denied(name, fault.message()),
            _ => fault,
        }
    })?;
    let result = answered.answer.result;
    // It was JSON when it came.
    Ok(serde_json::from_str(result.get()).unwrap_or_default())
}

/// What can be done here in every era.
fn capabilities() -> Value {
    json!({ "tools": {}, "resources": {}, "prompts": {}, "completions": {}, "logging": {} })
}

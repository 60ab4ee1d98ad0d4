//! `POST /mcp/gate`: the methods of the protocol, answered by the servers behind the gate.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt as _};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tracing::Instrument as _;

use super::super::request::extract::attempt;
use super::methods::{Answer, METHOD_CHARS_LOGGED, RpcCall, revision};
use super::results::{finished_now, server_info};
use super::state::Mcp;
use crate::domain::gate::{Progress, Teller};
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

/// Bytes of the id of a session: more than those of any that this server makes.
const SESSION_BYTES_MAX: usize = 256;
/// Notices that wait for a slow reader; how far a call has come meanwhile is left out.
const NOTICES_WAITING: usize = 64;

/// Has the caller told how far a call has come, where they want to know: what they are told.
pub(super) fn progress(mcp: &Mcp, asked: &mut RpcCall) -> Option<mpsc::Receiver<Value>> {
    if mcp.endpoint != Endpoint::Gate || asked.method != "tools/call" {
        return None;
    }
    let token = asked.progress_token()?.clone();
    let (send, told) = mpsc::channel(NOTICES_WAITING);
    let last = Mutex::new(f64::NEG_INFINITY);
    let teller = move |mut progress: Progress| {
        let now = progress.get("progress").and_then(Value::as_f64);
        let mut last = last.lock();
        // It grows, as the protocol says, whatever a server says.
        let Some(now) = now.filter(|now| *now > *last) else {
            return;
        };
        *last = now;
        progress.insert("progressToken".to_owned(), token.clone());
        let method = "notifications/progress";
        let notice = json!({ "jsonrpc": "2.0", "method": method, "params": progress });
        // A reader that is slow or gone misses it.
        let _ = send.try_send(notice);
    };
    asked.teller = Some(Arc::new(teller));
    Some(told)
}

/// An answer that is waited for, and one that has come.
enum Awaited {
    Coming(BoxFuture<'static, String>),
    Here(String),
    Given,
}

/// What a call is told until its answer is there, and then the answer.
pub(super) fn until(
    told: mpsc::Receiver<Value>,
    answer: impl Future<Output = String> + Send + 'static,
) -> BoxStream<'static, String> {
    let begun = (told, Awaited::Coming(answer.boxed()));
    let messages = stream::unfold(begun, async |(mut told, mut awaited)| {
        loop {
            awaited = match awaited {
                Awaited::Coming(mut answer) => tokio::select! {
                    biased;
                    Some(notice) = told.recv() => {
                        return Some((notice.to_string(), (told, Awaited::Coming(answer))));
                    }
                    answer = &mut answer => Awaited::Here(answer),
                },
                Awaited::Here(answer) => {
                    return Some(match told.try_recv() {
                        Ok(notice) => (notice.to_string(), (told, Awaited::Here(answer))),
                        Err(_) => (answer, (told, Awaited::Given)),
                    });
                }
                Awaited::Given => return None,
            };
        }
    });
    messages.boxed()
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
        (Era::Modern, "server/discover") => json!({
            "supportedVersions": super::era::supported(),
            "capabilities": capabilities(),
            "serverInfo": server_info(),
            "instructions": INSTRUCTIONS,
        }),
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
            run(mcp, operation, &name, asked.teller.take()).await?
        }
        (_, method) => {
            let name = ["name", "uri"].iter().find_map(|key| params.get(*key));
            let name = name.and_then(Value::as_str).unwrap_or(method).to_owned();
            let arguments = json!({ "method": method, "params": params });
            let operation = Operation::new(caller.clone(), table::GateRead::NAME, arguments);
            run(mcp, operation, &name, None).await?
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
    teller: Option<Teller>,
) -> Result<Value, Fault> {
    let dispatch = &mcp.access.dispatch;
    let answered = match teller {
        Some(teller) => dispatch.run_telling(operation, teller).await,
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

fn capabilities() -> Value {
    json!({ "tools": {}, "resources": {}, "prompts": {}, "completions": {} })
}

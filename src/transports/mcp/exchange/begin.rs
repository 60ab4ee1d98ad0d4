//! The beginning of a request whose caller may be told or asked something before the answer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use futures_util::future::BoxFuture;
use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue};
use serde_json::Value;
use tokio::sync::mpsc;

use super::super::answer::Answer;
use super::super::era::declared;
use super::super::gate;
use super::super::rpc_call::RpcCall;
use super::super::state::Mcp;
use super::conversation::Conversation;
use super::course::Exchange;
use super::rounds;
use crate::domain::gate::Abilities;
use crate::domain::operation::Caller;
use crate::transports::conformance::Fixtures;
use crate::transports::faults::Fault;
use crate::wire::fault::{Endpoint, Era};

/// What is said to a slow reader and waits; how far a request has come meanwhile is left out.
const SAID_WAITING: usize = 64;
/// Requests during which servers may ask something, as the newer revision names them.
const ASKING: [&str; 3] = ["prompts/get", "resources/read", "tools/call"];

/// Whether the caller may be told or asked something before the answer.
pub(in super::super) fn is_one(mcp: &Mcp, asked: &RpcCall) -> bool {
    let is_gate = mcp.endpoint == Endpoint::Gate;
    let is_asking = is_gate && ASKING.contains(&asked.method.as_str());
    is_asking || gate::is_call(mcp, asked) || Fixtures::asks(&asked.method, &asked.params)
}

/// Begins a request with what answers it, or goes on with one that waits for what the caller has
/// answered now.
///
/// # Errors
/// There is no request that the caller could go on with, or the answers are malformed.
pub(in super::super) fn begin(
    mcp: &Mcp,
    caller: &Caller,
    mut asked: RpcCall,
    hears: bool,
    answer: impl FnOnce(RpcCall) -> BoxFuture<'static, Result<Answer, Fault>>,
) -> Result<Exchange, Fault> {
    let exchanges = &mcp.exchanges;
    let abilities = match (asked.era, hears) {
        (Era::Legacy, true) => Abilities::UNKNOWN,
        (Era::Legacy, false) => Abilities::NONE,
        (Era::Modern, _) => declared(&asked.params).map_or(Abilities::NONE, Abilities::of),
    };
    let meta = asked.params.get("_meta").and_then(Value::as_object);
    let meta = meta.cloned().unwrap_or_default();
    let (id, era) = (asked.id.clone(), asked.era);
    if era == Era::Modern
        && let Some(resumed) = rounds::resumed(exchanges, &caller.principal, &asked)?
    {
        return Ok(Exchange {
            hold: Some(mcp.held.hold(&caller.principal, &id)),
            id,
            hears,
            meta,
            progress: f64::NEG_INFINITY,
            ..resumed
        });
    }
    let is_modern = era == Era::Modern;
    let request = (is_modern && abilities != Abilities::NONE).then(|| rounds::rounded(&asked));
    let (send, said) = mpsc::channel(SAID_WAITING);
    asked.requester = Some(Arc::new(Conversation {
        questions: Arc::clone(&exchanges.questions),
        caller: caller.principal.clone(),
        abilities,
        said: send,
        trace: asked.trace(),
        tasks: (is_modern && abilities.tasks).then(|| Arc::clone(&exchanges.task_places)),
        is_deferred: AtomicBool::new(false),
    }));
    Ok(Exchange {
        id,
        era,
        caller: caller.principal.clone(),
        request,
        hears,
        meta,
        progress: f64::NEG_INFINITY,
        said,
        answering: answer(asked),
        answer: None,
        open: Vec::new(),
        hold: None,
    })
}

/// Whether a client reads messages before the answer: it says so, or does not say what it reads.
pub(in super::super) fn hears(headers: &HeaderMap) -> bool {
    let streams = ["text/event-stream", "text/*", "*/*"];
    let names_one = |value: &HeaderValue| {
        let value = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
        streams.iter().any(|name| value.contains(name))
    };
    !headers.contains_key(ACCEPT) || headers.get_all(ACCEPT).iter().any(names_one)
}

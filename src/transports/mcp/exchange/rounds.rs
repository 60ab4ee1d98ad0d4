//! Requests that wait for the next round: their callers were asked something and bring the answers
//! with the same request.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use tokio_util::task::AbortOnDropHandle;

use super::super::methods::{Answer, RpcCall};
use super::super::results::input_required;
use super::super::state::Mcp;
use super::steps::{Exchange, Rounded};
use crate::domain::operation::Caller;
use crate::transports::faults::Fault;
use crate::wire::fault::Code;

/// The answers of a client.
pub(super) const RESPONSES: &str = "inputResponses";
/// Which request they belong to.
pub(super) const STATE: &str = "requestState";

/// A request between two rounds; dropped, it is taken back.
struct Suspended {
    exchange: Exchange,
    /// Takes it back when nobody comes.
    _end: AbortOnDropHandle<()>,
}

/// Requests between two rounds, by names that nobody can guess.
#[derive(Default)]
pub(in super::super) struct Rounds(Mutex<HashMap<String, Suspended>>);

/// Keeps a request until its caller comes with the answers: what it is asked.
pub(super) fn suspend(mcp: &Arc<Mcp>, mut exchange: Exchange) -> Answer {
    exchange.detach();
    exchange.hold = None;
    let requests = exchange.open.iter().map(|(_, question)| {
        let request = json!({ "method": question.method, "params": question.params });
        (question.name.clone(), request)
    });
    let requests: Map<_, _> = requests.collect();
    let state = mcp.exchanges.questions.ids.uuid();
    let answer = Answer(input_required(requests, &state).to_string().into());
    let mut suspended = mcp.exchanges.rounds.0.lock();
    let end = {
        let (mcp, state) = (Arc::clone(mcp), state.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = mcp.drain.cancelled() => {}
                () = tokio::time::sleep(mcp.exchanges.questions.wait) => {}
            }
            let over = mcp.exchanges.rounds.0.lock().remove(&state);
            drop(over);
        })
    };
    let _end = AbortOnDropHandle::new(end);
    suspended.insert(state, Suspended { exchange, _end });
    answer
}

/// The request that a caller goes on with, with what they have answered; none where they begin one.
///
/// # Errors
/// The answers are malformed; or there is no such request, it is somebody else's, or another one.
pub(super) fn resumed(
    mcp: &Mcp,
    caller: &Caller,
    asked: &RpcCall,
) -> Result<Option<Exchange>, Fault> {
    let responses = responses(&asked.params)?;
    let Some(state) = asked.params.get(STATE) else {
        return Ok(None);
    };
    let (request, by) = (Some(Rounded::of(asked)), &caller.principal);
    let mut suspended = mcp.exchanges.rounds.0.lock();
    let found = state.as_str().and_then(|state| suspended.get(state));
    let is_theirs = found.is_some_and(|found| {
        let Exchange { caller, .. } = &found.exchange;
        caller.app == by.app && caller.name == by.name && found.exchange.request == request
    });
    let found = state.as_str().filter(|_| is_theirs);
    let found = found.and_then(|state| suspended.remove(state));
    drop(suspended);
    let Some(Suspended { mut exchange, .. }) = found else {
        let why = "Invalid params:\n- params.requestState: names no request of yours that waits for \
            these answers: it is over, or another one; begin anew without it";
        return Err(Fault::saying(Code::InvalidParams, why));
    };
    exchange.open.retain(|(id, question)| {
        let given = responses.and_then(|responses| responses.get(&question.name));
        if let Some(given) = given {
            mcp.exchanges.questions.answer(by, id, Ok(given.clone()));
        }
        given.is_none()
    });
    Ok(Some(exchange))
}

/// What a client has answered, by the names of the questions.
fn responses(params: &Map<String, Value>) -> Result<Option<&Map<String, Value>>, Fault> {
    let Some(given) = params.get(RESPONSES) else {
        return Ok(None);
    };
    let problems: Vec<_> = match given.as_object() {
        None => vec![format!("- params.{RESPONSES}: must be object")],
        Some(given) => {
            let malformed = given.iter().filter(|(_, response)| !response.is_object());
            let malformed =
                malformed.map(|(name, _)| format!("- params.{RESPONSES}.{name}: must be object"));
            malformed.collect()
        }
    };
    if problems.is_empty() {
        Ok(given.as_object())
    } else {
        let message = format!("Invalid params:\n{}", problems.join("\n"));
        Err(Fault::saying(Code::InvalidParams, message))
    }
}

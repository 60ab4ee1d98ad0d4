//! Requests that wait for the next round: their callers were asked something and bring the answers
//! with the same request.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::super::answer::Answer;
use super::super::results::input_required;
use super::super::rpc_call::RpcCall;
use super::course::{Exchange, Rounded};
use super::exchanges::{Exchanges, Suspended};
use crate::domain::gate::Question;
use crate::domain::principal::Principal;
use crate::transports::faults::Fault;
use crate::wire::fault::Code;

/// The answers of a client.
const RESPONSES: &str = "inputResponses";
/// Which request they belong to.
const STATE: &str = "requestState";

/// What is asked for, without what differs between rounds.
pub(super) fn rounded(asked: &RpcCall) -> Rounded {
    let mut params = asked.params.clone();
    for name in ["_meta", RESPONSES, STATE] {
        params.shift_remove(name);
    }
    (asked.method.clone(), params)
}

/// Questions as the protocol has them.
pub(super) fn requests(open: &[(String, Question)]) -> Map<String, Value> {
    let requests = open.iter().map(|(_, question)| {
        let request = json!({ "method": question.method, "params": question.params });
        (question.name.clone(), request)
    });
    requests.collect()
}

/// Keeps a request until its caller comes with the answers: what it is asked.
pub(super) fn suspend(exchanges: &Arc<Exchanges>, exchange: Exchange) -> Answer {
    let exchange = exchange.detach();
    let state = exchanges.questions.ids.uuid();
    let required = input_required(requests(&exchange.open), &state);
    let mut rounds = exchanges.rounds.lock();
    let _end = {
        let state = state.clone();
        exchanges.after(exchanges.questions.wait, move |exchanges| {
            let over = exchanges.rounds.lock().remove(&state);
            drop(over);
        })
    };
    rounds.insert(state, Suspended { exchange, _end });
    Answer(required.to_string().into())
}

/// The request that a caller goes on with, with what they have answered; none where they begin one.
///
/// # Errors
/// The answers are malformed; or there is no such request, it is somebody else's, or another one.
pub(super) fn resumed(
    exchanges: &Exchanges,
    by: &Principal,
    asked: &RpcCall,
) -> Result<Option<Exchange>, Fault> {
    let responses = responses(&asked.params)?;
    let Some(state) = asked.params.get(STATE) else {
        return Ok(None);
    };
    let state = state.as_str().unwrap_or_default();
    let request = Some(rounded(asked));
    let mut rounds = exchanges.rounds.lock();
    let is_theirs = rounds.get(state).is_some_and(|found| {
        let Exchange { caller, .. } = &found.exchange;
        caller.app == by.app && caller.name == by.name && found.exchange.request == request
    });
    let found = if is_theirs {
        rounds.remove(state)
    } else {
        None
    };
    drop(rounds);
    let Some(Suspended { mut exchange, .. }) = found else {
        let why = "Invalid params:\n- params.requestState: names no request of yours that waits for \
            these answers: it is over, or another one; begin anew without it";
        return Err(Fault::saying(Code::InvalidParams, why));
    };
    take(exchanges, by, &mut exchange.open, responses);
    Ok(Some(exchange))
}

/// Takes what is answered of what is open.
pub(super) fn take(
    exchanges: &Exchanges,
    by: &Principal,
    open: &mut Vec<(String, Question)>,
    responses: Option<&Map<String, Value>>,
) {
    open.retain(|(id, question)| {
        let given = responses.and_then(|responses| responses.get(&question.name));
        if let Some(given) = given {
            exchanges.questions.answer(by, id, Ok(given.clone()));
        }
        given.is_none()
    });
}

/// What a client has answered, by the names of the questions.
///
/// # Errors
/// All that is malformed.
pub(super) fn responses(params: &Map<String, Value>) -> Result<Option<&Map<String, Value>>, Fault> {
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

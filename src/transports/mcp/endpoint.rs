//! `POST /mcp`: from an HTTP request to messages, and from answers to an HTTP response.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use futures_util::future::{FutureExt as _, join_all};
use futures_util::stream::{self, StreamExt as _};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::Value;

use super::answer::{Answer, reply as enveloped};
use super::drawn;
use super::envelope::{self, Message, NO_ID, Refused, Request};
use super::era;
use super::event_stream::event_stream;
#[cfg(feature = "gate")]
use super::exchange::{self, Exchange, Step, hears};
use super::media_types::check_media_types;
use super::methods::{self, answer};
use super::rpc_call::RpcCall;
use super::state::Mcp;
use super::subscribe;
use crate::domain::operation::Caller;
use crate::domain::principal::{Door, Principal};
use crate::transports::faults::Fault;
use crate::transports::http::{Patience, client_of};
use crate::transports::request::{Correlation, IDEMPOTENCY_KEY, Identity, body};
use crate::wire::fault::{Code, Endpoint, Era};

/// An answer that is ready, with the status it would have alone.
struct Ready {
    status: StatusCode,
    retry_after: Option<HeaderValue>,
    body: String,
}

/// Answers a POST.
pub(in super::super) async fn call(
    State(mcp): State<Arc<Mcp>>,
    app: Option<Path<String>>,
    Identity(identity): Identity,
    request: http::Request<Body>,
) -> Response {
    let client = client_of(&request);
    let (parts, raw_body) = request.into_parts();
    let headers = &parts.headers;
    let patience = Patience::of(&parts.extensions);
    // What is refused at the door is written for the era of most clients.
    let refuse = |fault: Fault, id, era| fault.to_rpc_response(id, era, mcp.endpoint);
    let admitted = identity
        .and_then(|principal| admit(principal, app.as_deref().map(String::as_str)))
        .and_then(|caller| check_media_types(headers).map(|()| caller));
    let caller = match admitted {
        Ok(caller) => caller,
        Err(fault) => return refuse(fault, NO_ID, Era::Legacy),
    };
    let (bytes, _place) = match body(raw_body, &mcp.http, &mcp.edge, client).await {
        Ok(whole) => whole,
        Err(fault) => return refuse(fault, NO_ID, Era::Legacy),
    };
    // Read before the revision is judged: a refused revision echoes the id, too.
    let reading = async { envelope::read(&bytes) };
    let dispatch = &mcp.access.dispatch;
    let read = match dispatch.read(&caller.principal, bytes.len(), reading).await {
        Ok(Ok(read)) => read,
        Ok(Err(fault)) => return refuse(fault, NO_ID, Era::Legacy),
        Err(error) => return refuse(error.into(), NO_ID, Era::Legacy),
    };
    let era = match era::of_headers(headers) {
        Ok(era) => era,
        Err(fault) => return refuse(fault, read.id(), Era::Legacy),
    };
    match read {
        envelope::Body::One(message) => one(&mcp, caller, era, headers, &patience, message).await,
        envelope::Body::Batch(_) if !era::has_batches(headers) => {
            let why = "Invalid Request: this revision has no batches";
            refuse(Fault::saying(Code::InvalidRequest, why), NO_ID, era)
        }
        envelope::Body::Batch(_) if headers.contains_key(IDEMPOTENCY_KEY) => {
            let why = "Invalid Request: a header cannot name the attempts of a batch: give each \
                call a _meta.idempotencyKey";
            refuse(Fault::saying(Code::InvalidRequest, why), NO_ID, era)
        }
        envelope::Body::Batch(messages) => {
            batch(&mcp, caller, era, headers, &patience, messages).await
        }
    }
}

/// GET and DELETE: there is no session to open or to end.
pub(in super::super) async fn method_not_allowed(State(mcp): State<Arc<Mcp>>) -> Response {
    let fault = Fault::saying(
        Code::MethodNotAllowed,
        "Method not allowed (stateless server).",
    );
    let mut response = fault.to_rpc_response(NO_ID, Era::Legacy, mcp.endpoint);
    response
        .headers_mut()
        .insert(http::header::ALLOW, HeaderValue::from_static("POST"));
    response
}

/// Who calls; an app in the address has to be the credential's own, existing or not.
fn admit(principal: Principal, app: Option<&str>) -> Result<Caller, Fault> {
    match app {
        Some(app) if app != principal.app.as_str() => Err(Fault::of(Code::AppForbidden)),
        _ => Ok(Caller::through(Door::Mcp, principal)),
    }
}

async fn one(
    mcp: &Arc<Mcp>,
    caller: Caller,
    era: Era,
    headers: &HeaderMap,
    patience: &Patience,
    message: Result<Message<'_>, Refused<'_>>,
) -> Response {
    let request = match message {
        Err(refused) => {
            return refused.fault.to_rpc_response(refused.id, era, mcp.endpoint);
        }
        Ok(Message::Cancelled(id)) => {
            mcp.held.take_back(&caller.principal, id.get());
            return StatusCode::ACCEPTED.into_response();
        }
        #[cfg(feature = "gate")]
        Ok(Message::Reply(reply)) => {
            mcp.exchanges.questions.hear(&caller.principal, &reply);
            return StatusCode::ACCEPTED.into_response();
        }
        Ok(Message::Silent) => return StatusCode::ACCEPTED.into_response(),
        Ok(Message::Request(request)) => request,
    };
    let mut asked = match asked(mcp, &caller, request, era, headers, patience).await {
        Ok(asked) => asked,
        Err((id, fault)) => return fault.to_rpc_response(id, era, mcp.endpoint),
    };
    if asked.subscribes() {
        return match subscribe::messages(mcp, &caller, &asked).await {
            Ok(messages) => event_stream(messages),
            Err(fault) => fault.to_rpc_response(&asked.id, era, mcp.endpoint),
        };
    }
    #[cfg(feature = "gate")]
    if exchange::is_one(mcp, &asked) {
        let id = asked.id.clone();
        let answer = |asked| answered(Arc::clone(mcp), caller.clone(), asked).boxed();
        return match exchange::begin(mcp, &caller, asked, hears(headers), answer) {
            Ok(exchange) => exchanged(Arc::clone(mcp), exchange).await,
            Err(fault) => fault.to_rpc_response(&id, era, mcp.endpoint),
        };
    }
    if let Some(token) = drawn::wanted_by(&asked) {
        return drawn(Arc::clone(mcp), caller, asked, token).await;
    }
    let notices = methods::notices(mcp, &caller, &asked).await;
    if let Ok(Some(notices)) = notices {
        let notices = notices.map(|notice| notice.to_string());
        let answer = reply(Arc::clone(mcp), caller, asked);
        return event_stream(notices.chain(stream::once(answer)).boxed());
    }
    let answer = match notices {
        Ok(_) => answer(mcp, &caller, &mut asked).await,
        Err(fault) => Err(fault),
    };
    respond(&asked.id, era, answer, mcp.endpoint)
}

/// The answer of a call that may wait for a model: alone where it comes soon.
async fn drawn(mcp: Arc<Mcp>, caller: Caller, asked: RpcCall, token: Value) -> Response {
    let (id, era, endpoint) = (asked.id.clone(), asked.era, mcp.endpoint);
    let mut steps = drawn::course(token, answered(mcp, caller, asked).boxed());
    let first = match steps.next().await {
        Some(drawn::Step::Answer(answer)) => return respond(&id, era, answer, endpoint),
        first => stream::iter(first),
    };
    let messages = first.chain(steps).map(move |step| match step {
        drawn::Step::Notice(notice) => notice.to_string(),
        drawn::Step::Answer(answer) => enveloped(&id, era, &answer, endpoint),
    });
    event_stream(messages.boxed())
}

/// An answer alone, with its own status.
fn respond(id: &str, era: Era, answer: Result<Answer, Fault>, endpoint: Endpoint) -> Response {
    let Ready {
        status,
        retry_after,
        body,
    } = ready(answer, id, era, endpoint);
    let mut response = (status, json_body(body)).into_response();
    if let Some(wait) = retry_after {
        response
            .headers_mut()
            .insert(http::header::RETRY_AFTER, wait);
    }
    response
}

/// The answer of a request whose caller may be told or asked something before: a stream as soon as
/// there is anything to say.
#[cfg(feature = "gate")]
async fn exchanged(mcp: Arc<Mcp>, exchange: Exchange) -> Response {
    let (id, era, endpoint) = (exchange.id.clone(), exchange.era, mcp.endpoint);
    let begun = if exchange.wants_progress() {
        // At once: a stream shows that the call is alive.
        (None, Some(exchange))
    } else {
        match exchange::next(&mcp.exchanges, exchange).await {
            (Step::Message(message), following) => (Some(message), following),
            (Step::End(answer), _) => return respond(&id, era, answer, endpoint),
        }
    };
    let (first, following) = begun;
    let correlation = Correlation::current();
    let first = stream::iter(first.map(|message| message.to_string()));
    let rest = stream::unfold(following, move |exchange| {
        let (mcp, id) = (Arc::clone(&mcp), id.clone());
        let step = async move {
            let (step, following) = exchange::next(&mcp.exchanges, exchange?).await;
            let message = match step {
                Step::Message(message) => message.to_string(),
                Step::End(answer) => enveloped(&id, era, &answer, endpoint),
            };
            Some((message, following))
        };
        // This request's layers are through with it.
        match correlation.clone() {
            Some(correlation) => correlation.scope(step).left_future(),
            None => step.right_future(),
        }
    });
    event_stream(first.chain(rest).boxed())
}

/// The answer of a stream, which is written after this request's layers are through with it.
fn reply(
    mcp: Arc<Mcp>,
    caller: Caller,
    asked: RpcCall,
) -> impl Future<Output = String> + Send + 'static {
    let (id, era, endpoint) = (asked.id.clone(), asked.era, mcp.endpoint);
    let answer = answered(mcp, caller, asked);
    correlated(async move { enveloped(&id, era, &answer.await, endpoint) })
}

/// The answer of a request, which may be waited for longer than its layers are there.
fn answered(
    mcp: Arc<Mcp>,
    caller: Caller,
    mut asked: RpcCall,
) -> impl Future<Output = Result<Answer, Fault>> + Send + 'static {
    correlated(async move { answer(&mcp, &caller, &mut asked).await })
}

/// Work of this request when its layers are through with it.
fn correlated<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    match Correlation::current() {
        Some(correlation) => correlation.scope(work).left_future(),
        None => work.right_future(),
    }
}

/// A request with its parameters; long ones are read in turn.
async fn asked<'a>(
    mcp: &Mcp,
    caller: &Caller,
    request: Request<'a>,
    era: Era,
    headers: &HeaderMap,
    patience: &Patience,
) -> Result<RpcCall, (&'a str, Fault)> {
    let id = request.id;
    let bytes = request.params.map_or(0, |params| params.get().len());
    let reading = async { RpcCall::of(request, era, headers) };
    let read = mcp.access.dispatch.read(&caller.principal, bytes, reading);
    let read = read.await.unwrap_or_else(|error| Err((id, error.into())))?;
    if read.draws() {
        patience.extend();
    }
    Ok(read)
}

async fn batch(
    mcp: &Arc<Mcp>,
    caller: Caller,
    era: Era,
    headers: &HeaderMap,
    patience: &Patience,
    messages: Vec<Result<Message<'_>, Refused<'_>>>,
) -> Response {
    let answers = messages.into_iter().map(async |message| {
        let request = match message {
            Err(refused) => {
                return Some(refused.fault.to_jsonrpc(refused.id, era, mcp.endpoint));
            }
            Ok(Message::Cancelled(id)) => {
                mcp.held.take_back(&caller.principal, id.get());
                return None;
            }
            #[cfg(feature = "gate")]
            Ok(Message::Reply(reply)) => {
                mcp.exchanges.questions.hear(&caller.principal, &reply);
                return None;
            }
            Ok(Message::Silent) => return None,
            Ok(Message::Request(request)) => request,
        };
        let id = request.id;
        if request.method == "initialize" {
            let why = "Invalid Request: Only one initialization request is allowed";
            let fault = Fault::saying(Code::InvalidRequest, why);
            return Some(fault.to_jsonrpc(id, era, mcp.endpoint));
        }
        match asked(mcp, &caller, request, era, headers, patience).await {
            Err((id, fault)) => Some(fault.to_jsonrpc(id, era, mcp.endpoint)),
            Ok(mut asked) => {
                let answer = answer(mcp, &caller, &mut asked).await;
                Some(asked.reply(&answer, mcp.endpoint))
            }
        }
    });
    let answers: Vec<_> = join_all(answers).await.into_iter().flatten().collect();
    if answers.is_empty() {
        StatusCode::ACCEPTED.into_response()
    } else {
        json_body(format!("[{}]", answers.join(","))).into_response()
    }
}

/// An answer as the caller sees it.
fn ready(answer: Result<Answer, Fault>, id: &str, era: Era, endpoint: Endpoint) -> Ready {
    let body = enveloped(id, era, &answer, endpoint);
    match answer {
        Ok(_) => Ready {
            status: StatusCode::OK,
            retry_after: None,
            body,
        },
        Err(fault) => Ready {
            status: StatusCode::from_u16(fault.code().at(endpoint).rpc_status(era))
                .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            retry_after: fault.retry_after(),
            body,
        },
    }
}

fn json_body(body: String) -> impl IntoResponse {
    (
        [(CONTENT_TYPE, HeaderValue::from_static("application/json"))],
        body,
    )
}

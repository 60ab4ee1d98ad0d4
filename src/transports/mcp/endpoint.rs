//! `POST /mcp`: from an HTTP request to messages, and from answers to an HTTP response.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::future::{FutureExt as _, join_all};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::envelope::{self, Message, NO_ID, Refused, Request};
use super::era;
#[cfg(feature = "gate")]
use super::exchange::{Exchange, Step, hears};
#[cfg(feature = "gate")]
use super::gate;
use super::methods::{self, Answer, RpcCall, reply as enveloped};
use super::state::Mcp;
use crate::domain::operation::Caller;
use crate::domain::principal::{Door, Principal};
use crate::transports::faults::Fault;
use crate::transports::http::client_of;
use crate::transports::request::{Correlation, IDEMPOTENCY_KEY, Identity, body, check_is_json};
use crate::wire::fault::{Code, Endpoint, Era};

/// How often a held answer shows that it lives: under the time-outs of common proxies.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

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
    let work = &mcp.access.dispatch.work;
    let read = match work.run(&caller.principal, bytes.len(), reading).await {
        Ok(Ok(read)) => read,
        Ok(Err(fault)) => return refuse(fault, NO_ID, Era::Legacy),
        Err(error) => return refuse(error.into(), NO_ID, Era::Legacy),
    };
    let era = match era::of_headers(headers) {
        Ok(era) => era,
        Err(fault) => return refuse(fault, read.id(), Era::Legacy),
    };
    match read {
        envelope::Body::One(message) => one(&mcp, caller, era, headers, message).await,
        envelope::Body::Batch(_) if !era::has_batches(headers) => {
            let why = "Invalid Request: this revision has no batches";
            refuse(Fault::saying(Code::InvalidRequest, why), NO_ID, era)
        }
        envelope::Body::Batch(_) if headers.contains_key(IDEMPOTENCY_KEY) => {
            let why = "Invalid Request: a header cannot name the attempts of a batch: give each \
                call a _meta.idempotencyKey";
            refuse(Fault::saying(Code::InvalidRequest, why), NO_ID, era)
        }
        envelope::Body::Batch(messages) => batch(&mcp, caller, era, headers, messages).await,
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

fn check_media_types(headers: &HeaderMap) -> Result<(), Fault> {
    check_is_json(headers)?;
    // Lenient: either of our two types will do, and so will none named at all.
    let accepts = headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let types: Vec<_> = accepts
        .flat_map(|value| value.split(','))
        .map(|part| {
            part.split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase()
        })
        .collect();
    let ours = [
        "application/json",
        "text/event-stream",
        "application/*",
        "text/*",
        "*/*",
    ];
    if types.is_empty()
        || types
            .iter()
            .any(|accepted| ours.contains(&accepted.as_str()))
    {
        Ok(())
    } else {
        Err(Fault::saying(
            Code::NotAcceptable,
            "Not Acceptable: Client must accept application/json or text/event-stream",
        ))
    }
}

async fn one(
    mcp: &Arc<Mcp>,
    caller: Caller,
    era: Era,
    headers: &HeaderMap,
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
    let mut asked = match asked(mcp, &caller, request, era, headers).await {
        Ok(asked) => asked,
        Err((id, fault)) => return fault.to_rpc_response(id, era, mcp.endpoint),
    };
    #[cfg(feature = "gate")]
    if Exchange::is_one(mcp, &asked) {
        return match Exchange::begin(mcp, &caller, asked, hears(headers)) {
            Ok(exchange) => exchanged(Arc::clone(mcp), exchange).await,
            Err((asked, fault)) => fault.to_rpc_response(&asked.id, era, mcp.endpoint),
        };
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
    let begun = if exchange.tells_progress() {
        // At once: a stream shows that the call is alive.
        (None, Some(exchange))
    } else {
        match exchange.next(&mcp).await {
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
            let (step, following) = exchange?.next(&mcp).await;
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
    mut asked: RpcCall,
) -> impl Future<Output = String> + Send + 'static {
    let answer = async move {
        let answer = answer(&mcp, &caller, &mut asked).await;
        asked.reply(&answer, mcp.endpoint)
    };
    match Correlation::current() {
        Some(correlation) => correlation.scope(answer).left_future(),
        None => answer.right_future(),
    }
}

/// Answers a request of this endpoint's own.
pub(super) async fn answer(
    mcp: &Mcp,
    caller: &Caller,
    asked: &mut RpcCall,
) -> Result<Answer, Fault> {
    #[cfg(feature = "gate")]
    if mcp.endpoint == Endpoint::Gate {
        return gate::answer(mcp, caller, asked).await;
    }
    methods::answer(mcp, caller, asked).await
}

/// A request with its parameters; long ones are read in turn.
async fn asked<'a>(
    mcp: &Mcp,
    caller: &Caller,
    request: Request<'a>,
    era: Era,
    headers: &HeaderMap,
) -> Result<RpcCall, (&'a str, Fault)> {
    let id = request.id;
    let bytes = request.params.map_or(0, |params| params.get().len());
    let reading = async { RpcCall::of(request, era, headers) };
    let read = mcp
        .access
        .dispatch
        .work
        .run(&caller.principal, bytes, reading);
    read.await.unwrap_or_else(|error| Err((id, error.into())))
}

async fn batch(
    mcp: &Arc<Mcp>,
    caller: Caller,
    era: Era,
    headers: &HeaderMap,
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
        match asked(mcp, &caller, request, era, headers).await {
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

/// An event stream: notifications, and at last the answer. Dropping it cancels the call.
fn event_stream(messages: BoxStream<'static, String>) -> Response {
    let event = |text: String| Ok::<_, Infallible>(Event::default().event("message").data(text));
    let events = messages.map(event);
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE).text("keepalive");
    let mut response = Sse::new(events).keep_alive(keep_alive).into_response();
    let headers = response.headers_mut();
    headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static("no-cache, no-transform"),
    );
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

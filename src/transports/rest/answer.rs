//! Who asks for a resource, and what every answer about one has in common.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode};
use serde_json::{Map, Value};

use super::body;
use crate::domain::operation::{Answer, Caller, IdempotencyKey, Operation, Signature};
use crate::domain::principal::{Door, Principal};
use crate::services::dispatch::Answered;
use crate::transports::faults::{BODY, Fault};
use crate::transports::http::Front;
use crate::transports::request::{Access, attempt, attempt_header, attempt_in_metadata};

/// Says that an answer is that of an earlier attempt.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// What an operation gives is the body.
fn private(answer: &Answer) -> Response {
    let headers = [
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
    ];
    (headers, answer.result.get().to_owned()).into_response()
}

/// Asks for something that only looks.
pub(super) async fn read<O: Signature>(
    access: &Access,
    principal: Principal,
    arguments: Value,
) -> Response {
    match run::<O>(access, principal, arguments, None).await {
        Ok(answered) => private(&answered.answer),
        Err(fault) => fault.to_rest(),
    }
}

/// Asks for what a body describes; the same attempt made again is answered as before.
pub(super) async fn write<O: Signature>(
    access: &Access,
    principal: Principal,
    headers: &HeaderMap,
    arguments: Value,
    status: StatusCode,
) -> Response {
    let respond = |answer: &Answer| {
        let mut response = private(answer);
        *response.status_mut() = status;
        response
    };
    run_once::<O>(access, principal, key(headers), arguments, respond).await
}

/// Asks for what a body describes of something that the path names, for whom it is read and by whom it
/// is done.
pub(super) async fn write_body<O: Signature>(
    front: &Front,
    reader: &Principal,
    actor: Principal,
    request: Request<Body>,
    (name, id): (&str, String),
) -> Response {
    let (parts, mut arguments) = match body::read(front, reader, request).await {
        Ok(read) => read,
        Err(fault) => return fault.to_rest(),
    };
    arguments[name] = id.into();
    write::<O>(
        &front.access,
        actor,
        &parts.headers,
        arguments,
        StatusCode::OK,
    )
    .await
}

/// Makes what a body describes, whose metadata may name the attempt where the headers do not; the
/// same attempt made again is answered as before.
pub(super) async fn create<O: Signature>(
    access: &Access,
    principal: Principal,
    headers: &HeaderMap,
    arguments: Value,
) -> Response {
    let respond = |answer: &Answer| {
        let mut response = private(answer);
        *response.status_mut() = StatusCode::CREATED;
        response
    };
    let key = match key(headers) {
        Ok(None) => attempt_in_metadata(&arguments[BODY]["metadata"]),
        named => named,
    };
    run_once::<O>(access, principal, key, arguments, respond).await
}

/// Takes something away; the same attempt made again is answered as before.
pub(super) async fn delete<O: Signature>(
    access: &Access,
    principal: Principal,
    headers: &HeaderMap,
    arguments: Value,
) -> Response {
    let respond = |_: &Answer| StatusCode::NO_CONTENT.into_response();
    run_once::<O>(access, principal, key(headers), arguments, respond).await
}

/// The name of an attempt in the headers.
fn key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Fault> {
    attempt(attempt_header(headers).as_deref(), &Map::new())
}

/// Does something once for each attempt, and says where the answer is that of an earlier one.
async fn run_once<O: Signature>(
    access: &Access,
    principal: Principal,
    key: Result<Option<IdempotencyKey>, Fault>,
    arguments: Value,
    respond: impl FnOnce(&Answer) -> Response,
) -> Response {
    let answered = match key {
        Ok(key) => run::<O>(access, principal, arguments, key).await,
        Err(fault) => Err(fault),
    };
    match answered {
        Ok(Answered { answer, is_replay }) => {
            let mut response = respond(&answer);
            if is_replay {
                let headers = response.headers_mut();
                headers.insert(REPLAYED, HeaderValue::from_static("true"));
            }
            response
        }
        Err(fault) => fault.to_rest(),
    }
}

async fn run<O: Signature>(
    access: &Access,
    principal: Principal,
    arguments: Value,
    idempotency_key: Option<IdempotencyKey>,
) -> Result<Answered, Fault> {
    let caller = Caller::through(Door::Rest, principal);
    let has_body = arguments.get(BODY).is_some();
    let operation = Operation {
        idempotency_key,
        ..Operation::new(caller, O::NAME, arguments)
    };
    let answered = access.dispatch.run(operation).await;
    answered.map_err(|error| Fault::of_resource_operation(scope::<O>(), has_body, error))
}

/// The name under which a credential is told what it lacks.
fn scope<O: Signature>() -> &'static str {
    O::ROW.rules.scope.unwrap_or(O::NAME)
}

//! Who asks for a resource, and what every answer about one has in common.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::{Map, Value};

use super::super::doors::Doors;
use crate::domain::operation::{Caller, OperationKind};
use crate::domain::principal::{Door, Principal};
use crate::services::dispatch::{Answered, DispatchError, Outcome};
use crate::transports::faults::Fault;
use crate::transports::request::{attempt, attempt_header};
use crate::wire::fault::Code;

/// Says that an answer is that of an earlier attempt.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Who calls, if the credential may ask for such things.
pub(super) fn caller(
    doors: &Doors,
    principal: Principal,
    kind: OperationKind,
) -> Result<Caller, Fault> {
    let caller = Caller {
        principal,
        door: Door::Rest,
        host: None,
    };
    match doors.dispatch.reaches(&caller.principal, kind) {
        Ok(()) => Ok(caller),
        Err(error) => Err(refused(kind, error)),
    }
}

/// A refusal; a thing that is not there is told without the words of the tools.
pub(super) fn refused(kind: OperationKind, error: DispatchError) -> Fault {
    let fault = Fault::in_tool(kind.tool(), error);
    match fault.code() {
        Code::BlueprintNotFound => Fault::saying(Code::ThingNotFound, "Blueprint not found"),
        Code::SessionNotFound => Fault::saying(Code::ThingNotFound, "Session not found"),
        Code::InvalidArguments => Fault::of(Code::BadRequest),
        _ => fault,
    }
}

pub(super) fn private<T: Serialize>(body: &T) -> Response {
    let headers = [(CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (headers, Json(body)).into_response()
}

/// Asks for something that only looks.
pub(super) async fn read(
    doors: &Doors,
    principal: Principal,
    kind: OperationKind,
    arguments: Value,
) -> Result<Outcome, Fault> {
    let caller = caller(doors, principal, kind)?;
    let answered = doors.dispatch.run(caller, kind, arguments, None).await;
    let told = answered.map_err(|error| refused(kind, error))?;
    Ok(told.outcome)
}

/// Takes something away; the same attempt made again is answered as before.
pub(super) async fn delete(
    doors: &Doors,
    principal: Principal,
    headers: &HeaderMap,
    kind: OperationKind,
    arguments: Value,
) -> Result<Response, Fault> {
    let caller = caller(doors, principal, kind)?;
    let key = attempt(attempt_header(headers).as_deref(), &Map::new())?;
    let answered = doors.dispatch.run(caller, kind, arguments, key).await;
    let Answered { is_replay, .. } = answered.map_err(|error| refused(kind, error))?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if is_replay {
        let headers = response.headers_mut();
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

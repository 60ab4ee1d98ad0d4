//! `/api/v1`: sessions and faults as resources, for programs that speak plain HTTP.

use std::cmp::Reverse;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::doors::Doors;
use super::extract::{attempt, attempt_header, principal};
use super::fault::Fault;
use crate::domain::limits::SessionLimits;
use crate::domain::operation::{Caller, OperationKind};
use crate::domain::principal::Door;
use crate::domain::session::Session;
use crate::services::dispatch::{Answered, DispatchError, Outcome};
use crate::wire::fault::{Code, Row, status_word};

/// The description of this interface, written by hand; a test holds every answer against it.
const OPENAPI: &str = include_str!("../../schemas/openapi.json");
/// Rows of a page unless the client says otherwise.
const ROWS: usize = 50;
/// Most rows of a page.
const ROWS_MAX: usize = 100;
/// Says that an answer is that of an earlier attempt.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// A session as it is listed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    id: String,
    app_id: String,
    intent: String,
    status: &'static str,
    epoch: u64,
    contract_hash: String,
    pending_actions: u64,
    created_at: u64,
    last_activity_at: u64,
    expires_at: u64,
}

impl Listed {
    fn of(session: &Session, limits: &SessionLimits) -> Self {
        Self {
            id: session.key.session.to_string(),
            app_id: session.key.app.to_string(),
            intent: session.creation.intent.to_string(),
            status: "active",
            epoch: session.epoch.0,
            contract_hash: session.creation.contract.hash().to_owned(),
            pending_actions: session.inbox.pending().len() as u64,
            created_at: session.created_at.0,
            last_activity_at: session.last_activity_at.0,
            expires_at: session.expires_at(limits).0,
        }
    }
}

/// A stretch of a list, and where the next one begins.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    data: Vec<Value>,
    /// Nothing on the last page.
    next_cursor: Option<String>,
}

impl Page {
    /// The rows after a cursor, of rows in the order of their places.
    fn of(mut rows: Vec<(String, Value)>, asked: &Asked) -> Self {
        if let Some(after) = &asked.after {
            rows.retain(|(place, _)| place > after);
        }
        let has_more = rows.len() > asked.rows;
        rows.truncate(asked.rows);
        let last = rows.last().filter(|_| has_more);
        Self {
            next_cursor: last.map(|(place, _)| URL_SAFE_NO_PAD.encode(place)),
            data: rows.into_iter().map(|(_, row)| row).collect(),
        }
    }
}

/// Which stretch of a list is asked for.
struct Asked {
    rows: usize,
    /// Place of the last row the client has.
    after: Option<String>,
}

impl Asked {
    /// Reads `limit` and `cursor`; all that is wrong with them at once.
    fn of(query: Option<&str>) -> Result<Self, Fault> {
        let mut asked = Self {
            rows: ROWS,
            after: None,
        };
        let mut problems = Vec::new();
        let mut problem = |kind: &str, name: &str, text: String, input: &str| {
            problems.push(json!({
                "type": kind, "loc": ["query", name], "msg": text, "input": input,
            }));
        };
        let pairs = query
            .unwrap_or_default()
            .split('&')
            .filter(|pair| !pair.is_empty());
        for (name, value) in pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))) {
            match name {
                "limit" => match value.parse() {
                    Ok(rows) if (1..=ROWS_MAX).contains(&rows) => asked.rows = rows,
                    _ => {
                        let text = format!("Input should be a number from 1 to {ROWS_MAX}");
                        problem("int_range", name, text, value);
                    }
                },
                "cursor" => {
                    let place = URL_SAFE_NO_PAD.decode(value).ok();
                    match place.and_then(|place| String::from_utf8(place).ok()) {
                        Some(place) if !place.is_empty() => asked.after = Some(place),
                        _ => {
                            let text = "Input should be a nextCursor of this list".to_owned();
                            problem("cursor_invalid", name, text, value);
                        }
                    }
                }
                _ => problem(
                    "extra_forbidden",
                    name,
                    "Parameters are limit and cursor".to_owned(),
                    value,
                ),
            }
        }
        if problems.is_empty() {
            return Ok(asked);
        }
        let told: Vec<_> = problems
            .iter()
            .filter_map(|problem| problem["msg"].as_str())
            .collect();
        Err(Fault::saying(Code::InvalidFields, told.join("; ")).with(json!({ "errors": problems })))
    }
}

/// Who calls, if the credential may ask for such things.
async fn caller(doors: &Doors, headers: &HeaderMap, kind: OperationKind) -> Result<Caller, Fault> {
    let caller = Caller {
        principal: principal(&doors.auth, headers).await?,
        door: Door::Rest,
        host: None,
    };
    match doors.dispatch.reaches(&caller, kind) {
        Ok(()) => Ok(caller),
        Err(error) => Err(refused(kind, error)),
    }
}

/// A refusal; a thing that is not there is told without the words of the tools.
fn refused(kind: OperationKind, error: DispatchError) -> Fault {
    let fault = Fault::in_tool(kind.tool(), error);
    match fault.code() {
        Code::SessionNotFound => Fault::saying(Code::ThingNotFound, "Session not found"),
        Code::InvalidArguments => Fault::of(Code::BadRequest),
        _ => fault,
    }
}

fn private<T: Serialize>(body: &T) -> Response {
    let headers = [(CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (headers, Json(body)).into_response()
}

/// `GET /api/v1/sessions`: the live ones the caller may see, newest first.
pub(super) async fn sessions(
    State(doors): State<Arc<Doors>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let caller = match caller(&doors, &headers, OperationKind::GetSession).await {
        Ok(caller) => caller,
        Err(fault) => return fault.to_rest(),
    };
    let asked = match Asked::of(query.as_deref()) {
        Ok(asked) => asked,
        Err(fault) => return fault.to_rest(),
    };
    let Ok(mut found) = doors.live.sessions(&caller.principal).await else {
        return Fault::of(Code::Internal).to_rest();
    };
    found.sort_by_key(|session| Reverse(session.created_at));
    let limits = &doors.limits.sessions;
    let mut rows: Vec<_> = found
        .iter()
        .map(|session| {
            // Newest first: the place grows as the time of birth falls.
            let place = format!("{:016x}.{}", !session.created_at.0, session.key.session);
            (place, json!(Listed::of(session, limits)))
        })
        .collect();
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    private(&Page::of(rows, &asked))
}

/// `GET /api/v1/sessions/{session}`: its whole state.
pub(super) async fn session(
    State(doors): State<Arc<Doors>>,
    Path(session): Path<String>,
    headers: HeaderMap,
) -> Response {
    let kind = OperationKind::GetSession;
    let caller = match caller(&doors, &headers, kind).await {
        Ok(caller) => caller,
        Err(fault) => return fault.to_rest(),
    };
    let arguments = json!({ "sessionId": session });
    match doors.dispatch.run(caller, kind, arguments, None).await {
        Ok(Answered {
            outcome: Outcome::Got(result),
            ..
        }) => private(&result),
        Ok(_) => Fault::of(Code::Internal).to_rest(),
        Err(error) => refused(kind, error).to_rest(),
    }
}

/// `DELETE /api/v1/sessions/{session}`: ends it for everybody who watches or waits.
pub(super) async fn delete_session(
    State(doors): State<Arc<Doors>>,
    Path(session): Path<String>,
    headers: HeaderMap,
) -> Response {
    let kind = OperationKind::DeleteSession;
    let caller = match caller(&doors, &headers, kind).await {
        Ok(caller) => caller,
        Err(fault) => return fault.to_rest(),
    };
    let key = match attempt(attempt_header(&headers).as_deref(), &Map::new()) {
        Ok(key) => key,
        Err(fault) => return fault.to_rest(),
    };
    let arguments = json!({ "sessionId": session });
    match doors.dispatch.run(caller, kind, arguments, key).await {
        Ok(Answered { is_replay, .. }) => {
            let mut response = StatusCode::NO_CONTENT.into_response();
            if is_replay {
                let headers = response.headers_mut();
                headers.insert(REPLAYED, HeaderValue::from_static("true"));
            }
            response
        }
        Err(error) => refused(kind, error).to_rest(),
    }
}

/// A row of the fault table as it is listed.
fn told(row: &Row) -> Value {
    json!({
        "name": row.name,
        "code": row.word,
        "surface": row.surface,
        "status": row.status,
        "statusCode": status_word(row.status),
        "number": row.legacy,
        "modernNumber": row.modern,
        "retry": row.retry,
        "title": row.title,
        "text": row.text,
    })
}

/// `GET /api/v1/faults`: everything that can go wrong, by name.
pub(super) async fn faults(
    State(doors): State<Arc<Doors>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    if let Err(fault) = principal(&doors.auth, &headers).await {
        return fault.to_rest();
    }
    let asked = match Asked::of(query.as_deref()) {
        Ok(asked) => asked,
        Err(fault) => return fault.to_rest(),
    };
    let mut rows: Vec<_> = Code::ALL
        .iter()
        .map(|code| (code.row().name.to_owned(), told(&code.row())))
        .collect();
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    Json(Page::of(rows, &asked)).into_response()
}

/// `GET /api/v1/faults/{name}`: one of them.
pub(super) async fn fault(
    State(doors): State<Arc<Doors>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    if let Err(fault) = principal(&doors.auth, &headers).await {
        return fault.to_rest();
    }
    match Code::ALL.iter().find(|code| code.row().name == name) {
        Some(code) => Json(told(&code.row())).into_response(),
        None => Fault::saying(Code::ThingNotFound, "Fault not found").to_rest(),
    }
}

/// `GET /api/v1/openapi.json`: for anybody.
pub(super) async fn openapi() -> Response {
    let headers = [(CONTENT_TYPE, "application/json")];
    (headers, OPENAPI).into_response()
}

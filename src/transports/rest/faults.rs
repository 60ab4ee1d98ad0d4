//! `/api/v1/faults` and the description of `/api/v1`: what clients read about the server itself.

use axum::Json;
use axum::extract::{Path, RawQuery};
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use serde_json::{Value, json};

use super::page::params;
use crate::domain::page::page;
use crate::domain::principal::Principal;
use crate::transports::faults::Fault;
use crate::wire::fault::{Code, Row, status_code_name};

/// The description of this interface, written by hand; a test holds every answer against it.
const OPENAPI: &str = include_str!("../../../schemas/openapi.json");

/// A row of the fault table as it is listed.
fn to_json(row: &Row) -> Value {
    json!({
        "name": row.name,
        "code": row.word,
        "surface": row.surface,
        "status": row.status,
        "statusCode": status_code_name(row.status),
        "number": row.legacy,
        "modernNumber": row.modern,
        "retry": row.retry,
        "title": row.title,
        "text": row.text,
    })
}

/// `GET /api/v1/faults`: everything that can go wrong, by name.
pub(in super::super) async fn faults(RawQuery(query): RawQuery, _: Principal) -> Response {
    let params = match params(query.as_deref()) {
        Ok(params) => params,
        Err(fault) => return fault.to_rest(),
    };
    let rows = Code::ALL.iter().map(|code| code.row());
    let rows = rows.map(|row| (row.name.to_owned(), to_json(&row)));
    Json(page(rows, &params)).into_response()
}

/// `GET /api/v1/faults/{name}`: one of them.
pub(in super::super) async fn fault(Path(name): Path<String>, _: Principal) -> Response {
    match Code::ALL.iter().find(|code| code.row().name == name) {
        Some(code) => Json(to_json(&code.row())).into_response(),
        None => Fault::saying(Code::ThingNotFound, "Fault not found").to_rest(),
    }
}

/// `GET /api/v1/openapi.json`: for anybody.
pub(in super::super) async fn openapi() -> Response {
    let headers = [(CONTENT_TYPE, "application/json")];
    (headers, OPENAPI).into_response()
}

//! `/api/v1/blueprints`: what was agreed on before, to read and to forget.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::HeaderMap;
use serde_json::json;

use super::super::doors::Doors;
use super::answer::{delete, private, read};
use super::page::{Page, PageRequest, newest_first};
use crate::domain::operation::OperationKind;
use crate::domain::principal::Principal;
use crate::services::dispatch::Outcome;
use crate::transports::faults::Fault;
use crate::wire::fault::Code;

/// `GET /api/v1/blueprints`: those of the caller's app, newest first.
pub(in super::super) async fn blueprints(
    State(doors): State<Arc<Doors>>,
    RawQuery(query): RawQuery,
    principal: Principal,
) -> Response {
    let kind = OperationKind::ListBlueprints;
    let found = match read(&doors, principal, kind, json!({})).await {
        Ok(Outcome::Blueprints(found)) => found,
        Ok(_) => return Fault::of(Code::Internal).to_rest(),
        Err(fault) => return fault.to_rest(),
    };
    let asked = match PageRequest::of(query.as_deref()) {
        Ok(asked) => asked,
        Err(fault) => return fault.to_rest(),
    };
    let rows = found
        .iter()
        .map(|row| (newest_first(row.created_at, &row.id), row));
    private(&Page::of(rows, &asked, |row| json!(row)))
}

/// `GET /api/v1/blueprints/{blueprint}`: one, with its contract and its view.
pub(in super::super) async fn blueprint(
    State(doors): State<Arc<Doors>>,
    Path(blueprint): Path<String>,
    principal: Principal,
) -> Response {
    let arguments = json!({ "blueprintId": blueprint });
    match read(&doors, principal, OperationKind::GetBlueprint, arguments).await {
        Ok(Outcome::Blueprint(detail)) => private(&detail),
        Ok(_) => Fault::of(Code::Internal).to_rest(),
        Err(fault) => fault.to_rest(),
    }
}

/// `DELETE /api/v1/blueprints/{blueprint}`: the next agreement on the same is a new one.
pub(in super::super) async fn delete_blueprint(
    State(doors): State<Arc<Doors>>,
    Path(blueprint): Path<String>,
    principal: Principal,
    headers: HeaderMap,
) -> Response {
    let arguments = json!({ "blueprintId": blueprint });
    let deleted = delete(
        &doors,
        principal,
        &headers,
        OperationKind::DeleteBlueprint,
        arguments,
    );
    deleted.await.unwrap_or_else(|fault| fault.to_rest())
}

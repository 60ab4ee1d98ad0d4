//! `/api/v1/blueprints`: what was agreed on before, to read and to forget.

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::HeaderMap;
use serde_json::json;

use super::answer::{delete, read};
use super::page::page;
use crate::domain::operation::table::{DeleteBlueprint, GetBlueprint, ListBlueprints};
use crate::domain::principal::Principal;
use crate::transports::request::Access;

/// `GET /api/v1/blueprints`: those of the caller's app, newest first.
pub(crate) async fn blueprints(
    State(access): State<Access>,
    RawQuery(query): RawQuery,
    principal: Principal,
) -> Response {
    page::<ListBlueprints>(&access, principal, query.as_deref()).await
}

/// `GET /api/v1/blueprints/{blueprint}`: one, with its contract and its view.
pub(crate) async fn blueprint(
    State(access): State<Access>,
    Path(blueprint): Path<String>,
    principal: Principal,
) -> Response {
    read::<GetBlueprint>(&access, principal, json!({ "blueprintId": blueprint })).await
}

/// `DELETE /api/v1/blueprints/{blueprint}`: the next agreement on the same is a new one.
pub(crate) async fn delete_blueprint(
    State(access): State<Access>,
    Path(blueprint): Path<String>,
    principal: Principal,
    headers: HeaderMap,
) -> Response {
    let arguments = json!({ "blueprintId": blueprint });
    delete::<DeleteBlueprint>(&access, principal, &headers, arguments).await
}

//! `/api/v1/sessions`: the live ones, to read and to end.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::HeaderMap;
use serde_json::json;

use super::super::doors::Doors;
use super::answer::{delete, read};
use super::page::page;
use crate::domain::operation::table::{DeleteSession, GetSession, ListLiveSessions};
use crate::domain::principal::Principal;

/// `GET /api/v1/sessions`: those the caller may see, newest first.
pub(crate) async fn sessions(
    State(doors): State<Arc<Doors>>,
    RawQuery(query): RawQuery,
    principal: Principal,
) -> Response {
    page::<ListLiveSessions>(&doors, principal, query.as_deref()).await
}

/// `GET /api/v1/sessions/{session}`: its whole state.
pub(crate) async fn session(
    State(doors): State<Arc<Doors>>,
    Path(session): Path<String>,
    principal: Principal,
) -> Response {
    read::<GetSession>(&doors, principal, json!({ "sessionId": session })).await
}

/// `DELETE /api/v1/sessions/{session}`: ends it for everybody who watches or waits.
pub(crate) async fn delete_session(
    State(doors): State<Arc<Doors>>,
    Path(session): Path<String>,
    principal: Principal,
    headers: HeaderMap,
) -> Response {
    let arguments = json!({ "sessionId": session });
    delete::<DeleteSession>(&doors, principal, &headers, arguments).await
}

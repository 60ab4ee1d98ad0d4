//! `/api/v1/sessions`: the live ones, to read and to end.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::{HeaderMap, Request};
use serde_json::json;

use super::answer::{delete, read, write_body};
use super::page::page;
use crate::domain::operation::table::{
    ConfirmCall, DeleteSession, GetSession, ListLiveSessions, RemarkOnView,
};
use crate::domain::principal::Principal;
use crate::transports::http::Front;
use crate::transports::request::Access;

/// `GET /api/v1/sessions`: those the caller may see, newest first.
pub(crate) async fn sessions(
    State(access): State<Access>,
    RawQuery(query): RawQuery,
    principal: Principal,
) -> Response {
    page::<ListLiveSessions>(&access, principal, query.as_deref()).await
}

/// `GET /api/v1/sessions/{session}`: its whole state.
pub(crate) async fn session(
    State(access): State<Access>,
    Path(session): Path<String>,
    principal: Principal,
) -> Response {
    read::<GetSession>(&access, principal, json!({ "sessionId": session })).await
}

/// `POST /api/v1/sessions/{session}/remarks`: what a person says of how it is drawn.
pub(crate) async fn remark(
    State(front): State<Arc<Front>>,
    Path(session): Path<String>,
    principal: Principal,
    request: Request<Body>,
) -> Response {
    let about = ("sessionId", session);
    write_body::<RemarkOnView>(&front, &principal, principal.clone(), request, about).await
}

/// `POST /stage/sessions/{session}/confirmations`: a person is about to do something after which the
/// agent calls a tool. The stage asks them about that call, and says whether they have agreed.
pub(crate) async fn confirm(
    State(front): State<Arc<Front>>,
    Path(session): Path<String>,
    principal: Principal,
    request: Request<Body>,
) -> Response {
    let (about, person) = (("sessionId", session), principal.clone().in_person());
    write_body::<ConfirmCall>(&front, &principal, person, request, about).await
}

/// `DELETE /api/v1/sessions/{session}`: ends it for everybody who watches or waits.
pub(crate) async fn delete_session(
    State(access): State<Access>,
    Path(session): Path<String>,
    principal: Principal,
    headers: HeaderMap,
) -> Response {
    let arguments = json!({ "sessionId": session });
    delete::<DeleteSession>(&access, principal, &headers, arguments).await
}

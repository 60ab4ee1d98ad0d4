//! `/api/v1/sessions`: the live ones, to read and to end.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::HeaderMap;
use serde::Serialize;
use serde_json::json;

use super::super::doors::Doors;
use super::answer::{caller, delete, private, read};
use super::page::{Page, PageRequest, newest_first};
use crate::domain::limits::SessionLimits;
use crate::domain::operation::OperationKind;
use crate::domain::principal::Principal;
use crate::domain::session::Session;
use crate::services::dispatch::Outcome;
use crate::transports::faults::Fault;
use crate::wire::fault::Code;

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
            pending_actions: session.inbox.waiting().0 as u64,
            created_at: session.created_at.0,
            last_activity_at: session.last_activity_at.0,
            expires_at: session.expires_at(limits).0,
        }
    }
}

/// `GET /api/v1/sessions`: those the caller may see, newest first.
pub(in super::super) async fn sessions(
    State(doors): State<Arc<Doors>>,
    RawQuery(query): RawQuery,
    principal: Principal,
) -> Response {
    let caller = match caller(&doors, principal, OperationKind::GetSession) {
        Ok(caller) => caller,
        Err(fault) => return fault.to_rest(),
    };
    let asked = match PageRequest::of(query.as_deref()) {
        Ok(asked) => asked,
        Err(fault) => return fault.to_rest(),
    };
    let Ok(found) = doors.live.sessions(&caller.principal).await else {
        return Fault::of(Code::Internal).to_rest();
    };
    let limits = &doors.limits.sessions;
    let rows = found.iter().map(|session| {
        let place = newest_first(session.created_at.0, session.key.session.as_str());
        (place, session)
    });
    let told = |session: &Arc<Session>| json!(Listed::of(session, limits));
    private(&Page::of(rows, &asked, told))
}

/// `GET /api/v1/sessions/{session}`: its whole state.
pub(in super::super) async fn session(
    State(doors): State<Arc<Doors>>,
    Path(session): Path<String>,
    principal: Principal,
) -> Response {
    let arguments = json!({ "sessionId": session });
    match read(&doors, principal, OperationKind::GetSession, arguments).await {
        Ok(Outcome::Got(result)) => private(&result),
        Ok(_) => Fault::of(Code::Internal).to_rest(),
        Err(fault) => fault.to_rest(),
    }
}

/// `DELETE /api/v1/sessions/{session}`: ends it for everybody who watches or waits.
pub(in super::super) async fn delete_session(
    State(doors): State<Arc<Doors>>,
    Path(session): Path<String>,
    principal: Principal,
    headers: HeaderMap,
) -> Response {
    let arguments = json!({ "sessionId": session });
    let deleted = delete(
        &doors,
        principal,
        &headers,
        OperationKind::DeleteSession,
        arguments,
    );
    deleted.await.unwrap_or_else(|fault| fault.to_rest())
}

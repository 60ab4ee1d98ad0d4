//! The address on which a conformance suite asks for its sessions, in a build for such suites.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::profile::Refused;
use crate::transports::live::Channel;
use crate::wire::ids::SessionKey;

/// App of sessions for which the suite names none.
const APP: &str = "conformance";
/// A step of a suite's preparation. Its discriminator is `type` in the suite's files and `kind` in
/// its programs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Step {
    #[serde(alias = "type")]
    kind: String,
    #[serde(default)]
    session_id: String,
    app_id: Option<String>,
    #[serde(default)]
    action_spec: Map<String, Value>,
    #[serde(default)]
    advertise_version: String,
    #[serde(default)]
    channel: String,
    #[serde(default)]
    payload: Value,
}

/// The routes of the control address.
pub(crate) fn control(shared: Arc<Channel>) -> Router {
    Router::new()
        .route("/setup", post(setup))
        .route("/sessions/{session}/{field}", get(field))
        .with_state(shared)
}

async fn setup(State(shared): State<Arc<Channel>>, Json(step): Json<Step>) -> Response {
    let Some(profile) = &shared.suite.0 else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let done = match step.kind.as_str() {
        "create-session" if step.session_id.is_empty() => {
            Err(Refused("a session needs a sessionId".to_owned()))
        }
        "create-session" => {
            let app = step.app_id.as_deref().unwrap_or(APP);
            let key = SessionKey {
                app: app.into(),
                session: step.session_id.as_str().into(),
            };
            profile.make(key, &step.action_spec).await
        }
        "emit-envelope" => profile.emit(&step.channel, step.payload).await,
        "server-version-override" => {
            profile.pretend(step.session_id, &step.advertise_version);
            Ok(())
        }
        kind => Err(Refused(format!("there is no step \"{kind}\" here"))),
    };
    match done {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(Refused(why)) => (StatusCode::UNPROCESSABLE_ENTITY, why).into_response(),
    }
}

async fn field(
    State(shared): State<Arc<Channel>>,
    Path((session, field)): Path<(String, String)>,
) -> Response {
    let found = match &shared.suite.0 {
        Some(profile) => profile.session(&session).await,
        None => None,
    };
    let Some(session) = found else {
        return (StatusCode::NOT_FOUND, "no such session").into_response();
    };
    let value = match field.as_str() {
        "appId" => json!(session.key.app),
        "hostContext" => json!(session.host_context),
        _ => return (StatusCode::NOT_FOUND, "no such field").into_response(),
    };
    Json(json!({ "value": value })).into_response()
}

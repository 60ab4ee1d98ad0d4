//! Whether the server lives, and whether it takes work: what those who watch over it ask.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{StatusCode, header};
use serde_json::json;

use super::guards::DRAIN_WAIT;
use crate::transports::doors::Doors;
use crate::transports::tools;

/// What the server calls itself to those who ask for its health.
const NAME: &str = "proscenium";

/// `GET /health/live`: the process answers.
pub(crate) async fn live() -> Response {
    Json(json!({ "status": "alive", "server": NAME })).into_response()
}

/// `GET /health/ready`: 200 while it takes work, 503 once it is being stopped; with how many tools
/// there are, and how the live channel is used (tools.md §1.8).
pub(crate) async fn ready(State(doors): State<Arc<Doors>>) -> Response {
    let body = |status| {
        Json(json!({
            "status": status,
            "server": NAME,
            "version": env!("CARGO_PKG_VERSION"),
            "tools": tools::count(),
            "channel": {
                "path": "/ws",
                "subscribers": doors.live.following(),
                "renders": doors.log.counts().sessions,
                "caps": { "preSubscribeRejections": doors.rejections.to_json() },
            },
        }))
    };
    if doors.drain.is_cancelled() {
        let wait = [(header::RETRY_AFTER, DRAIN_WAIT.as_secs().to_string())];
        return (StatusCode::SERVICE_UNAVAILABLE, wait, body("draining")).into_response();
    }
    body("ok").into_response()
}

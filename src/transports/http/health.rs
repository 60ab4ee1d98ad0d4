//! Whether the server lives, and whether it takes work: what those who watch over it ask.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{StatusCode, header};
use serde_json::json;

use super::guards::DRAIN_WAIT;
use super::state::Front;
use crate::domain::store_error::STORE_WAIT;
use crate::transports::tools;

/// What the server calls itself to those who ask for its health.
const NAME: &str = "proscenium";

/// `GET /health/live`: the process answers.
pub(crate) async fn live() -> Response {
    Json(json!({ "status": "alive", "server": NAME })).into_response()
}

/// `GET /health/ready`: 200 while it takes work, 503 once it is being stopped or while its
/// store does not answer; with how many tools
/// there are, and how the live channel is used (tools.md §1.8).
pub(crate) async fn ready(State(front): State<Arc<Front>>) -> Response {
    let counts = front.live.counts().await;
    let renders = counts.as_ref().ok().map(|counts| counts.sessions);
    let body = |status| {
        Json(json!({
            "status": status,
            "server": NAME,
            "version": env!("CARGO_PKG_VERSION"),
            "tools": tools::count(&front.access.dispatch.registry),
            "channel": {
                "path": "/ws",
                "subscribers": front.live.following(),
                "renders": renders,
                "caps": { "preSubscribeRejections": front.rejections.to_json() },
            },
        }))
    };
    let refusal = match counts {
        _ if front.drain.is_cancelled() => Some((DRAIN_WAIT, "draining")),
        Ok(_) => None,
        Err(_) => Some((STORE_WAIT, "unavailable")),
    };
    if let Some((wait, status)) = refusal {
        let wait = [(header::RETRY_AFTER, wait.as_secs().to_string())];
        return (StatusCode::SERVICE_UNAVAILABLE, wait, body(status)).into_response();
    }
    body("ok").into_response()
}

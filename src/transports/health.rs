//! Whether the server lives, and whether it takes work: what those who watch over it ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{StatusCode, header};
use serde_json::{Value, json};

use super::doors::Doors;
use super::guards::DRAIN_WAIT;
use super::tools;
use crate::wire::fault::Close;

/// What the server calls itself to those who ask for its health.
const NAME: &str = "proscenium";

/// Sockets that were ended before they subscribed, by the bound they met.
#[derive(Default)]
pub(crate) struct Rejections {
    payload: AtomicU64,
    idle: AtomicU64,
    connection: AtomicU64,
}

impl Rejections {
    /// Counts the end of a socket, if it is one of these.
    pub(super) fn count(&self, close: Close) {
        let counter = match close {
            Close::PreSubscribePayloadExceeded => &self.payload,
            Close::PreSubscribeIdleTimeout => &self.idle,
            Close::PreSubscribeCeiling => &self.connection,
            _ => return,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn told(&self) -> Value {
        let Self {
            payload,
            idle,
            connection,
        } = self;
        let [payload, idle, connection] =
            [payload, idle, connection].map(|counter| counter.load(Ordering::Relaxed));
        json!({ "payload": payload, "idle": idle, "connection": connection })
    }
}

/// `GET /health/live`: the process answers.
pub(super) async fn live() -> Response {
    Json(json!({ "status": "alive", "server": NAME })).into_response()
}

/// `GET /health/ready`: 200 while it takes work, 503 once it is being stopped; with how many tools
/// there are, and how the live channel is used (ggui-mcp §1.9).
pub(super) async fn ready(State(doors): State<Arc<Doors>>) -> Response {
    let tools = tools::list(&doors.dispatch.arguments).as_array();
    let body = |status| {
        Json(json!({
            "status": status,
            "server": NAME,
            "version": env!("CARGO_PKG_VERSION"),
            "tools": tools.map_or(0, Vec::len),
            "channel": {
                "path": "/ws",
                "subscribers": doors.live.following(),
                "renders": doors.log.census().sessions,
                "caps": { "preSubscribeRejections": doors.rejections.told() },
            },
        }))
    };
    if doors.drain.is_cancelled() {
        let wait = [(header::RETRY_AFTER, DRAIN_WAIT.as_secs().to_string())];
        return (StatusCode::SERVICE_UNAVAILABLE, wait, body("draining")).into_response();
    }
    body("ok").into_response()
}

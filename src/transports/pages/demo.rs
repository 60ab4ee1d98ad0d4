//! The button of the empty stage: who may ask for the demo.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header::{HOST, ORIGIN};
use http::{HeaderMap, StatusCode};
use serde_json::json;

use super::state::Stage;
use crate::domain::principal::Principal;
use crate::transports::faults::Fault;
use crate::transports::request::text;
use crate::wire::fault::Code;

/// `POST /stage/demo`: plays the demo. Only the stage itself may ask, and nothing of the request
/// says what is played.
pub(crate) async fn play(
    State(stage): State<Arc<Stage>>,
    _: Principal,
    headers: HeaderMap,
) -> Response {
    // A browser names the origin of every page that posts: here it has to be the page's own server,
    // and not merely another one on this machine.
    let (origin, host) = (
        text(&headers, ORIGIN.as_str()),
        text(&headers, HOST.as_str()),
    );
    let is_own = matches!((origin, host), (Some(origin), Some(host))
        if origin.strip_prefix("http://").is_some_and(|origin| origin.eq_ignore_ascii_case(host)));
    if !is_own {
        let why = format!("Invalid Origin header: {}", origin.unwrap_or("(none)"));
        return Fault::saying(Code::InvalidOrigin, why).to_rest();
    }
    if !stage.access.credentials.is_dev() || !stage.offer.take() {
        return Fault::of(Code::NotFound).to_rest();
    }
    (StatusCode::ACCEPTED, Json(json!({ "demo": "playing" }))).into_response()
}

//! Answers that are event streams.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::{BoxStream, StreamExt as _};
use http::HeaderValue;
use http::header::CACHE_CONTROL;

/// How often a held answer shows that it lives: under the time-outs of common proxies.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// An event stream: notifications, and at last the answer. Dropping it cancels the call.
pub(super) fn event_stream(messages: BoxStream<'static, String>) -> Response {
    let event = |text: String| Ok::<_, Infallible>(Event::default().event("message").data(text));
    let events = messages.map(event);
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE).text("keepalive");
    let mut response = Sse::new(events).keep_alive(keep_alive).into_response();
    let headers = response.headers_mut();
    headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static("no-cache, no-transform"),
    );
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

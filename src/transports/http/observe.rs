//! What every request and every answer has: an id, a place in a trace, a line of the log, metrics,
//! and the headers that keep browsers careful.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use metrics::{SharedString, counter, histogram};
use tokio::time::Instant;
use tracing::Instrument as _;

use super::state::Front;
use crate::transports::request::{Correlation, text};
use crate::wire::trace::TraceParent;

/// The id of a request.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Its place in a trace.
pub(crate) const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
/// Longest request id that is taken over from a caller.
const REQUEST_ID_BYTES_MAX: usize = 128;
/// What logs and metrics call a path no route knows: the path itself is anyone's text.
const NO_ROUTE: &str = "(none)";
/// Headers of every answer that does not say otherwise: nothing of it is a page, and nothing of it
/// is kept.
const CAREFUL: [(HeaderName, HeaderValue); 4] = [
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
    ),
];
/// How many headers an answer gets here, at most.
const HEADERS: usize = 10;
/// Where the server is reached by https, it is not reached otherwise for a year.
const HTTPS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// A request under way, from the first byte of its headers to the last of its answer's.
pub(crate) struct Watch {
    began: Instant,
    correlation: Correlation,
    id: Option<HeaderValue>,
    method: &'static str,
    route: Option<MatchedPath>,
}

impl Watch {
    pub(crate) fn begin(front: &Front, request: &mut Request<Body>) -> Self {
        let began = Instant::now();
        let is_usable = |id: &&str| {
            (1..=REQUEST_ID_BYTES_MAX).contains(&id.len())
                && id.bytes().all(|byte| byte.is_ascii_graphic())
        };
        let given = text(request.headers(), REQUEST_ID.as_str()).filter(is_usable);
        let caller = text(request.headers(), TRACEPARENT.as_str()).and_then(TraceParent::parse);
        let correlation = Correlation::new(given, caller, &*front.ids);
        let id = HeaderValue::from_str(&correlation.id).ok();
        if let Some(value) = &id {
            request.headers_mut().insert(REQUEST_ID, value.clone());
        }
        Self {
            began,
            correlation,
            id,
            method: known(request.method()),
            // The route, never the path: what opens a door may stand in either part of an address.
            route: request.extensions().get::<MatchedPath>().cloned(),
        }
    }

    /// Answers within the request's span, and tells of the answer.
    pub(crate) async fn follow(
        self,
        front: &Front,
        answer: impl Future<Output = Response>,
    ) -> Response {
        let span = tracing::info_span!(
            "transports.http.answer",
            request.id = %self.correlation.id,
            trace.id = %self.correlation.trace.trace_id(),
        );
        let mut response = self
            .correlation
            .clone()
            .scope(answer)
            .instrument(span)
            .await;
        self.log_access(front, response.status().as_u16());
        self.write(front, response.headers_mut());
        response
    }

    /// The line of the log, and the metrics.
    fn log_access(&self, front: &Front, status: u16) {
        let method = self.method;
        let route = self.route.as_ref().map_or(NO_ROUTE, MatchedPath::as_str);
        let seconds = self.began.elapsed().as_secs_f64();
        if front.access_log {
            tracing::info!(
                request.id = %self.correlation.id,
                trace.id = %self.correlation.trace.trace_id(),
                method,
                route,
                status,
                seconds,
                "answered"
            );
        }
        let route: SharedString = Arc::<str>::from(route).into();
        histogram!("proscenium_http_seconds", "route" => route.clone()).record(seconds);
        counter!(
            "proscenium_http_requests_total",
            "method" => method, "route" => route, "status" => status.to_string()
        )
        .increment(1);
    }

    fn write(self, front: &Front, headers: &mut HeaderMap) {
        headers.reserve(HEADERS);
        if let Some(value) = self.id {
            headers.insert(REQUEST_ID, value);
        }
        if let Ok(value) = HeaderValue::from_str(&self.correlation.trace.to_string()) {
            headers.insert(TRACEPARENT, value);
        }
        for (name, value) in CAREFUL {
            headers.entry(name).or_insert(value);
        }
        if front.site.is_https() {
            headers.insert(STRICT_TRANSPORT_SECURITY, HTTPS_ONLY);
        }
        if let Some(request_limiter) = &front.request_limiter {
            request_limiter.add_headers(headers);
        }
    }
}

/// A method as logs and metrics name it: anyone may make one up.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

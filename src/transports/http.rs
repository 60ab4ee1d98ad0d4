//! The router and the order of its layers; health and metrics.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::header::{self, HOST, ORIGIN};
use http::{HeaderName, HeaderValue, Method, Request, StatusCode};
use serde_json::json;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use super::doors::Doors;
use super::extract::text;
use super::fault::Fault;
use super::mcp::{call, method_not_allowed};
use super::site::Site;
use super::{api, metadata, rest, scripts, stage, ws};
use crate::wire::fault::{Code, Endpoint, Era};

/// Longest request id that is taken over from a caller.
const REQUEST_ID_BYTES_MAX: usize = 128;
/// How long a browser may keep the answer to a preflight.
const PREFLIGHT_KEPT: Duration = Duration::from_secs(600);
/// How long a caller is told to wait while the server shuts down: its successor needs that long.
const DRAIN_WAIT: Duration = Duration::from_secs(2);
/// Name of the server where the original's clients look for one.
const HEALTH_NAME: &str = "proscenium";

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// All routes, behind all layers.
pub(crate) fn router(doors: Arc<Doors>) -> Router {
    let mcp = || post(call).fallback(method_not_allowed);
    // Pages of any origin may use these: what opens them travels in the address (ruling 14).
    let open = Router::new()
        .route("/ws", get(ws::upgrade))
        .route("/api/sessions//{door}", get(api::unnamed))
        .route("/api/sessions/{session}/state", get(api::state))
        .route("/api/sessions/{session}/events", get(api::events))
        .route("/api/sessions/{session}/stream", get(api::stream))
        .route("/frame/{session}", get(stage::frame))
        .route("/_ggui/{file}", get(scripts::runtime))
        .route("/stage/proscenium-stage.js", get(scripts::element))
        .route("/stage/proscenium-stage.d.ts", get(scripts::element_types))
        .route(metadata::PATH, get(metadata::protected_resource))
        .route(metadata::AT_MCP, get(metadata::protected_resource))
        .layer(CorsLayer::new().allow_origin(tower_http::cors::Any));
    let guarded = Router::new()
        .route("/mcp", mcp())
        .route("/apps/{app}/mcp", mcp())
        .route("/", get(stage::all))
        .route("/r/{code}", get(stage::one))
        .route("/r/{code}/frame", get(stage::one_frame))
        .route("/stage/feed", get(stage::feed))
        .route("/stage/frame/{session}", get(stage::stage_frame))
        .route("/health/live", get(live))
        .route("/ggui/live", get(live))
        .route("/health/ready", get(ready))
        .route("/ggui/health", get(ready))
        .route("/metrics", get(metrics))
        .route("/api/v1/sessions", get(rest::sessions))
        .route(
            "/api/v1/sessions/{session}",
            get(rest::session).delete(rest::delete_session),
        )
        .route("/api/v1/faults", get(rest::faults))
        .route("/api/v1/faults/{name}", get(rest::fault))
        .route("/api/v1/openapi.json", get(rest::openapi));
    #[cfg(feature = "demo")]
    let guarded = guarded.route("/stage/demo", post(super::demo::play));
    let guarded = guarded
        .layer(cors(&doors.site))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&doors),
            guard_origin,
        ));
    // From the inside out; the last one is the first to see a request.
    guarded
        .merge(open)
        .fallback(async || Fault::of(Code::NotFound).to_rest())
        .method_not_allowed_fallback(async || Fault::of(Code::MethodNotAllowed).to_rest())
        // Rebinding a foreign name to this machine must not reach anything.
        .layer(middleware::from_fn_with_state(
            Arc::clone(&doors),
            guard_host,
        ))
        // A bug in one request is that request's 500.
        .layer(CatchPanicLayer::custom(panicked))
        // Outermost: every answer has an id, refusals and panics included.
        .layer(middleware::from_fn_with_state(
            Arc::clone(&doors),
            identify_request,
        ))
        .with_state(doors)
}

fn cors(site: &Site) -> CorsLayer {
    let site = site.clone();
    let allowed = AllowOrigin::predicate(move |origin, parts| {
        let host = text(&parts.headers, HOST.as_str());
        origin
            .to_str()
            .is_ok_and(|origin| site.allows_origin(origin, host))
    });
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([header::WWW_AUTHENTICATE, header::RETRY_AFTER, REQUEST_ID])
        .max_age(PREFLIGHT_KEPT)
}

/// Gives every request an id, and every answer the headers all answers have.
async fn identify_request(
    State(doors): State<Arc<Doors>>,
    mut request: Request<Body>,
    next: Next,
) -> Response {
    let is_usable = |id: &&str| {
        (1..=REQUEST_ID_BYTES_MAX).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_graphic())
    };
    let given = text(request.headers(), REQUEST_ID.as_str()).filter(is_usable);
    let id = given.map_or_else(|| doors.ids.uuid(), str::to_owned);
    if let Ok(value) = HeaderValue::from_str(&id) {
        request.headers_mut().insert(REQUEST_ID, value);
    }
    let method = request.method().clone();
    // The path alone: what opens a door stands in the query (ruling 16).
    let path = request.uri().path().to_owned();
    let span = tracing::info_span!("transports.http.answer", request.id = %id);
    let has_credential = metadata::has_credential(request.headers());
    let mut response = tracing::Instrument::instrument(next.run(request), span).await;
    metadata::point_to(&doors, &path, has_credential, &mut response);
    tracing::debug!(request.id = %id, %method, path, status = response.status().as_u16(), "answered");
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, value);
    }
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    response
}

async fn guard_host(
    State(doors): State<Arc<Doors>>,
    request: Request<Body>,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let host = text(request.headers(), HOST.as_str()).unwrap_or_default();
    if !doors.site.knows_host(host) {
        let fault = Fault::saying(Code::InvalidHost, format!("Invalid Host header: {host}"));
        return refusal(&fault, path);
    }
    // Health is asked while the server drains, and a socket is told by a close code.
    let is_told = path.starts_with("/health") || path.starts_with("/ggui/") || path == "/ws";
    if doors.drain.is_cancelled() && !is_told {
        return refusal(&Fault::of(Code::Draining).after(DRAIN_WAIT), path);
    }
    next.run(request).await
}

async fn guard_origin(
    State(doors): State<Arc<Doors>>,
    request: Request<Body>,
    next: Next,
) -> Response {
    let host = text(request.headers(), HOST.as_str());
    match request.headers().get(ORIGIN).map(HeaderValue::to_str) {
        None => next.run(request).await,
        Some(Ok(origin)) if doors.site.allows_origin(origin, host) => next.run(request).await,
        Some(origin) => {
            let origin = origin.unwrap_or("(not a text)");
            let message = format!("Invalid Origin header: {origin}");
            refusal(
                &Fault::saying(Code::InvalidOrigin, message),
                request.uri().path(),
            )
        }
    }
}

/// A refusal in the words of the family its path belongs to.
fn refusal(fault: &Fault, path: &str) -> Response {
    if path.ends_with("/mcp") {
        fault.to_rpc_response("null", Era::Legacy, Endpoint::Mcp)
    } else {
        fault.to_rest()
    }
}

fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    tracing::error!("a request handler panicked");
    Fault::of(Code::Internal).to_rest()
}

async fn live() -> Response {
    Json(json!({ "status": "alive", "server": HEALTH_NAME })).into_response()
}

async fn ready(State(doors): State<Arc<Doors>>) -> Response {
    let (status, word) = if doors.drain.is_cancelled() {
        (StatusCode::SERVICE_UNAVAILABLE, "draining")
    } else {
        (StatusCode::OK, "ok")
    };
    let body = json!({
        "status": word,
        "server": HEALTH_NAME,
        "version": env!("CARGO_PKG_VERSION"),
    });
    (status, Json(body)).into_response()
}

async fn metrics(State(doors): State<Arc<Doors>>) -> Response {
    let content_type = "text/plain; version=0.0.4; charset=utf-8";
    (
        [(header::CONTENT_TYPE, content_type)],
        doors.metrics.render(),
    )
        .into_response()
}

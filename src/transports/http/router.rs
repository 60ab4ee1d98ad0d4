//! The router and the order of its layers; metrics.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use http::header::{self, HOST, HeaderName};
use http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Version};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate as _, SizeAbove};
use tower_http::cors::{AllowHeaders, AllowOrigin, Any, CorsLayer};

use super::observe::{REQUEST_ID, TRACEPARENT, Watch};
use super::site::Site;
use super::{edge, gauges, guards, health, metadata, weighed};
use crate::transports::doors::Doors;
use crate::transports::faults::{Fault, family};
use crate::transports::live::fallbacks;
use crate::transports::mcp::{call, method_not_allowed};
use crate::transports::pages::{feed, scripts, stage};
use crate::transports::request::{Identity, is_forwarded, text};
use crate::transports::{live, manual, rest};
use crate::wire::fault::Code;

/// How long a browser may keep the answer to a preflight.
const PREFLIGHT_KEPT: Duration = Duration::from_secs(600);
/// Whatever is answered below this is for pages of any origin: a guest reads why it is refused
/// (live-channel.md §12.1).
const FALLBACKS: &str = "/api/sessions/";
/// Headers of answers that scripts of other pages may read.
const EXPOSED: [HeaderName; 7] = [
    header::WWW_AUTHENTICATE,
    header::RETRY_AFTER,
    HeaderName::from_static("ratelimit-limit"),
    HeaderName::from_static("ratelimit-remaining"),
    HeaderName::from_static("ratelimit-reset"),
    REQUEST_ID,
    TRACEPARENT,
];

/// Bytes below which a compressed answer is hardly smaller: it still fills one packet.
const COMPRESSED_FROM: u64 = 1_024;

/// Pages and scripts; a refusal in JSON goes out as it is.
fn is_text(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    text(headers, header::CONTENT_TYPE.as_str()).is_some_and(|kind| kind.starts_with("text/"))
}

/// All routes, behind all layers.
pub(crate) fn router(doors: Arc<Doors>) -> Router {
    let mcp = || post(call).fallback(method_not_allowed);
    // What a person waits for on a slow line. Whatever is streamed stays as it is.
    let compression =
        CompressionLayer::new().compress_when(SizeAbove::new(COMPRESSED_FROM).and(is_text));
    let small = |pages: MethodRouter<Arc<Doors>>| pages.layer(compression.clone());
    // Pages of any origin may use these: what opens them travels in the address.
    let open = Router::new()
        .route("/ws", get(live::upgrade))
        .route("/api/sessions//{door}", get(fallbacks::unnamed))
        .route("/api/sessions/{session}/state", get(fallbacks::state))
        .route("/api/sessions/{session}/events", get(fallbacks::events))
        .route("/api/sessions/{session}/stream", get(fallbacks::stream))
        .route("/frame/{session}", small(get(stage::frame)))
        .route("/_ggui/{file}", small(get(scripts::runtime)))
        .route("/stage/proscenium-stage.js", small(get(scripts::element)))
        .route(
            "/stage/proscenium-stage.d.ts",
            small(get(scripts::element_types)),
        )
        .route(metadata::PATH, get(metadata::protected_resource))
        .route(metadata::AT_MCP, get(metadata::protected_resource))
        // Documents: for everybody, under both spellings.
        .route("/api/mcp-protocol", get(manual::errors))
        .route("/api/mcp-protocol/", get(manual::errors))
        .route("/api/rate-limits", get(manual::limits))
        .route("/api/rate-limits/", get(manual::limits));
    let guarded = Router::new()
        .route("/mcp", mcp())
        .route("/apps/{app}/mcp", mcp())
        .route("/", small(get(stage::all)))
        .route("/r/{code}", small(get(stage::one)))
        .route("/r/{code}/frame", get(stage::one_frame))
        .route("/stage/feed", get(feed::feed))
        .route("/stage/frame/{session}", get(stage::stage_frame))
        .route("/stage/explain/{session}", small(get(stage::explained)))
        .route("/health/live", get(health::live))
        .route("/ggui/live", get(health::live))
        .route("/health/ready", get(health::ready))
        .route("/ggui/health", get(health::ready))
        .route("/metrics", get(metrics))
        .route("/api/v1/sessions", get(rest::sessions))
        .route(
            "/api/v1/sessions/{session}",
            get(rest::session).delete(rest::delete_session),
        )
        .route("/api/v1/blueprints", get(rest::blueprints))
        .route(
            "/api/v1/blueprints/{blueprint}",
            get(rest::blueprint).delete(rest::delete_blueprint),
        )
        .route("/api/v1/faults", get(rest::faults))
        .route("/api/v1/faults/{name}", get(rest::fault))
        .route("/api/v1/openapi.json", get(rest::openapi));
    #[cfg(feature = "demo")]
    let guarded = guarded.route("/stage/demo", post(crate::transports::pages::play));
    // From the inside out; the last one is the first to see a request. Who counts stands inside
    // of what lets other pages read the answer: a browser has to see its 429.
    let counted = |routes: Router<Arc<Doors>>| {
        // Within the layers: a page of another site reads this refusal, too, and its preflights are
        // answered.
        let refused = async || Fault::of(Code::MethodNotAllowed).refuse();
        let routes = routes.method_not_allowed_fallback(refused);
        match &doors.request_limiter {
            Some(request_limiter) => routes
                .layer(request_limiter.layer())
                .layer(from_fn_with_state(Arc::clone(&doors), guards::callers)),
            None => routes,
        }
    };
    let open = counted(open).layer(
        CorsLayer::new()
            .allow_origin(Any)
            .allow_headers([fallbacks::LAST_EVENT_ID])
            .expose_headers(EXPOSED)
            .max_age(PREFLIGHT_KEPT),
    );
    let guarded = counted(guarded)
        .layer(cors(&doors.site))
        .layer(from_fn_with_state(Arc::clone(&doors), guards::origins));
    guarded
        .merge(open)
        .fallback(async || Fault::of(Code::NotFound).refuse())
        .layer(from_fn_with_state(Arc::clone(&doors), handle))
        .with_state(doors)
}

/// What every request meets, as one layer: each layer of its own would cost every request a copy of
/// all layers within it. Whatever is refused here has an id, too.
async fn handle(
    State(doors): State<Arc<Doors>>,
    mut request: Request<Body>,
    next: Next,
) -> Response {
    let watch = Watch::begin(&doors, &mut request);
    edge::mark(&doors.edge, &mut request);
    let client = edge::client_of(&request);
    let is_rpc = request.uri().path().ends_with("/mcp");
    let is_fallback = request.uri().path().starts_with(FALLBACKS);
    let refusal = metadata::refusal(&doors, &request);
    // Pinned where they are: a future that is handed on by value is copied by everyone it passes.
    let passed = pin!(async {
        match guards::admit(&doors, &request) {
            Ok(()) => next.run(request).await,
            Err(fault) => fault.refuse(),
        }
    });
    let answered = pin!(async {
        let answered = guards::contained(guards::in_time(&doors, passed)).await;
        let mut response = family::write_refusal(is_rpc, answered);
        if let Some(refusal) = refusal {
            metadata::add_challenge(&doors, refusal, &mut response);
        }
        if is_fallback {
            let headers = response.headers_mut();
            let anyone = HeaderValue::from_static("*");
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, anyone);
        }
        weighed::weigh(&doors.edge, client, response)
    });
    watch.follow(&doors, answered).await
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
        .expose_headers(EXPOSED)
        .max_age(PREFLIGHT_KEPT)
}

/// `GET /metrics`: for whoever is on this machine, else for holders of a credential, unless the
/// settings open it.
async fn metrics(
    State(doors): State<Arc<Doors>>,
    Identity(caller): Identity,
    headers: HeaderMap,
) -> Response {
    let is_here = doors.site.is_loopback() && !is_forwarded(&headers);
    if !is_here
        && !doors.metrics_open
        && let Err(fault) = caller
    {
        return fault.to_rest();
    }
    let content_type = "text/plain; version=0.0.4; charset=utf-8";
    let mut page = doors.metrics.render();
    // Counted now, of this server: what was recorded is the whole process's.
    page.push_str(&gauges::page(&doors));
    ([(header::CONTENT_TYPE, content_type)], page).into_response()
}

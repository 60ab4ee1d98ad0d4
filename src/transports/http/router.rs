//! The router and the order of its layers; metrics.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, patch, post};
use http::header::{self, HOST, HeaderName};
use http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Version};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};
use tower_http::cors::{AllowHeaders, AllowOrigin, Any, CorsLayer};

use super::guards::Patience;
use super::observe::{REQUEST_ID, TRACEPARENT, Watch};
use super::site::Site;
use super::state::Front;
use super::{edge, gauges, guards, health, metadata, unread, weighed};
use crate::transports::faults::{Fault, family};
use crate::transports::live::{Channel, fallbacks};
use crate::transports::mcp::{Mcp, call, method_not_allowed};
use crate::transports::pages::{Stage, feed, scripts, stage};
use crate::transports::request::{Identity, is_forwarded, text};
use crate::transports::{live, manual, rest};
use crate::wire::fault::Code;

/// How long a browser may keep the answer to a preflight.
const PREFLIGHT_KEPT: Duration = Duration::from_secs(600);
/// Whatever is answered below this is for pages of any origin: a guest reads why it is refused
/// (live-channel.md §12.1).
const FALLBACKS: &str = "/api/sessions/";
/// Headers of answers that scripts of other pages may read.
const EXPOSED: [HeaderName; 8] = [
    header::WWW_AUTHENTICATE,
    header::RETRY_AFTER,
    HeaderName::from_static("idempotent-replayed"),
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

/// What the routes use, each what it needs.
pub(crate) struct Routes {
    pub(crate) front: Arc<Front>,
    pub(crate) mcp: Arc<Mcp>,
    /// The endpoint of the gate, where there is one.
    #[cfg(feature = "gate")]
    pub(crate) gate: Option<Arc<Mcp>>,
    /// The tools of the page store alone.
    pub(crate) brain: Arc<Mcp>,
    pub(crate) channel: Arc<Channel>,
    pub(crate) stage: Arc<Stage>,
}

impl Routes {
    /// Pages of any origin may use these: what opens them travels in the address.
    fn open(&self) -> Router {
        let channel = Router::new()
            .route("/ws", get(live::upgrade))
            .route("/api/sessions//{door}", get(fallbacks::unnamed))
            .route("/api/sessions/{session}/state", get(fallbacks::state))
            .route("/api/sessions/{session}/events", get(fallbacks::events))
            .route("/api/sessions/{session}/stream", get(fallbacks::stream))
            .with_state(Arc::clone(&self.channel));
        let pages = Router::new()
            .route("/frame/{session}", get(stage::frame))
            .route("/_ggui/{file}", get(scripts::runtime))
            .route("/stage/proscenium-stage.js", get(scripts::element))
            .route("/stage/proscenium-stage.d.ts", get(scripts::element_types))
            .layer(compression())
            .with_state(Arc::clone(&self.stage));
        // Documents: for everybody, under both spellings.
        let documents = Router::new()
            .route(metadata::PATH, get(metadata::protected_resource))
            .route(metadata::AT_MCP, get(metadata::protected_resource))
            .route("/api/mcp-protocol", get(manual::errors))
            .route("/api/mcp-protocol/", get(manual::errors))
            .route("/api/rate-limits", get(manual::limits))
            .route("/api/rate-limits/", get(manual::limits))
            .with_state(Arc::clone(&self.front));
        channel.merge(pages).merge(documents)
    }

    /// Pages of other sites may not use these.
    fn guarded(&self) -> Router {
        let front = &self.front;
        let mcp_post = || post(call).fallback(method_not_allowed);
        let mcp = Router::new()
            .route("/mcp", mcp_post())
            .route("/apps/{app}/mcp", mcp_post())
            .with_state(Arc::clone(&self.mcp));
        #[cfg(feature = "gate")]
        let mcp = match &self.gate {
            Some(gate) => {
                let gate = Router::new()
                    .route("/mcp/gate", mcp_post())
                    // Where clients look that were written for another gate of this protocol.
                    .route("/mcp/v1", mcp_post())
                    .with_state(Arc::clone(gate));
                mcp.merge(gate)
            }
            None => mcp,
        };
        let brain = Router::new()
            .route("/mcp/brain", mcp_post())
            .route("/apps/{app}/mcp/brain", mcp_post())
            .with_state(Arc::clone(&self.brain));
        let pages = Router::new()
            .route("/", get(stage::all))
            .route("/r/{code}", get(stage::one))
            .route("/stage/explain/{session}", get(stage::explained))
            .layer(compression())
            .route("/r/{code}/frame", get(stage::one_frame))
            .route("/stage/feed", get(feed::feed))
            .route("/stage/frame/{session}", get(stage::stage_frame));
        #[cfg(feature = "demo")]
        let pages = pages.route("/stage/demo", post(crate::transports::pages::play));
        let pages = pages.with_state(Arc::clone(&self.stage));
        let server = Router::new()
            .route("/health/live", get(health::live))
            .route("/ggui/live", get(health::live))
            .route("/health/ready", get(health::ready))
            .route("/ggui/health", get(health::ready))
            .route("/metrics", get(metrics))
            .with_state(Arc::clone(&self.front));
        let rest = Router::new()
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
            .route("/api/v1/openapi.json", get(rest::openapi))
            .with_state(front.access.clone());
        let written = Router::new()
            .route(
                "/api/v1/memories",
                get(rest::memories).post(rest::create_memory),
            )
            .route(
                "/api/v1/memories/{memory}",
                get(rest::memory)
                    .patch(rest::change_memory)
                    .delete(rest::delete_memory),
            )
            .route("/api/v1/memories/{memory}/versions", get(rest::versions))
            .route(
                "/api/v1/memories/{memory}/versions/{version}",
                get(rest::version),
            )
            .route(
                "/stage/pages/{page}",
                patch(rest::change_page).delete(rest::delete_page),
            )
            .route("/api/v1/search", post(rest::search))
            .route("/api/v1/sessions/{session}/remarks", post(rest::remark))
            .route(
                "/stage/sessions/{session}/confirmations",
                post(rest::confirm),
            )
            .with_state(Arc::clone(front));
        let rest = rest.merge(written);
        mcp.merge(brain).merge(pages).merge(server).merge(rest)
    }
}

/// What a person waits for on a slow line. Whatever is streamed stays as it is.
fn compression() -> CompressionLayer<impl Predicate + Send + Sync + 'static> {
    CompressionLayer::new().compress_when(SizeAbove::new(COMPRESSED_FROM).and(is_text))
}

/// All routes, behind all layers.
pub(crate) fn router(routes: &Routes) -> Router {
    let front = &routes.front;
    // From the inside out; the last one is the first to see a request. Who counts stands inside
    // of what lets other pages read the answer: a browser has to see its 429.
    let counted = |routes: Router| {
        // Within the layers: a page of another site reads this refusal, too, and its preflights are
        // answered.
        let refused = async || Fault::of(Code::MethodNotAllowed).refuse();
        let routes = routes.method_not_allowed_fallback(refused);
        match &front.request_limiter {
            Some(request_limiter) => routes
                .layer(request_limiter.layer())
                .layer(from_fn_with_state(Arc::clone(front), guards::callers)),
            None => routes,
        }
    };
    let open = counted(routes.open()).layer(
        CorsLayer::new()
            .allow_origin(Any)
            .allow_headers([fallbacks::LAST_EVENT_ID])
            .expose_headers(EXPOSED)
            .max_age(PREFLIGHT_KEPT),
    );
    let guarded = counted(routes.guarded())
        .layer(cors(&front.site))
        .layer(from_fn_with_state(Arc::clone(front), guards::origins));
    guarded
        .merge(open)
        .fallback(async || Fault::of(Code::NotFound).refuse())
        .layer(from_fn_with_state(Arc::clone(front), handle))
}

/// What every request meets, as one layer: each layer of its own would cost every request a copy of
/// all layers within it. Whatever is refused here has an id, too.
async fn handle(
    State(front): State<Arc<Front>>,
    mut request: Request<Body>,
    next: Next,
) -> Response {
    let watch = Watch::begin(&front, &mut request);
    edge::mark(&front.edge, &mut request);
    let client = edge::client_of(&request);
    let rpc = family::endpoint_of(request.uri().path());
    let is_fallback = request.uri().path().starts_with(FALLBACKS);
    let refusal = metadata::refusal(&front, &request);
    let mut request = unread::read_to_end(&front.limits.http, request);
    let patience = Patience::default();
    request.extensions_mut().insert(patience.clone());
    // Pinned where they are: a future that is handed on by value is copied by everyone it passes.
    let passed = pin!(async {
        match guards::admit(&front, &request) {
            Ok(()) => next.run(request).await,
            Err(fault) => fault.refuse(),
        }
    });
    let answered = pin!(async {
        let answered = guards::contained(guards::in_time(&front, &patience, passed)).await;
        let mut response = family::write_refusal(rpc, answered);
        if let Some(refusal) = refusal {
            metadata::add_challenge(&front, refusal, &mut response);
        }
        if is_fallback {
            let headers = response.headers_mut();
            let anyone = HeaderValue::from_static("*");
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, anyone);
        }
        weighed::weigh(&front.edge, client, response)
    });
    watch.follow(&front, answered).await
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
        .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED)
        .max_age(PREFLIGHT_KEPT)
}

/// `GET /metrics`: for whoever is on this machine, else for holders of a credential, unless the
/// settings open it.
async fn metrics(
    State(front): State<Arc<Front>>,
    Identity(caller): Identity,
    headers: HeaderMap,
) -> Response {
    let is_here = front.site.is_loopback() && !is_forwarded(&headers);
    if !is_here
        && !front.metrics_open
        && let Err(fault) = caller
    {
        return fault.to_rest();
    }
    let content_type = "text/plain; version=0.0.4; charset=utf-8";
    let mut page = front.metrics.render();
    // Counted now, of this server: what was recorded is the whole process's.
    page.push_str(&gauges::page(&front).await);
    ([(header::CONTENT_TYPE, content_type)], page).into_response()
}

//! What is decided before a handler sees a request: its host, its origin, whether the server still
//! serves, how long an answer may take, and what a panic is worth.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequestParts as _, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::FutureExt as _;
use http::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN};
use http::{Extensions, HeaderValue};
use tokio::time::timeout;

use super::request_limiter::Who;
use super::state::Front;
use crate::transports::faults::Fault;
use crate::transports::request::{Identity, text};
use crate::wire::fault::Code;

/// Headers that decide who asks and whom: a request has one of each at most.
const SINGLE: [HeaderName; 3] = [AUTHORIZATION, HOST, ORIGIN];

/// How long a caller is told to wait while the server shuts down: its successor needs that long.
pub(crate) const DRAIN_WAIT: Duration = Duration::from_secs(2);

/// A bug in one request is that request's 500; nothing of the bug leaves.
pub(crate) async fn contained(answer: impl Future<Output = Response>) -> Response {
    let answered = AssertUnwindSafe(answer).catch_unwind().await;
    answered.unwrap_or_else(|panic| {
        tracing::error!(panic.text = text_of(&*panic), "a request handler panicked");
        Fault::of(Code::Internal).refuse()
    })
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or_default()
}

/// Whether an answer may wait for a model, which is known once its request was read.
#[derive(Clone, Default)]
pub(crate) struct Patience(Arc<AtomicBool>);

impl Patience {
    /// That of a request.
    pub(crate) fn of(extensions: &Extensions) -> Self {
        extensions.get().cloned().unwrap_or_default()
    }

    /// The answer may wait for a model.
    pub(crate) fn extend(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// An answer that does not begin in time is none. One that waits for a model may take as long as a
/// view may, on top.
pub(crate) async fn in_time(
    front: &Front,
    patience: &Patience,
    answer: impl Future<Output = Response>,
) -> Response {
    let deadline = Duration::from_secs(front.limits.http.answer_s);
    let mut answer = pin!(answer);
    let mut answered = timeout(deadline, &mut answer).await;
    if answered.is_err() && patience.0.load(Ordering::Relaxed) {
        let more = Duration::from_secs(front.limits.generation.view_s);
        answered = timeout(more, answer).await;
    }
    answered.unwrap_or_else(|_| Fault::of(Code::AnswerTimeout).refuse())
}

/// What no request gets past: rebinding a foreign name to this machine must not reach anything,
/// and a server that shuts down takes nothing new on.
pub(crate) fn admit(front: &Front, request: &Request<Body>) -> Result<(), Fault> {
    let headers = request.headers();
    // Two readers of such a request may each take another one for the one that counts.
    if let Some(name) = SINGLE
        .iter()
        .find(|name| headers.get_all(*name).iter().nth(1).is_some())
    {
        let why = format!("The request has more than one {name} header.");
        return Err(Fault::saying(Code::InvalidRequest, why));
    }
    let host = text(headers, HOST.as_str()).unwrap_or_default();
    // Of an address that names its server, HTTP takes that name, whatever the header says.
    let authority = request.uri().authority();
    if authority.is_some_and(|authority| !authority.as_str().eq_ignore_ascii_case(host)) {
        let why = "The Host header is not the host of the address.";
        return Err(Fault::saying(Code::InvalidRequest, why));
    }
    if !front.site.knows_host(host) {
        let message = format!(
            "Invalid Host header: {host}. This server is on loopback and answers to localhost, \
             127.0.0.1 and [::1]; reached by another name, it has to be told so with \
             server.public_url (--public-url)."
        );
        return Err(Fault::saying(Code::InvalidHost, message));
    }
    let path = request.uri().path();
    // A socket is told by a close code; health tells in its own words.
    let is_exempt = path == "/ws" || path.starts_with("/health") || path.starts_with("/ggui/");
    if front.drain.is_cancelled() && !is_exempt {
        return Err(Fault::of(Code::Draining).after(DRAIN_WAIT));
    }
    front.edge.admit(request)
}

/// Pages of other sites may not use what a browser adds by itself.
pub(crate) async fn origins(
    State(front): State<Arc<Front>>,
    request: Request<Body>,
    next: Next,
) -> Response {
    let host = text(request.headers(), HOST.as_str());
    match request.headers().get(ORIGIN).map(HeaderValue::to_str) {
        None => next.run(request).await,
        Some(Ok(origin)) if front.site.allows_origin(origin, host) => next.run(request).await,
        Some(origin) => {
            let origin = origin.unwrap_or("(not a text)");
            let message = format!("Invalid Origin header: {origin}");
            Fault::saying(Code::InvalidOrigin, message).refuse()
        }
    }
}

/// Finds out whose key a request carries, for whoever counts.
pub(crate) async fn callers(
    State(front): State<Arc<Front>>,
    request: Request<Body>,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    if parts.headers.contains_key(AUTHORIZATION) {
        let Ok(identity) = Identity::from_request_parts(&mut parts, &front).await;
        if let Ok(caller) = &identity.0 {
            parts.extensions.insert(Who::holder(caller));
        }
        parts.extensions.insert(identity);
    }
    next.run(Request::from_parts(parts, body)).await
}

//! The upgrade: who may open a socket, and the bounds every socket has.

use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::response::Response;
use http::header::{HOST, ORIGIN, SEC_WEBSOCKET_VERSION};
use http::{HeaderMap, HeaderValue, Uri};
use tracing::Instrument as _;

use super::socket::{Arrival, Socket};
use super::state::Channel;
use super::subscribe::PendingCredential;
use crate::domain::credentials::CredentialError;
use crate::transports::faults::Fault;
use crate::transports::http::{Client, Reason, Seat};
use crate::transports::request::{Correlation, Parameters, principal_at, text};
use crate::wire::fault::Code;

/// Read buffer of a socket, cleared for every read: an action takes a few hundred bytes, and what
/// is longer is read in several goes. The library's 128 KiB would cost more than all the rest.
const READ_BUFFER_BYTES: usize = 1 << 10;
/// Bytes that are collected before they are written: several frames.
const WRITE_BUFFER_BYTES: usize = 4 << 10;

/// `GET /ws`. A token in the address has to be one of ours; whether it still opens anything is judged
/// at `subscribe`, because a browser cannot read a refused upgrade. Anything else has to be a
/// credential, in a header or as `token` in the address, from a page that may use it.
pub(in super::super) async fn upgrade(
    State(shared): State<Arc<Channel>>,
    Extension(client): Extension<Client>,
    Extension(seat): Extension<Seat>,
    headers: HeaderMap,
    uri: Uri,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let given = match Parameters::of(&uri) {
        Ok(given) => given,
        Err(fault) => return fault.to_rest(),
    };
    let parked = if let Some(token) = given.get("wsToken") {
        if shared.access.credentials.session_of(token).is_none() {
            shared.edge.turn_away(Reason::SocketToken, client);
            return Fault::from(CredentialError::TokenInvalid).to_rest();
        }
        PendingCredential::Token
    } else {
        let host = text(&headers, HOST.as_str());
        let origin = headers.get(ORIGIN).map(HeaderValue::to_str);
        match origin {
            Some(Ok(origin)) if shared.site.allows_origin(origin, host) => {}
            Some(_) => return Fault::of(Code::InvalidOrigin).to_rest(),
            None => {}
        }
        match principal_at(&*shared.access.credentials, &headers, given.get("token")).await {
            Ok(principal) => PendingCredential::Principal(principal),
            Err(fault) => return fault.to_rest(),
        }
    };
    let Ok(upgrade) = upgrade else {
        let message = "the live channel is a WebSocket (RFC 6455, version 13): ask for the upgrade";
        let mut refused = Fault::saying(Code::InvalidParams, message).to_rest();
        let headers = refused.headers_mut();
        headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        return refused;
    };
    let correlation = Correlation::current();
    // No child of the request's span, which would be kept as long as the socket: it tells no more.
    let span = tracing::info_span!(
        parent: None,
        "transports.ws.run",
        request.id = correlation.as_ref().map(|own| &*own.id),
        trace.id = correlation.as_ref().map(|own| own.trace.trace_id()),
    );
    let limits = &shared.limits.sockets;
    let place = shared.edge.socket(client);
    upgrade
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_message_size(limits.frame_bytes_max)
        .max_frame_size(limits.frame_bytes_max)
        .on_upgrade(move |socket| {
            let socket = Box::new(Socket::new(Arc::clone(&shared), socket));
            let arrival = Box::new(Arrival { parked, place });
            let tasks = shared.tasks.clone();
            let followed = async move {
                // It is a connection as long as it lives.
                let _seat = seat;
                let _counted = Counted::new(&shared);
                socket.run(arrival).await;
            };
            // A task of its own: the library's holds room for the upgrade as long as it runs.
            tasks.spawn(followed.instrument(span));
            ready(())
        })
}

/// Counts a socket for as long as it lives.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(shared: &Channel) -> Self {
        shared.sockets.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(&shared.sockets))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

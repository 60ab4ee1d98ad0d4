//! What is bounded for each address and in all before anything of a request is looked at. What is
//! turned away is counted, and spoken of once a minute.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::Request;
use metrics::counter;
use parking_lot::Mutex;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

use super::peers::{Client, Peer, Proxies};
use crate::domain::limits::{Limits, share};
use crate::domain::places::{Full, Place, Places};
use crate::domain::seldom::Seldom;
use crate::transports::faults::{FULL_WAIT, Fault};
use crate::wire::fault::Code;

/// Why somebody is turned away.
#[derive(Clone, Copy)]
pub(crate) enum Reason {
    Connections,
    Headers,
    SocketPlaces,
    SocketToken,
    UnderWay,
}

impl Reason {
    const COUNT: usize = 5;

    /// Its name in metrics and in the log, and what may be done about it.
    const fn describe(self) -> (&'static str, &'static str) {
        match self {
            Self::Connections => ("connections", "http.connections_per_peer_max bounds them"),
            Self::Headers => ("headers", "http.header_bytes_waiting_max bounds them"),
            Self::SocketPlaces => (
                "socket_places",
                "sockets.pre_subscribe_max and sockets.pre_subscribe_per_peer_max bound them",
            ),
            Self::SocketToken => ("socket_token", "no token of this server"),
            Self::UnderWay => ("under_way", "http.under_way_bytes_max bounds it"),
        }
    }
}

/// The bounds, and who is counted by them.
pub(crate) struct Edge {
    pub(crate) proxies: Proxies,
    /// Bytes of headers that have not all come.
    pub(crate) headers: Arc<Places<IpAddr>>,
    /// Bytes of bodies and answers.
    pub(crate) under_way: Arc<Places<IpAddr>>,
    connections: Arc<Places<IpAddr>>,
    sockets: Arc<Places<IpAddr>>,
    spoken: [Seldom; Reason::COUNT],
}

impl Edge {
    /// Nobody is here yet.
    pub(crate) fn new(limits: &Limits, proxies: Proxies) -> Self {
        let (http, sockets) = (&limits.http, &limits.sockets);
        let shared = |all, least| Arc::new(Places::shared(all, share(all).max(least)));
        Self {
            proxies,
            headers: shared(http.header_bytes_waiting_max, 0),
            under_way: shared(http.under_way_bytes_max, http.body_bytes_max),
            connections: Arc::new(Places::new(http.connections_of_peer())),
            sockets: Arc::new(Places::shared(
                sockets.pre_subscribe_max,
                sockets.pre_subscribe_per_peer_max,
            )),
            spoken: Default::default(),
        }
    }

    /// Counts somebody who is turned away.
    pub(crate) fn turn_away(&self, reason: Reason, Client(client): Client) {
        let (name, hint) = reason.describe();
        counter!("proscenium_turned_away_total", "reason" => name).increment(1);
        if let Some(count) = self.spoken[reason as usize].count(Instant::now().into_std()) {
            tracing::warn!(reason = name, %client, count, "turned away: {hint}");
        }
    }

    /// Where a request is counted from now on, and whether it may go on: a connection of a proxy
    /// belongs to whoever it was used for last.
    pub(crate) fn admit<B>(&self, request: &http::Request<B>) -> Result<(), Fault> {
        let client = client_of(request);
        if let Some(seat) = request.extensions().get::<Seat>()
            && let Err(full) = seat.belong(client, self)
        {
            return Err(self.crowded(full, client));
        }
        let fits = self.under_way.has_place(&client.0);
        fits.map_err(|_| self.overloaded(Reason::UnderWay, client))
    }

    /// A place for a socket that has not subscribed yet.
    pub(crate) fn socket(&self, client: Client) -> Option<Place<IpAddr>> {
        let place = self.sockets.enter(&client.0);
        place
            .inspect_err(|_| self.turn_away(Reason::SocketPlaces, client))
            .ok()
    }

    pub(crate) fn crowded(&self, full: Full, client: Client) -> Fault {
        self.turn_away(Reason::Connections, client);
        let message = format!(
            "{} connections of this address are open, which is as many as may be: use them, or \
             close some.",
            full.max()
        );
        Fault::saying(Code::ConnectionLimit, message).after(FULL_WAIT)
    }

    pub(crate) fn overloaded(&self, reason: Reason, client: Client) -> Fault {
        self.turn_away(reason, client);
        let message = "Too many bytes of requests and answers are under way: read the answers, \
                       and try again.";
        Fault::saying(Code::Overloaded, message).after(FULL_WAIT)
    }
}

/// The address a request is counted under.
pub(crate) fn client_of<B>(request: &http::Request<B>) -> Client {
    let client = request.extensions().get::<Client>().copied();
    client.unwrap_or(Client(IpAddr::from([0; 4])))
}

/// Finds out under which address a request is counted.
pub(crate) fn mark(edge: &Edge, request: &mut Request) {
    if let Some(peer) = request.extensions().get::<Peer>().copied() {
        let client = edge.proxies.client(peer, request.headers());
        request.extensions_mut().insert(client);
    }
}

/// The place of a connection, for as long as it lives or the socket it has become.
#[derive(Clone)]
pub(crate) struct Seat(Arc<Held>);

struct Held {
    _of_all: OwnedSemaphorePermit,
    of_client: Mutex<Option<(IpAddr, Place<IpAddr>)>>,
}

impl Seat {
    /// A place of all, which belongs to nobody yet.
    pub(crate) fn new(of_all: OwnedSemaphorePermit) -> Self {
        Self(Arc::new(Held {
            _of_all: of_all,
            of_client: Mutex::default(),
        }))
    }

    /// Counts the connection under an address, and no longer under another.
    pub(crate) fn belong(&self, Client(client): Client, edge: &Edge) -> Result<(), Full> {
        let mut of_client = self.0.of_client.lock();
        if of_client.as_ref().is_none_or(|(known, _)| *known != client) {
            *of_client = None;
            *of_client = Some((client, edge.connections.enter(&client)?));
        }
        Ok(())
    }
}

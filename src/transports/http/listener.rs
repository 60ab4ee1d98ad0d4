//! The accept loop: time-outs of headers and writes, bounds on connections, and an orderly end.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use futures_util::future::select_all;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use super::bare::{PlainRefusals, to_response};
use super::edge::{Edge, Seat};
use super::heads::Head;
use super::peers::{Client, Peer};
use crate::domain::clock::Ids;
use crate::domain::limits::HttpLimits;

/// Headers of a request: browsers send under thirty.
const HEADERS_MAX: usize = 100;
/// How long to pause when the system has no file descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long somebody who is turned away may take to read why.
const TURN_AWAY: Duration = Duration::from_millis(200);
/// Bytes that are read meanwhile, so that the system does not drop the answer with them.
const TURN_AWAY_BYTES: usize = 8 << 10;

/// A connection with a bound on how long a write may be blocked.
type Timed = Pin<Box<TimeoutStream<TcpStream>>>;

/// What every connection of a server shares.
#[derive(Clone)]
pub(crate) struct Reception {
    pub(crate) router: Router,
    pub(crate) limits: HttpLimits,
    pub(crate) edge: Arc<Edge>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) drain: CancellationToken,
    pub(crate) tasks: TaskTracker,
}

/// Serves until the drain begins; connections already open end on their own within it.
pub(crate) async fn serve(listeners: Vec<TcpListener>, reception: Reception) {
    let places = Arc::new(Semaphore::new(
        reception.limits.connections_max.min(Semaphore::MAX_PERMITS),
    ));
    let drain = reception.drain.clone();
    loop {
        let place = tokio::select! {
            biased;
            () = drain.cancelled() => return,
            place = Arc::clone(&places).acquire_owned() => place,
        };
        // It is never closed.
        let Ok(place) = place else { return };
        let (stream, peer) = tokio::select! {
            biased;
            () = drain.cancelled() => return,
            accepted = accept(&listeners) => match accepted {
                Ok((stream, address)) => (stream, Peer(address.ip())),
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
        };
        reception.receive(stream, peer, Seat::new(place));
    }
}

async fn accept(listeners: &[TcpListener]) -> io::Result<(TcpStream, SocketAddr)> {
    let accepting = listeners.iter().map(|listener| Box::pin(listener.accept()));
    select_all(accepting).await.0
}

impl Reception {
    fn receive(&self, stream: TcpStream, peer: Peer, seat: Seat) {
        let holder = self.edge.proxies.holder(peer);
        if let Some(client) = holder
            && let Err(full) = seat.belong(client, &self.edge)
        {
            let fault = self.edge.crowded(full, client);
            let words = to_response(&fault, &*self.ids);
            self.tasks.spawn(async move {
                turn_away(stream, &words).await;
                drop(seat);
            });
            return;
        }
        let client = holder.unwrap_or(Client(peer.0));
        let head = Arc::new(Head::new(&self.edge, client));
        let stream = PlainRefusals::new(
            self.timed(stream),
            Arc::clone(&self.ids),
            Arc::clone(&self.edge),
            Arc::clone(&head),
        );
        self.tasks.spawn(self.connection(stream, peer, seat, head));
    }

    /// A peer that reads nothing holds no answer for ever.
    fn timed(&self, stream: TcpStream) -> Timed {
        // Frames and answers are written whole: nothing is gained by waiting for more.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(Duration::from_secs(self.limits.write_s)));
        Box::pin(stream)
    }

    fn connection(
        &self,
        stream: PlainRefusals<Timed>,
        peer: Peer,
        seat: Seat,
        head: Arc<Head>,
    ) -> impl Future<Output = ()> + use<> {
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(Duration::from_secs(self.limits.header_read_s))
            .max_buf_size(self.limits.header_bytes_max)
            .max_headers(HEADERS_MAX);
        let connection_closer = ConnectionCloser::default();
        let of_requests = connection_closer.clone();
        let (router, drain) = (self.router.clone(), self.drain.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            head.end(&request);
            let extensions = request.extensions_mut();
            extensions.insert(peer);
            extensions.insert(seat.clone());
            extensions.insert(of_requests.clone());
            let (answer, head) = (router.clone().oneshot(request), Arc::clone(&head));
            async move {
                let answer = answer.await?;
                head.begin(answer.status());
                Ok::<_, Infallible>(answer)
            }
        });
        let connection = builder
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        async move {
            let mut connection = std::pin::pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = connection_closer.0.cancelled() => return,
                () = drain.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    tokio::select! {
                        ended = connection => ended,
                        () = connection_closer.0.cancelled() => return,
                    }
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended early");
            }
        }
    }
}

/// Says why a connection ends before it began. Who does not listen is gone all the same.
async fn turn_away(mut stream: TcpStream, words: &[u8]) {
    let said = async {
        stream.write_all(words).await?;
        stream.shutdown().await?;
        let mut unread = [0; TURN_AWAY_BYTES];
        while stream.read(&mut unread).await? > 0 {}
        io::Result::Ok(())
    };
    let _ = timeout(TURN_AWAY, said).await;
}

/// Ends the connection a request came on, for an answer that nobody takes.
#[derive(Clone, Default)]
pub(crate) struct ConnectionCloser(CancellationToken);

impl ConnectionCloser {
    /// Ends it at once, whatever is under way.
    pub(crate) fn now(&self) {
        self.0.cancel();
    }
}

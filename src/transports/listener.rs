//! The accept loop: time-outs of headers and writes, a bound on connections, and an orderly end.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use super::bare::Worded;
use super::doorman::Peer;
use crate::domain::clock::Ids;
use crate::domain::limits::HttpLimits;

/// Headers of a request: browsers send under thirty.
const HEADERS_MAX: usize = 100;
/// How long to pause when the system has no file descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A connection with a bound on how long a write may be blocked.
type Timed = Pin<Box<TimeoutStream<TcpStream>>>;

/// Serves until the drain begins; connections already open end on their own within it.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: HttpLimits,
    ids: Arc<dyn Ids>,
    drain: CancellationToken,
    tasks: TaskTracker,
) {
    let places = Arc::new(Semaphore::new(
        limits.connections_max.min(Semaphore::MAX_PERMITS),
    ));
    loop {
        let place = tokio::select! {
            biased;
            () = drain.cancelled() => return,
            place = Arc::clone(&places).acquire_owned() => place,
        };
        let (stream, peer) = tokio::select! {
            biased;
            () = drain.cancelled() => return,
            accepted = listener.accept() => match accepted {
                Ok((stream, address)) => (stream, Peer(address.ip())),
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
        };
        let stream = Worded::new(timed(stream, &limits), Arc::clone(&ids));
        let connection = connection(stream, peer, router.clone(), &limits, drain.clone());
        tasks.spawn(async move {
            connection.await;
            drop(place);
        });
    }
}

/// A peer that reads nothing holds no answer for ever.
fn timed(stream: TcpStream, limits: &HttpLimits) -> Timed {
    // Frames and answers are written whole: nothing is gained by waiting for more.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(Duration::from_secs(limits.write_s)));
    Box::pin(stream)
}

/// Ends the connection a request came on, for an answer that nobody takes.
#[derive(Clone, Default)]
pub(super) struct Hangup(CancellationToken);

impl Hangup {
    /// Ends it at once, whatever is under way.
    pub(super) fn now(&self) {
        self.0.cancel();
    }
}

fn connection(
    stream: Worded<Timed>,
    peer: Peer,
    router: Router,
    limits: &HttpLimits,
    drain: CancellationToken,
) -> impl Future<Output = ()> + use<> {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(limits.header_read_s))
        .max_buf_size(limits.header_bytes_max)
        .max_headers(HEADERS_MAX);
    let hangup = Hangup::default();
    let of_requests = hangup.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(of_requests.clone());
        router.clone().oneshot(request)
    });
    let connection = builder
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    async move {
        let mut connection = std::pin::pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = hangup.0.cancelled() => return,
            () = drain.cancelled() => {
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    ended = connection => ended,
                    () = hangup.0.cancelled() => return,
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection ended early");
        }
    }
}

//! What a connection holds of requests whose headers have not all come.

use std::net::IpAddr;
use std::sync::Arc;

use http::{Request, StatusCode};
use hyper::body::Body;
use parking_lot::Mutex;

use super::edge::Edge;
use super::peers::Client;
use crate::domain::places::{Full, Place, Places};

/// Bytes each connection may hold uncounted: the HTTP library reads as many in one go.
const UNCOUNTED: usize = 8 << 10;
/// What separates the parts of a header on the wire, and of the request's line.
const SEPARATORS: usize = 4;
/// The version at the end of the request's line, and the empty line after the headers.
const FRAME: usize = "HTTP/1.1".len() + 2;

/// The headers of one connection's next request.
pub(crate) struct Head {
    all: Arc<Places<IpAddr>>,
    client: Client,
    state: Mutex<State>,
}

struct State {
    bytes: usize,
    counted: Place<IpAddr>,
    /// Whether what comes belongs to a body, or to another protocol.
    is_body: bool,
}

impl Head {
    /// Nothing has come yet.
    pub(crate) fn new(edge: &Edge, client: Client) -> Self {
        let all = Arc::clone(&edge.headers);
        let state = State {
            bytes: 0,
            counted: all.hold(&client.0),
            is_body: false,
        };
        Self {
            all,
            client,
            state: Mutex::new(state),
        }
    }

    /// Whose connection it is.
    pub(crate) fn client(&self) -> Client {
        self.client
    }

    /// Counts what has come.
    pub(crate) fn grow(&self, bytes: usize) -> Result<(), Full> {
        let mut state = self.state.lock();
        if state.is_body {
            return Ok(());
        }
        state.bytes += bytes;
        let counted = state.counted.count();
        let more = state.bytes.saturating_sub(UNCOUNTED + counted);
        state.counted.grow(more)
    }

    /// The headers of a request have all come; what has come beyond them is the next one's.
    pub(crate) fn end<B: Body>(&self, request: &Request<B>) {
        let headers = request.headers().iter();
        let headers = headers.map(|(name, value)| name.as_str().len() + value.len() + SEPARATORS);
        let line = request.method().as_str().len() + request.uri().path().len();
        let query = request.uri().query().map_or(0, |query| query.len() + 1);
        let bytes = headers.sum::<usize>() + line + query + SEPARATORS + FRAME;
        let mut state = self.state.lock();
        state.is_body = !request.body().is_end_stream();
        state.bytes = match state.is_body {
            true => 0,
            false => state.bytes.saturating_sub(bytes),
        };
        state.counted = self.all.hold(&self.client.0);
    }

    /// The request was answered: what comes belongs to the next one, unless the connection now
    /// speaks another protocol.
    pub(crate) fn begin(&self, answered: StatusCode) {
        self.state.lock().is_body = answered == StatusCode::SWITCHING_PROTOCOLS;
    }
}

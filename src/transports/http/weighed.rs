//! Bodies that count for as long as somebody holds bytes of them.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use hyper::body::{Body as _, Frame, SizeHint};

use super::edge::Edge;
use super::peers::Client;
use crate::domain::places::Place;

/// Answers up to this size are not counted: a connection's buffers hold as much anyway.
const UNCOUNTED: u64 = 16 << 10;

/// A body whose bytes are counted until the last of them is written.
struct Weighed {
    body: Body,
    place: Arc<Place<IpAddr>>,
}

/// Bytes, and the place they take.
struct Held {
    bytes: Bytes,
    _place: Arc<Place<IpAddr>>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Counts what is long of an answer until its reader has taken it. What a stream holds is bounded
/// where it is made.
pub(crate) fn weigh(edge: &Edge, client: Client, answer: Response) -> Response {
    let Some(bytes) = answer.body().size_hint().exact() else {
        return answer;
    };
    if bytes <= UNCOUNTED {
        return answer;
    }
    let mut place = edge.under_way.hold(&client.0);
    place.take(usize::try_from(bytes).unwrap_or(usize::MAX));
    let place = Arc::new(place);
    answer.map(|body| Body::new(Weighed { body, place }))
}

impl hyper::body::Body for Weighed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let place = Arc::clone(&self.place);
        let held = |bytes| {
            Bytes::from_owner(Held {
                bytes,
                _place: place,
            })
        };
        let frame = Pin::new(&mut self.body).poll_frame(context);
        frame.map(|frame| frame.map(|frame| frame.map(|frame| frame.map_data(held))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

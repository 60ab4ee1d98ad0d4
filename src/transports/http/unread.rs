//! Bodies that nobody reads to their end, because the request is refused before: the rest is read
//! and thrown away. Otherwise the connection ends with bytes on their way, and its client may lose
//! the refusal, or another request on the same connection.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use bytes::Bytes;
use http::Version;
use http::header::EXPECT;
use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Body as _, Frame, SizeHint};
use tokio::runtime::Handle;
use tokio::time::Instant;

use crate::domain::limits::HttpLimits;

/// A body that is read to its end by somebody, if it ends within the limits of a body.
struct Awaited {
    body: Body,
    bytes_max: usize,
    until: Instant,
    has_ended: bool,
}

/// Has the body of a request read to its end, whoever drops it before.
pub(crate) fn read_to_end(limits: &HttpLimits, request: Request) -> Request {
    // Who waits to be told to go on sends nothing after a refusal; and a stream of HTTP/2 ends
    // without its connection.
    let ends_alone = request.headers().contains_key(EXPECT) || request.version() > Version::HTTP_11;
    if ends_alone || request.body().is_end_stream() {
        return request;
    }
    request.map(|body| {
        Body::new(Awaited {
            body,
            bytes_max: limits.body_bytes_max,
            until: Instant::now() + Duration::from_secs(limits.body_read_s),
            has_ended: false,
        })
    })
}

impl hyper::body::Body for Awaited {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        self.has_ended |= matches!(frame, Poll::Ready(None | Some(Err(_))));
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        if self.has_ended || self.body.is_end_stream() {
            return;
        }
        // There is none while a server that has stopped is taken down.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let mut rest = Limited::new(std::mem::take(&mut self.body), self.bytes_max);
        let until = self.until;
        runtime.spawn(tokio::time::timeout_at(until, async move {
            while let Some(Ok(_)) = rest.frame().await {}
        }));
    }
}

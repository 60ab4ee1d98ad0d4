//! What is refused before it is a request, because it is no HTTP, too large or too much: in our
//! words.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::edge::{Edge, Reason};
use super::heads::Head;
use super::observe::REQUEST_ID;
use crate::domain::clock::Ids;
use crate::transports::faults::Fault;
use crate::wire::fault::Code;

/// How every refusal of the library begins.
const REFUSED: &[u8] = b"HTTP/1.1 4";
/// What ends the head of an answer, and all of an answer without a body.
const END: &[u8] = b"\r\n\r\n";

/// Longest refusal of the library: a status line and three headers.
const REFUSED_BYTES_MAX: usize = 256;

/// A connection on which nothing is refused without words. The library writes its own refusals
/// whole and at once, so they are known by what they lack: every answer of ours has an id.
pub(crate) struct PlainRefusals<S> {
    stream: S,
    ids: Arc<dyn Ids>,
    edge: Arc<Edge>,
    head: Arc<Head>,
    /// Our words, and how many bytes of them are written.
    instead: Option<(Vec<u8>, usize)>,
}

impl<S> PlainRefusals<S> {
    pub(crate) fn new(stream: S, ids: Arc<dyn Ids>, edge: Arc<Edge>, head: Arc<Head>) -> Self {
        Self {
            stream,
            ids,
            edge,
            head,
            instead: None,
        }
    }
}

/// The code of a refusal that the library has written by itself.
fn refused(written: &[u8]) -> Option<Code> {
    let is_bare = written.starts_with(REFUSED)
        && written.len() <= REFUSED_BYTES_MAX
        && written.ends_with(END)
        && !has(written, REQUEST_ID.as_str().as_bytes());
    let code = match written.get(9..12).filter(|_| is_bare)? {
        b"414" => Code::AddressTooLong,
        b"431" => Code::HeadersTooLarge,
        _ => Code::BadRequest,
    };
    Some(code)
}

fn has(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// A whole answer, after which the library ends the connection.
pub(crate) fn to_response(fault: &Fault, ids: &dyn Ids) -> Vec<u8> {
    let (status, body) = fault.to_rest_text();
    let wait = fault.retry_after().map(|wait| {
        let seconds = wait.to_str().unwrap_or_default();
        format!("retry-after: {seconds}\r\n")
    });
    format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\n{}content-type: application/json\r\n\
         content-length: {}\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\n\
         {REQUEST_ID}: {}\r\n\r\n{body}",
        wait.unwrap_or_default(),
        body.len(),
        ids.uuid(),
    )
    .into_bytes()
}

impl<S: AsyncWrite + Unpin> PlainRefusals<S> {
    /// Writes our words where these are the library's; nothing to do for all others.
    fn poll_words(
        &mut self,
        context: &mut Context<'_>,
        given: &[u8],
    ) -> Poll<io::Result<Option<usize>>> {
        if self.instead.is_none() {
            self.instead =
                refused(given).map(|code| (to_response(&Fault::of(code), &*self.ids), 0));
        }
        let Some((words, done)) = &mut self.instead else {
            return Poll::Ready(Ok(None));
        };
        while let Some(left) = words.get(*done..).filter(|left| !left.is_empty()) {
            match ready!(Pin::new(&mut self.stream).poll_write(context, left))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => *done += count,
            }
        }
        self.instead = None;
        Poll::Ready(Ok(Some(given.len())))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for PlainRefusals<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if self.head.grow(buffer.filled().len() - before).is_ok() {
            return Poll::Ready(Ok(()));
        }
        let fault = self.edge.overloaded(Reason::Headers, self.head.client());
        let words = to_response(&fault, &*self.ids);
        // As much of it as the system takes at once: nobody waits for who is turned away.
        let _ = Pin::new(&mut self.stream).poll_write(context, &words);
        Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PlainRefusals<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        given: &[u8],
    ) -> Poll<io::Result<usize>> {
        match ready!(self.poll_words(context, given))? {
            Some(count) => Poll::Ready(Ok(count)),
            None => Pin::new(&mut self.stream).poll_write(context, given),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        given: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // The library's refusals have no body.
        if let [head] = given
            && let Some(count) = ready!(self.poll_words(context, head))?
        {
            return Poll::Ready(Ok(count));
        }
        Pin::new(&mut self.stream).poll_write_vectored(context, given)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

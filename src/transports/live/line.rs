//! What goes out on a socket: frames, written whole and in time, and the close.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use bytes::Bytes;
use futures_util::SinkExt as _;
use futures_util::stream::SplitSink;
use metrics::counter;
use tokio::time::timeout;

use crate::transports::faults::Fault;
use crate::wire::fault::Close;
use crate::wire::frames::{ServerBody, ServerFrame};

/// Why a socket's task ends.
pub(super) enum End {
    /// With a close frame of ours.
    Close(Close),
    /// The peer is gone.
    Gone,
    /// The peer has taken its leave, which is to be answered.
    Left,
}

/// A step of a socket's task, or why it is the last.
pub(super) type Step<T> = Result<T, End>;

/// The writing half of a socket.
pub(super) struct Line {
    sink: SplitSink<WebSocket, Message>,
    /// How long one write may take.
    write_timeout: Duration,
}

impl Line {
    pub(super) fn new(sink: SplitSink<WebSocket, Message>, write_timeout: Duration) -> Self {
        Self {
            sink,
            write_timeout,
        }
    }

    pub(super) async fn pong(&mut self, request_id: Option<&str>) -> Step<()> {
        self.reply(ServerBody::Pong {}, request_id).await
    }

    pub(super) async fn refuse(&mut self, fault: &Fault, request_id: Option<&str>) -> Step<()> {
        self.send_all(vec![fault.to_frame(request_id).into()]).await
    }

    pub(super) async fn reply(
        &mut self,
        body: ServerBody<'_>,
        request_id: Option<&str>,
    ) -> Step<()> {
        let frame = ServerFrame { body, request_id };
        // Keys of our own types are texts: writing them to memory cannot fail.
        self.send_all(vec![serde_json::to_vec(&frame).unwrap_or_default().into()])
            .await
    }

    /// Writes frames and flushes once; a write that takes too long ends the socket.
    pub(super) async fn send_all(&mut self, frames: Vec<Bytes>) -> Step<()> {
        let write = async {
            for frame in frames {
                // Frames are our own JSON.
                if let Ok(text) = Utf8Bytes::try_from(frame) {
                    self.sink.feed(Message::Text(text)).await?;
                }
            }
            self.sink.flush().await
        };
        match timeout(self.write_timeout, write).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => Err(End::Close(Close::SlowConsumer)),
        }
    }

    /// Writes what the protocol itself has to answer, as to a ping. A peer that takes nothing is not
    /// read on: its answers would pile up.
    pub(super) async fn flush(&mut self) -> Step<()> {
        self.send_all(Vec::new()).await
    }

    /// Answers the peer's close frame.
    pub(super) async fn answer_close(&mut self) {
        // A peer that does not wait for it is gone all the same.
        let _ = self.sink.close().await;
    }

    /// Says why the socket ends.
    pub(super) async fn send_close(&mut self, close: Close) {
        let (code, reason) = close.wire();
        counter!("proscenium_socket_closes_total", "reason" => reason).increment(1);
        let frame = CloseFrame {
            code,
            reason: Utf8Bytes::from_static(reason),
        };
        // A peer that takes no frame is gone all the same.
        let _ = self.sink.send(Message::Close(Some(frame))).await;
    }
}

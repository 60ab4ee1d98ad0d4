//! A client of the live channel.

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::schemas;
use crate::world::PATIENCE;

/// A client of the live channel.
pub(crate) struct Browser {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub(crate) session: String,
    pub(crate) token: String,
    requests: u64,
}

impl Browser {
    /// A client on an open socket, with an optional token.
    pub(crate) fn on(
        socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
        session: &str,
        token: &str,
    ) -> Self {
        Self {
            socket,
            session: session.to_owned(),
            token: token.to_owned(),
            requests: 0,
        }
    }

    /// Sends a frame without changing it.
    pub(crate) async fn send(&mut self, frame: Value) {
        self.send_text(&frame.to_string()).await;
    }

    /// Sends frames at once, without waiting for responses.
    pub(crate) async fn send_at_once(&mut self, frames: &[Value]) {
        for frame in frames {
            let fed = self.socket.feed(Message::text(frame.to_string())).await;
            fed.expect("a frame is taken");
        }
        self.socket.flush().await.expect("frames are sent");
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        // Writing to a closed socket has no effect; the next read reports it.
        let _ = self.socket.send(Message::text(text)).await;
    }

    /// The next frame.
    pub(crate) async fn next(&mut self) -> Value {
        match self.message().await {
            Ok(frame) => frame,
            Err(close) => panic!("the socket was closed: {close:?}"),
        }
    }

    /// The next frame, or the code and reason of the close frame that came instead.
    pub(crate) async fn next_or_close(&mut self) -> Result<Value, Option<(u16, String)>> {
        let parts = |close: CloseFrame| (close.code.into(), close.reason.to_string());
        self.message().await.map_err(|close| close.map(parts))
    }

    /// Starts the closing handshake; returns code and reason of the answer, if there is one.
    pub(crate) async fn close_with(
        &mut self,
        code: CloseCode,
        reason: &str,
    ) -> Option<(u16, String)> {
        let frame = CloseFrame {
            code,
            reason: reason.into(),
        };
        self.socket
            .close(Some(frame))
            .await
            .expect("the close frame is sent");
        loop {
            if let Err(close) = self.next_or_close().await {
                return close;
            }
        }
    }

    /// Closes the socket and waits until the server knows.
    pub(crate) async fn ended_by_client(&mut self) {
        let _ = self.socket.close(None).await;
        self.ended().await;
    }

    /// Reads until the socket has ended for any reason.
    pub(crate) async fn ended(&mut self) {
        while self.message().await.is_ok() {}
    }

    /// Skips all frames and returns the close frame that ends the socket.
    pub(crate) async fn closed(&mut self) -> (u16, String) {
        loop {
            if let Err(close) = self.message().await {
                let close = close.expect("a close frame");
                return (close.code.into(), close.reason.to_string());
            }
        }
    }

    async fn message(&mut self) -> Result<Value, Option<CloseFrame>> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            match message.expect("a frame in time") {
                Some(Ok(Message::Text(text))) => {
                    let frame = serde_json::from_str(&text).expect("a JSON frame");
                    schemas::assert_fits("frames/server", &frame);
                    return Ok(frame);
                }
                Some(Ok(Message::Close(frame))) => return Err(frame),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(None),
            }
        }
    }

    /// The next frame of a type; others are skipped.
    pub(crate) async fn frame(&mut self, kind: &str) -> Value {
        loop {
            let frame = self.next().await;
            if frame["type"] == kind {
                return frame;
            }
        }
    }

    /// Subscribes with the token and additional members, and reads the answer.
    pub(crate) async fn subscribe(&mut self, more: Value) -> Value {
        let mut payload = json!({"sessionId": self.session});
        if !self.token.is_empty() {
            payload["wsToken"] = self.token.as_str().into();
        }
        for (key, value) in more.as_object().into_iter().flatten() {
            payload[key] = value.clone();
        }
        self.send(json!({"type": "subscribe", "requestId": "sub", "payload": payload}))
            .await;
        self.next().await
    }

    /// Sends an action and returns its request id.
    pub(crate) async fn act(&mut self, name: &str, data: Value) -> String {
        self.act_as(name, data, None).await
    }

    /// Sends an action with an id chosen by the client.
    pub(crate) async fn act_as(&mut self, name: &str, data: Value, id: Option<&str>) -> String {
        self.requests += 1;
        let request_id = format!("act-{}", self.requests);
        let mut payload = json!({
            "sessionId": self.session,
            "type": "data:submit",
            "payload": {"action": name, "data": data},
        });
        if let Some(id) = id {
            payload["actionId"] = id.into();
        }
        self.send(json!({"type": "action", "requestId": request_id, "payload": payload}))
            .await;
        request_id
    }

    /// The response to a request; other frames are skipped.
    pub(crate) async fn answer_to(&mut self, request_id: &str) -> Value {
        loop {
            let frame = self.next().await;
            if frame["requestId"] == request_id {
                return frame;
            }
        }
    }
}

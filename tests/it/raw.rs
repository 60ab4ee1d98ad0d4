//! A client below HTTP, which sends any bytes on a socket.

use std::net::SocketAddr;
use std::time::Duration;

use reqwest::header::HeaderName;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::world::{Answer, PATIENCE};

/// A connection that sends bytes unchanged.
pub(crate) struct Raw {
    stream: TcpStream,
}

/// What was received.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) text: String,
    /// Whether the server closed the connection.
    pub(crate) closed: bool,
}

impl Heard {
    /// The status of the first response; 0 if there was none.
    pub(crate) fn status(&self) -> u16 {
        let status = self.text.split(' ').nth(1);
        status.and_then(|status| status.parse().ok()).unwrap_or(0)
    }

    /// A header of the first response.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let head = self.text.split("\r\n\r\n").next()?;
        head.lines().skip(1).find_map(|line| {
            let (given, value) = line.split_once(':')?;
            given.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    /// The only response, in the form other clients return.
    pub(crate) fn answer(&self) -> Answer {
        let head = self.text.split("\r\n\r\n").next().unwrap_or_default();
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        let headers = lines.map(|(name, value)| {
            let name: HeaderName = name.parse().expect("a header");
            (name, value.parse().expect("its value"))
        });
        Answer {
            status: self.status(),
            headers: headers.collect(),
            body: serde_json::from_str(self.body()).expect("JSON"),
        }
    }

    /// The body of the only response.
    pub(crate) fn body(&self) -> &str {
        self.text
            .split_once("\r\n\r\n")
            .map_or("", |(_, body)| body)
    }
}

impl Raw {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("a connection");
        Self { stream }
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        // A server that refused the request may have closed the connection.
        let _ = self.stream.write_all(bytes.as_ref()).await;
    }

    /// Sends, and returns an error if the server no longer reads.
    pub(crate) async fn try_send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// Reads a socket until the close frame that ends it.
    pub(crate) async fn assert_close(&mut self, code: u16, reason: &str) {
        let length = u8::try_from(2 + reason.len()).expect("a short frame");
        let frame = [&[0x88, length][..], &code.to_be_bytes(), reason.as_bytes()].concat();
        let mut bytes = Vec::new();
        while !bytes.ends_with(&frame) {
            let mut buffer = [0; 16 << 10];
            let read = tokio::time::timeout(PATIENCE, self.stream.read(&mut buffer)).await;
            let count = read.expect("a frame in time").expect("a frame");
            assert_ne!(count, 0, "no word of {reason}: {bytes:?}");
            bytes.extend_from_slice(&buffer[..count]);
        }
    }

    /// Reads until the server is silent for a moment, or closes the connection.
    pub(crate) async fn hear(&mut self, silence: Duration) -> Heard {
        let mut bytes = Vec::new();
        let mut closed = false;
        loop {
            let mut buffer = [0; 16 << 10];
            match tokio::time::timeout(silence, self.stream.read(&mut buffer)).await {
                Err(_) => break,
                Ok(Ok(0) | Err(_)) => {
                    closed = true;
                    break;
                }
                Ok(Ok(read)) => bytes.extend_from_slice(&buffer[..read]),
            }
        }
        Heard {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            closed,
        }
    }

    /// Sends a request and reads its response, on a connection that stays open.
    pub(crate) async fn exchange(&mut self, request: &str) -> String {
        self.send(request).await;
        let mut text = String::new();
        loop {
            let mut buffer = [0; 16 << 10];
            let read = tokio::time::timeout(PATIENCE, self.stream.read(&mut buffer)).await;
            let count = read.expect("an answer in time").expect("an answer");
            assert_ne!(count, 0, "the connection ended: {text}");
            text.push_str(&String::from_utf8_lossy(&buffer[..count]));
            let Some((head, body)) = text.split_once("\r\n\r\n") else {
                continue;
            };
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let length = length.and_then(|length| length.parse::<usize>().ok());
            if body.len() >= length.expect("a length") {
                return text;
            }
        }
    }

    /// Reads until the server closes the connection.
    pub(crate) async fn hear_out(&mut self) -> Heard {
        let heard = self.hear(PATIENCE).await;
        assert!(heard.closed, "the connection stayed open: {heard:?}");
        heard
    }
}

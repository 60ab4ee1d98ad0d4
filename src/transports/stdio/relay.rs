//! A server that runs already, reached over HTTP: what a line asks goes to one of its endpoints.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use crate::transports::faults::Fault;
use crate::transports::mcp::Question;
use crate::wire::fault::Code;

/// How long a server on this machine may take to say that it lives.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// Where everything is, and where the page store alone is.
const ALL: &str = "/mcp";
const PAGES: &str = "/mcp/brain";
/// Bytes of one answer: many times the largest a server of ours gives.
const ANSWER_BYTES_MAX: usize = 64 << 20;

pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What answers at an address.
pub(crate) enum Probed {
    /// Nobody.
    Nobody,
    /// Something that is no server of ours.
    Stranger,
    /// A server of ours that does not take the credential.
    Refused,
    /// A server of ours.
    Server,
}

/// A way to a running server.
pub(crate) struct Relay {
    address: SocketAddr,
    path: &'static str,
    host: HeaderValue,
    authorization: Option<HeaderValue>,
}

impl Relay {
    /// The way to the server that listens on `address`; none if the key cannot be sent.
    pub(crate) fn new(mut address: SocketAddr, key: Option<&str>) -> Option<Self> {
        // Whoever listens everywhere is reached on this machine.
        if address.ip().is_unspecified() {
            address.set_ip(match address {
                SocketAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
                SocketAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
            });
        }
        let authorization = match key {
            None => None,
            Some(key) => {
                let mut value = HeaderValue::from_str(&format!("Bearer {key}")).ok()?;
                value.set_sensitive(true);
                Some(value)
            }
        };
        Some(Self {
            address,
            path: ALL,
            host: HeaderValue::from_str(&address.to_string()).ok()?,
            authorization,
        })
    }

    /// The way to the page store of the same server.
    pub(crate) fn into_pages(self) -> Self {
        Self {
            path: PAGES,
            ..self
        }
    }

    /// The stage of the server.
    pub(crate) fn stage_url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Who answers there.
    pub(crate) async fn probe(&self) -> Probed {
        let asked = async {
            let alive = self.request(Method::GET, "/health/live", Bytes::new(), &[]);
            let (response, _driver) = self.exchange(alive?).await?;
            let is_ok = response.status() == StatusCode::OK;
            let body: Value = serde_json::from_slice(&whole(response).await?)?;
            if !is_ok || body["server"] != "proscenium" {
                return Ok::<_, Failure>(Probed::Stranger);
            }
            let ping = Bytes::from_static(br#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#);
            let (response, _driver) = self
                .exchange(self.request(Method::POST, self.path, ping, &[])?)
                .await?;
            Ok(match response.status() {
                StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Probed::Refused,
                _ => Probed::Server,
            })
        };
        match tokio::time::timeout(PROBE_TIMEOUT, asked).await {
            Ok(Ok(probed)) => probed,
            Ok(Err(error)) if refused(&*error) => Probed::Nobody,
            Ok(Err(_)) | Err(_) => Probed::Stranger,
        }
    }

    /// What the server answers to one request.
    pub(crate) async fn ask(&self, request: &Value) -> Result<Value, Failure> {
        let body = Bytes::from(request.to_string());
        let request = self.request(Method::POST, self.path, body, &[])?;
        let (response, _driver) = self.exchange(request).await?;
        Ok(serde_json::from_slice(&whole(response).await?)?)
    }

    /// Hands a question on, and every message of the answer back.
    pub(in crate::transports) async fn answer(
        &self,
        raw: Bytes,
        question: &Question,
        out: &mpsc::Sender<String>,
    ) {
        if let Err(error) = self.forward(raw, question, out).await {
            tracing::warn!(%error, "the server does not answer");
            let why = format!(
                "The server at {} does not answer: {error}. Start this client anew.",
                self.address
            );
            let fault = Fault::saying(Code::ServerGone, why);
            let _ = out.send(question.refuse(&fault)).await;
        }
    }

    /// Tells the server that a request is taken back; one that is gone has forgotten it anyway.
    pub(crate) async fn take_back(&self, id: &str) {
        let notice = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
        );
        self.notify(notice.into()).await;
    }

    /// Hands on what wants no answer.
    pub(in crate::transports) async fn notify(&self, message: Bytes) {
        let sent = async {
            let request = self.request(Method::POST, self.path, message, &[])?;
            let (response, _driver) = self.exchange(request).await?;
            whole(response).await
        };
        if let Err(error) = sent.await {
            tracing::debug!(%error, "nobody hears what wants no answer");
        }
    }

    async fn forward(
        &self,
        raw: Bytes,
        question: &Question,
        out: &mpsc::Sender<String>,
    ) -> Result<(), Failure> {
        let request = self.request(Method::POST, self.path, raw, &question.headers())?;
        let (response, _driver) = self.exchange(request).await?;
        let media_type = response.headers().get(CONTENT_TYPE);
        let is_stream =
            media_type.is_some_and(|value| value.as_bytes().starts_with(b"text/event-stream"));
        if !is_stream {
            let body = whole(response).await?;
            out.send(named(&body, question.id())?).await?;
            return Ok(());
        }
        let mut body = response.into_body();
        let mut text = Vec::new();
        while let Some(frame) = body.frame().await {
            let Ok(data) = frame?.into_data() else {
                continue;
            };
            text.extend_from_slice(&data);
            while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = text.drain(..=end).collect();
                if let Some(message) = line.strip_prefix(b"data:") {
                    let message = str::from_utf8(message)?.trim().to_owned();
                    out.send(message).await?;
                }
            }
            if text.len() > ANSWER_BYTES_MAX {
                return Err("its answer is too long".into());
            }
        }
        Ok(())
    }

    fn request(
        &self,
        method: Method,
        path: &str,
        body: Bytes,
        headers: &[(&'static str, String)],
    ) -> Result<Request<Full<Bytes>>, Failure> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, &self.host)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream");
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        Ok(request.body(Full::new(body))?)
    }

    /// One connection per request: to drop it is to take the request back.
    async fn exchange(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<(Response<Incoming>, AbortOnDropHandle<()>), Failure> {
        let stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        let driver = tokio::spawn(async {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
        let driver = AbortOnDropHandle::new(driver);
        Ok((sender.send_request(request).await?, driver))
    }
}

async fn whole(response: Response<Incoming>) -> Result<Bytes, Failure> {
    let body = Limited::new(response.into_body(), ANSWER_BYTES_MAX);
    Ok(body.collect().await?.to_bytes())
}

/// An answer as one line; one that was given before the request was read gets the request's id.
fn named(body: &[u8], id: &str) -> Result<String, Failure> {
    let text = str::from_utf8(body)?.trim();
    let read: Value = serde_json::from_str(text)?;
    if read.is_object() && read["id"].is_null() {
        let mut read = read;
        read["id"] = serde_json::from_str(id)?;
        return Ok(read.to_string());
    }
    // Line breaks stand between tokens only: in a text they are escaped.
    Ok(text.replace(['\n', '\r'], " "))
}

fn refused(error: &(dyn std::error::Error + 'static)) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::ConnectionRefused)
}

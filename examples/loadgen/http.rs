//! A minimal client of the tools, so that its own cost does not hide the server's.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::Failure;

/// One connection that is kept open; it sends JSON-RPC and reads JSON.
pub(crate) struct Http {
    stream: BufReader<TcpStream>,
    host: String,
    path: String,
    /// The authorization header; empty without a key.
    bearer: String,
}

impl Http {
    pub(crate) async fn connect(url: &str) -> Result<Self, Failure> {
        let rest = url
            .strip_prefix("http://")
            .ok_or("only http:// is measured")?;
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let stream = TcpStream::connect(host).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::new(stream),
            host: host.to_owned(),
            path: format!("/{path}"),
            bearer: String::new(),
        })
    }

    /// Adds a key to every request.
    pub(crate) fn with_key(mut self, key: &str) -> Self {
        self.bearer = format!("authorization: Bearer {key}\r\n");
        self
    }

    /// Ends a session.
    pub(crate) async fn delete(&mut self, session: &str) -> Result<(), Failure> {
        let (host, bearer) = (&self.host, &self.bearer);
        let request =
            format!("DELETE /api/v1/sessions/{session} HTTP/1.1\r\nhost: {host}\r\n{bearer}\r\n");
        self.exchange(request.as_bytes()).await?;
        Ok(())
    }

    /// What a path shows.
    pub(crate) async fn get(&mut self, path: &str) -> Result<Vec<u8>, Failure> {
        let (host, bearer) = (&self.host, &self.bearer);
        let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n{bearer}\r\n");
        self.exchange(request.as_bytes()).await
    }

    /// The bytes of a request, which can be sent many times.
    pub(crate) fn request(&self, message: &Value) -> Vec<u8> {
        let mut message = message.clone();
        message["jsonrpc"] = "2.0".into();
        message["id"] = 1.into();
        let body = message.to_string();
        let head = format!(
            "POST {} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
             {}accept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n",
            self.path,
            self.host,
            self.bearer,
            body.len()
        );
        (head + &body).into_bytes()
    }

    pub(crate) async fn send(&mut self, request: &[u8]) -> Result<(), Failure> {
        Ok(self.stream.get_mut().write_all(request).await?)
    }

    pub(crate) async fn receive(&mut self) -> Result<Vec<u8>, Failure> {
        let (mut line, mut length) = (String::new(), 0);
        loop {
            line.clear();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err("the server closed the connection".into());
            }
            if line.trim().is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').unwrap_or_default();
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        Ok(body)
    }

    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Result<Vec<u8>, Failure> {
        self.send(request).await?;
        self.receive().await
    }

    pub(crate) async fn call(&mut self, message: &Value) -> Result<Value, Failure> {
        let request = self.request(message);
        let body = self.exchange(&request).await?;
        Ok(serde_json::from_slice(&body)?)
    }

    /// Calls a tool and returns its result.
    pub(crate) async fn tool(&mut self, name: &str, arguments: Value) -> Result<Value, Failure> {
        let answer = self.call(&tool(name, arguments)).await?;
        let result = &answer["result"];
        if result["isError"] == true || result.is_null() {
            return Err(format!("{name}: {answer}").into());
        }
        Ok(result.clone())
    }

    /// Sends these requests in turn until the time is over; returns how many were answered.
    pub(crate) async fn repeat(
        &mut self,
        span: Duration,
        messages: &[Value],
    ) -> Result<u64, Failure> {
        let requests: Vec<_> = messages
            .iter()
            .map(|message| self.request(message))
            .collect();
        let (begun, mut count) = (Instant::now(), 0);
        for request in requests.iter().cycle() {
            if begun.elapsed() >= span {
                break;
            }
            self.exchange(request).await?;
            count += 1;
        }
        Ok(count)
    }
}

/// A call of a tool.
pub(crate) fn tool(name: &str, arguments: Value) -> Value {
    json!({"method": "tools/call", "params": {"name": name, "arguments": arguments}})
}

/// The draft used for all measurements: a table, two actions and a live channel.
pub(crate) fn draft() -> Value {
    let line = json!({
        "type": "object",
        "properties": {"sku": {"type": "string"}, "qty": {"type": "integer"}},
        "required": ["sku", "qty"],
    });
    let contract = json!({
        "propsSpec": {"properties": {
            "items": {"schema": {"type": "array", "items": line}, "required": true},
            "note": {"schema": {"type": "string"}},
        }},
        "actionSpec": {"setQuantity": {"label": "Change", "schema": line}},
        "streamSpec": {"tick": {"schema": {"type": "number"}, "mode": "replace"}},
    });
    json!({"intent": "A measurement", "blueprintDraft": {"contract": contract}})
}

/// Negotiates and renders; returns the result of the render.
pub(crate) async fn show(http: &mut Http) -> Result<Value, Failure> {
    let agreed = http.tool("ggui_handshake", draft()).await?;
    let id = &agreed["structuredContent"]["handshakeId"];
    let props = json!({"items": [{"sku": "A1", "qty": 1}, {"sku": "B2", "qty": 2}]});
    http.tool("ggui_render", json!({"handshakeId": id, "props": props}))
        .await
}

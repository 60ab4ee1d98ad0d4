//! The agent that shows the entries: an ordinary MCP client of the server.

use std::net::SocketAddr;

use bytes::Bytes;
use http::Request;
use http::header::{ACCEPT, CONTENT_TYPE, HOST};
use http_body_util::{BodyExt as _, Full};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::entry::{Drawn, Entry};
use super::error::GalleryError;

/// An entry that a server shows.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The entry's name.
    pub name: String,
    /// Its intent.
    pub intent: String,
    /// The page that shows it alone, or why there is none: the model has drawn no view that holds.
    pub viewer_url: Result<String, String>,
}

/// An MCP client of one server.
pub(super) struct Agent {
    pub(super) server: SocketAddr,
}

impl Agent {
    /// Negotiates, renders and fills one entry.
    pub(super) async fn show(&self, entry: &Entry) -> Result<Shown, GalleryError> {
        let refused = |what: String| GalleryError::Refused {
            name: entry.name.clone(),
            what,
        };
        let mut draft = json!({"contract": entry.contract});
        match &entry.drawn {
            Drawn::Composed => draft["generator"] = json!("composer"),
            Drawn::Generated => draft["generator"] = json!("required"),
            Drawn::As(components) => draft["view"] = json!({"components": components}),
        }
        let draft = json!({"intent": entry.intent, "blueprintDraft": draft});
        let agreed = self.call(entry, "ggui_handshake", draft).await?;
        let findings = &agreed["suggestion"]["validationFindings"];
        if agreed["suggestion"]["amendments"].is_object() {
            // A contract that had to be repaired is not the one the entry shows.
            return Err(refused(findings.to_string()));
        }
        let render = json!({"handshakeId": agreed["handshakeId"], "props": entry.props});
        let shown = |viewer_url| Shown {
            name: entry.name.clone(),
            intent: entry.intent.clone(),
            viewer_url,
        };
        let rendered = match self.call(entry, "ggui_render", render).await {
            Err(GalleryError::Refused { what, .. }) if matches!(entry.drawn, Drawn::Generated) => {
                return Ok(shown(Err(what)));
            }
            rendered => rendered?,
        };
        for (channel, payloads) in &entry.streams {
            for payload in payloads.as_array().into_iter().flatten() {
                let emit = json!({
                    "sessionId": rendered["sessionId"], "channel": channel, "payload": payload,
                });
                self.call(entry, "ggui_emit", emit).await?;
            }
        }
        let viewer_url = rendered["viewerUrl"].as_str();
        Ok(shown(Ok(viewer_url.map(str::to_owned).unwrap_or_default())))
    }

    async fn call(
        &self,
        entry: &Entry,
        tool: &str,
        arguments: Value,
    ) -> Result<Value, GalleryError> {
        let body = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        });
        let answer = self
            .post(&body)
            .await
            .map_err(|error| GalleryError::Server(error.to_string()))?;
        let result = &answer["result"];
        if answer.get("error").is_some() || result["isError"] == true {
            let error = answer.get("error").unwrap_or(&result["structuredContent"]);
            return Err(GalleryError::Refused {
                name: entry.name.clone(),
                what: error.to_string(),
            });
        }
        Ok(result["structuredContent"].clone())
    }

    async fn post(&self, body: &Value) -> Result<Value, Box<dyn std::error::Error>> {
        let stream = TcpStream::connect(self.server).await?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        let request = Request::post("/mcp")
            .header(HOST, self.server.to_string())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .body(Full::new(Bytes::from(body.to_string())))?;
        let exchange = async move {
            let answer = sender.send_request(request).await?;
            Ok::<_, hyper::Error>(answer.into_body().collect().await?.to_bytes())
        };
        let (answer, _) = tokio::join!(exchange, connection);
        Ok(serde_json::from_slice(&answer?)?)
    }
}

//! A client of the one-way stream.

use std::pin::Pin;

use futures_util::{Stream, StreamExt as _};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use crate::world::{PATIENCE, World};

type Chunks = Pin<Box<dyn Stream<Item = Vec<u8>> + Send>>;

/// An open stream, and the part of it that was not read yet.
pub(crate) struct EventStream {
    chunks: Chunks,
    text: String,
}

impl EventStream {
    pub(crate) async fn open(world: &World, path: &str) -> Self {
        let response = world.get(path).send().await.expect("an answer");
        let media_type = &response.headers()["content-type"];
        assert_eq!(media_type, "text/event-stream; charset=utf-8");
        Self::of(response)
    }

    /// A `subscriptions/listen` stream for these uris, with the id `sub-7`.
    pub(crate) async fn listening(world: &World, uris: Value) -> Self {
        let params = json!({
            "notifications": {"promptsListChanged": true, "resourceSubscriptions": uris},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        });
        let method = "subscriptions/listen";
        let body = json!({"jsonrpc": "2.0", "id": "sub-7", "method": method, "params": params});
        let request = world
            .post("/mcp")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method)
            .body(body.to_string());
        Self::of(request.send().await.expect("an answer"))
    }

    /// The stream of `resources/subscribe` of the older era, after its result.
    pub(crate) async fn subscribed(world: &World, path: &str, uri: &str) -> Self {
        let body = json!({
            "jsonrpc": "2.0", "id": 5, "method": "resources/subscribe", "params": {"uri": uri},
        });
        let answer = world.post(path).body(body.to_string()).send().await;
        let mut stream = Self::of(answer.expect("an answer"));
        let result = stream.message().await;
        assert_eq!(result, json!({"jsonrpc": "2.0", "id": 5, "result": {}}));
        stream
    }

    /// The next message.
    pub(crate) async fn message(&mut self) -> Value {
        self.next().await.expect("a message").1
    }

    pub(crate) fn of(response: reqwest::Response) -> Self {
        assert_eq!(response.status(), 200);
        let chunks = response.bytes_stream();
        let chunks = chunks.filter_map(async |chunk| chunk.ok().map(|bytes| bytes.to_vec()));
        Self {
            chunks: Box::pin(chunks),
            text: String::new(),
        }
    }

    /// The id and frame of the next event, without comments; `None` once the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<(Option<u64>, Value)> {
        // Comments that keep the stream alive do not extend the time-out.
        let deadline = Instant::now() + PATIENCE;
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let mut lines = event.lines();
                    lines.find_map(|line| Some(line.strip_prefix(name)?.trim().to_owned()))
                };
                let id = field("id:").map(|id| id.parse().expect("a position"));
                let data = field("data:");
                self.text = rest.to_owned();
                if let Some(data) = data {
                    return Some((id, serde_json::from_str(&data).expect("a frame")));
                }
            }
            let chunk = timeout_at(deadline, self.chunks.next()).await;
            let chunk = chunk.expect("an event in time")?;
            self.text
                .push_str(std::str::from_utf8(&chunk).expect("a text"));
        }
    }
}

//! The messages of one answer, as they come.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::site::Site;
use crate::world::PATIENCE;

/// The messages of one answer.
pub(super) struct EventStream {
    response: reqwest::Response,
    text: String,
}

impl EventStream {
    /// What a call of a tool of the script is told in the older era.
    pub(super) async fn of(site: &Site, tool: &str, meta: Value) -> Self {
        let params = json!({"name": tool, "arguments": {}, "_meta": meta});
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
        Self::to(site.post().body(body.to_string())).await
    }

    /// What a request is told.
    pub(super) async fn to(request: reqwest::RequestBuilder) -> Self {
        let response = request.send().await.expect("an answer");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            response,
            text: String::new(),
        }
    }

    pub(super) async fn next(&mut self) -> Value {
        self.read().await.expect("a message")
    }

    /// Waits until there are no more.
    pub(super) async fn end(mut self) {
        let more = self.read().await;
        assert!(more.is_none(), "{more:?}");
    }

    async fn read(&mut self) -> Option<Value> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                let data = data.map(|data| serde_json::from_str(data).expect("JSON"));
                self.text = rest.to_owned();
                if let Some(message) = data {
                    return Some(message);
                }
                continue;
            }
            let chunk = timeout(PATIENCE, self.response.chunk()).await;
            let chunk = chunk.expect("in time").expect("a stream")?;
            self.text.push_str(&String::from_utf8_lossy(&chunk));
        }
    }
}

//! The page store on the public wire: `/mcp/brain`, `/mcp` where the settings say so, and memories
//! over REST.

mod cli;
mod consent;
mod corpus;
#[cfg(feature = "model")]
mod embedders;
mod envelope;
mod errors;
mod feeds;
mod finding;
mod gaps;
mod hostile;
pub(crate) mod journal;
mod kept;
mod killed;
mod linking;
mod memories;
mod paraphrases;
mod processes;
mod resources;
mod seed_tools;
mod tenants;
mod writing;

use proscenium::config::Config;
use serde_json::{Value, json};

use crate::world::{Answer, World};

/// Collections of most of these tests: one for new pages, one beside it, and one of each state in
/// which nothing is changed.
const COLLECTIONS: &str = "work, personal, shelf=read-only, vault=restoring, attic=needs-full-sync";

/// A server, asked at the address of the page store.
pub(crate) struct Pages(pub(crate) World);

impl Pages {
    /// A server with one collection, as it is by default.
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// A server with the collections of most tests.
    pub(crate) async fn with_collections() -> Self {
        Self::start_with(|config| config.brain.collections = COLLECTIONS.to_owned()).await
    }

    pub(crate) async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        Self(World::start_with(change).await)
    }

    /// A request in the legacy era.
    pub(crate) async fn rpc(&self, method: &str, params: Value) -> Answer {
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        self.raw(&body.to_string()).await
    }

    /// A call on 2026-07-28.
    pub(crate) async fn modern(&self, tool: &str, arguments: Value) -> Answer {
        let params = json!({"name": tool, "arguments": arguments});
        let request = self.modern_request("tools/call", params);
        self.0.send(request.header("mcp-name", tool)).await
    }

    /// Another method on 2026-07-28.
    async fn modern_method(&self, method: &str, params: Value) -> Answer {
        self.0.send(self.modern_request(method, params)).await
    }

    /// A stream of notifications.
    async fn listen(&self, filter: Value) -> reqwest::Response {
        let request = self.modern_request("subscriptions/listen", filter);
        request.send().await.expect("an answer")
    }

    fn modern_request(&self, method: &str, mut params: Value) -> reqwest::RequestBuilder {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let request = self.0.post("/mcp/brain").body(body.to_string());
        request
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method)
    }

    /// A body as it stands.
    pub(crate) async fn raw(&self, body: &str) -> Answer {
        self.0
            .send(self.0.post("/mcp/brain").body(body.to_owned()))
            .await
    }

    /// A call, as it was answered.
    async fn answer(&self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = self.rpc("tools/call", params).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.body["id"], 7);
        answer.body
    }

    /// The result of a call that must succeed.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.answer(tool, arguments).await;
        let result = answer["result"].clone();
        assert!(
            result.is_object() && result["isError"] != true,
            "{tool}: {answer}"
        );
        result
    }

    /// What a model reads of a call that must succeed.
    async fn text(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        result["content"][0]["text"]
            .as_str()
            .expect("a text")
            .to_owned()
    }

    /// The same, read as JSON.
    async fn json(&self, tool: &str, arguments: Value) -> Value {
        let text = self.text(tool, arguments).await;
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{tool}: {error}: {text}"))
    }

    /// The error of a call that must fail with a number.
    #[track_caller]
    pub(crate) fn error(&self, tool: &str, arguments: Value) -> impl Future<Output = Value> {
        let failing = self.answer(tool, arguments);
        async move {
            let answer = failing.await;
            assert!(answer["error"].is_object(), "{answer}");
            answer["error"].clone()
        }
    }

    /// Creates a page.
    pub(crate) async fn put(&self, slug: &str, content: &str) {
        let made = self
            .call("brain_put", json!({"slug": slug, "content": content}))
            .await;
        assert_eq!(made["structuredContent"]["version"], 1, "{made}");
    }
}

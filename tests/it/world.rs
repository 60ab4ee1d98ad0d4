//! A server for one test, and clients that use its public interfaces.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

#[cfg(debug_assertions)]
use futures_util::future::BoxFuture;
use futures_util::future::join_all;
use proscenium::config::Config;
use proscenium::{App, ManualClock, Running, Time};
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::browser::Browser;
use crate::contracts::{basket, basket_props};
use crate::schemas;

/// How long anything may take on a slow machine before a test fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
/// How long a client keeps a connection that it does not use: less than the server does, which may
/// otherwise close it at the moment of the next request.
const KEPT_IDLE: Duration = Duration::from_secs(10);
/// The start time of a world's clock.
const BEGINNING: Time = Time(1_787_500_000_000);

/// A server and its clock.
pub(crate) struct World {
    pub(crate) clock: ManualClock,
    running: Running,
    #[cfg(debug_assertions)]
    _fold_check: FoldCheck,
    http: reqwest::Client,
    pub(crate) bearer: Option<String>,
    ids: AtomicU64,
}

/// Folds every session of a test anew from what was stored of it, when the test ends.
#[cfg(debug_assertions)]
struct FoldCheck(Box<dyn Fn() -> BoxFuture<'static, Vec<String>> + Send + Sync>);

#[cfg(debug_assertions)]
impl Drop for FoldCheck {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // Where this is dropped, nothing can be awaited.
            let check = (self.0)();
            let folding = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build();
                runtime.expect("a runtime").block_on(check)
            });
            let mismatches = folding.join().expect("an end of the check");
            assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
        }
    }
}

/// A render, as an agent sees it.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) session: String,
    /// The whole result, `_meta` included.
    pub(crate) result: Value,
}

impl Shown {
    pub(crate) fn slice(&self) -> &Value {
        &self.result["_meta"]["ai.ggui/render"]
    }

    /// The page for a person.
    pub(crate) fn viewer_url(&self) -> &str {
        let url = &self.result["structuredContent"]["viewerUrl"];
        url.as_str().expect("an address")
    }
}

/// An HTTP response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

/// Sends a request and reads the response, as JSON where possible.
pub(crate) async fn answer(request: reqwest::RequestBuilder) -> Answer {
    let (client, request) = request.timeout(PATIENCE * 2).build_split();
    let request = request.expect("a request");
    let asked = request.body().and_then(reqwest::Body::as_bytes);
    let asked: Value = asked
        .and_then(|asked| serde_json::from_slice(asked).ok())
        .unwrap_or_default();
    let response = client.execute(request).await.expect("an answer");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = response.text().await.expect("a body");
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    schemas::assert_results_fit(&asked, &body);
    Answer {
        status,
        headers,
        body,
    }
}

impl World {
    /// A server with default settings, on a free port.
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// A server with default settings that shows a basket.
    pub(crate) async fn with_basket() -> (Self, Shown) {
        let world = Self::start().await;
        let shown = world.show(basket(), basket_props()).await;
        (world, shown)
    }

    /// A server with a changed configuration.
    pub(crate) async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::default();
        config.server.listen = "127.0.0.1:0".to_owned();
        config.store.ephemeral = true;
        change(&mut config);
        let clock = ManualClock::at(BEGINNING);
        let app = App::new(config).with_clock(Arc::new(clock.clone()));
        let running = app.start().await.expect("a server");
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .pool_idle_timeout(KEPT_IDLE);
        Self {
            clock,
            #[cfg(debug_assertions)]
            _fold_check: FoldCheck(Box::new(running.fold_check())),
            running,
            http: http.build().expect("an HTTP client"),
            bearer: None,
            ids: AtomicU64::new(1),
        }
    }

    /// Sets the credential of later calls.
    pub(crate) fn with_bearer(mut self, secret: &str) -> Self {
        self.bearer = Some(secret.to_owned());
        self
    }

    /// The credential of calls.
    pub(crate) fn bearer(&self) -> &str {
        self.bearer.as_deref().unwrap_or_default()
    }

    /// The address of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.address())
    }

    pub(crate) fn address(&self) -> std::net::SocketAddr {
        self.running.address()
    }

    pub(crate) fn mcp_url(&self) -> String {
        self.running.mcp_url()
    }

    pub(crate) fn stage_url(&self) -> String {
        self.running.stage_url()
    }

    /// A POST request that can be completed and sent with [`World::send`].
    pub(crate) fn post(&self, path: &str) -> reqwest::RequestBuilder {
        let request = self
            .http
            .post(self.url(path))
            .header("content-type", "application/json");
        match &self.bearer {
            Some(secret) => request.bearer_auth(secret),
            None => request,
        }
    }

    pub(crate) fn get(&self, path: &str) -> reqwest::RequestBuilder {
        self.request(reqwest::Method::GET, path)
    }

    pub(crate) fn delete(&self, path: &str) -> reqwest::RequestBuilder {
        self.request(reqwest::Method::DELETE, path)
    }

    pub(crate) fn request(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, self.url(path));
        match &self.bearer {
            Some(secret) => request.bearer_auth(secret),
            None => request,
        }
    }

    /// Sends a request and reads the response, as JSON where possible.
    pub(crate) async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        answer(request).await
    }

    /// A JSON-RPC request in the legacy era.
    pub(crate) async fn rpc(&self, method: &str, params: Value) -> Answer {
        let id = self.ids.fetch_add(1, Ordering::SeqCst);
        let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(self.post("/mcp").body(body.to_string())).await
    }

    /// A tool call with the current credential, sent when the future is awaited.
    pub(crate) fn calling(
        &self,
        tool: &str,
        arguments: Value,
    ) -> impl Future<Output = Answer> + use<> {
        let params = json!({"name": tool, "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        answer(self.post("/mcp").body(body.to_string()))
    }

    /// Makes ten calls at once where fewer are allowed per second, and returns a refused one: one
    /// after the other, they might be slow enough to stay within the limit.
    pub(crate) async fn one_too_many(&self, tool: &str, arguments: &Value) -> Answer {
        let calls = (0..10).map(|_| self.calling(tool, arguments.clone()));
        let answers = join_all(calls).await.into_iter();
        let mut refused = answers.filter(|answer| answer.body["error"]["code"] == -32013);
        refused.next().expect("one too many")
    }

    /// A JSON-RPC request on 2026-07-28.
    pub(crate) async fn modern(&self, method: &str, params: Value) -> Answer {
        self.modern_as(method, params, json!({})).await
    }

    /// The same from a client with these capabilities.
    pub(crate) async fn modern_as(&self, method: &str, params: Value, can: Value) -> Answer {
        let mut params = params;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": can,
        });
        let mut request = self
            .post("/mcp")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method);
        if let Some(name) = params
            .get("name")
            .or(params.get("uri"))
            .and_then(Value::as_str)
        {
            request = request.header("mcp-name", name);
        }
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        self.send(request.body(body.to_string())).await
    }

    /// The result of a tool, also a failed one.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let answer = self
            .rpc("tools/call", json!({"name": tool, "arguments": arguments}))
            .await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(answer.body["error"].is_null(), "{tool}: {}", answer.body);
        answer.body["result"].clone()
    }

    /// The structured result of a tool that must succeed.
    pub(crate) async fn tool(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_ne!(result["isError"], true, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// Negotiates a contract and returns the handshake's id.
    pub(crate) async fn handshake(&self, contract: Value) -> String {
        let draft = json!({"contract": contract});
        let arguments = json!({"intent": "A test", "blueprintDraft": draft});
        let agreed = self.tool("ggui_handshake", arguments).await;
        assert_ne!(agreed["action"], "declined", "{agreed}");
        agreed["handshakeId"]
            .as_str()
            .expect("a handshakeId")
            .to_owned()
    }

    /// A contract, negotiated and rendered.
    pub(crate) async fn show(&self, contract: Value, props: Value) -> Shown {
        let id = self.handshake(contract).await;
        let result = self
            .call("ggui_render", json!({"handshakeId": id, "props": props}))
            .await;
        assert_ne!(result["isError"], true, "{result}");
        let session = result["structuredContent"]["sessionId"]
            .as_str()
            .expect("a session");
        Shown {
            session: session.to_owned(),
            result: result.clone(),
        }
    }

    /// A browser that has not subscribed.
    pub(crate) async fn knock(&self, shown: &Shown) -> Browser {
        let slice = shown.slice();
        let token = slice["wsToken"].as_str().expect("a token");
        let url = format!(
            "{}?wsToken={token}",
            slice["wsUrl"].as_str().expect("an address")
        );
        let (socket, _) = connect_async(url).await.expect("a socket");
        self.adopt(socket, shown)
    }

    /// A browser on a socket that a test has opened with a render's token.
    pub(crate) fn adopt(
        &self,
        socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
        shown: &Shown,
    ) -> Browser {
        let token = shown.slice()["wsToken"].as_str().expect("a token");
        Browser::on(socket, &shown.session, token)
    }

    /// A browser without a token in its address, which gets the dev identity.
    pub(crate) async fn knock_plainly(&self, session: &str) -> Browser {
        let url = self.url("/ws").replacen("http", "ws", 1);
        let (socket, _) = connect_async(url).await.expect("a socket");
        Browser::on(socket, session, "")
    }

    /// A socket opened with a credential, which has its key's rights.
    pub(crate) async fn knock_as(&self, session: &str, secret: &str) -> Browser {
        let url = self.url("/ws").replacen("http", "ws", 1);
        let mut request = url.into_client_request().expect("a request");
        let bearer = format!("Bearer {secret}").parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
        let (socket, _) = connect_async(request).await.expect("a socket");
        Browser::on(socket, session, "")
    }

    /// A gauge of the server's own metrics.
    pub(crate) async fn gauge(&self, name: &str) -> u64 {
        let page = self.send(self.get("/metrics")).await.body;
        let mut lines = page.as_str().expect("a page").lines();
        let line = lines.find_map(|line| line.strip_prefix(&format!("proscenium_{name} ")));
        line.expect("a gauge").parse().expect("a number")
    }

    /// A browser that is subscribed to a session, and the ack of the subscription.
    pub(crate) async fn browse(&self, shown: &Shown) -> (Browser, Value) {
        let mut browser = self.knock(shown).await;
        let ack = browser.subscribe(json!({})).await;
        assert_eq!(ack["type"], "ack", "{ack}");
        (browser, ack)
    }

    /// Ends the server in order.
    pub(crate) async fn stop(self) {
        assert!(self.running.stop().await, "the server ended in time");
    }
}

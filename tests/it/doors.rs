//! The HTTP edge: what is decided before a body is read, and the headers of every response.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use proscenium::config::Config;
use proscenium::{App, Clock, Running, Time};
use serde_json::{Value, json};

use crate::raw::{Heard, Raw};
use crate::world::{Answer, PATIENCE, World};

pub(crate) const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// A header as text.
pub(crate) fn header<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    answer.headers.get(name)?.to_str().ok()
}

#[tokio::test]
async fn every_answer_has_an_id_a_trace_and_careful_headers() {
    let world = World::start().await;
    for path in [
        "/",
        "/health/live",
        "/nowhere",
        "/mcp",
        "/metrics",
        "/api/mcp-protocol",
    ] {
        let answer = world.send(world.get(path)).await;
        assert!(
            header(&answer, "x-request-id").is_some_and(|id| id.len() == 36),
            "{path}"
        );
        assert!(
            header(&answer, "traceparent").is_some_and(|text| text.len() == 55),
            "{path}"
        );
        assert_eq!(
            header(&answer, "x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        assert_eq!(
            header(&answer, "referrer-policy"),
            Some("no-referrer"),
            "{path}"
        );
        assert!(
            header(&answer, "content-security-policy").is_some(),
            "{path}"
        );
        assert!(header(&answer, "cache-control").is_some(), "{path}");
    }
    let own = world.get("/nowhere").header("x-request-id", "mine-7");
    assert_eq!(
        header(&world.send(own).await, "x-request-id"),
        Some("mine-7")
    );
    let odd = world.get("/nowhere").header("x-request-id", "a b");
    assert_ne!(header(&world.send(odd).await, "x-request-id"), Some("a b"));
}

#[tokio::test]
async fn every_refusal_outside_of_mcp_uses_the_envelope() {
    let world = World::start().await;
    for (path, status, word) in [
        ("/api/nothing", 404, "NOT_FOUND"),
        ("/api/v1/nothing?x=1", 404, "NOT_FOUND"),
        ("/frame/%ff", 400, "BAD_REQUEST"),
        ("/ws", 400, "BAD_REQUEST"),
    ] {
        let answer = world.send(world.get(path)).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        assert_eq!(
            answer.body["error"]["code"], word,
            "{path}: {}",
            answer.body
        );
        assert_eq!(
            answer.body["detail"], answer.body["error"]["message"],
            "{path}"
        );
        assert_eq!(
            header(&answer, "content-type"),
            Some("application/json"),
            "{path}"
        );
    }
    let posted = world.send(world.post("/api/rate-limits").body("{}")).await;
    assert_eq!(
        (posted.status, &posted.body["error"]["code"]),
        (405, &json!("METHOD_NOT_ALLOWED"))
    );
    assert_eq!(header(&posted, "allow"), Some("GET,HEAD"));
}

/// A clock that can be made to panic.
struct Brittle(Arc<AtomicBool>);

impl Clock for Brittle {
    fn now(&self) -> Time {
        assert!(!self.0.load(Ordering::SeqCst), "the secret reason");
        Time(1_787_500_000_000)
    }
}

/// A server whose clock panics on demand.
pub(crate) async fn brittle() -> (Running, Arc<AtomicBool>) {
    let breaks = Arc::new(AtomicBool::new(false));
    let clock = Arc::new(Brittle(Arc::clone(&breaks)));
    let mut config = Config::default();
    config.server.listen = "127.0.0.1:0".into();
    config.store.ephemeral = true;
    let app = App::new(config).with_clock(clock as Arc<dyn Clock>);
    (app.start().await.expect("a server"), breaks)
}

#[tokio::test]
async fn a_panic_is_a_500_with_the_request_s_id_and_nothing_else() {
    let (running, breaks) = brittle().await;
    breaks.store(true, Ordering::SeqCst);
    let arguments = json!({"intent": "x", "blueprintDraft": {"contract": {}}});
    let params = json!({"name": "ggui_handshake", "arguments": arguments});
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    let (post, get) = (body.to_string(), String::new());
    for (line, body, is_rpc) in [
        ("POST /mcp", post, true),
        ("GET /stage/frame/x", get, false),
    ] {
        let mut raw = Raw::connect(running.address()).await;
        let length = body.len();
        raw.send(format!(
            "{line} HTTP/1.1\r\nhost: localhost\r\nx-request-id: seen\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\
             connection: close\r\n\r\n{body}"
        ))
        .await;
        let heard = raw.hear_out().await;
        assert_eq!(heard.status(), 500, "{heard:?}");
        assert!(!heard.text.contains("secret"), "{heard:?}");
        assert_eq!(heard.header("x-request-id"), Some("seen"));
        let body: Value = serde_json::from_str(heard.body()).expect("JSON");
        if is_rpc {
            assert_eq!(
                (&body["id"], &body["error"]["code"]),
                (&Value::Null, &json!(-32603))
            );
            assert_eq!(body["error"]["data"]["request_id"], "seen");
        } else {
            let details = json!({"request_id": "seen"});
            let error =
                json!({"code": "INTERNAL_ERROR", "message": "internal error", "details": details});
            assert_eq!(body, json!({"detail": "internal error", "error": error}));
        }
    }
}

#[tokio::test]
async fn headers_have_a_size_and_a_number() {
    let world = World::start_with(|config| config.limits.http.header_bytes_max = 8 << 10).await;
    let long = format!("x-long: {}\r\n", "a".repeat(9 << 10));
    let many: String = (0..101)
        .map(|number| format!("x-{number}: 1\r\n"))
        .collect();
    for extra in [long, many] {
        let mut raw = Raw::connect(world.address()).await;
        raw.send(format!(
            "GET /health/live HTTP/1.1\r\nhost: localhost\r\n{extra}\r\n"
        ))
        .await;
        let heard = raw.hear_out().await;
        assert_eq!(heard.status(), 431, "{heard:?}");
        assert_worded(&heard, "HTTP_431");
    }
}

/// Failures before a request is parsed use the envelope, with an id.
#[track_caller]
fn assert_worded(heard: &Heard, word: &str) {
    let body: Value = serde_json::from_str(heard.body()).expect("JSON");
    assert_eq!(body["error"]["code"], word, "{heard:?}");
    assert_eq!(body["detail"], body["error"]["message"], "{heard:?}");
    assert_eq!(heard.header("content-type"), Some("application/json"));
    assert_eq!(heard.header("connection"), Some("close"));
    assert!(
        heard
            .header("x-request-id")
            .is_some_and(|id| id.len() == 36)
    );
}

#[tokio::test]
async fn malformed_http_is_refused_in_the_envelope_too() {
    let world = World::start().await;
    let long = format!(
        "GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "a".repeat(66_000)
    );
    for (request, status, word) in [
        ("this is no HTTP\r\n\r\n", 400, "BAD_REQUEST"),
        ("GET / HTTP/9.9\r\n\r\n", 400, "BAD_REQUEST"),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400, "BAD_REQUEST"),
        (
            "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\r\n\r\n",
            400,
            "BAD_REQUEST",
        ),
        (
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: x\r\n\r\n",
            400,
            "BAD_REQUEST",
        ),
        (&long, 414, "HTTP_414"),
    ] {
        let mut raw = Raw::connect(world.address()).await;
        raw.send(request).await;
        let heard = raw.hear_out().await;
        assert_eq!(heard.status(), status, "{heard:?}");
        assert_worded(&heard, word);
    }
}

#[tokio::test]
async fn a_trace_goes_through_in_headers_and_in_meta() {
    let world = World::start().await;
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let inner = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01";
    let params = json!({"_meta": {"traceparent": inner}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": params});
    let request = world
        .post("/mcp")
        .header("traceparent", parent)
        .body(body.to_string());
    let answer = world.send(request).await;
    let outer = header(&answer, "traceparent").expect("a trace");
    assert_eq!(outer[..36], parent[..36], "the same trace");
    assert_ne!(outer[36..52], parent[36..52], "a span of its own");
    assert!(outer.ends_with("-01"));
    let reported = answer.body["result"]["_meta"]["traceparent"]
        .as_str()
        .expect("a trace");
    assert_eq!(
        (&reported[..36], &reported[36..]),
        (&inner[..36], &outer[36..])
    );
}

#[tokio::test]
async fn metrics_contain_routes_and_never_input_of_callers() {
    let world = World::start().await;
    world.send(world.get("/made-up-path?made-up-query")).await;
    world.rpc("made-up-method", json!({})).await;
    let request = reqwest::Request::new("MADEUP".parse().unwrap(), world.url("/").parse().unwrap());
    reqwest::Client::new()
        .execute(request)
        .await
        .expect("an answer");
    let metrics = world.send(world.get("/metrics")).await.body;
    let metrics = metrics.as_str().expect("text");
    assert!(
        metrics.contains(r#"route="(none)",status="404""#),
        "{metrics}"
    );
    assert!(metrics.contains(r#"proscenium_faults_total{code="METHOD_NOT_FOUND"}"#));
    assert!(metrics.contains(r#"method="OTHER""#));
    assert!(!metrics.to_lowercase().contains("made-up"));
    assert!(!metrics.contains("MADEUP"));
}

#[tokio::test]
async fn a_connection_outlives_what_was_refused_on_it() {
    let world = World::start().await;
    let mut raw = Raw::connect(world.address()).await;
    raw.send(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         content-length: 1\r\n\r\n{GET /health/live HTTP/1.1\r\nhost: localhost\r\n\
         connection: close\r\n\r\n",
    )
    .await;
    let heard = tokio::time::timeout(PATIENCE, raw.hear_out())
        .await
        .expect("an end");
    assert_eq!(heard.status(), 400);
    assert!(heard.text.contains("HTTP/1.1 200 OK"), "{heard:?}");
}

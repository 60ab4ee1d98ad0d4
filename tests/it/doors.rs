//! The doors: what is decided before a body is read, what every answer carries, and who is told to
//! wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use proscenium::config::Config;
use proscenium::{App, Clock, Running, Time};
use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::raw::{Heard, Raw};
use crate::world::{Answer, PATIENCE, World};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
/// How long a server that has nothing more to say is listened to.
const MOMENT: Duration = Duration::from_millis(200);

fn header<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    answer.headers.get(name)?.to_str().ok()
}

/// A server with keys, and the secrets of two of them.
async fn keyed(change: impl FnOnce(&mut Config)) -> (World, tempfile::TempDir, [String; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let secrets = ["one", "two"].map(|app| proscenium::keys::create(&file, app, 1).expect("a key"));
    let world = World::start_with(|config| {
        config.server.keys_file = file;
        change(config);
    });
    (world.await, folder, secrets)
}

async fn ping(world: &World, bearer: &str) -> Answer {
    world
        .send(world.post("/mcp").bearer_auth(bearer).body(PING))
        .await
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
async fn whatever_is_refused_outside_of_mcp_is_refused_in_the_envelope() {
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

/// A clock that can be broken.
struct Brittle(Arc<AtomicBool>);

impl Clock for Brittle {
    fn now(&self) -> Time {
        assert!(!self.0.load(Ordering::SeqCst), "the secret reason");
        Time(1_787_500_000_000)
    }
}

/// A server whose clock breaks when it is told to.
pub(crate) async fn brittle() -> (Running, Arc<AtomicBool>) {
    let breaks = Arc::new(AtomicBool::new(false));
    let clock = Arc::new(Brittle(Arc::clone(&breaks)));
    let mut config = Config::default();
    config.server.listen = "127.0.0.1:0".into();
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
async fn headers_that_dribble_end_the_connection_and_a_body_that_dribbles_is_a_408() {
    let world = World::start_with(|config| {
        config.limits.http.header_read_s = 1;
        config.limits.http.body_read_s = 1;
    })
    .await;
    let mut headers = Raw::connect(world.address()).await;
    headers
        .send("POST /mcp HTTP/1.1\r\nhost: localhost\r\nx-slow: ")
        .await;
    let mut body = Raw::connect(world.address()).await;
    body.send(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         content-length: 100\r\n\r\n{\"jsonrpc\"",
    )
    .await;
    assert!(headers.hear_out().await.text.is_empty());
    let heard = body.hear_out().await;
    assert_eq!(heard.status(), 408, "{heard:?}");
    assert!(heard.body().contains("REQUEST_TIMEOUT"), "{heard:?}");
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

/// What comes before any request is read is told in the envelope, with an id.
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
async fn what_is_no_http_is_refused_in_the_envelope_too() {
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
async fn one_connection_too_many_waits_for_a_place() {
    let world = World::start_with(|config| config.limits.http.connections_max = 1).await;
    let request = "GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let mut first = Raw::connect(world.address()).await;
    assert!(first.exchange(request).await.starts_with("HTTP/1.1 200"));
    let mut second = Raw::connect(world.address()).await;
    second.send(request).await;
    assert_eq!(second.hear(MOMENT).await.text, "");
    drop(first);
    second
        .send("GET /health/live HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        .await;
    assert_eq!(second.hear_out().await.status(), 200);
}

#[tokio::test]
async fn a_peer_that_reads_nothing_loses_its_connection() {
    let world = World::start_with(|config| {
        config.limits.http.connections_max = 1;
        config.limits.http.write_s = 1;
    })
    .await;
    let mut greedy = Raw::connect(world.address()).await;
    // More than the buffers between the two hold.
    greedy
        .send("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(500))
        .await;
    // There is one place, so this answer comes when the first connection has ended.
    let mut patient = Raw::connect(world.address()).await;
    patient
        .send("GET /health/live HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        .await;
    assert_eq!(patient.hear_out().await.status(), 200);
    drop(greedy);
}

#[tokio::test]
async fn an_answer_that_does_not_begin_in_time_is_a_504() {
    let world = World::start_with(|config| config.limits.http.answer_s = 1).await;
    let shown = world.show(basket(), basket_props()).await;
    let arguments = json!({"sessionId": shown.session, "timeout": 20});
    let params = json!({"name": "ggui_consume", "arguments": arguments});
    let answer = world.rpc("tools/call", params).await;
    assert_eq!(answer.status, 504, "{}", answer.body);
    assert_eq!(answer.body["error"]["data"]["code"], "ANSWER_TIMEOUT");
}

#[tokio::test]
async fn a_request_that_comes_while_the_server_ends_is_told_when_to_come_back() {
    let world = World::start().await;
    let mut raw = Raw::connect(world.address()).await;
    let mut health = Raw::connect(world.address()).await;
    // Both have begun before the end does.
    raw.send("POST /mcp HTTP/1.1\r\nhost: localhost\r\n").await;
    health
        .send("GET /health/ready HTTP/1.1\r\nhost: localhost\r\n")
        .await;
    for other in [&mut raw, &mut health] {
        assert_eq!(other.hear(MOMENT).await.text, "");
    }
    let talk = async {
        assert_eq!(raw.hear(MOMENT).await.text, "");
        raw.send(format!(
            "content-type: application/json\r\ncontent-length: {}\r\n\r\n{PING}",
            PING.len()
        ))
        .await;
        health.send("\r\n").await;
        (raw.hear_out().await, health.hear_out().await)
    };
    let (_, (refused, ready)) = tokio::join!(world.stop(), talk);
    assert_eq!(refused.status(), 503, "{refused:?}");
    assert!(refused.header("retry-after").is_some(), "{refused:?}");
    assert!(refused.body().contains("\"jsonrpc\""), "{refused:?}");
    assert_eq!(ready.status(), 503, "{ready:?}");
    assert!(ready.header("retry-after").is_some(), "{ready:?}");
}

#[tokio::test]
async fn the_door_counts_each_key_for_itself_and_says_when_to_come_back() {
    let (world, _folder, [one, two]) = keyed(|config| {
        config.limits.rates.door_per_second = 1;
        config.limits.rates.door_burst = 3;
    })
    .await;
    for remaining in ["2", "1", "0"] {
        let answer = ping(&world, &one).await;
        assert_eq!(answer.status, 200);
        assert_eq!(header(&answer, "ratelimit-limit"), Some("3"));
        assert_eq!(header(&answer, "ratelimit-remaining"), Some(remaining));
        assert!(header(&answer, "x-ratelimit-limit").is_none());
    }
    let refused = ping(&world, &one).await;
    assert_eq!(refused.status, 429);
    assert_eq!(header(&refused, "retry-after"), Some("1"));
    assert_eq!(header(&refused, "ratelimit-remaining"), Some("0"));
    assert_eq!(header(&refused, "ratelimit-reset"), Some("3"));
    let error = &refused.body["error"];
    assert_eq!(
        (&refused.body["id"], &error["code"]),
        (&Value::Null, &json!(-32013))
    );
    assert_eq!(
        error["message"],
        "Rate limit exceeded — retry after 1000ms."
    );
    assert_eq!(error["data"]["envelope"]["code"], "RATE_LIMITED");
    assert_eq!(
        ping(&world, &two).await.status,
        200,
        "another key has its own allowance"
    );
    // Made-up keys are their peer, all of them together.
    let mut statuses = Vec::new();
    for number in 0..4 {
        statuses.push(ping(&world, &format!("made-up-{number}")).await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 429]);
    let rest = world.send(world.get("/health/live")).await;
    assert_eq!(
        (rest.status, &rest.body["error"]["code"]),
        (429, &json!("RATE_LIMITED"))
    );
}

#[tokio::test]
async fn only_a_trusted_proxy_may_say_whom_it_speaks_for() {
    let few = |config: &mut Config| {
        config.limits.rates.door_per_second = 1;
        config.limits.rates.door_burst = 1;
    };
    let (plain, _folder, _) = keyed(few).await;
    let (proxied, _folder_too, _) = keyed(|config| {
        few(config);
        config.server.trusted_proxies = "127.0.0.0/8, ::1".into();
    })
    .await;
    for (world, expected) in [(plain, [200, 429]), (proxied, [200, 200])] {
        let mut statuses = Vec::new();
        for client in ["192.0.2.1", "192.0.2.2"] {
            let request = world.get("/health/live").header("x-forwarded-for", client);
            statuses.push(world.send(request).await.status);
        }
        assert_eq!(statuses, expected);
    }
}

#[tokio::test]
async fn a_caller_that_makes_too_much_is_told_to_wait_and_the_rest_goes_on() {
    let world = World::start_with(|config| {
        config.limits.rates.making_per_second = 1;
        config.limits.rates.making_burst = 2;
    })
    .await;
    let shown = world.show(basket(), basket_props()).await;
    // All at once: while they are counted one by one, a second may pass that allows another one.
    let arguments = json!({"intent": 5});
    let params = json!({"name": "ggui_handshake", "arguments": arguments});
    let asked = (0..10).map(|_| world.rpc("tools/call", params.clone()));
    let answers = futures_util::future::join_all(asked).await;
    let refused = answers
        .into_iter()
        .find(|answer| answer.body["error"]["code"] == -32013)
        .expect("one too many");
    assert_eq!(refused.status, 200, "the limit comes before the arguments");
    assert_eq!(refused.body["error"]["data"]["code"], "RATE_LIMIT_EXCEEDED");
    let wait = refused.body["error"]["data"]["retry"]["after_ms"]
        .as_u64()
        .expect("a wait");
    let told = format!("Rate limit exceeded — retry after {}ms.", wait.max(1));
    assert_eq!(refused.body["error"]["message"], told);
    let seconds = wait.div_ceil(1000).max(1).to_string();
    assert_eq!(header(&refused, "retry-after"), Some(seconds.as_str()));
    world
        .tool("ggui_get_session", json!({"sessionId": shown.session}))
        .await;
}

#[tokio::test]
async fn pages_of_an_allowed_origin_read_what_they_are_told() {
    let (world, _folder, [one, _]) = keyed(|config| {
        config.limits.rates.door_per_second = 1;
        config.limits.rates.door_burst = 1;
    })
    .await;
    let from = |bearer: &str| {
        let request = world.post("/mcp").bearer_auth(bearer).body(PING);
        request.header("origin", "http://localhost:3000")
    };
    for (bearer, status) in [(one.as_str(), 200), (&one, 429), ("made-up", 401)] {
        let answer = world.send(from(bearer)).await;
        assert_eq!(answer.status, status);
        let allowed = header(&answer, "access-control-allow-origin");
        assert_eq!(allowed, Some("http://localhost:3000"), "{status}");
        let exposed = header(&answer, "access-control-expose-headers").unwrap_or_default();
        for name in [
            "retry-after",
            "www-authenticate",
            "x-request-id",
            "ratelimit-remaining",
        ] {
            assert!(exposed.contains(name), "{status}: {exposed}");
        }
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
    let told = answer.body["result"]["_meta"]["traceparent"]
        .as_str()
        .expect("a trace");
    assert_eq!((&told[..36], &told[36..]), (&inner[..36], &outer[36..]));
}

#[tokio::test]
async fn metrics_name_routes_and_never_what_callers_make_up() {
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

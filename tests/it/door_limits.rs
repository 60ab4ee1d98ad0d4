//! Rate limits and time-outs of the HTTP edge.

use std::time::Duration;

use proscenium::config::Config;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::contracts::{basket, basket_props};
use crate::doors::{PING, header};
use crate::raw::Raw;
use crate::stopped::Stopped;
use crate::world::{Answer, World};

/// How long a test listens to a server that should send nothing more.
const MOMENT: Duration = Duration::from_millis(200);
/// A span in which an allowance of one per second does not grow.
const SECOND: Duration = Duration::from_secs(1);
/// How often a slow machine may miss that span.
const ATTEMPTS: usize = 50;

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
async fn a_refusal_before_the_body_has_come_leaves_the_connection_for_the_next_request() {
    let (world, _folder, _) = keyed(|_| {}).await;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         authorization: Bearer nobody\r\ncontent-length: {}\r\n\r\n",
        PING.len()
    );
    let mut client = Raw::connect(world.address()).await;
    let refused = client.exchange(&head).await;
    assert!(refused.starts_with("HTTP/1.1 401"), "{refused}");
    let again = client.exchange(&format!("{PING}{head}")).await;
    assert!(again.starts_with("HTTP/1.1 401"), "{again}");
}

#[tokio::test]
async fn whoever_sends_all_of_a_body_that_is_too_large_reads_why_it_is_refused() {
    let world = World::start_with(|config| config.limits.http.body_bytes_max = 4 << 20).await;
    let body = "x".repeat(6 << 20);
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut client = Raw::connect(world.address()).await;
    client.try_send(request.as_bytes()).await.expect("all read");
    let refused = client.exchange("").await;
    assert!(refused.starts_with("HTTP/1.1 413"), "{refused}");
    let next = client.exchange("GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert!(next.await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_connection_over_the_limit_waits_for_a_free_place() {
    let world = World::start_with(|config| {
        config.limits.http.connections_max = 1;
        config.limits.http.connections_per_peer_max = 2;
    })
    .await;
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
        config.limits.http.connections_per_peer_max = 2;
        config.limits.http.write_s = 1;
    })
    .await;
    let mut greedy = Raw::connect(world.address()).await;
    // More than the buffers between the two can hold.
    greedy
        .send("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(500))
        .await;
    // There is one place, so this response arrives once the first connection has ended.
    let mut patient = Raw::connect(world.address()).await;
    patient
        .send("GET /health/live HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        .await;
    assert_eq!(patient.hear_out().await.status(), 200);
    drop(greedy);
}

#[tokio::test]
async fn an_answer_that_does_not_begin_in_time_is_a_504() {
    let world = World::start_with(|config| config.limits.http.answer_s = 10).await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let consume = json!({"sessionId": shown.session, "timeout": 20});
    let held = tokio::spawn(world.calling("ggui_consume", consume));
    while browser.frame("data").await["payload"]["payload"]["kind"] != "consume_polling" {}
    let time = Stopped::now();
    time.advance(10_001).await;
    let answer = held.await.expect("an answer");
    assert!(time.stands(), "too late");
    assert_eq!(answer.status, 504, "{}", answer.body);
    assert_eq!(answer.body["error"]["data"]["code"], "ANSWER_TIMEOUT");
}

#[tokio::test]
async fn a_request_during_a_shutdown_gets_a_time_to_retry() {
    let world = World::start().await;
    let mut raw = Raw::connect(world.address()).await;
    let mut health = Raw::connect(world.address()).await;
    // Both have begun before the shutdown does.
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

/// The result of requests to a server that accepts `burst` at once and one more each second.
/// Everything is repeated with another server if it took so long that the allowance grew meanwhile.
async fn swiftly<T>(burst: u32, ask: impl AsyncFn(&World, &[String; 2]) -> T) -> T {
    for _ in 0..ATTEMPTS {
        let (world, _folder, keys) = keyed(|config| {
            config.limits.rates.door_per_second = 1;
            config.limits.rates.door_burst = burst;
        })
        .await;
        let began = Instant::now();
        let result = ask(&world, &keys).await;
        if began.elapsed() < SECOND {
            return result;
        }
    }
    panic!("the machine is too slow to reach the limit");
}

#[tokio::test]
async fn requests_are_limited_for_each_key_with_a_time_to_retry() {
    let asked = swiftly(3, async |world, [one, two]| {
        let mut answers = Vec::new();
        for bearer in [one, one, one, one, two] {
            answers.push(ping(world, bearer).await);
        }
        answers
    });
    let answers = asked.await;
    for (answer, remaining) in answers.iter().zip(["2", "1", "0"]) {
        assert_eq!(answer.status, 200);
        assert_eq!(header(answer, "ratelimit-limit"), Some("3"));
        assert_eq!(header(answer, "ratelimit-remaining"), Some(remaining));
        assert!(header(answer, "x-ratelimit-limit").is_none());
    }
    let refused = &answers[3];
    assert_eq!(refused.status, 429);
    assert_eq!(header(refused, "retry-after"), Some("1"));
    assert_eq!(header(refused, "ratelimit-remaining"), Some("0"));
    assert_eq!(header(refused, "ratelimit-reset"), Some("3"));
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
    assert_eq!(answers[4].status, 200, "another key has its own allowance");
}

#[tokio::test]
async fn invalid_keys_share_the_limit_of_their_address() {
    let asked = swiftly(3, async |world, _| {
        let mut statuses = Vec::new();
        for number in 0..4 {
            statuses.push(ping(world, &format!("made-up-{number}")).await.status);
        }
        (statuses, world.send(world.get("/health/live")).await)
    });
    let (statuses, rest) = asked.await;
    assert_eq!(statuses, [401, 401, 401, 429]);
    assert_eq!(
        (rest.status, &rest.body["error"]["code"]),
        (429, &json!("RATE_LIMITED"))
    );
}

#[tokio::test]
async fn forwarded_addresses_are_only_trusted_from_known_proxies() {
    let clients = async |world: &World| {
        let mut statuses = Vec::new();
        for client in ["192.0.2.1", "192.0.2.2"] {
            let request = world.get("/health/live").header("x-forwarded-for", client);
            statuses.push(world.send(request).await.status);
        }
        statuses
    };
    assert_eq!(
        swiftly(1, async |world, _| clients(world).await).await,
        [200, 429]
    );
    let (proxied, _folder, _) = keyed(|config| {
        config.limits.rates.door_per_second = 1;
        config.limits.rates.door_burst = 1;
        config.server.trusted_proxies = "127.0.0.0/8, ::1".into();
    })
    .await;
    assert_eq!(clients(&proxied).await, [200, 200]);
}

#[tokio::test]
async fn a_caller_over_the_limit_of_renders_waits_and_others_go_on() {
    let world = World::start_with(|config| {
        config.limits.rates.making_per_second = 1;
        config.limits.rates.making_burst = 2;
    })
    .await;
    let shown = world.show(basket(), basket_props()).await;
    let arguments = json!({"intent": 5});
    let refused = world.one_too_many("ggui_handshake", &arguments).await;
    assert_eq!(refused.status, 200, "the limit comes before the arguments");
    assert_eq!(refused.body["error"]["data"]["code"], "RATE_LIMIT_EXCEEDED");
    let wait = refused.body["error"]["data"]["retry"]["after_ms"]
        .as_u64()
        .expect("a wait");
    let expected = format!("Rate limit exceeded — retry after {}ms.", wait.max(1));
    assert_eq!(refused.body["error"]["message"], expected);
    let seconds = wait.div_ceil(1000).max(1).to_string();
    assert_eq!(header(&refused, "retry-after"), Some(seconds.as_str()));
    world
        .tool("ggui_get_session", json!({"sessionId": shown.session}))
        .await;
}

#[tokio::test]
async fn pages_of_an_allowed_origin_can_read_the_limit_headers() {
    let asked = swiftly(1, async |world, [one, _]| {
        let mut answers = Vec::new();
        for bearer in [one, one, "made-up"] {
            let request = world.post("/mcp").bearer_auth(bearer).body(PING);
            let request = request.header("origin", "http://localhost:3000");
            answers.push(world.send(request).await);
        }
        answers
    });
    for (answer, status) in asked.await.iter().zip([200, 429, 401]) {
        assert_eq!(answer.status, status);
        let allowed = header(answer, "access-control-allow-origin");
        assert_eq!(allowed, Some("http://localhost:3000"), "{status}");
        let exposed = header(answer, "access-control-expose-headers").unwrap_or_default();
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

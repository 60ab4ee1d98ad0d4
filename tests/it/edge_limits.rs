//! Limits for one address: connections, incomplete requests, unread responses, unsubscribed
//! sockets.
//! A refused client gets the reason, and another address is served all the while.

use std::net::{Ipv6Addr, SocketAddr};
use std::process::Stdio;
use std::time::Duration;

use http::HeaderMap;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::time::{Instant, timeout};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

use crate::browser::Browser;
use crate::contracts::{basket, basket_props};
use crate::doors::PING;
use crate::process::proscenium;
use crate::raw::{Heard, Raw};
use crate::redis_server::signal;
use crate::world::{Answer, PATIENCE, Shown, World, answer};

const HEALTH: &str = "GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n";
const LAST: &str = "GET /health/live HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
/// How long a test listens to a server that should send nothing more.
const MOMENT: Duration = Duration::from_millis(200);

/// The same server as seen from this machine's other loopback address.
fn elsewhere(world: &World) -> SocketAddr {
    (Ipv6Addr::LOCALHOST, world.address().port()).into()
}

/// Sends a request on a new connection.
async fn asked(address: SocketAddr, request: impl AsRef<[u8]>) -> Heard {
    let mut raw = Raw::connect(address).await;
    raw.send(request).await;
    raw.hear_out().await
}

fn assert_refused(heard: &Heard, status: u16, expected: &str) {
    assert_eq!(heard.status(), status, "{heard:?}");
    assert!(heard.header("retry-after").is_some(), "{heard:?}");
    assert!(heard.header("x-request-id").is_some(), "{heard:?}");
    let body: Value = serde_json::from_str(heard.body()).expect("JSON");
    let detail = body["detail"].as_str().expect("a text");
    assert!(detail.contains(expected), "{body}");
}

async fn turned_away(world: &World, reason: &str) -> u64 {
    let page = world.send(world.get("/metrics")).await.body;
    let line = format!("proscenium_turned_away_total{{reason=\"{reason}\"}} ");
    let mut lines = page.as_str().expect("a page").lines();
    let count = lines.find_map(|found| found.strip_prefix(&line));
    count.map_or(0, |count| count.parse().expect("a number"))
}

#[tokio::test]
async fn one_address_has_a_quarter_of_all_connections_and_another_is_served_at_once() {
    let world = World::start_with(|config| config.limits.http.connections_max = 8).await;
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut raw = Raw::connect(world.address()).await;
        assert!(raw.exchange(HEALTH).await.starts_with("HTTP/1.1 200"));
        held.push(raw);
    }
    let refused = asked(world.address(), LAST).await;
    assert_refused(&refused, 429, "2 connections of this address are open");
    assert_eq!(asked(elsewhere(&world), LAST).await.status(), 200);
    drop(held);
    while asked(world.address(), LAST).await.status() != 200 {}
    assert!(turned_away(&world, "connections").await >= 1);
}

#[tokio::test]
async fn a_socket_is_a_connection_as_long_as_it_lives() {
    let world = World::start_with(|config| config.limits.http.connections_per_peer_max = 3).await;
    let shown = world.show(basket(), basket_props()).await;
    let (first, _) = world.browse(&shown).await;
    let (second, _) = world.browse(&shown).await;
    let refused = asked(world.address(), LAST).await;
    assert_refused(&refused, 429, "3 connections of this address are open");
    drop((first, second));
    while asked(world.address(), LAST).await.status() != 200 {}
}

#[tokio::test]
async fn a_connection_of_a_proxy_counts_for_the_forwarded_address() {
    let world = World::start_with(|config| {
        config.server.trusted_proxies = "127.0.0.1".to_owned();
        config.limits.http.connections_per_peer_max = 1;
    })
    .await;
    let of = |client: &str| {
        let post = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json";
        format!(
            "{post}\r\nx-forwarded-for: {client}\r\ncontent-length: {}\r\n\r\n{PING}",
            PING.len()
        )
    };
    let mut one = Raw::connect(world.address()).await;
    let mut other = Raw::connect(world.address()).await;
    // A forwarded caller is not this machine, which is unrelated to the limit.
    assert!(one.exchange(&of("198.51.100.1")).await.contains(" 401 "));
    let refused = other.exchange(&of("198.51.100.1")).await;
    assert!(refused.contains(" 429 "), "{refused}");
    assert!(refused.contains("CONNECTION_LIMIT"), "{refused}");
    assert!(refused.contains("-32013"), "{refused}");
    assert!(other.exchange(&of("198.51.100.2")).await.contains(" 401 "));
    // The next forwarded address on the connection is counted instead.
    assert!(one.exchange(&of("198.51.100.3")).await.contains(" 401 "));
    assert!(other.exchange(&of("198.51.100.1")).await.contains(" 401 "));
}

#[tokio::test]
async fn incomplete_headers_are_limited() {
    // One address may hold a quarter: 20 kB beyond what each connection has.
    let world =
        World::start_with(|config| config.limits.http.header_bytes_waiting_max = 80_000).await;
    let half = format!(
        "{}x-filler: {}",
        &HEALTH[..HEALTH.len() - 2],
        "x".repeat(25_000)
    );
    let mut first = Raw::connect(world.address()).await;
    first.send(&half).await;
    assert_eq!(first.hear(MOMENT).await.text, "");
    // The rest of these headers is sent together with the previous request.
    let mut second = Raw::connect(world.address()).await;
    second.send(format!("{HEALTH}{half}")).await;
    let heard = second.hear_out().await;
    let refused = heard.text.rsplit_once("HTTP/1.1 ").expect("an answer").1;
    assert!(refused.starts_with("503 "), "{heard:?}");
    assert!(refused.contains("retry-after: "), "{heard:?}");
    assert!(refused.contains("under way"), "{heard:?}");
    let whole = format!("{half}\r\nconnection: close\r\n\r\n");
    assert_eq!(asked(elsewhere(&world), &whole).await.status(), 200);
    // Complete headers are no longer counted.
    assert!(first.exchange("\r\n\r\n").await.starts_with("HTTP/1.1 200"));
    assert_eq!(asked(world.address(), &whole).await.status(), 200);
}

#[tokio::test]
async fn frames_of_a_socket_are_no_headers() {
    let world =
        World::start_with(|config| config.limits.http.header_bytes_waiting_max = 4_000).await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = world.knock(&shown).await;
    browser.subscribe(json!({})).await;
    let ping = json!({"type": "ping", "requestId": "p".repeat(100)});
    // Ten times as much as all connections together may hold of headers.
    for _ in 0..400 {
        browser.send(ping.clone()).await;
        browser.frame("pong").await;
    }
    assert_eq!(asked(world.address(), LAST).await.status(), 200);
}

#[tokio::test]
async fn incomplete_bodies_are_limited() {
    let world = World::start_with(|config| {
        config.limits.http.body_bytes_max = 100_000;
        config.limits.http.under_way_bytes_max = 400_000;
    })
    .await;
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                connection: close\r\ncontent-length: ";
    let mut slow = Raw::connect(world.address()).await;
    slow.send(format!("{head}95000\r\n\r\n{}", " ".repeat(90_000)))
        .await;
    assert_eq!(slow.hear(MOMENT).await.text, "");
    let ping = format!("{}{PING}", " ".repeat(50_000));
    let whole = format!("{head}{}\r\n\r\n{ping}", ping.len());
    let refused = asked(world.address(), &whole).await;
    assert_eq!(refused.status(), 503, "{refused:?}");
    assert!(refused.header("retry-after").is_some(), "{refused:?}");
    let error = refused.answer().body["error"].clone();
    assert_eq!(error["code"], -32013, "{error}");
    assert_eq!(error["data"]["code"], "OVERLOADED", "{error}");
    assert_eq!(asked(elsewhere(&world), &whole).await.status(), 200);
    drop(slow);
    while asked(world.address(), &whole).await.status() != 200 {}
}

#[tokio::test]
async fn unread_responses_are_limited() {
    let world = World::start_with(|config| {
        config.limits.http.body_bytes_max = 1_000_000;
        config.limits.http.under_way_bytes_max = 6 << 20;
        config.limits.http.write_s = 600;
    })
    .await;
    let contract = json!({"propsSpec": {"properties": {"text": {"schema": {"type": "string"}}}}});
    let shown = world
        .show(contract, json!({"text": "x".repeat(900_000)}))
        .await;
    let token = shown.slice()["wsToken"].as_str().expect("a token");
    let state = format!("/api/sessions/{}/state?wsToken={token}", shown.session);
    // More than the buffers between the two can hold.
    let wanted = format!("GET {state} HTTP/1.1\r\nhost: localhost\r\n\r\n").repeat(40);
    let mut greedy = Vec::new();
    for _ in 0..4 {
        let mut raw = Raw::connect(world.address()).await;
        raw.send(&wanted).await;
        greedy.push(raw);
    }
    let refused = loop {
        let heard = asked(world.address(), LAST).await;
        if heard.status() != 200 {
            break heard;
        }
    };
    assert_refused(&refused, 503, "under way");
    assert_eq!(asked(elsewhere(&world), LAST).await.status(), 200);
    drop(greedy);
    while asked(world.address(), LAST).await.status() != 200 {}
}

/// A browser whose socket is opened through a proxy.
async fn knock_for(world: &World, shown: &Shown, client: &str) -> Browser {
    let token = shown.slice()["wsToken"].as_str().expect("a token");
    let url = world.url("/ws").replacen("http", "ws", 1);
    let mut request = format!("{url}?wsToken={token}")
        .into_client_request()
        .expect("a request");
    let client = client.parse().expect("a header");
    request.headers_mut().insert("x-forwarded-for", client);
    let (socket, _) = connect_async(request).await.expect("a socket");
    world.adopt(socket, shown)
}

#[tokio::test]
async fn one_address_has_a_limited_number_of_unsubscribed_sockets() {
    let world = World::start_with(|config| {
        config.server.trusted_proxies = "127.0.0.1".to_owned();
        config.limits.sockets.pre_subscribe_per_peer_max = 1;
    })
    .await;
    let shown = world.show(basket(), basket_props()).await;
    let mut first = knock_for(&world, &shown, "198.51.100.1").await;
    let mut second = knock_for(&world, &shown, "198.51.100.1").await;
    let expected = (1013, "pre_subscribe_connection_ceiling".into());
    assert_eq!(second.closed().await, expected);
    let mut other = knock_for(&world, &shown, "198.51.100.2").await;
    assert_eq!(other.subscribe(json!({})).await["type"], "ack");
    assert_eq!(first.subscribe(json!({})).await["type"], "ack");
    let mut third = knock_for(&world, &shown, "198.51.100.1").await;
    assert_eq!(third.subscribe(json!({})).await["type"], "ack");
    assert!(turned_away(&world, "socket_places").await >= 1);
}

/// An upgrade with this token, sent as a plain request.
async fn upgrade(world: &World, token: &str) -> Answer {
    let request = world.get(&format!("/ws?wsToken={token}"));
    world.send(request.headers(upgrading())).await
}

/// The headers of an upgrade.
fn upgrading() -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ] {
        headers.insert(name, value.parse().expect("a header"));
    }
    headers
}

#[tokio::test]
async fn a_token_of_another_issuer_opens_no_socket_and_takes_no_place() {
    let world = World::start_with(|config| config.limits.sockets.pre_subscribe_max = 1).await;
    let other = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let token = shown.slice()["wsToken"].as_str().expect("a token");
    let theirs = other.show(basket(), basket_props()).await;
    let theirs = theirs.slice()["wsToken"].as_str().expect("a token");
    let before = turned_away(&world, "socket_token").await;
    for bad in ["x", "", "a.b.c", &token[..token.len() - 2], theirs] {
        let refused = upgrade(&world, bad).await;
        assert_eq!(refused.status, 401, "{bad}: {}", refused.body);
        assert_eq!(refused.body["error"]["code"], "UNAUTHORIZED", "{bad}");
        assert_eq!(refused.headers["www-authenticate"], "Bearer realm=\"mcp\"");
    }
    assert!(turned_away(&world, "socket_token").await >= before + 5);
    // None of them has taken the one place, and a token that has merely expired is reported in a
    // frame.
    world.clock.advance(Duration::from_secs(181));
    let mut late = world.knock(&shown).await;
    let refused = late.subscribe(json!({})).await;
    assert_eq!(refused["payload"]["code"], "BOOTSTRAP_EXPIRED", "{refused}");
}

/// Upgrades that are refused in the test below.
const REFUSED: usize = 40;
/// The log says what was turned away once in so long.
const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn what_is_turned_away_is_counted_and_logged_once_a_minute() {
    let mut command = proscenium(&["serve", "--listen", "127.0.0.1:0"]);
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("a server");
    let mut banner = BufReader::new(child.stdout.take().expect("its output")).lines();
    let address = loop {
        let line = banner.next_line().await.expect("a text").expect("a banner");
        if let Some(url) = line.trim().strip_prefix("mcp ") {
            break url.trim().replace("/mcp", "");
        }
    };
    let begun = Instant::now();
    let client = reqwest::Client::new();
    for _ in 0..REFUSED {
        let request = client.get(format!("{address}/ws?wsToken=x"));
        let refused = answer(request.headers(upgrading())).await;
        assert_eq!(refused.status, 401, "{}", refused.body);
    }
    let metrics = client.get(format!("{address}/metrics")).send().await;
    let metrics = metrics.expect("an answer").text().await.expect("text");
    let counted = format!("proscenium_turned_away_total{{reason=\"socket_token\"}} {REFUSED}");
    assert!(metrics.contains(&counted), "{metrics}");
    let minutes = usize::try_from(begun.elapsed().as_secs() / MINUTE.as_secs()).expect("few");
    signal(&child, "TERM").await;
    let ended = timeout(PATIENCE, child.wait_with_output());
    let ended = ended.await.expect("an end").expect("its log");
    let log = String::from_utf8(ended.stderr).expect("text");
    let said: Vec<_> = log
        .lines()
        .filter(|line| line.contains("turned away"))
        .collect();
    assert!(said[0].contains("socket_token"), "{log}");
    assert!(
        said[0].contains("count=1"),
        "the first is said at once: {log}"
    );
    assert!(said.len() <= 1 + minutes, "{log}");
}

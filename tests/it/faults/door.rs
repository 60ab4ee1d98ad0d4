//! Failures before a body is read, and failures of a server that breaks or shuts down.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;

use super::envelope::{ERAS, PING, VERSION, both};
use super::table::Table;
use crate::doors::brittle;
use crate::raw::Raw;
use crate::world::{World, answer};

/// How long a test listens to a server that should send nothing more.
const MOMENT: Duration = Duration::from_millis(200);

pub(super) async fn door_rows(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let secret = proscenium::keys::create(&file, "one", 0).expect("a key");
    let world = World::start_with(|config| {
        config.server.keys_file = file;
        config.limits.http.body_bytes_max = 1_000;
        config.limits.http.body_read_s = 1;
        config.limits.rates.door_per_second = 1;
        config.limits.rates.door_burst = 40;
    });
    let world = world.await.with_bearer(&secret);
    for (code, path, headers) in [
        ("APP_FORBIDDEN", "/apps/two/mcp", vec![]),
        ("INVALID_HOST", "/mcp", vec![("host", "evil.example")]),
        (
            "INVALID_ORIGIN",
            "/mcp",
            vec![("origin", "https://evil.example")],
        ),
        ("NOT_ACCEPTABLE", "/mcp", vec![("accept", "image/png")]),
    ] {
        for era in ERAS {
            let mut request = world.post(path).body(PING);
            for (name, value) in &headers {
                request = request.header(*name, *value);
            }
            if era == "modern" {
                request = request.header(VERSION.0, VERSION.1);
            }
            table.rpc(code, era, &world.send(request).await);
        }
    }
    let client = reqwest::Client::new();
    let plain = || client.post(world.url("/mcp"));
    let endless = || {
        let stream = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
        reqwest::Body::wrap_stream(stream)
    };
    let json = "application/json";
    for era in ERAS {
        let in_era = async |request: reqwest::RequestBuilder| match era {
            "modern" => world.send(request.header(VERSION.0, VERSION.1)).await,
            _ => world.send(request).await,
        };
        let stranger = plain().header("content-type", json).body(PING);
        table.rpc("UNAUTHORIZED", era, &in_era(stranger).await);
        let form = plain().bearer_auth(&secret).body("a=b");
        table.rpc("UNSUPPORTED_MEDIA_TYPE", era, &in_era(form).await);
        let large = world.post("/mcp").body(" ".repeat(1_001));
        table.rpc("PAYLOAD_TOO_LARGE", era, &in_era(large).await);
        let read = world.get("/mcp");
        table.rpc("METHOD_NOT_ALLOWED", era, &in_era(read).await);
        let slow = world.post("/mcp").body(endless());
        table.rpc("REQUEST_TIMEOUT", era, &in_era(slow).await);
    }
    table.rest(
        "UNAUTHORIZED",
        &world.send(client.get(world.url("/"))).await,
    );
    table.rest(
        "METHOD_NOT_ALLOWED",
        &world.send(world.post("/metrics")).await,
    );
    table.rest("NOT_FOUND", &world.send(world.get("/api/nothing")).await);
    table.rest(
        "THING_NOT_FOUND",
        &world.send(world.get("/api/v1/faults/nothing")).await,
    );
    table.rest(
        "INVALID_FIELDS",
        &world.send(world.get("/api/v1/faults?limit=x")).await,
    );
    let denied = both(
        &world,
        "ggui_handshake",
        json!({"intent": "x", "blueprintDraft": {}}),
    )
    .await;
    for (era, answer) in ERAS.iter().zip(&denied) {
        table.rpc("CAPABILITY_DENIED", era, answer);
    }
    for era in ERAS {
        let refused = loop {
            let request = world.post("/mcp").body(PING);
            let request = match era {
                "modern" => request.header(VERSION.0, VERSION.1),
                _ => request,
            };
            let answer = world.send(request).await;
            if answer.status == 429 {
                break answer;
            }
        };
        table.rpc("DOOR_RATE_LIMITED", era, &refused);
    }
    let refused = loop {
        let answer = world.send(world.get("/")).await;
        if answer.status == 429 {
            break answer;
        }
    };
    table.rest("DOOR_RATE_LIMITED", &refused);
    overload_rows(table).await;
}

/// Failures due to too many or too large requests.
async fn overload_rows(table: &mut Table) {
    let world = World::start_with(|config| {
        config.server.trusted_proxies = "127.0.0.1".to_owned();
        config.limits.http.connections_per_peer_max = 1;
        config.limits.http.under_way_bytes_max = 1;
    })
    .await;
    for era in ERAS {
        let request = world.post("/mcp").body("{}");
        let request = match era {
            "modern" => request.header(VERSION.0, VERSION.1),
            _ => request,
        };
        table.rpc("OVERLOADED", era, &world.send(request).await);
    }
    let mut first = Raw::connect(world.address()).await;
    let of_client = "x-forwarded-for: 198.51.100.1";
    first
        .exchange(&format!(
            "GET /health/live HTTP/1.1\r\nhost: localhost\r\n{of_client}\r\n\r\n"
        ))
        .await;
    for era in ERAS {
        let request = world.post("/mcp").body(PING);
        let request = match era {
            "modern" => request.header(VERSION.0, VERSION.1),
            _ => request,
        };
        let request = request.header("x-forwarded-for", "198.51.100.1");
        table.rpc("CONNECTION_LIMIT", era, &world.send(request).await);
    }
    let request = world
        .get("/metrics")
        .header("x-forwarded-for", "198.51.100.1");
    table.rest("CONNECTION_LIMIT", &world.send(request).await);
}

/// Responses of a server that panics, and of one that shuts down.
pub(super) async fn broken_rows(table: &mut Table) {
    let (running, breaks) = brittle().await;
    breaks.store(true, Ordering::SeqCst);
    let client = reqwest::Client::new();
    let at = |path: &str| format!("http://{}{path}", running.address());
    let arguments = json!({"intent": "x", "blueprintDraft": {"contract": {}}});
    let params = json!({"name": "ggui_handshake", "arguments": arguments});
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    for era in ERAS {
        let request = client
            .post(at("/mcp"))
            .header("content-type", "application/json");
        let request = match era {
            "modern" => request
                .header(VERSION.0, VERSION.1)
                .header("mcp-method", "tools/call")
                .header("mcp-name", "ggui_handshake"),
            _ => request,
        };
        let mut body = body.clone();
        if era == "modern" {
            body["params"]["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        table.rpc(
            "INTERNAL_ERROR",
            era,
            &answer(request.body(body.to_string())).await,
        );
    }

    let world = World::start().await;
    let mut open = Vec::new();
    for line in [
        "POST /mcp HTTP/1.1",
        "POST /mcp HTTP/1.1\r\nmcp-protocol-version: 2026-07-28",
        "GET /metrics HTTP/1.1",
    ] {
        let mut raw = Raw::connect(world.address()).await;
        // It has begun before the shutdown does.
        raw.send(format!("{line}\r\nhost: localhost\r\n")).await;
        assert_eq!(raw.hear(MOMENT).await.text, "");
        open.push(raw);
    }
    let talk = async {
        let mut heard = Vec::new();
        for raw in &mut open {
            assert_eq!(raw.hear(MOMENT).await.text, "");
            raw.send("content-type: application/json\r\ncontent-length: 2\r\n\r\n{}")
                .await;
            heard.push(raw.hear_out().await.answer());
        }
        heard
    };
    let (_, heard) = tokio::join!(world.stop(), talk);
    table.rpc("UNAVAILABLE", "legacy", &heard[0]);
    table.rpc("UNAVAILABLE", "modern", &heard[1]);
    table.rest("UNAVAILABLE", &heard[2]);
}

//! Measures what credentials and limits cost and whether response times reveal anything: calls with
//! a
//! key and with a token beside the same calls without either, and calls for another app's session
//! beside calls for a random id. `cargo run --release --example doors`. Rounds of both sides
//! alternate,
//! so that other load on the machine affects both.

#![expect(
    clippy::print_stdout,
    reason = "a tool on a terminal prints its figures"
)]

use std::error::Error;
use std::time::Duration;

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use proscenium::config::Config;
use proscenium::{App, Running, keys};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::Instant;

type Failure = Box<dyn Error + Send + Sync>;

/// Rounds of each side.
const ROUNDS: usize = 15;
/// The duration of a round.
const ROUND: Duration = Duration::from_millis(400);
/// Connections of a round.
const CONNECTIONS: usize = 8;
/// Timed calls of each side.
const CALLS: usize = 2_000;
/// A rate limit far above what one machine can send.
const COUNTED_PER_SECOND: u32 = 10_000_000;
/// An id that does not exist.
const NOWHERE: &str = "00000000-0000-4000-8000-000000000000";
const ISSUER: &str = "https://issuer.example";
const SECRET: &str = "a secret that is only as long as it has to be";

/// One connection that is kept open.
struct Http {
    stream: TcpStream,
    bearer: String,
    read: Vec<u8>,
}

impl Http {
    async fn connect(server: &Running, bearer: &str) -> Result<Self, Failure> {
        let stream = TcpStream::connect(server.address()).await?;
        stream.set_nodelay(true)?;
        let bearer = match bearer {
            "" => String::new(),
            secret => format!("authorization: Bearer {secret}\r\n"),
        };
        Ok(Self {
            stream,
            bearer,
            read: vec![0; 64 << 10],
        })
    }

    /// Calls a tool and returns the raw response.
    async fn call(&mut self, tool: &str, arguments: &Value) -> Result<&str, Failure> {
        let params = json!({"name": tool, "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let body = body.to_string();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{}\
             content-length: {}\r\n\r\n",
            self.bearer,
            body.len()
        );
        self.stream
            .write_all(format!("{head}{body}").as_bytes())
            .await?;
        let mut filled = 0;
        loop {
            let count = self.stream.read(&mut self.read[filled..]).await?;
            if count == 0 {
                return Err("the connection ended".into());
            }
            filled += count;
            let text = std::str::from_utf8(&self.read[..filled])?;
            let Some((head, body)) = text.split_once("\r\n\r\n") else {
                continue;
            };
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "))
                .ok_or("no length")?;
            if body.len() >= length.parse()? {
                if !head.starts_with("HTTP/1.1 200") {
                    return Err(head.to_owned().into());
                }
                let start = filled - body.len();
                return Ok(std::str::from_utf8(&self.read[start..filled])?);
            }
        }
    }
}

/// Renders a session and returns its id.
async fn shown(server: &Running, bearer: &str) -> Result<String, Failure> {
    let mut http = Http::connect(server, bearer).await?;
    let draft = json!({"intent": "A measurement", "blueprintDraft": {"contract": {}}});
    let agreed: Value = serde_json::from_str(http.call("ggui_handshake", &draft).await?)?;
    let id = &agreed["result"]["structuredContent"]["handshakeId"];
    let render = json!({"handshakeId": id, "props": {}});
    let shown: Value = serde_json::from_str(http.call("ggui_render", &render).await?)?;
    let session = shown["result"]["structuredContent"]["sessionId"].as_str();
    Ok(session.ok_or("no session")?.to_owned())
}

/// Calls per second of one round.
async fn round(server: &Running, bearer: &str, session: &str) -> Result<f64, Failure> {
    let arguments = json!({"sessionId": session});
    let begun = Instant::now();
    let connections = (0..CONNECTIONS).map(async |_| -> Result<u32, Failure> {
        let mut http = Http::connect(server, bearer).await?;
        let mut calls = 0;
        while begun.elapsed() < ROUND {
            http.call("ggui_get_session", &arguments).await?;
            calls += 1;
        }
        Ok(calls)
    });
    let mut calls = 0;
    for count in futures_util::future::join_all(connections).await {
        calls += count?;
    }
    Ok(f64::from(calls) / begun.elapsed().as_secs_f64())
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

async fn server(change: impl FnOnce(&mut Config)) -> Result<Running, Failure> {
    let mut config = Config::default();
    config.server.listen = "127.0.0.1:0".to_owned();
    config.store.ephemeral = true;
    change(&mut config);
    Ok(App::new(config).start().await?)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("proscenium-doors-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (keys_file, secret_file) = (folder.join("keys.toml"), folder.join("secret"));
    let ours = keys::create(&keys_file, "ours", 2)?;
    let theirs = keys::create(&keys_file, "theirs", 2)?;
    std::fs::write(&secret_file, SECRET)?;

    let open = server(|config| config.server.unlimited = true).await?;
    let guarded = server(|config| {
        config.server.keys_file = keys_file;
        // The limiter counts every call and refuses none: only the cost of counting is measured.
        let rates = &mut config.limits.rates;
        for limit in [
            &mut rates.door_per_second,
            &mut rates.door_burst,
            &mut rates.making_per_second,
            &mut rates.making_burst,
            &mut rates.using_per_second,
            &mut rates.using_burst,
        ] {
            *limit = COUNTED_PER_SECOND;
        }
        config.jwt.issuer = ISSUER.to_owned();
        config.jwt.secret_file = secret_file;
    })
    .await?;
    let day = 86_400;
    let now = std::time::UNIX_EPOCH.elapsed()?.as_secs();
    let claims = json!({
        "iss": ISSUER, "aud": guarded.mcp_url(), "sub": "ada", "app": "ours", "exp": now + day,
    });
    let key = EncodingKey::from_secret(SECRET.as_bytes());
    let token = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &key)?;

    for (what, bearer) in [("key", &ours), ("token", &token)] {
        let session = shown(&guarded, bearer).await?;
        let plain = shown(&open, "").await?;
        let mut ratios = Vec::new();
        let (mut without, mut with) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let bare = round(&open, "", &plain).await?;
            let kept = round(&guarded, bearer, &session).await?;
            ratios.push(kept / bare);
            without.push(bare);
            with.push(kept);
        }
        println!(
            "ggui_get_session with a {what} and limits: {:.0}/s, without either: {:.0}/s; median of \
             {ROUNDS} paired ratios {:.3}",
            median(with),
            median(without),
            median(ratios)
        );
    }

    let session = shown(&guarded, &ours).await?;
    let mut http = Http::connect(&guarded, &theirs).await?;
    let asked = [&session, NOWHERE].map(|id| json!({"sessionId": id}));
    let mut times = [Vec::new(), Vec::new()];
    for call in 0..2 * CALLS {
        // The sides take turns in being first.
        let side = (call + call / 2) % 2;
        let begun = Instant::now();
        http.call("ggui_get_session", &asked[side]).await?;
        times[side].push(begun.elapsed().as_secs_f64() * 1e6);
    }
    let [foreign, missing] = times.map(median);
    println!(
        "another app's session: {foreign:.1} us, no session: {missing:.1} us (medians of {CALLS} \
         interleaved calls each); apart by {:.1} us, {:.1} %",
        (foreign - missing).abs(),
        (foreign - missing).abs() / missing * 100.0
    );
    open.stop().await;
    guarded.stop().await;
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

//! A headless Chromium, driven over its DevTools protocol.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use base64::Engine as _;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::error::GalleryError;

/// The names of the executable on different systems.
const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
/// How long the browser may take to start or to respond; a cold start on a busy machine takes ten
/// seconds.
const PATIENCE: Duration = Duration::from_secs(40);
/// The tallest picture, in pixels; longer pages are cut off.
const HEIGHT_MAX: u64 = 4_000;
/// Resolves to the height of the page once it shows something and has not changed for a while.
const SETTLED: &str = "new Promise((done) => {
  const start = performance.now();
  let last = start;
  new MutationObserver(() => { last = performance.now(); })
    .observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
  const look = () => {
    const now = performance.now();
    const shown = document.querySelector('[data-component], [data-sheet]');
    const loaded = [...document.images].every((image) => image.complete);
    if ((shown && loaded && now - last > 250) || now - start > 8000) {
      done(Math.ceil(document.documentElement.getBoundingClientRect().height));
    } else setTimeout(look, 40);
  };
  look();
})";

/// The viewport and format of a picture.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// Width in pixels.
    pub(super) width: u32,
    /// Least height in pixels; the picture is as tall as the page.
    pub(super) height: u32,
    /// Whether the system uses a dark colour scheme.
    pub(super) is_dark: bool,
    /// `png` or `webp`.
    pub(super) format: &'static str,
}

/// One browser with one page.
pub(super) struct Browser {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    session: Option<String>,
    next_id: u64,
    profile: PathBuf,
    process: Child,
}

impl Browser {
    /// Starts the browser at `path`, or the system's.
    pub(super) async fn start(path: Option<&Path>) -> Result<Self, GalleryError> {
        let path = path.map(Path::to_owned).or_else(find);
        let path = path.ok_or(GalleryError::NoBrowser)?;
        let broken = |what: &dyn std::fmt::Display| GalleryError::Browser(what.to_string());
        let profile =
            std::env::temp_dir().join(format!("proscenium-gallery-{}", std::process::id()));
        let mut command = Command::new(&path);
        command.args([
            "--headless",
            "--remote-debugging-port=0",
            "--disable-gpu",
            "--disable-background-networking",
            "--hide-scrollbars",
            "--no-first-run",
        ]);
        command.arg(format!("--user-data-dir={}", profile.display()));
        if is_root() {
            // Chromium refuses to run as root inside its own sandbox.
            command.arg("--no-sandbox");
        }
        command
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut process = command
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| broken(&format!("{}: {error}", path.display())))?;
        let mut lines = BufReader::new(process.stderr.take().ok_or_else(|| broken(&"no output"))?);
        let address = async {
            let mut line = String::new();
            loop {
                line.clear();
                let read = lines.read_line(&mut line).await;
                if read.map_or(true, |bytes| bytes == 0) {
                    return None;
                }
                if let Some(address) = line.trim().strip_prefix("DevTools listening on ") {
                    return Some(address.to_owned());
                }
            }
        };
        let address = timeout(PATIENCE, address).await.ok().flatten();
        let address = address.ok_or_else(|| broken(&"it does not start"))?;
        // The pipe has to stay open, because the browser stops at its next message without it.
        process.stderr = Some(lines.into_inner());
        let (socket, _) = connect_async(address)
            .await
            .map_err(|error| broken(&error))?;
        let mut browser = Self {
            socket,
            session: None,
            next_id: 0,
            profile,
            process,
        };
        let page = browser
            .run("Target.createTarget", json!({"url": "about:blank"}))
            .await?;
        let attach = json!({"targetId": page["targetId"], "flatten": true});
        let attached = browser.run("Target.attachToTarget", attach).await?;
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        browser.run("Page.enable", json!({})).await?;
        Ok(browser)
    }

    /// Takes a picture of the whole page at `url`.
    pub(super) async fn picture(&mut self, url: &str, look: Look) -> Result<Vec<u8>, GalleryError> {
        let scheme = if look.is_dark { "dark" } else { "light" };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.run("Emulation.setEmulatedMedia", features).await?;
        self.resize(look, u64::from(look.height)).await?;
        self.run("Page.navigate", json!({"url": url})).await?;
        let height = self.settled().await?.clamp(1, HEIGHT_MAX);
        self.resize(look, height.max(u64::from(look.height)))
            .await?;
        self.settled().await?;
        let clip = json!({"x": 0, "y": 0, "width": look.width, "height": height, "scale": 1});
        let quality = (look.format != "png").then_some(70);
        let mut shot = json!({"format": look.format, "clip": clip});
        if let Some(quality) = quality {
            shot["quality"] = quality.into();
        }
        let shot = self.run("Page.captureScreenshot", shot).await?;
        let data = shot["data"].as_str().unwrap_or_default();
        base64::engine::general_purpose::STANDARD
            .decode(data)
            .map_err(|error| GalleryError::Browser(error.to_string()))
    }

    /// Stops the browser and deletes its profile.
    pub(super) async fn stop(mut self) {
        let _ = self.run("Browser.close", json!({})).await;
        let _ = timeout(PATIENCE, self.process.wait()).await;
        let _ = std::fs::remove_dir_all(&self.profile);
    }

    async fn resize(&mut self, look: Look, height: u64) -> Result<(), GalleryError> {
        let metrics = json!({
            "width": look.width, "height": height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.run("Emulation.setDeviceMetricsOverride", metrics)
            .await
            .map(|_| ())
    }

    async fn settled(&mut self) -> Result<u64, GalleryError> {
        let wait = json!({"expression": SETTLED, "awaitPromise": true, "returnByValue": true});
        let answer = self.run("Runtime.evaluate", wait).await?;
        let height = answer["result"]["value"].as_u64();
        height.ok_or_else(|| GalleryError::Browser(answer.to_string()))
    }

    async fn run(&mut self, method: &str, params: Value) -> Result<Value, GalleryError> {
        let broken = |what: String| GalleryError::Browser(format!("{method}: {what}"));
        self.next_id += 1;
        let id = self.next_id;
        let mut command = json!({"id": id, "method": method, "params": params});
        if let Some(session) = &self.session {
            command["sessionId"] = session.as_str().into();
        }
        let exchange = async {
            let sent = self.socket.send(Message::text(command.to_string())).await;
            sent.map_err(|error| broken(error.to_string()))?;
            while let Some(message) = self.socket.next().await {
                let message = message.map_err(|error| broken(error.to_string()))?;
                let Message::Text(text) = message else {
                    continue;
                };
                let answer: Value = serde_json::from_str(&text).unwrap_or_default();
                if answer["id"] == id {
                    return match answer.get("error") {
                        Some(error) => Err(broken(error.to_string())),
                        None => Ok(answer["result"].clone()),
                    };
                }
            }
            Err(broken("the browser is gone".to_owned()))
        };
        match timeout(PATIENCE, exchange).await {
            Ok(answer) => answer,
            Err(_) => Err(broken("no answer in time".to_owned())),
        }
    }
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|candidate| candidate.is_file())
}

#[cfg(unix)]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

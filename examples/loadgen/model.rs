//! What a model costs those who do not wait for it: renders beside a provider that never answers.

use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::Failure;
use crate::http::Http;
use crate::server::Server;
use crate::start::ms;

/// Renders of a figure, each of a contract of its own.
const RENDERED: usize = 300;

/// Renders on a server without a model and on one with it, one after the other, and their ratio.
pub(crate) async fn measure(program: &Path) -> Result<(), Failure> {
    // It takes connections and says nothing: whoever waited for it would wait for ever.
    let silent = TcpListener::bind("127.0.0.1:0")?;
    let folder = std::env::temp_dir().join(format!("proscenium-model-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let outcome = compared(program, &folder, &silent).await;
    std::fs::remove_dir_all(&folder)?;
    outcome
}

async fn compared(program: &Path, folder: &Path, silent: &TcpListener) -> Result<(), Failure> {
    let address = silent.local_addr()?;
    let settings =
        format!("[model]\nprovider = \"openai\"\nurl = \"http://{address}\"\nname = \"silent\"\n");
    let file = folder.join("proscenium.toml");
    std::fs::write(&file, settings)?;
    let file = file.to_string_lossy();
    let plain = ["--unlimited", "--ephemeral", "--listen", "127.0.0.1:0"];
    let with_model = [&plain[..], &["--config", &file]].concat();
    let alone = Server::start(program.to_owned(), &plain, "mcp ")?;
    let beside = Server::start(program.to_owned(), &with_model, "mcp ")?;
    let mut both = [
        Http::connect(&alone.mcp).await?,
        Http::connect(&beside.mcp).await?,
    ];
    let mut times = [Vec::new(), Vec::new()];
    for number in 0..RENDERED {
        for (http, times) in both.iter_mut().zip(&mut times) {
            times.push(rendered(http, number).await?);
        }
    }
    let [alone, beside] = times.map(|mut times| {
        times.sort_unstable();
        [50, 95].map(|share| ms(times[(times.len() - 1) * share / 100]))
    });
    println!("a first render, composed    p50         p95");
    println!(
        "without a model      {:>8.2} ms {:>8.2} ms",
        alone[0], alone[1]
    );
    println!(
        "a model that is busy {:>8.2} ms {:>8.2} ms",
        beside[0], beside[1]
    );
    let ratio = [0, 1].map(|at| beside[at] / alone[at]);
    println!(
        "ratio                {:>8.2}    {:>8.2}",
        ratio[0], ratio[1]
    );
    Ok(())
}

/// How long the render of a contract takes that was never rendered before.
async fn rendered(http: &mut Http, number: usize) -> Result<Duration, Failure> {
    let row = json!({"type": "object", "properties": {
        "id": {"type": "string"}, "title": {"type": "string"}, "done": {"type": "boolean"}}});
    let rows = json!({"type": "array", "items": row});
    let contract = json!({
        "propsSpec": {"properties": {format!("rows{number}"): {"schema": rows}}},
        "actionSpec": {"add": {"label": "Add", "schema": {
            "type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}}},
    });
    let draft = json!({"intent": "Keep track of work", "blueprintDraft": {"contract": contract}});
    let agreed = http.tool("ggui_handshake", draft).await?;
    let id = &agreed["structuredContent"]["handshakeId"];
    let render = json!({"handshakeId": id, "props": {}});
    let begun = Instant::now();
    let shown = http.tool("ggui_render", render).await?;
    let took = begun.elapsed();
    match &shown["structuredContent"]["sessionId"] {
        Value::String(_) => Ok(took),
        _ => Err(shown.to_string().into()),
    }
}

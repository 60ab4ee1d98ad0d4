//! A minimal axum server: parses JSON and echoes it, echoes frames, and broadcasts a text.

use axum::Json;
use axum::extract::ws::{Message, Utf8Bytes, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::{get, post};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::broadcast;

use crate::Failure;

/// Texts that may wait for a slow reader.
const WAITING_MAX: usize = 64;
/// The initial size of a socket's buffers, the same as in the server under test.
const BUFFER_BYTES: usize = 4096;

/// Serves until it is stopped, and prints its address.
pub(crate) async fn serve() -> Result<(), Failure> {
    let (sender, _) = broadcast::channel::<Utf8Bytes>(WAITING_MAX);
    let publisher = sender.clone();
    let publish = async move |Json(body): Json<Value>| {
        // There may be no receiver.
        let _ = publisher.send(body.to_string().into());
        Json(body)
    };
    let hear = async move |upgrade: WebSocketUpgrade| {
        let mut heard = sender.subscribe();
        small(upgrade).on_upgrade(async move |mut socket| {
            while let Ok(text) = heard.recv().await {
                if socket.send(Message::Text(text)).await.is_err() {
                    return;
                }
            }
        })
    };
    let router = axum::Router::new()
        .route("/mcp", post(async |Json(body): Json<Value>| Json(body)))
        .route("/mcp/publish", post(publish))
        .route("/ws", get(echo))
        .route("/ws/hear", get(hear));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("bare http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, router).await?;
    Ok(())
}

async fn echo(upgrade: WebSocketUpgrade) -> Response {
    small(upgrade).on_upgrade(async |mut socket| {
        while let Some(Ok(message)) = socket.recv().await {
            if matches!(message, Message::Text(_)) && socket.send(message).await.is_err() {
                return;
            }
        }
    })
}

fn small(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
}

//! A provider of models over real HTTP that says what a test has written down, well or badly.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use futures_util::stream::{self, StreamExt as _};
use http::{HeaderMap, StatusCode};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::time::{Instant, interval};

use crate::elsewhere::{listener, serve};

/// Between two pieces of an answer that drips: far less than any pause that is too long.
const BETWEEN_DROPS: Duration = Duration::from_millis(20);

/// What a provider does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// A whole answer of the model.
    Says(String),
    /// The same once the test lets it go on.
    SaysLater(String),
    /// Half of an answer, and the connection is gone.
    CutOff,
    /// An answer that the provider ends in the middle, as it would end a whole one.
    Unfinished,
    /// An answer without an end.
    Endless,
    /// The same, so slowly that each of its pieces comes in time.
    Drips,
    /// A whole answer, and the end that the provider gives it.
    Ends(&'static str),
    /// Half of an answer, and an error in the place of the rest.
    Breaks,
    /// The model does not want to.
    Refuses,
    /// No events at all.
    Garbage,
    /// A status, with the wait that `Retry-After` names.
    Status(u16, Option<&'static str>),
    /// The schema cannot be had; the answer of a model that was only told of it.
    GrammarTooLarge(String),
}

/// A request as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
    pub(crate) at: Instant,
}

/// A provider.
#[derive(Clone)]
pub(crate) struct Provider(Arc<Inner>);

struct Inner {
    address: String,
    replies: Mutex<VecDeque<Reply>>,
    asked: Mutex<Vec<Asked>>,
    /// A permit lets one answer go on.
    going: Semaphore,
    /// A permit for each request that came in.
    came: Semaphore,
    /// A permit for each request that was given up.
    given_up: Arc<Semaphore>,
}

impl Provider {
    /// A provider that replies to one request after the other; the last reply stays.
    pub(crate) async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = listener().await;
        let address = listener.local_addr().expect("its address");
        let provider = Self(Arc::new(Inner {
            address: format!("http://{address}/models"),
            replies: Mutex::new(replies.into_iter().collect()),
            asked: Mutex::default(),
            going: Semaphore::new(0),
            came: Semaphore::new(0),
            given_up: Arc::new(Semaphore::new(0)),
        }));
        let routes = Router::new()
            .route("/models/v1/{*path}", post(answer))
            .with_state(provider.clone());
        serve(listener, routes).await;
        provider
    }

    /// The address to configure.
    pub(crate) fn url(&self) -> &str {
        &self.0.address
    }

    /// All requests so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.0.asked.lock().clone()
    }

    /// Waits for a request.
    pub(crate) async fn came(&self) {
        self.0.came.acquire().await.expect("a request").forget();
    }

    /// Waits until a request is given up that was held back.
    pub(crate) async fn given_up(&self) {
        self.0.given_up.acquire().await.expect("an end").forget();
    }

    /// Lets an answer go on.
    pub(crate) fn go_on(&self) {
        self.0.going.add_permits(1);
    }

    fn reply(&self) -> Reply {
        let mut replies = self.0.replies.lock();
        match replies.len() {
            1 => replies[0].clone(),
            _ => replies.pop_front().expect("a reply"),
        }
    }
}

/// Counts when it is dropped before it was let go.
struct Held(Option<Arc<Semaphore>>);

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(given_up) = &self.0 {
            given_up.add_permits(1);
        }
    }
}

async fn answer(
    State(provider): State<Provider>,
    Path(path): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let is_strict = body.get("response_format").is_some() || body["tools"][0]["strict"] == true;
    provider.0.asked.lock().push(Asked {
        path: path.clone(),
        headers,
        body,
        at: Instant::now(),
    });
    provider.0.came.add_permits(1);
    let events = |pieces: Vec<Value>| {
        let pieces: Vec<_> = pieces.iter().map(event).collect();
        sent(stream::iter(pieces))
    };
    let dialect = Dialect(path == "messages");
    match provider.reply() {
        Reply::Says(text) => events(dialect.whole(&text)),
        Reply::SaysLater(text) => {
            let mut held = Held(Some(Arc::clone(&provider.0.given_up)));
            provider.0.going.acquire().await.expect("a word").forget();
            held.0 = None;
            events(dialect.whole(&text))
        }
        Reply::CutOff => {
            let half = dialect.pieces("{\"headline\": {\"text\": \"Half a");
            let half: Vec<_> = half.iter().map(|piece| Ok(event(piece))).collect();
            // What was said before is sent before the connection goes.
            let gone = stream::once(async {
                tokio::task::yield_now().await;
                Err(std::io::Error::other("gone"))
            });
            Body::from_stream(stream::iter(half).chain(gone)).into_response()
        }
        Reply::Unfinished => events(dialect.pieces("{\"headline\": {\"text\": \"Half a")),
        Reply::Endless => {
            let begin = dialect.pieces("");
            let begin: Vec<_> = begin.iter().map(event).collect();
            let piece = event(&dialect.piece(&"word ".repeat(200)));
            sent(stream::iter(begin).chain(stream::repeat(piece)))
        }
        Reply::Drips => {
            let begin = dialect.pieces("");
            let begin: Vec<_> = begin.iter().map(event).collect();
            let piece = event(&dialect.piece("word "));
            let drops = stream::unfold(interval(BETWEEN_DROPS), move |mut ticks| {
                let piece = piece.clone();
                async move {
                    ticks.tick().await;
                    Some((piece, ticks))
                }
            });
            sent(stream::iter(begin).chain(drops))
        }
        Reply::Ends(reason) => events(dialect.ended("{\"headline\": {\"text\": \"Half a", reason)),
        Reply::Breaks => {
            let mut pieces = dialect.pieces("{\"headline\": {\"text\": \"Half a");
            pieces.push(dialect.error());
            events(pieces)
        }
        Reply::Refuses => events(dialect.refusal()),
        Reply::Garbage => "<html>Everything is fine</html>\n\ndata: {\n\n".into_response(),
        Reply::Status(status, wait) => refusal(status, wait),
        Reply::GrammarTooLarge(_) if is_strict => refusal(400, None),
        Reply::GrammarTooLarge(text) => {
            events(dialect.whole(&format!("Sure:\n```json\n{text}\n```")))
        }
    }
}

/// A refusal as providers write it, with what must not be passed on.
fn refusal(status: u16, wait: Option<&str>) -> Response {
    let body = json!({"error": {"message": "Incorrect API key provided: sk-test-secret"}});
    let status = StatusCode::from_u16(status).expect("a status");
    match wait {
        Some(wait) => (status, [("retry-after", wait)], Json(body)).into_response(),
        None => (status, Json(body)).into_response(),
    }
}

fn event(data: &Value) -> Bytes {
    format!("event: any\ndata: {data}\n\n").into()
}

fn sent(pieces: impl futures_util::Stream<Item = Bytes> + Send + 'static) -> Response {
    let pieces = pieces.map(Ok::<_, Infallible>);
    let kind = [("content-type", "text/event-stream")];
    (kind, Body::from_stream(pieces)).into_response()
}

/// Whether answers are written as Anthropic writes them, or as OpenAI does.
#[derive(Clone, Copy)]
struct Dialect(bool);

impl Dialect {
    fn piece(self, text: &str) -> Value {
        match self.0 {
            true => json!({"type": "content_block_delta", "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": text}}),
            false => {
                json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}],
                "usage": null})
            }
        }
    }

    /// A text in pieces, without an end.
    fn pieces(self, text: &str) -> Vec<Value> {
        let begin = match self.0 {
            true => json!({"type": "message_start",
                "message": {"usage": {"input_tokens": 1000, "output_tokens": 1}}}),
            false => {
                json!({"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]})
            }
        };
        let letters: Vec<char> = text.chars().collect();
        let pieces = letters
            .chunks(7)
            .map(|piece| self.piece(&piece.iter().collect::<String>()));
        [begin].into_iter().chain(pieces).collect()
    }

    fn whole(self, text: &str) -> Vec<Value> {
        let reason = match self.0 {
            true => "tool_use",
            false => "stop",
        };
        self.ended(text, reason)
    }

    /// A text in pieces, with the end that the provider gives it.
    fn ended(self, text: &str, reason: &str) -> Vec<Value> {
        let mut pieces = self.pieces(text);
        pieces.extend(match self.0 {
            true => vec![
                json!({"type": "message_delta", "delta": {"stop_reason": reason},
                    "usage": {"output_tokens": 200}}),
                json!({"type": "message_stop"}),
            ],
            false => vec![
                json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}),
                json!({"choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 200}}),
            ],
        });
        pieces
    }

    /// An error in the middle, as providers write it, with what must not be passed on.
    fn error(self) -> Value {
        let error = json!({"type": "overloaded_error", "message": "sk-test-secret"});
        match self.0 {
            true => json!({"type": "error", "error": error}),
            false => json!({ "error": error }),
        }
    }

    fn refusal(self) -> Vec<Value> {
        match self.0 {
            true => vec![json!({"type": "message_delta", "delta": {"stop_reason": "refusal"}})],
            false => vec![json!({"choices": [{"index": 0, "delta": {"refusal": "I cannot"}}]})],
        }
    }
}

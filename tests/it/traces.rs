//! Spans: work on a socket belongs to the trace of the request that opened it.

use std::io;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tracing::Dispatch;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::format::FmtSpan;

use crate::tool_channels::watched;
use crate::world::{PATIENCE, World};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// The log of a test.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("a log").extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// Takes in what this thread does, until the guards are dropped.
    pub(crate) fn listen(&self) -> (DefaultGuard, Dispatch) {
        let written = self.clone();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .with_max_level(tracing::Level::DEBUG)
            .with_span_events(FmtSpan::CLOSE)
            .with_writer(move || written.clone())
            .finish();
        let guard = tracing::subscriber::set_default(subscriber);
        // The library caches the interest in a span for the first thread that reaches it, so another
        // test's thread could disable the span for all.
        (guard, Dispatch::new(tracing_subscriber::registry()))
    }

    /// The finished spans of a name: each span itself, and its ancestors.
    pub(crate) fn ended(&self, name: &str) -> Vec<(Value, Value)> {
        let text = String::from_utf8(self.0.lock().expect("a log").clone()).expect("text");
        let lines = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("a JSON line"));
        let ended = lines.filter(|line: &Value| {
            line["fields"]["message"] == "close" && line["span"]["name"] == name
        });
        ended
            .map(|line| (line["span"].clone(), line["spans"].clone()))
            .collect()
    }
}

/// The socket's span among the ancestors of another one.
fn socket_of(around: &Value) -> &Value {
    let mut spans = around.as_array().into_iter().flatten();
    let socket = spans.find(|span| span["name"] == "transports.ws.run");
    socket.unwrap_or(&Value::Null)
}

/// On one thread: the subscriber belongs to the thread, and the server runs on it, too.
#[tokio::test]
async fn work_on_a_socket_belongs_to_the_trace_it_was_opened_in() {
    let log = Log::default();
    let _guards = log.listen();
    let world = World::start_with(|config| {
        config.server.local_tools = "ggui_get_session".to_owned();
    })
    .await;
    let mut contract = watched();
    contract["actionSpec"] = json!({"go": {"label": "Go"}});
    let shown = world.show(contract, json!({"count": 1})).await;

    let slice = shown.slice();
    let [url, token] = ["wsUrl", "wsToken"].map(|key| slice[key].as_str().expect("text"));
    let mut request = format!("{url}?wsToken={token}")
        .into_client_request()
        .expect("a request");
    let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
    for (name, value) in [
        ("traceparent", parent.as_str()),
        ("x-request-id", "opened-once"),
    ] {
        let value = value.parse().expect("a header");
        request.headers_mut().insert(name, value);
    }
    let (socket, _) = connect_async(request).await.expect("a socket");
    let mut browser = world.adopt(socket, &shown);
    let ack = browser.subscribe(json!({})).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    let sent = browser.act("go", Value::Null).await;
    assert_eq!(browser.answer_to(&sent).await["type"], "ack");
    let wish = json!({"sessionId": shown.session, "channelName": "state"});
    browser
        .send(json!({"type": "channel_subscribe", "payload": wish}))
        .await;
    browser.frame("channel_payload").await;
    assert!(
        log.ended("transports.ws.run").is_empty(),
        "as long as the socket"
    );
    browser.ended_by_client().await;
    let runs = timeout(PATIENCE, async {
        loop {
            match log.ended("transports.ws.run") {
                runs if runs.is_empty() => world.gauge("sockets").await,
                runs => return runs,
            };
        }
    });
    let runs = runs.await.expect("the span ends with its socket");
    assert_eq!(runs.len(), 1, "{runs:?}");
    assert_eq!(runs[0].0["trace.id"], TRACE);
    assert_eq!(runs[0].0["request.id"], "opened-once");

    let submits = log.ended("services.dispatch.submit");
    assert_eq!(submits.len(), 1, "{submits:?}");
    let (submit, around) = &submits[0];
    assert_eq!(submit["session.id"], shown.session.as_str());
    assert_eq!(submit["app.id"], "builder");
    assert_eq!(socket_of(around)["trace.id"], TRACE, "{around}");

    let runs = log.ended("services.dispatch.run");
    let polled = runs
        .iter()
        .find(|(run, _)| run["operation.kind"] == "ggui_get_session");
    let (_, around) = polled.expect("the poll of the channel");
    assert_eq!(socket_of(around)["trace.id"], TRACE, "{around}");
}

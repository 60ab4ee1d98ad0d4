//! Many agents, browsers and watchers at once, with closed connections and readers that do not
//! read:
//! every guarantee must still hold. The seed is printed, and a fault that never occurs fails the
//! test.

mod run;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::browser::Browser;
use crate::chance::Chance;
use crate::event_stream::EventStream;
use crate::world::{Shown, World};

const APPS: [&str; 2] = ["alpha", "omega"];
const RACERS: usize = 4;
/// Microseconds after which a call is cut off, some before they arrive and some after.
const CUT_WITHIN_US: u64 = 6_000;

/// How often each fault occurred.
#[derive(Default, Debug)]
struct Faults {
    renders_lost: AtomicU64,
    lines_cut: AtomicU64,
    sent_again: AtomicU64,
    refused: AtomicU64,
    watchers_back: AtomicU64,
    consumers_beaten: AtomicU64,
    slow_readers: AtomicU64,
    consumers_cut: AtomicU64,
    steps_cut: AtomicU64,
    streams_cut: AtomicU64,
}

fn count(fault: &AtomicU64) {
    fault.fetch_add(1, Ordering::SeqCst);
}

fn number(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |text| text.parse().expect("a number"))
}

fn contract() -> Value {
    let mark =
        json!({"type": "object", "properties": {"mark": {"type": "string"}}, "required": ["mark"]});
    json!({
        "actionSpec": {"go": {"label": "Go", "schema": mark}},
        "streamSpec": {
            "news": {"schema": mark, "replay": "all"},
            "flood": {"schema": {"type": "string"}},
        },
    })
}

/// The agent of one app.
#[derive(Clone)]
struct Agent {
    world: Arc<World>,
    secret: String,
    app: &'static str,
}

impl Agent {
    async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.request(tool, &arguments, None).await["result"].clone()
    }

    async fn request(&self, tool: &str, arguments: &Value, attempt: Option<&str>) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let mut request = self.world.post("/mcp").bearer_auth(&self.secret);
        if let Some(attempt) = attempt {
            request = request.header("idempotency-key", attempt);
        }
        let answer = self.world.send(request.body(body.to_string())).await;
        self.check_text(&answer.body.to_string());
        answer.body
    }

    /// A call that is cut off at some point and repeated with the same key until it succeeds: it
    /// takes effect once, and its result is not lost.
    async fn call_cut(
        &self,
        tool: &str,
        arguments: Value,
        attempt: &str,
        chance: &mut Chance,
        cut: &AtomicU64,
    ) -> Value {
        let within = Duration::from_micros(chance.next() % CUT_WITHIN_US);
        let first = self.request(tool, &arguments, Some(attempt));
        if let Ok(answer) = timeout(within, first).await {
            return answer["result"].clone();
        }
        count(cut);
        loop {
            let answer = self.request(tool, &arguments, Some(attempt)).await;
            // The first attempt may still be running.
            if answer["error"]["data"]["code"] != "IDEMPOTENCY_IN_PROGRESS" {
                return answer["result"].clone();
            }
        }
    }

    /// Nothing of the other app may ever be visible.
    fn check_text(&self, text: &str) {
        let other = APPS.iter().find(|app| **app != self.app).expect("another");
        assert!(
            !text.contains(other),
            "{other} shows in {}: {text}",
            self.app
        );
    }

    /// Renders one handshake several times at once: exactly one wins.
    async fn show(&self, faults: &Faults) -> Shown {
        let draft = json!({"contract": contract()});
        let intent = format!("The swarm of {}", self.app);
        let agreed = self
            .call(
                "ggui_handshake",
                json!({"intent": intent, "blueprintDraft": draft}),
            )
            .await;
        let id = &agreed["structuredContent"]["handshakeId"];
        let races =
            (0..RACERS).map(|_| self.call("ggui_render", json!({"handshakeId": id, "props": {}})));
        let (won, lost): (Vec<_>, Vec<_>) = join_all(races)
            .await
            .into_iter()
            .partition(|result| result["isError"] != true);
        assert_eq!(won.len(), 1, "of racing renders one wins");
        faults
            .renders_lost
            .fetch_add(lost.len() as u64, Ordering::SeqCst);
        let result = won.into_iter().next().expect("the winner");
        let session = result["structuredContent"]["sessionId"]
            .as_str()
            .expect("a session");
        Shown {
            session: session.to_owned(),
            result,
        }
    }
}

/// One session and everything recorded about it.
struct Stage {
    agent: Agent,
    shown: Shown,
    faults: Arc<Faults>,
    /// Ids of acknowledged actions.
    accepted: Mutex<BTreeSet<String>>,
    /// Ids in the order in which agents consumed them.
    drained: Mutex<Vec<String>>,
    browsers_left: AtomicU64,
}

impl Stage {
    /// A person who clicks, is disconnected, comes back, and repeats the click with the same id.
    async fn click(&self, browser_number: u64, actions: u64, seed: u64) {
        let mut chance = Chance(seed);
        let (mut browser, _) = self.agent.world.browse(&self.shown).await;
        // Comes back where it was: with everything since the beginning, a run would cost the square
        // of its length.
        let mut cursor = 0;
        for number in 0..actions {
            let id = format!("{}-{browser_number}-{number:06}", self.agent.app);
            if chance.one_in(20) {
                let bad = browser.act("stop", Value::Null).await;
                if let Some(refused) = self.answer(&mut browser, &bad, &mut cursor).await {
                    assert_eq!(refused["payload"]["code"], "CONTRACT_VIOLATION");
                    count(&self.faults.refused);
                }
            }
            let data = json!({"mark": self.agent.app});
            let mut is_cut = chance.one_in(25);
            loop {
                let sent = browser.act_as("go", data.clone(), Some(&id)).await;
                if !is_cut && let Some(answer) = self.answer(&mut browser, &sent, &mut cursor).await
                {
                    assert_eq!(answer["type"], "ack", "{answer}");
                    break;
                }
                // Disconnected before the response: the action may have arrived or not, so it is
                // sent again.
                is_cut = false;
                browser = self.rejoin(cursor).await;
                count(&self.faults.lines_cut);
                count(&self.faults.sent_again);
            }
            assert!(self.accepted.lock().unwrap().insert(id));
        }
        self.browsers_left.fetch_sub(1, Ordering::SeqCst);
    }

    /// The response to a request; `None` if the socket was closed. That happens to slow readers,
    /// and on a slow machine any reader may be one.
    async fn answer(
        &self,
        browser: &mut Browser,
        request: &str,
        cursor: &mut u64,
    ) -> Option<Value> {
        loop {
            let frame = browser.next_or_close().await.ok()?;
            self.agent.check_text(&frame.to_string());
            if frame["type"] == "data" {
                *cursor = frame["payload"]["seq"].as_u64().expect("a position");
            }
            if frame["requestId"] == request {
                return Some(frame);
            }
        }
    }

    /// An agent that consumes actions, beside another one.
    async fn consume(&self, seed: u64) {
        let mut chance = Chance(seed);
        for number in 0_u64.. {
            let is_last = self.browsers_left.load(Ordering::SeqCst) == 0;
            let consume = json!({"sessionId": self.shown.session, "timeout": u8::from(!is_last)});
            let result = if chance.one_in(6) {
                let attempt = format!("consume {seed} {number}");
                let cut = &self.faults.consumers_cut;
                let call = self
                    .agent
                    .call_cut("ggui_consume", consume, &attempt, &mut chance, cut);
                call.await
            } else {
                self.agent.call("ggui_consume", consume).await
            };
            let events = result["structuredContent"]["events"]
                .as_array()
                .expect("events")
                .clone();
            if events.is_empty() {
                count(&self.faults.consumers_beaten);
                if is_last {
                    return;
                }
            }
            let ids = events
                .iter()
                .map(|event| event["actionId"].as_str().expect("an id").to_owned());
            self.drained.lock().unwrap().extend(ids);
        }
    }

    /// An agent that emits as long as people click.
    async fn emit(&self, seed: u64) -> u64 {
        let mut chance = Chance(seed);
        let mut count = 0;
        while self.browsers_left.load(Ordering::SeqCst) > 0 {
            let payload = json!({"mark": format!("{} {count}", self.agent.app)});
            let emit =
                json!({"sessionId": self.shown.session, "channel": "news", "payload": payload});
            let result = if chance.one_in(20) {
                let attempt = format!("emit {seed} {count}");
                let cut = &self.faults.steps_cut;
                let call = self
                    .agent
                    .call_cut("ggui_emit", emit, &attempt, &mut chance, cut);
                call.await
            } else {
                self.agent.call("ggui_emit", emit).await
            };
            assert_eq!(result["structuredContent"]["accepted"], true, "{result}");
            count += 1;
        }
        count
    }

    /// A person who only watches, is disconnected now and then, and comes back with a cursor.
    async fn watch(&self, seed: u64, expected: &watch::Sender<u64>) -> BTreeMap<u64, String> {
        let mut chance = Chance(seed);
        let mut seen = Seen::default();
        let mut browser = self.rejoin(seen.cursor).await;
        loop {
            if seen.is_all(*expected.borrow()) {
                return seen.news;
            }
            if chance.one_in(40) {
                browser = self.rejoin(seen.cursor).await;
                count(&self.faults.watchers_back);
            }
            // The pong follows everything that was in flight.
            browser.send(json!({"type": "ping", "payload": {}})).await;
            loop {
                let Ok(frame) = browser.next_or_close().await else {
                    // It was too slow, and comes back with its cursor.
                    browser = self.rejoin(seen.cursor).await;
                    count(&self.faults.watchers_back);
                    break;
                };
                self.agent.check_text(&frame.to_string());
                if frame["type"] == "pong" {
                    break;
                }
                seen.take(&frame);
            }
        }
    }

    /// The same over the event stream.
    async fn follow(&self, seed: u64, expected: &watch::Sender<u64>) -> BTreeMap<u64, String> {
        let mut chance = Chance(seed);
        let mut expected = expected.subscribe();
        let mut seen = Seen::default();
        let mut stream = self.reopen(seen.cursor).await;
        loop {
            if seen.is_all(*expected.borrow_and_update()) {
                return seen.news;
            }
            if chance.one_in(60) {
                stream = self.reopen(seen.cursor).await;
                count(&self.faults.streams_cut);
            }
            let event = tokio::select! {
                event = stream.next() => event,
                _ = expected.changed() => continue,
            };
            let Some((_, frame)) = event else {
                // It was too slow, and comes back with its cursor, which would fail if the session
                // had ended.
                stream = self.reopen(seen.cursor).await;
                count(&self.faults.streams_cut);
                continue;
            };
            self.agent.check_text(&frame.to_string());
            seen.take(&frame);
        }
    }

    async fn reopen(&self, cursor: u64) -> EventStream {
        let (session, slice) = (&self.shown.session, self.shown.slice());
        let token = slice["wsToken"].as_str().expect("a token");
        let path = format!("/api/sessions/{session}/stream?wsToken={token}&fromSeq={cursor}");
        EventStream::open(&self.agent.world, &path).await
    }

    async fn rejoin(&self, cursor: u64) -> Browser {
        let mut browser = self.agent.world.knock(&self.shown).await;
        let ack = browser.subscribe(json!({"fromSeq": cursor})).await;
        assert_eq!(ack["type"], "ack", "{ack}");
        assert!(ack["payload"]["replayTruncated"].is_null(), "{ack}");
        browser
    }
}

/// What a watcher has seen, over any transport.
#[derive(Default)]
struct Seen {
    cursor: u64,
    /// The emitted items, by position.
    news: BTreeMap<u64, String>,
}

impl Seen {
    /// Records a frame; items arrive in order and once.
    fn take(&mut self, frame: &Value) {
        let payload = &frame["payload"];
        if frame["type"] == "data" {
            let (seq, cursor) = (payload["seq"].as_u64().expect("a position"), self.cursor);
            assert!(seq > cursor, "{seq} came after {cursor}");
            self.cursor = seq;
            if payload["channel"] == "news" {
                let mark = payload["payload"]["mark"].to_string();
                self.news.insert(seq, mark);
            }
        }
    }

    /// Whether everything emitted was seen; `expected` is zero while unknown.
    fn is_all(&self, expected: u64) -> bool {
        expected > 0 && self.news.len() as u64 >= expected
    }
}

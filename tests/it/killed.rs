//! A server that is killed at random moments while many write: nothing that it acknowledged is
//! missing, and nothing is there twice.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::browser::Browser;
use crate::chance::Chance;
use crate::contracts::{basket, basket_props};
use crate::node::{Client, Node, assert_sound, stored};

/// How often it is killed by default, which takes seconds.
const ROUNDS: u64 = 6;
const ROUNDS_VARIABLE: &str = "PROSCENIUM_KILLED_ROUNDS";
/// Sessions by default.
const SESSIONS: u64 = 6;
const SESSIONS_VARIABLE: &str = "PROSCENIUM_KILLED_SESSIONS";
const SEED_VARIABLE: &str = "PROSCENIUM_KILLED_SEED";
/// Requests and acknowledgements of a session after which it is killed at the latest.
const STEPS: usize = 120;
/// Events of a session's log, few enough that snapshots take the place of the oldest.
const EVENTS_MAX: &str = "1000";

fn number(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |text| text.parse().expect("a number"))
}

/// What one writer has tried in a round, in order, and which of it was acknowledged.
#[derive(Default)]
struct Tries {
    tried: Vec<String>,
    acknowledged: Vec<String>,
}

/// The writers of one session.
struct Session {
    id: String,
    /// Opens it as long as it lives.
    token: String,
    /// Position of the ledger up to which everything was looked at.
    looked_at: u64,
    clicks: Arc<Mutex<Tries>>,
    emits: Arc<Mutex<Tries>>,
    updates: Arc<Mutex<Tries>>,
}

/// Counts every request and every acknowledgement; at a certain count the server is killed.
type Steps = watch::Sender<usize>;

fn begin(tries: &Mutex<Tries>, steps: &Steps, id: &str) {
    tries.lock().unwrap().tried.push(id.to_owned());
    steps.send_modify(|steps| *steps += 1);
}

fn acknowledge(tries: &Mutex<Tries>, steps: &Steps, id: String) {
    tries.lock().unwrap().acknowledged.push(id);
    steps.send_modify(|steps| *steps += 1);
}

/// Clicks until the server is gone.
async fn click(mut browser: Browser, round: u64, tries: Arc<Mutex<Tries>>, steps: Arc<Steps>) {
    for count in 0.. {
        let id = format!("click-{round}-{count}");
        begin(&tries, &steps, &id);
        let data = json!({"sku": "A1", "qty": 3});
        let request = browser.act_as("setQuantity", data, Some(&id)).await;
        loop {
            let Ok(frame) = browser.next_or_close().await else {
                return;
            };
            if frame["requestId"] == request {
                assert_eq!(frame["type"], "ack", "{frame}");
                break;
            }
        }
        acknowledge(&tries, &steps, id);
    }
}

/// Calls a tool until the server is gone, each time with another text.
async fn call(
    client: Client,
    round: u64,
    tool: &'static str,
    arguments: impl Fn(&str) -> Value + Send,
    tries: Arc<Mutex<Tries>>,
    steps: Arc<Steps>,
) {
    for count in 0.. {
        let id = format!("{tool}-{round}-{count}");
        begin(&tries, &steps, &id);
        if client.attempt(tool, arguments(&id)).await.is_none() {
            return;
        }
        acknowledge(&tries, &steps, id);
    }
}

/// Renders one session after the other; those that were acknowledged.
async fn render(client: Client, rendered: Arc<Mutex<Vec<Value>>>, steps: Arc<Steps>) {
    loop {
        let draft = json!({"intent": "A test", "blueprintDraft": {"contract": basket()}});
        let Some(agreed) = client.attempt("ggui_handshake", draft).await else {
            return;
        };
        let arguments = json!({"handshakeId": agreed["handshakeId"], "props": basket_props()});
        let Some(shown) = client.attempt("ggui_render", arguments).await else {
            return;
        };
        rendered.lock().unwrap().push(shown["sessionId"].clone());
        steps.send_modify(|steps| *steps += 1);
    }
}

impl Session {
    async fn begin(client: &Client) -> Self {
        let (id, token) = client.show_ticking().await;
        Self {
            id,
            token,
            looked_at: 0,
            clicks: Arc::default(),
            emits: Arc::default(),
            updates: Arc::default(),
        }
    }

    async fn write(&self, client: &Client, round: u64, steps: &Arc<Steps>, all: &mut JoinSet<()>) {
        let mut browser = client.knock(&self.id, &self.token).await;
        browser.subscribe(json!({})).await;
        all.spawn(click(
            browser,
            round,
            Arc::clone(&self.clicks),
            Arc::clone(steps),
        ));
        let id = self.id.clone();
        let emitted =
            move |text: &str| json!({"sessionId": id, "channel": "tick", "payload": text});
        let (tries, counted) = (Arc::clone(&self.emits), Arc::clone(steps));
        all.spawn(call(
            client.clone(),
            round,
            "ggui_emit",
            emitted,
            tries,
            counted,
        ));
        let id = self.id.clone();
        let updated =
            move |text: &str| json!({"sessionId": id, "kind": "merge", "patch": {"note": text}});
        let (tries, counted) = (Arc::clone(&self.updates), Arc::clone(steps));
        all.spawn(call(
            client.clone(),
            round,
            "ggui_update",
            updated,
            tries,
            counted,
        ));
    }

    /// Compares what is kept of a round with what was acknowledged in it.
    async fn check(&mut self, client: &Client) {
        let rows = client.ledger(&self.id, &self.token, self.looked_at).await;
        for row in &rows {
            self.looked_at += 1;
            assert_eq!(row["seq"], self.looked_at, "no gap and nothing twice");
        }
        let of = |kind: &str, place: &str| -> Vec<String> {
            let rows = rows.iter().filter(|row| row["type"] == kind);
            let texts = rows.filter_map(|row| row["data"].pointer(place)?.as_str());
            texts.map(str::to_owned).collect()
        };
        let clicks = of("user.submitted", "/actionId");
        let updates = of("ui.updated", "/props/note");
        assert_kept(&clicks, &self.clicks);
        assert_kept(&of("x-data", "/payload"), &self.emits);
        assert_kept(&updates, &self.updates);
        // Each click is given to the agent once, in all rounds together.
        let mut given = Vec::new();
        loop {
            let arguments = json!({"sessionId": self.id, "timeout": 0});
            let events = client.tool("ggui_consume", arguments).await["events"].clone();
            let events = events.as_array().expect("events");
            if events.is_empty() {
                break;
            }
            let ids = events
                .iter()
                .map(|event| event["actionId"].as_str().expect("an id"));
            given.extend(ids.map(str::to_owned));
        }
        assert_eq!(given, clicks);
        if let Some(last) = updates.last() {
            let session = json!({"sessionId": self.id});
            let session = client.tool("ggui_get_session", session).await;
            assert!(session.to_string().contains(last), "{session}");
        }
    }
}

/// Everything acknowledged is kept, nothing is kept that nobody tried, all of it once and in order.
fn assert_kept(kept: &[String], tries: &Mutex<Tries>) {
    let tries = std::mem::take(&mut *tries.lock().unwrap());
    let found: BTreeSet<_> = kept.iter().collect();
    for acknowledged in &tries.acknowledged {
        assert!(
            found.contains(acknowledged),
            "{acknowledged} is missing in {kept:?}"
        );
    }
    let mut tried = tries.tried.iter();
    for kept in kept {
        assert!(
            tried.any(|tried| tried == kept),
            "{kept} is not in its place"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_at_any_moment_has_kept_what_it_acknowledged_once() {
    let seed = number(SEED_VARIABLE, u64::from(std::process::id()));
    let _ = writeln!(std::io::stdout(), "PROSCENIUM_KILLED_SEED={seed}");
    let mut chance = Chance(seed);
    let folder = TempDir::new().expect("a folder");
    let start = async |round: u64| {
        let mut command = stored(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
        command.env("PROSCENIUM_LOG_EVENTS_MAX", EVENTS_MAX);
        command.env("PROSCENIUM_SESSIONS_PER_APP_MAX", "1000000");
        let durability = if round.is_multiple_of(2) {
            "full"
        } else {
            "normal"
        };
        command.env("PROSCENIUM_STORE_DURABILITY", durability);
        Node::run(command).await
    };
    let mut node = start(0).await;
    let mut sessions = Vec::new();
    for _ in 0..number(SESSIONS_VARIABLE, SESSIONS) {
        sessions.push(Session::begin(&node.client).await);
    }
    let mut acknowledged = 0;
    for round in 1..=number(ROUNDS_VARIABLE, ROUNDS) {
        let (steps, rendered) = (Arc::new(Steps::new(0)), Arc::default());
        let mut writers = JoinSet::new();
        for session in &sessions {
            session
                .write(&node.client, round, &steps, &mut writers)
                .await;
        }
        writers.spawn(render(
            node.client.clone(),
            Arc::clone(&rendered),
            Arc::clone(&steps),
        ));
        let end = 1 + chance.below(STEPS * sessions.len());
        let mut counted = steps.subscribe();
        counted
            .wait_for(|steps| *steps >= end)
            .await
            .expect("steps");
        node.kill().await;
        writers.join_all().await;
        node = start(round).await;
        for session in &mut sessions {
            acknowledged += session.clicks.lock().unwrap().acknowledged.len();
            session.check(&node.client).await;
        }
        let rendered = std::mem::take(&mut *rendered.lock().unwrap());
        for id in rendered {
            node.client
                .tool("ggui_get_session", json!({"sessionId": id}))
                .await;
        }
    }
    assert!(acknowledged > 0, "no click was ever acknowledged");
    node.kill().await;
    assert_sound(folder.path()).await;
    // Whatever the one that was killed has written, the next one folds to the same.
    let node = start(0).await;
    for session in &sessions {
        let arguments = json!({"sessionId": session.id});
        node.client.tool("ggui_get_session", arguments).await;
    }
    node.stop().await;
}

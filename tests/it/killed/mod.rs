//! A server that is killed at random moments while many write: nothing that it acknowledged is
//! missing, nothing is there twice, and what nobody answered for is done once when it is asked for again
//! under its key.

mod given;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinSet;

use self::given::{Given, consume, take};
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
/// Seconds that sessions live unused, more than any run takes: all that were rendered are counted.
const IDLE_TTL: &str = "1000000";
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
    /// How often its props were changed.
    changes: u64,
    given: Arc<Mutex<Given>>,
}

/// A call of a session, made of a text.
type Made = Box<dyn Fn(&str) -> Call + Send + Sync>;

const EMIT: &str = "emit";
const UPDATE: &str = "update";

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

/// A tool call that has a key, and what it is called with.
type Call = (&'static str, Value);

/// A call under a key; its result, where the server lives long enough to give it.
async fn keyed(client: &Client, key: &str, (tool, arguments): &Call) -> Option<Value> {
    // Keys belong to the agent, and all sessions have calls of the same names.
    let key = format!("{key} {}", arguments["sessionId"]);
    let answer = client.try_keyed(&key, tool, arguments).await?;
    let result = &answer["result"];
    let is_ok = answer["error"].is_null() && result["isError"] != true;
    assert!(is_ok, "{tool}: {answer}");
    Some(result["structuredContent"].clone())
}

/// Calls a tool until the server is gone, each time with another text and under another key.
async fn call(
    client: Client,
    round: u64,
    name: &'static str,
    made: impl Fn(&str) -> Call + Send,
    tries: Arc<Mutex<Tries>>,
    steps: Arc<Steps>,
) {
    for count in 0.. {
        let id = format!("{name}-{round}-{count}");
        begin(&tries, &steps, &id);
        if keyed(&client, &id, &made(&id)).await.is_none() {
            return;
        }
        acknowledge(&tries, &steps, id);
    }
}

/// Sessions that were rendered one after the other.
#[derive(Default)]
struct Renders {
    acknowledged: Vec<Value>,
    /// The render that was not answered, by its key.
    open: Option<(String, Call)>,
}

/// Renders one session after the other until the server is gone.
async fn render(client: Client, renders: Arc<Mutex<Renders>>, steps: Arc<Steps>) {
    loop {
        let draft = json!({"intent": "A test", "blueprintDraft": {"contract": basket()}});
        let Some(agreed) = client.attempt("ggui_handshake", draft).await else {
            return;
        };
        let handshake = &agreed["handshakeId"];
        let key = format!("render-{handshake}");
        let arguments = json!({"handshakeId": handshake, "props": basket_props()});
        let call = ("ggui_render", arguments);
        renders.lock().unwrap().open = Some((key.clone(), call.clone()));
        let Some(shown) = keyed(&client, &key, &call).await else {
            return;
        };
        let mut renders = renders.lock().unwrap();
        renders.open = None;
        renders.acknowledged.push(shown["sessionId"].clone());
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
            changes: 0,
            given: Arc::default(),
        }
    }

    fn emitted(&self) -> Made {
        let id = self.id.clone();
        Box::new(move |text| {
            let item = json!({"sessionId": id, "channel": "tick", "payload": text});
            ("ggui_emit", item)
        })
    }

    fn updated(&self) -> Made {
        let id = self.id.clone();
        Box::new(move |text| {
            let patch = json!({"note": text});
            (
                "ggui_update",
                json!({"sessionId": id, "kind": "merge", "patch": patch}),
            )
        })
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
        let of_session = [
            (EMIT, &self.emits, self.emitted()),
            (UPDATE, &self.updates, self.updated()),
        ];
        for (name, tries, made) in of_session {
            let (tries, counted) = (Arc::clone(tries), Arc::clone(steps));
            all.spawn(call(client.clone(), round, name, made, tries, counted));
        }
        let (id, given) = (self.id.clone(), Arc::clone(&self.given));
        all.spawn(consume(client.clone(), round, id, given));
    }

    /// Makes the call again that nobody answered for.
    async fn call_again(&self, client: &Client, tries: &Mutex<Tries>, made: Made) {
        let open = {
            let tries = tries.lock().unwrap();
            let last = tries.tried.last();
            last.filter(|last| tries.acknowledged.last() != Some(*last))
                .cloned()
        };
        if let Some(id) = open {
            let done = keyed(client, &id, &made(&id)).await;
            assert!(done.is_some(), "{id} is not answered");
            tries.lock().unwrap().acknowledged.push(id);
        }
    }

    /// Compares what is kept of a round with what was acknowledged in it.
    async fn check(&mut self, client: &Client) {
        self.call_again(client, &self.emits, self.emitted()).await;
        self.call_again(client, &self.updates, self.updated()).await;
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
        self.changes += updates.len() as u64;
        // What the events come to is what the server says of the session.
        let state = client
            .tool("ggui_get_session", json!({"sessionId": self.id}))
            .await;
        assert_eq!(state["eventSequence"], self.looked_at);
        assert_eq!(state["version"], 1 + self.changes);
        assert_eq!(state["epoch"], self.changes);
        if let Some(last) = updates.last() {
            assert_eq!(state["props"]["note"], *last);
        }
        // Each click is given to the agent once, in all rounds together.
        let open = self.given.lock().unwrap().open.clone();
        if let Some((key, call)) = open {
            let result = keyed(client, &key, &call).await;
            take(&self.given, &result.expect("an answer"));
        }
        let rest = json!({"sessionId": self.id, "timeout": 0});
        while take(
            &self.given,
            &client.tool("ggui_consume", rest.clone()).await,
        ) > 0
        {}
        let given = std::mem::take(&mut self.given.lock().unwrap().ids);
        assert_eq!(given, clicks);
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
        command.env("PROSCENIUM_SESSIONS_IDLE_TTL_S", IDLE_TTL);
        command.env("PROSCENIUM_SESSIONS_LIFE_MAX_S", IDLE_TTL);
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
    let (mut acknowledged, mut rendered) = (0, 0);
    for round in 1..=number(ROUNDS_VARIABLE, ROUNDS) {
        let (steps, renders) = (Arc::new(Steps::new(0)), Arc::<Mutex<Renders>>::default());
        let mut writers = JoinSet::new();
        for session in &sessions {
            session
                .write(&node.client, round, &steps, &mut writers)
                .await;
        }
        writers.spawn(render(
            node.client.clone(),
            Arc::clone(&renders),
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
        let mut renders = std::mem::take(&mut *renders.lock().unwrap());
        if let Some((key, call)) = renders.open {
            let shown = keyed(&node.client, &key, &call).await;
            let shown = shown.expect("an answer");
            renders.acknowledged.push(shown["sessionId"].clone());
        }
        rendered += renders.acknowledged.len();
        for id in renders.acknowledged {
            node.client
                .tool("ggui_get_session", json!({"sessionId": id}))
                .await;
        }
        let health = node.client.get("/health/ready").await.body;
        let kept = &health["channel"]["renders"];
        assert_eq!(*kept, sessions.len() + rendered, "each is there once");
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

//! What the clients of several nodes did and were told, recorded by themselves, and the check that
//! nothing of it is lost, doubled or out of order.

mod clients;
mod work;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::chance::Chance;
use crate::node::Client;
use crate::world::PATIENCE;

pub(crate) use work::Work;

use clients::{is_presence, says_again};

/// The last item of each session, written once nobody writes any more: a browser that was sent it was
/// sent everything.
const LAST: &str = "last";
/// The stream positions that a session skips at least, beyond all that were seen, where its store has
/// lost some: it skips twice as many from where it is left.
const SKIPPED_MIN: u64 = 1 << 19;

/// The nodes that clients turn to, of which some may be gone.
#[derive(Default)]
pub(crate) struct Nodes(Mutex<Vec<Client>>);

impl Nodes {
    pub(crate) fn add(&self, client: &Client) {
        self.0.lock().unwrap().push(client.clone());
    }

    pub(crate) fn remove(&self, client: &Client) {
        self.0.lock().unwrap().retain(|one| one.mcp != client.mcp);
    }

    fn any(&self, chance: &mut Chance) -> Client {
        chance.pick(&self.0.lock().unwrap()).clone()
    }
}

/// What one writer has tried, in its order.
#[derive(Default)]
struct Tries(Mutex<Vec<Try>>);

struct Try {
    id: String,
    /// How often nobody said what became of it.
    doubts: usize,
    is_acknowledged: bool,
}

impl Try {
    fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            doubts: 0,
            is_acknowledged: false,
        }
    }
}

impl Tries {
    fn begin(&self, id: &str) {
        self.0.lock().unwrap().push(Try::new(id));
    }

    /// The action to send: the one that is not acknowledged, or a new one unless it is over.
    fn next(&self, over: &watch::Receiver<bool>) -> Option<String> {
        let mut tries = self.0.lock().unwrap();
        let is_open = tries.last().is_some_and(|last| !last.is_acknowledged);
        if !is_open && *over.borrow() {
            return None;
        }
        if !is_open {
            let id = format!("gesture-{}", tries.len());
            tries.push(Try::new(&id));
        }
        tries.last().map(|last| last.id.clone())
    }

    /// Whether one is not acknowledged.
    fn is_open(&self) -> bool {
        let tries = self.0.lock().unwrap();
        tries.last().is_some_and(|last| !last.is_acknowledged)
    }

    fn last(&self, change: impl FnOnce(&mut Try)) {
        change(self.0.lock().unwrap().last_mut().expect("a try"));
    }
}

/// What one browser was sent, over all its sockets.
#[derive(Debug, Default)]
struct Seen {
    /// Items by their positions.
    items: Vec<(u64, Value)>,
    /// Of each subscription, the position it gave and that of its snapshot: items in between came by
    /// replay.
    replays: Vec<(u64, u64)>,
    notes: Vec<String>,
    /// How often it was told that items are missing.
    truncated: usize,
    /// Whether it was given a whole session in place of what it had.
    was_replaced: bool,
}

/// One session and all that is known of it.
pub(crate) struct Session {
    id: String,
    /// Opens it as long as it lives.
    token: String,
    clicks: Tries,
    emits: Tries,
    updates: Tries,
    given: Mutex<Vec<String>>,
    seen: Vec<Mutex<Seen>>,
    /// Set before the store loses everything: then clients may find it gone.
    may_end: AtomicBool,
    /// Set before the store loses the last that it has acknowledged.
    may_lose: AtomicBool,
}

/// What a client needs to know.
struct Place {
    nodes: Arc<Nodes>,
    session: Arc<Session>,
    over: watch::Receiver<bool>,
    done: Arc<watch::Sender<usize>>,
    chance: Chance,
}

impl Session {
    async fn begin(client: &Client, browsers: usize) -> Self {
        let (id, token) = client.show_ticking().await;
        Self {
            id,
            token,
            clicks: Tries::default(),
            emits: Tries::default(),
            updates: Tries::default(),
            given: Mutex::default(),
            may_end: AtomicBool::new(false),
            may_lose: AtomicBool::new(false),
            seen: (0..browsers).map(|_| Mutex::default()).collect(),
        }
    }

    /// Writes at a node, which may show a session as it was a moment before: what it writes is decided
    /// on the newest state, and it shows that from then on.
    async fn write_last(&self, client: &Client) {
        self.emits.begin(LAST);
        let item = json!({"sessionId": self.id, "channel": "tick", "payload": LAST});
        let written = async {
            loop {
                let key = format!("{}-{LAST}", self.id);
                let answer = client.try_keyed(&key, "ggui_emit", &item).await;
                if let Some(answer) = answer {
                    assert!(answer["result"]["isError"] != true, "{answer}");
                    if answer["error"].is_null() {
                        return;
                    }
                    assert!(says_again(&answer), "{answer}");
                }
                self.emits.last(|last| last.doubts += 1);
            }
        };
        timeout(PATIENCE, written).await.expect("an answer");
        self.emits.last(|last| last.is_acknowledged = true);
    }

    fn is_gone(&self, answer: &Value) -> bool {
        assert!(self.may_end.load(Ordering::SeqCst), "{answer}");
        true
    }

    /// Where the store has lost some, or all, only what the clients saw is left to compare: what
    /// several saw is the same, each saw it once, and never what comes later before what comes earlier.
    fn check_seen(&self, losses: usize) {
        let mut items = BTreeMap::new();
        for seen in &self.seen {
            items.extend(seen.lock().unwrap().items.iter().cloned());
        }
        for seen in &self.seen {
            seen.lock().unwrap().assert_whole(&items, losses);
        }
        let emits = items.values().filter_map(Value::as_str);
        let emits: Vec<_> = emits.map(str::to_owned).collect();
        // Where the store has lost that it was sent, it was sent once more.
        let again = |one: &Try| if losses > 0 { one.doubts } else { 0 };
        self.emits.check(&emits, true, |one| 1 + again(one));
        let given = self.given.lock().unwrap();
        assert_once(&given);
        self.clicks.check(&given, true, |_| 1);
    }

    /// Compares what the clients did and saw with the session's ledger, of which nothing is forgotten.
    fn check(&self, rows: &[Value]) {
        let positions = rows.iter().map(|row| row["seq"].as_u64());
        let positions: Vec<_> = positions.map(|at| at.expect("a position")).collect();
        let gap_free: Vec<_> = (1..).take(positions.len()).collect();
        assert_eq!(positions, gap_free, "the ledger");
        let of = |kind: &str, place: &str| -> Vec<String> {
            let rows = rows.iter().filter(|row| row["type"] == kind);
            let texts = rows.filter_map(|row| row["data"].pointer(place)?.as_str());
            texts.map(str::to_owned).collect()
        };
        let clicks = of("user.submitted", "/actionId");
        let emits = of("x-data", "/payload");
        let updates = of("ui.updated", "/props/note");
        // A click has an id of its own, and each call a key: it is there once whatever happened.
        self.emits.check(&emits, false, |_| 1);
        self.clicks.check(&clicks, false, |_| 1);
        self.updates.check(&updates, false, |_| 1);
        assert_eq!(*self.given.lock().unwrap(), clicks, "given to the agent");
        let items = rows.iter().filter(|row| row["type"] == "x-data");
        let items = items.map(|row| {
            let at = row["data"]["seq"].as_u64().expect("a position");
            (at, row["data"]["payload"].clone())
        });
        let items: Vec<_> = items.collect();
        let positions = items.iter().map(|(at, _)| *at);
        assert!(
            positions.eq(1..=items.len() as u64),
            "the stream: {items:?}"
        );
        let items = items.into_iter().collect();
        for seen in &self.seen {
            seen.lock().unwrap().check(&items, &updates);
        }
    }
}

impl Tries {
    /// What is kept was tried, in this order, and what was acknowledged is kept, unless it may be lost.
    fn check(&self, kept: &[String], may_be_lost: bool, copies_max: impl Fn(&Try) -> usize) {
        let tries = self.0.lock().unwrap();
        let mut rest = kept;
        for one in tries.iter() {
            let copies = rest.iter().take_while(|id| **id == one.id).count();
            rest = &rest[copies..];
            let is_kept = copies > 0 || may_be_lost || !one.is_acknowledged;
            assert!(is_kept, "{} is missing before {rest:?}", one.id);
            let is_once = copies <= copies_max(one);
            assert!(is_once, "{} is there {copies} times", one.id);
        }
        assert_eq!(rest, [""; 0], "nobody has tried this, or not then");
    }
}

impl Seen {
    /// Where it stands.
    fn last(&self) -> u64 {
        self.items.last().map_or(0, |(at, _)| *at)
    }

    /// Each item is the one that all saw at its position, once and in order. None is left out, except
    /// where a replay gives the last alone, and where the store has lost some: a session goes on far
    /// behind it then.
    fn assert_whole(&self, all: &BTreeMap<u64, Value>, losses: usize) {
        let (mut before, mut jumps) = (0, 0);
        for (at, item) in &self.items {
            assert_eq!(Some(item), all.get(at), "at {at}");
            assert!(before < *at, "{at} after {before} in {:?}", self.items);
            if *at >= before + SKIPPED_MIN {
                jumps += 1;
            } else if let Some(missing) = (before + 1..*at).find(|at| !self.is_left_out(*at, all)) {
                panic!("{missing} is missing in {self:?}");
            }
            before = *at;
        }
        assert!(jumps <= losses, "{jumps} jumps in {:?}", self.items);
        assert!(self.truncated <= losses, "told more often than lost");
        assert!(losses > 0 || !self.was_replaced, "nothing is forgotten");
    }

    /// Whether an item, which says that an agent waits as far as anybody knows, came to be replayed
    /// together with a later one.
    fn is_left_out(&self, at: u64, all: &BTreeMap<u64, Value>) -> bool {
        let mut later = all.range(at + 1..).filter(|(_, item)| is_presence(item));
        let Some((later, _)) = later.next() else {
            return false;
        };
        let is_together = |(from, upto): &(u64, u64)| *from < at && later <= upto;
        all.get(&at).is_none_or(is_presence) && self.replays.iter().any(is_together)
    }

    fn check(&self, kept: &BTreeMap<u64, Value>, updates: &[String]) {
        self.assert_whole(kept, 0);
        // What is shown may be skipped while nobody listens, but never goes back.
        let mut rest = updates.iter();
        for note in &self.notes {
            let is_next = rest.any(|update| update == note);
            assert!(is_next, "{note} was shown out of order");
        }
    }
}

fn assert_once(ids: &[String]) {
    let mut sorted: Vec<_> = ids.iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), ids.len(), "nothing is given twice: {ids:?}");
}

//! How a node learns what others write: they announce it, and it looks from time to time, since an
//! announcement may be missed.

use std::sync::Weak;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::node::{Mark, Node};
use crate::domain::store::Change;
use crate::domain::store_error::{STORE_WAIT, StoreError};
use crate::wire::ids::{AppId, Seq, SessionKey};

/// How often a node looks at sessions it knows.
pub(super) const LOOK_EVERY: Duration = Duration::from_secs(1);
/// At how many sessions it looks each time, one after the other: all this costs a node.
const LOOKED_AT_MAX: usize = 500;

/// What a node announces.
#[derive(Serialize, Deserialize)]
pub(super) enum Announcement {
    /// A log has grown.
    Grown {
        node: String,
        key: SessionKey,
        head: Seq,
    },
    /// An agent waits for a session.
    Came { key: SessionKey },
    /// The activity list of an app has grown.
    Happened { app: AppId },
}

impl Announcement {
    pub(super) fn to_json(&self) -> String {
        // Texts and numbers: writing them to memory cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Follows what other nodes announce.
pub(super) async fn listen(node: Weak<Node>) {
    let Some(stopped) = node.upgrade().map(|node| node.stopped.clone()) else {
        return;
    };
    loop {
        tokio::select! {
            () = stopped.cancelled() => return,
            () = subscribed(&node) => {}
        }
        // The subscription has ended, or there was none.
        tokio::select! {
            () = stopped.cancelled() => return,
            () = sleep(STORE_WAIT) => {}
        }
    }
}

async fn subscribed(weak: &Weak<Node>) {
    let Some(node) = weak.upgrade() else { return };
    let Ok(mut subscriber) = node.link.subscriber().await else {
        return;
    };
    if subscriber.subscribe(node.names.changes()).await.is_err() {
        return;
    }
    // What was announced while nobody listened is found by looking at every session.
    let count = node.known.lock().len();
    drop(node);
    let catching_up = async {
        let mut left = count;
        while left > 0 {
            let Some(node) = weak.upgrade() else { return };
            let _ = node.look_at(left.min(LOOKED_AT_MAX)).await;
            left = left.saturating_sub(LOOKED_AT_MAX);
        }
    };
    let mut messages = subscriber.into_on_message();
    let hearing = async {
        while let Some(message) = messages.next().await {
            let Some(node) = weak.upgrade() else { return };
            node.hear(message.get_payload_bytes());
        }
    };
    tokio::join!(catching_up, hearing);
}

/// Looks at some of the sessions that are known, again and again.
pub(super) async fn look_round(node: Weak<Node>) {
    let Some(stopped) = node.upgrade().map(|node| node.stopped.clone()) else {
        return;
    };
    let mut ticks = interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stopped.cancelled() => return,
            _ = ticks.tick() => {}
        }
        let Some(node) = node.upgrade() else { return };
        // A store that does not answer is looked at again next time.
        let _ = node.look_at(LOOKED_AT_MAX).await;
    }
}

impl Node {
    /// Takes an announcement; one of a newer release may say what this one does not know.
    fn hear(&self, payload: &[u8]) {
        match serde_json::from_slice(payload) {
            Ok(Announcement::Grown { node, key, head }) if node != self.name => {
                self.changed(key, head);
            }
            Ok(Announcement::Came { key }) => {
                // Nobody may wait.
                let _ = self.arrivals.send(key);
            }
            Ok(Announcement::Happened { app }) => {
                // Nobody may follow.
                let _ = self.happened.send(app);
            }
            Ok(Announcement::Grown { .. }) | Err(_) => {}
        }
    }

    pub(super) fn changed(&self, key: SessionKey, head: Seq) {
        // Nobody may follow.
        let _ = self.changes.send(Change { key, head });
    }

    /// Looks where some of the known sessions stand, those first that were not looked at for longest.
    async fn look_at(&self, count: usize) -> Result<(), StoreError> {
        let marks: Vec<_> = {
            let mut known = self.known.lock();
            let count = count.min(known.len());
            let marks = known.drain(..count).collect::<Vec<_>>();
            known.extend(marks.iter().cloned());
            marks
        };
        let looks = marks.into_iter().map(|(key, mark)| self.look(key, mark));
        join_all(looks).await.into_iter().collect()
    }

    async fn look(&self, key: SessionKey, mark: Mark) -> Result<(), StoreError> {
        let mut command = redis::cmd("HMGET");
        let meta = self.names.session(&key, "meta");
        let command = command.arg(meta).arg("head").arg("last");
        let (head, last): (Option<u64>, Option<String>) = self.ask(command).await?;
        let Some(head) = head.map(Seq) else {
            let known = self.gone(&key).await;
            self.changed(key, Seq(u64::MAX));
            return known;
        };
        let is_same = head == mark.head && last.as_ref() == Some(&mark.write);
        if head <= mark.head && !is_same {
            return self.recover(&key, mark.head, &mark).await;
        }
        // What this node has read need not have reached whoever follows: they know where they stand.
        self.changed(key, head);
        Ok(())
    }
}

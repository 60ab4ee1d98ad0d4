//! Agents that wait for sessions, at whichever node. What a node knows of its own agents it has in
//! memory and writes into a field of its own, which counts as long as the node has a lease.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use async_trait::async_trait;
use dashmap::DashMap;
use futures_util::future::join_all;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::changes::Announcement;
use super::logs::millis;
use super::node::{GRACE, Node, script};
use crate::domain::clock::Time;
use crate::domain::presence::{Presence, PresenceStore};
use crate::domain::store_error::StoreError;
use crate::wire::ids::SessionKey;

/// How often someone who waits for an agent looks, since an announcement may be missed.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How many changes are written together.
const WRITTEN_TOGETHER: usize = 256;
/// The field that says what those who watch believe.
const ANNOUNCED: &str = "announced";

/// The agents of all sessions.
pub(crate) struct RedisPresence {
    node: Arc<Node>,
    own: Arc<DashMap<SessionKey, Own>>,
    /// Sessions whose field is to be written, in the order in which they have changed.
    to_write: UnboundedSender<ToWrite>,
}

/// A session of which the field is to be written.
struct ToWrite {
    key: SessionKey,
    /// Who waits for that.
    done: Option<oneshot::Sender<Result<(), StoreError>>>,
}

/// The agents of one session at this node.
#[derive(Clone, Copy, Default)]
struct Own {
    waiting: usize,
    arrivals: u64,
    left_at: Option<Time>,
}

impl Own {
    fn to_text(self) -> String {
        let left_at = self.left_at.map_or(String::new(), |at| at.0.to_string());
        format!("{} {} {left_at}", self.waiting, self.arrivals)
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(' ');
        Some(Self {
            waiting: parts.next()?.parse().ok()?,
            arrivals: parts.next()?.parse().ok()?,
            left_at: parts.next().and_then(|at| at.parse().ok()).map(Time),
        })
    }
}

impl RedisPresence {
    /// The agents that a store knows.
    pub(crate) fn new(node: Arc<Node>) -> Self {
        let own = Arc::new(DashMap::new());
        let (to_write, changed) = unbounded_channel();
        tokio::spawn(write(Arc::downgrade(&node), Arc::clone(&own), changed));
        Self {
            node,
            own,
            to_write,
        }
    }

    fn of_own(&self, key: &SessionKey) -> Option<Own> {
        self.own.get(key).map(|own| *own)
    }

    /// Writes this node's field; returns once that is done.
    async fn written(&self, key: &SessionKey) -> Result<(), StoreError> {
        let (done, is_done) = oneshot::channel();
        // The writer lives as long as this does.
        let _ = self.to_write.send(ToWrite {
            key: key.clone(),
            done: Some(done),
        });
        is_done
            .await
            .unwrap_or_else(|_| Err(StoreError::unavailable("the server ends")))
    }

    /// What all nodes know of a session.
    async fn everywhere(&self, key: &SessionKey) -> Result<Presence, StoreError> {
        let own = self.of_own(key).unwrap_or_default();
        let mut all = Presence {
            waiting: own.waiting,
            arrivals: own.arrivals,
            left_at: own.left_at,
            is_announced: false,
        };
        let mut command = redis::cmd("HGETALL");
        let name = self.node.names.session(key, "presence");
        let fields: HashMap<String, String> = self.node.ask(command.arg(&name)).await?;
        for (field, text) in fields {
            if field == ANNOUNCED {
                all.is_announced = true;
                continue;
            }
            if field == self.node.name {
                continue;
            }
            if !self.is_live(&field).await? {
                let mut remove = redis::cmd("HDEL");
                self.node.ask::<()>(remove.arg(&name).arg(&field)).await?;
                continue;
            }
            if let Some(other) = Own::read(&text) {
                all.waiting += other.waiting;
                all.arrivals += other.arrivals;
                all.left_at = all.left_at.max(other.left_at);
            }
        }
        Ok(all)
    }

    async fn is_live(&self, node: &str) -> Result<bool, StoreError> {
        if self.node.lease.lock().nodes.contains(node) {
            return Ok(true);
        }
        // It may have come a moment ago.
        let mut command = redis::cmd("ZSCORE");
        command.arg(self.node.names.shared("nodes")).arg(node);
        let score: Option<String> = self.node.ask(&command).await?;
        Ok(score.is_some())
    }
}

/// Writes fields one batch after the other, so that no older state comes after a newer one.
async fn write(
    node: Weak<Node>,
    own: Arc<DashMap<SessionKey, Own>>,
    mut changed: UnboundedReceiver<ToWrite>,
) {
    let mut batch = Vec::new();
    while changed.recv_many(&mut batch, WRITTEN_TOGETHER).await > 0 {
        let Some(node) = node.upgrade() else { return };
        let mut waiting = HashMap::<_, Vec<_>>::new();
        for ToWrite { key, done } in batch.drain(..) {
            waiting.entry(key).or_default().extend(done);
        }
        let writes = waiting.into_iter().map(async |(key, waiting)| {
            let state = own.get(&key).map(|own| *own);
            let outcome = write_one(&node, &key, state).await;
            for done in waiting {
                // Who was to be told may be gone.
                let _ = done.send(outcome.clone());
            }
        });
        join_all(writes).await;
    }
}

async fn write_one(node: &Node, key: &SessionKey, own: Option<Own>) -> Result<(), StoreError> {
    let is_waiting = own.is_some_and(|own| own.waiting > 0);
    let came = Announcement::Came { key: key.clone() };
    let mut script = script!("presence");
    script
        .key(node.names.session(key, "presence"))
        .arg(&node.name)
        .arg(own.map_or(String::new(), Own::to_text))
        .arg(millis(GRACE))
        .arg(node.names.changes())
        .arg(if is_waiting {
            came.to_json()
        } else {
            String::new()
        });
    node.run::<u8>(&script).await.map(|_| ())
}

#[async_trait]
impl PresenceStore for RedisPresence {
    async fn presence(&self, key: &SessionKey) -> Result<Presence, StoreError> {
        match self.of_own(key) {
            // Whether it was announced is only asked of sessions for which nobody waits; this is
            // asked for every action.
            Some(own) if own.waiting > 0 => Ok(Presence {
                waiting: own.waiting,
                arrivals: own.arrivals,
                left_at: own.left_at,
                is_announced: false,
            }),
            _ => self.everywhere(key).await,
        }
    }
    async fn wait(&self, key: &SessionKey, arrivals: u64) -> Result<(), StoreError> {
        let mut came = self.node.arrivals.subscribe();
        loop {
            let now = self.presence(key).await?;
            if now.waiting > 0 || now.arrivals != arrivals {
                return Ok(());
            }
            let heard = async {
                loop {
                    match came.recv().await {
                        Ok(session) if session != *key => {}
                        Ok(_) | Err(RecvError::Lagged(_) | RecvError::Closed) => return,
                    }
                }
            };
            // Time to look anyway.
            let _ = timeout(LOOK_EVERY, heard).await;
        }
    }

    async fn enter(&self, key: &SessionKey) -> Result<(), StoreError> {
        {
            let mut own = self.own.entry(key.clone()).or_default();
            own.waiting += 1;
            own.arrivals += 1;
        }
        self.written(key).await
    }

    fn leave(&self, key: &SessionKey, at: Time) {
        if let Some(mut own) = self.own.get_mut(key) {
            own.waiting = own.waiting.saturating_sub(1);
            own.left_at = Some(at);
        }
        // The writer lives as long as this does.
        let _ = self.to_write.send(ToWrite {
            key: key.clone(),
            done: None,
        });
    }

    async fn announce(&self, key: &SessionKey, is_present: bool) -> Result<bool, StoreError> {
        let (list, name) = (
            self.node.names.shared("announced"),
            self.node.names.session(key, "presence"),
        );
        let member = serde_json::to_string(key).map_err(StoreError::unavailable)?;
        let (set, add) = if is_present {
            (redis::cmd("HSET"), redis::cmd("SADD"))
        } else {
            (redis::cmd("HDEL"), redis::cmd("SREM"))
        };
        let (mut set, mut add) = (set, add);
        // On the list before it is said and off it after, so that the list misses none.
        let add = add.arg(list).arg(member);
        if is_present {
            self.node.ask::<()>(add).await?;
        }
        set.arg(&name).arg(ANNOUNCED);
        if is_present {
            set.arg("");
        }
        let count: u8 = self.node.ask(&set).await?;
        if is_present {
            let mut keep = redis::cmd("PEXPIRE");
            self.node
                .ask::<()>(keep.arg(&name).arg(millis(GRACE)))
                .await?;
        } else {
            self.node.ask::<()>(add).await?;
        }
        Ok(count > 0)
    }

    async fn absent(&self) -> Result<Vec<(SessionKey, Presence)>, StoreError> {
        let list = self.node.names.shared("announced");
        let mut command = redis::cmd("SMEMBERS");
        let members: Vec<String> = self.node.ask(command.arg(&list)).await?;
        let looks = members.into_iter().map(async |member| {
            let key: SessionKey = serde_json::from_str(&member).ok()?;
            let presence = self.everywhere(&key).await.ok()?;
            if !presence.is_announced {
                // The session is gone, and with it those who watched.
                let mut remove = redis::cmd("SREM");
                let _ = self.node.ask::<()>(remove.arg(&list).arg(member)).await;
            }
            let is_absent = presence.is_announced && presence.waiting == 0;
            is_absent.then_some((key, presence))
        });
        Ok(join_all(looks).await.into_iter().flatten().collect())
    }

    async fn forget(&self, before: Time) -> Result<(), StoreError> {
        let is_over = |own: &Own| own.waiting == 0 && own.left_at.is_none_or(|left| left < before);
        let over = self.own.iter().filter(|own| is_over(own));
        let over: Vec<_> = over.map(|own| own.key().clone()).collect();
        for key in over {
            if self.own.remove_if(&key, |_, own| is_over(own)).is_some() {
                self.written(&key).await?;
            }
        }
        Ok(())
    }

    fn count(&self) -> usize {
        self.own.len()
    }
}

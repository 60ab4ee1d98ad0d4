//! What a node does while it runs: it renews its lease, and looks whether the store is still the one
//! it knows.

use std::sync::{Arc, Weak};
use std::time::Duration;

use metrics::counter;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::node::{Node, script};
use crate::domain::event::EVENT_SCHEMA;
use crate::domain::store::Change;
use crate::domain::store_error::StoreError;
use crate::wire::ids::Seq;

/// How long a lease lasts: a node that has not renewed it for so long may not write, and its agents
/// count as gone. Long enough for several attempts to reach a store that is busy.
pub(super) const LEASE: Duration = Duration::from_secs(5);
/// How often it is renewed.
const BEAT_EVERY: Duration = Duration::from_secs(1);

impl Node {
    /// Starts what is done until the node is dropped.
    pub(super) fn keep_up(self: &Arc<Self>) {
        tokio::spawn(every_beat(Arc::downgrade(self)));
        tokio::spawn(super::changes::listen(Arc::downgrade(self)));
        tokio::spawn(super::changes::look_round(Arc::downgrade(self)));
    }

    /// Refuses a store whose events this release cannot read, and says which ones it writes itself.
    pub(super) async fn check_events(&self) -> Result<(), StoreError> {
        let mut script = script!("events");
        script.key(self.names.shared("events")).arg(EVENT_SCHEMA);
        let kept: u16 = self.run(&script).await?;
        if kept > EVENT_SCHEMA {
            return Err(StoreError::unavailable(format!(
                "a newer release keeps events of schema {kept} there, and this one reads up to \
                 {EVENT_SCHEMA}: run the release that wrote them, or a later one"
            )));
        }
        Ok(())
    }

    /// Renews the lease. One that had lapsed is not renewed at once but at the next beat: calls that
    /// were stopped together with the process, and may have been made again elsewhere, are refused.
    pub(super) async fn beat(&self) -> Result<(), StoreError> {
        let fresh = self.ids.uuid();
        let mut script = script!("beat");
        script
            .key(self.names.shared("nodes"))
            .key(self.names.shared("generation"))
            .arg(&self.name)
            .arg(u64::try_from(LEASE.as_millis()).unwrap_or(u64::MAX))
            .arg(&fresh);
        let answer: Vec<String> = self.run(&script).await?;
        let mut parts = answer.into_iter();
        let generation = parts.next().unwrap_or_default();
        let now = parts.next().and_then(|now| now.parse().ok()).unwrap_or(0);
        let ends = now + u64::try_from(LEASE.as_millis()).unwrap_or(u64::MAX);
        let before = {
            let mut lease = self.lease.lock();
            let has_lapsed = lease.ends != 0 && now >= lease.ends;
            lease.ends = if has_lapsed { 0 } else { ends };
            lease.nodes = parts.collect();
            lease.generation.replace(generation.clone())
        };
        match before {
            Some(before) if before != generation => self.emptied().await,
            _ => Ok(()),
        }
    }

    /// The store has lost everything: whoever follows a session finds it gone.
    async fn emptied(&self) -> Result<(), StoreError> {
        let lost: Vec<_> = self.known.lock().drain(..).map(|(key, _)| key).collect();
        counter!("proscenium_store_losses_total", "what" => "all").increment(1);
        tracing::error!(
            sessions = lost.len(),
            "the store was emptied: sessions, handshakes and blueprints in it are lost"
        );
        let key = self.signing_key.lock().clone();
        if let Some(key) = key
            && self.offer_signing_key(&key).await? != key
        {
            tracing::error!(
                "another node has made a new key for tokens: restart this one, so that all sign alike"
            );
        }
        for key in lost {
            // Nobody may follow.
            let _ = self.changes.send(Change {
                key,
                head: Seq(u64::MAX),
            });
        }
        Ok(())
    }
}

async fn every_beat(node: Weak<Node>) {
    let Some(stopped) = node.upgrade().map(|node| node.stopped.clone()) else {
        return;
    };
    let mut ticks = interval_at(Instant::now() + BEAT_EVERY, BEAT_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_away = false;
    loop {
        tokio::select! {
            () = stopped.cancelled() => return,
            _ = ticks.tick() => {}
        }
        let Some(node) = node.upgrade() else { return };
        match node.beat().await {
            Ok(()) if is_away => {
                is_away = false;
                tracing::info!("the store answers again");
            }
            Err(error) if !is_away => {
                is_away = true;
                tracing::error!(%error, "the store does not answer: what needs it is put off");
            }
            Ok(()) | Err(_) => {}
        }
    }
}

//! What becomes of a session whose last records the store has lost, as a replica does that was behind
//! when it took over.

use std::sync::Arc;

use metrics::counter;
use serde_json::json;

use super::changes::Announcement;
use super::node::{Mark, Node, script};
use crate::domain::event::{Event, Fact, Record, SessionState};
use crate::domain::operation::Caller;
use crate::domain::store::WriteId;
use crate::domain::store_error::StoreError;
use crate::wire::ids::{Epoch, Seq, SessionKey};

/// By how many positions a recovered session moves on: more than can have been lost, so that none is
/// given twice, and nobody takes what is new for what was lost.
const POSITIONS_SKIPPED: u64 = 1 << 20;
/// By how many epochs, for the same reason.
const EPOCHS_SKIPPED: u64 = 1 << 10;

impl Node {
    /// A session that this node knew is no longer there: it is over, or the store has lost the whole of
    /// it, which is counted.
    pub(super) async fn gone(&self, key: &SessionKey) -> Result<(), StoreError> {
        let Some(mark) = self.known.lock().swap_remove(key) else {
            return Ok(());
        };
        if self.clock.now() >= mark.expires {
            return Ok(());
        }
        let mut ended = redis::cmd("HEXISTS");
        ended.arg(self.names.session(key, "meta")).arg("ended");
        if self.ask::<bool>(&ended).await? {
            return Ok(());
        }
        let mut generation = redis::cmd("GET");
        generation.arg(self.names.shared("generation"));
        let generation: Option<String> = self.ask(&generation).await?;
        if generation != self.lease.lock().generation {
            // All are lost, which is counted once.
            return Ok(());
        }
        counter!("proscenium_store_losses_total", "what" => "session").increment(1);
        tracing::error!(session = %key, "the store has lost a whole session");
        Ok(())
    }

    /// Begins a session anew with what is left of it, in a new epoch and at positions that nobody has
    /// seen: whoever follows it is given the whole of it again, and told. `after` and `known` are the
    /// last position and the last record that are known to have been acknowledged.
    pub(super) async fn recover(
        &self,
        key: &SessionKey,
        after: Seq,
        known: &Mark,
    ) -> Result<(), StoreError> {
        let Some((left, records)) = self.read_whole(key).await? else {
            return Ok(());
        };
        // Another node may have recovered it since the loss was found. Checked after the read, because
        // the script replaces nothing that has changed since then.
        if self.read_after(key, after, known).await?.is_some() {
            self.changed(key.clone(), Seq(u64::MAX));
            return Ok(());
        }
        let seen = after.max(known.head);
        let mut state = SessionState::fold(key, &records)
            .ok_or_else(|| StoreError::unavailable(format!("the log of {key} has no beginning")))?;
        let lost = seen.0.saturating_sub(left.head.0);
        state.seq = Seq(seen.max(left.head).0 + POSITIONS_SKIPPED);
        state.epoch = Epoch(state.epoch.0 + EPOCHS_SKIPPED);
        state.stream_seq += POSITIONS_SKIPPED;
        state.replayed_stream_seq = state.stream_seq;
        let epoch = state.epoch;
        let message = format!(
            "the store has lost the last {} of this session; it goes on in epoch {epoch} with what \
             is left",
            if lost == 0 {
                "events".to_owned()
            } else {
                format!("{lost} events")
            }
        );
        let event = Event::Observed(json!({"kind": "store-loss", "message": message}));
        let caller = Caller::server(key.app.clone());
        let fact = Fact::by(&caller, self.clock.now(), event);
        let record = Record::new(state.seq.next(), state.log_bytes, fact);
        let grown = Announcement::Grown {
            node: self.name.clone(),
            key: key.clone(),
            head: record.seq,
        };
        let mut script = script!("replace");
        script
            .key(self.names.session(key, "meta"))
            .key(self.names.session(key, "log"))
            .arg(left.head.0)
            .arg(&left.write)
            .arg(record.seq.0)
            .arg(WriteId::new(&*self.ids).to_string())
            .arg(text(&Record::snapshot(state))?)
            .arg(text(&record)?)
            .arg(self.names.changes())
            .arg(grown.to_json());
        let answer: String = self.run(&script).await?;
        if answer == "ok" {
            counter!("proscenium_store_losses_total", "what" => "session").increment(1);
            tracing::error!(session = %key, lost, %epoch, "the store has lost events of a session");
        }
        // Whoever was faster has done the same. Either way this node has to read it again.
        self.changed(key.clone(), Seq(u64::MAX));
        Ok(())
    }
}

/// The stored form of a record.
pub(super) fn text(record: &Record) -> Result<String, StoreError> {
    record.to_json().map_err(StoreError::unavailable)
}

/// Reads the stored form of records.
pub(super) fn records<'a>(
    texts: impl Iterator<Item = &'a String>,
) -> Result<Vec<Arc<Record>>, StoreError> {
    let read = texts.map(|text| Record::from_json(text).map(Arc::new));
    let read: serde_json::Result<_> = read.collect();
    read.map_err(StoreError::unavailable)
}

//! What a subscriber wants, and what it is owed from before its snapshot.

use std::sync::Arc;
use std::vec;

use bytes::Bytes;
use serde_json::Value;

use super::super::book::{Entry, Page};
use super::delivery::{BATCH_EVENTS_MAX, Delivery};
use crate::domain::contract::CompiledContract;
use crate::domain::event::{Emission, Event, RESERVED_CHANNELS};
use crate::domain::projection::{encode, row};
use crate::domain::session::Session;
use crate::wire::contract::StreamReplay;
use crate::wire::frames::ServerBody;
use crate::wire::ids::{Seq, SessionKey};

/// What someone who follows a session has seen, and wants to see.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    /// Stream position it has seen; none for a fresh mount.
    pub(crate) from_seq: Option<u64>,
    /// Ledger position it has seen, if it wants the ledger.
    pub(crate) since: Option<Since>,
    /// Whether it wants what only observers are told.
    pub(crate) observes: bool,
}

impl Wanted {
    /// Whether nothing that is wanted stands at an event or before it.
    pub(super) fn has_seen(&self, session: &Session, entry: &Entry) -> bool {
        let items = self.from_seq.is_some_and(|from| {
            let has_seen_item = |emission: &Emission| emission.stream_seq <= from;
            from >= session.stream_seq
                || matches!(&entry.fact.event, Event::Emitted(emission) if has_seen_item(emission))
        });
        let rows = match self.since {
            Some(Since::Position(after)) => entry.seq <= after,
            Some(Since::Malformed) | None => true,
        };
        items && rows
    }
}

/// A ledger cursor as it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Since {
    /// Something that is no position.
    Malformed,
    Position(Seq),
}

/// What a subscriber is owed from before its snapshot: consents that are waited for, rows of the
/// ledger, then items.
pub(super) struct Owed {
    consents: Vec<Bytes>,
    contract: Arc<CompiledContract>,
    rows: vec::IntoIter<Arc<Entry>>,
    items: vec::IntoIter<Arc<Entry>>,
}

impl Owed {
    /// What a subscriber to a snapshot is owed; `rows` of the ledger are chosen already.
    pub(super) fn new(
        session: &Session,
        rows: Vec<Arc<Entry>>,
        page: &Page,
        wanted: &Wanted,
    ) -> Self {
        let consents = session.auth_requests.iter().filter(|_| wanted.observes);
        Self {
            consents: consents
                .map(|request| observe(&session.key, &request.event))
                .collect(),
            contract: Arc::clone(&session.contract),
            rows: rows.into_iter(),
            items: items_owed(page, session, wanted.from_seq).into_iter(),
        }
    }

    /// The next few frames; none once all is given.
    pub(super) fn next(&mut self, key: &SessionKey) -> Option<Vec<Delivery>> {
        if !self.consents.is_empty() {
            let frames = std::mem::take(&mut self.consents).into_iter();
            return Some(frames.map(|frame| Delivery { at: None, frame }).collect());
        }
        let rows: Vec<_> = self.rows.by_ref().take(BATCH_EVENTS_MAX).collect();
        let deliveries: Vec<_> = if rows.is_empty() {
            let items = self.items.by_ref().take(BATCH_EVENTS_MAX);
            items
                .flat_map(|entry| entry.frames(key).to_vec())
                .map(|frame| Delivery { at: None, frame })
                .collect()
        } else {
            rows.iter()
                .map(|entry| {
                    let row = row(entry, key, &self.contract);
                    Delivery {
                        at: Some(entry.seq),
                        frame: encode(ServerBody::RenderEvent(Box::new(row))),
                    }
                })
                .collect()
        };
        (!deliveries.is_empty()).then_some(deliveries)
    }
}

/// The rows between a cursor and a snapshot. Items are left to the stream's own replay.
pub(super) fn ledger_owed(page: &Page, after: Seq, until: Seq) -> Vec<Arc<Entry>> {
    let is_owed = |entry: &&Arc<Entry>| {
        entry.seq > after && entry.seq <= until && !matches!(entry.fact.event, Event::Emitted(_))
    };
    page.entries.iter().filter(is_owed).cloned().collect()
}

/// The items before a snapshot that a subscriber gets, oldest first.
fn items_owed(page: &Page, session: &Session, from_seq: Option<u64>) -> Vec<Arc<Entry>> {
    let is_owed = |entry: &&Arc<Entry>| match &entry.fact.event {
        // What came after the snapshot is the reader's.
        Event::Emitted(_) if entry.seq > session.seq => false,
        Event::Emitted(emission) => {
            emission.replay == StreamReplay::All && is_asked_for(emission, from_seq)
        }
        _ => false,
    };
    let mut entries: Vec<_> = page.entries.iter().filter(is_owed).cloned().collect();
    let latest = session
        .latest
        .values()
        .filter(|record| match &record.fact.event {
            Event::Emitted(emission) => is_asked_for(emission, from_seq),
            _ => false,
        });
    // One that is still in the log is encoded already; any other is encoded anew.
    entries.extend(latest.map(|record| match page.entry(record.seq) {
        Some(entry) => Arc::clone(entry),
        None => Arc::new(Entry::new(Arc::clone(record))),
    }));
    entries.sort_by_key(|entry| entry.seq);
    entries
}

/// Whether an item is for this subscriber: every channel to whoever gave a cursor, the server's
/// own to everyone (live-channel.md §8.2).
fn is_asked_for(emission: &Emission, from_seq: Option<u64>) -> bool {
    match from_seq {
        Some(from) => emission.stream_seq > from,
        None => RESERVED_CHANNELS.contains(&&*emission.channel),
    }
}

/// A frame for those who observe.
pub(super) fn observe(key: &SessionKey, event: &Value) -> Bytes {
    encode(ServerBody::Observe {
        session_id: &key.session,
        event,
    })
}

/// Whether a cursor lies within what is kept of a log.
pub(super) fn is_within(cursor: Seq, page: &Page) -> bool {
    (page.horizon..=page.head).contains(&cursor)
}

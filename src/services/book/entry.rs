//! Events as readers get them: with their frames, a page at a time.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::domain::clock::Time;
use crate::domain::event::Record;
use crate::domain::projection::frames;
use crate::wire::ids::{Seq, SessionKey};

/// A record in memory, with its frames.
#[derive(Debug)]
pub(crate) struct Entry {
    record: Arc<Record>,
    /// Encoded when the first reader asks, for all of them.
    frames: OnceLock<Box<[Bytes]>>,
}

impl Entry {
    /// A record nobody has read yet.
    pub(crate) fn new(record: Arc<Record>) -> Self {
        Self {
            record,
            frames: OnceLock::new(),
        }
    }

    /// As it is stored.
    pub(super) fn record(&self) -> &Arc<Record> {
        &self.record
    }

    /// Its frames.
    pub(crate) fn frames(&self, key: &SessionKey) -> &[Bytes] {
        self.frames.get_or_init(|| frames(&self.record, key))
    }
}

impl Deref for Entry {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.record
    }
}

/// A stretch of a session's log.
#[derive(Debug)]
pub(crate) struct Page {
    /// Events after the cursor, oldest first.
    pub(crate) entries: Vec<Arc<Entry>>,
    /// Position of the last forgotten event: a cursor before it has missed something.
    pub(crate) horizon: Seq,
    /// The same of what every browser is told of: one that was told nothing misses nothing when the
    /// rest is forgotten.
    pub(crate) frame_horizon: Seq,
    /// Position of the last event.
    pub(crate) head: Seq,
    /// Bytes of the log up to there, forgotten ones included.
    pub(crate) head_bytes: u64,
    /// Highest stream position among forgotten items that were to be replayed.
    pub(crate) forgotten_stream_seq: u64,
    /// When the session ends unless something happens.
    pub(crate) expires_at: Time,
}

impl Page {
    /// The event at a position, where it is on the page.
    pub(crate) fn entry(&self, seq: Seq) -> Option<&Arc<Entry>> {
        let first = self.entries.first()?.seq;
        let at = usize::try_from(seq.0.checked_sub(first.0)?).ok()?;
        self.entries.get(at)
    }
}

//! A cursor in a session's log: what is owed, then the frames after it, as the log grows.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, Stream};
use serde_json::json;
use tokio::time::{sleep, timeout};

use super::super::book::{Book, Entry};
use super::delivery::{BATCH_BYTES_MAX, BATCH_EVENTS_MAX, Behind, Delivery, Reading};
use super::owed::{Owed, Wanted, observe};
use crate::domain::brain::Watch;
use crate::domain::clock::{Clock, Time};
use crate::domain::event::{Awaited, Event};
use crate::domain::limits::SessionLimits;
use crate::domain::places::Place;
use crate::domain::projection::{encode, stored};
use crate::domain::session::Session;
use crate::domain::store_error::{STORE_WAIT, StoreError};
use crate::wire::frames::ServerBody;
use crate::wire::ids::{Seq, SessionKey};

/// How long before its end those who watch a session are told of it.
const EXPIRING_WITHIN: Duration = Duration::from_secs(60);

/// A cursor in a session's log.
pub(crate) struct Reader {
    pub(super) book: Arc<Book>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) limits: SessionLimits,
    pub(super) key: SessionKey,
    pub(super) cursor: Seq,
    /// Bytes of the log up to the cursor.
    pub(super) cursor_bytes: u64,
    /// Position of the last item up to there.
    pub(super) stream_cursor: u64,
    pub(super) observes: bool,
    /// The end it has told of already.
    pub(super) announced_end: Option<Time>,
    pub(super) owed: Option<Box<Owed>>,
    /// Given up with the reader, where pages feed channels of the session.
    pub(super) _watch: Option<Watch>,
    /// Given up with the reader.
    pub(super) _place: Place<SessionKey>,
}

impl Reader {
    /// Everything it finds, one reading after the other: a stream that may be left and polled
    /// again without starting anew.
    pub(crate) fn readings(self: Box<Self>) -> impl Stream<Item = Result<Reading, StoreError>> {
        stream::unfold(self, async |mut reader| {
            let reading = reader.next().await;
            Some((reading, reader))
        })
    }

    /// The next few frames from before the snapshot; none once all are given.
    pub(crate) fn owed(&mut self) -> Option<Vec<Delivery>> {
        let found = self.owed.as_mut()?.next(&self.key);
        if found.is_none() {
            self.owed = None;
        }
        found
    }

    /// What is owed, then the frames after the cursor as soon as there are any. A store that does not
    /// answer is asked again: whoever follows stays, and catches up.
    pub(crate) async fn next(&mut self) -> Result<Reading, StoreError> {
        loop {
            match self.read_on().await {
                Err(StoreError::Unavailable { .. }) => sleep(STORE_WAIT).await,
                read => return read,
            }
        }
    }

    async fn read_on(&mut self) -> Result<Reading, StoreError> {
        if let Some(frames) = self.owed() {
            return Ok(Reading::Frames {
                frames,
                behind: Behind::default(),
            });
        }
        loop {
            let page = match self
                .book
                .page(&self.key, self.cursor, BATCH_EVENTS_MAX)
                .await
            {
                Ok(page) => page,
                Err(StoreError::Missing) => return Ok(Reading::Ended),
                Err(error) => return Err(error),
            };
            let horizon = if self.observes {
                page.horizon
            } else {
                page.frame_horizon
            };
            if self.cursor < horizon {
                return self.skip_ahead().await;
            }
            let found = self.take(&page.entries);
            if !found.is_empty() {
                let behind = Behind {
                    events: page.head.0 - self.cursor.0,
                    bytes: page.head_bytes - self.cursor_bytes,
                };
                return Ok(Reading::Frames {
                    frames: found,
                    behind,
                });
            }
            if self.cursor == page.head
                && let Some(reading) = self.wait(page.expires_at).await?
            {
                return Ok(reading);
            }
        }
    }

    /// The frames of some events; moves the cursor behind them.
    fn take(&mut self, entries: &[Arc<Entry>]) -> Vec<Delivery> {
        let mut found = Vec::new();
        let begun = self.cursor_bytes;
        for entry in entries {
            if self.cursor_bytes - begun >= BATCH_BYTES_MAX {
                break;
            }
            self.cursor = entry.seq;
            self.cursor_bytes = entry.ends_at;
            if let Event::Emitted(emission) = &entry.fact.event {
                self.stream_cursor = emission.stream_seq;
            }
            if self.observes || !entry.fact.event.is_for_observers() {
                let frames = entry.frames(&self.key);
                found.extend(frames.iter().map(|frame| Delivery {
                    at: Some(entry.seq),
                    frame: frame.clone(),
                }));
            }
        }
        found
    }

    /// Waits for the log to grow; a reading once the session has ended, or is about to.
    async fn wait(&mut self, expires_at: Time) -> Result<Option<Reading>, StoreError> {
        let left = expires_at.since(self.clock.now());
        if left.is_zero() {
            return Ok(Some(Reading::Ended));
        }
        let is_to_announce = self.observes && self.announced_end != Some(expires_at);
        if is_to_announce && left <= EXPIRING_WITHIN {
            self.announced_end = Some(expires_at);
            let event = json!({"kind": "session-expiring", "expiresAt": expires_at.to_string()});
            let frame = observe(&self.key, &event);
            return Ok(Some(Reading::Frames {
                frames: vec![Delivery { at: None, frame }],
                behind: Behind::default(),
            }));
        }
        let until = if is_to_announce {
            left - EXPIRING_WITHIN
        } else {
            left
        };
        // Whether it moved, is gone or its time is over, the next read tells.
        let awaited = if self.observes {
            Awaited::Any
        } else {
            // What people do is not told to others: a click wakes none of them.
            Awaited::Frame
        };
        let grown = self.book.wait(&self.key, self.cursor, awaited);
        match timeout(until, grown).await {
            Ok(Err(error)) => Err(error),
            Ok(Ok(_)) | Err(_) => Ok(None),
        }
    }

    /// The events after the cursor are forgotten: the whole session instead, and the items that are
    /// kept of those in between, as for someone who comes back.
    async fn skip_ahead(&mut self) -> Result<Reading, StoreError> {
        let wanted = Wanted {
            from_seq: Some(self.stream_cursor),
            since: None,
            observes: self.observes,
        };
        let has_seen = |session: &Session, entry: &Entry| wanted.has_seen(session, entry);
        let (session, page) = match self.book.whole(&self.key, has_seen).await {
            Ok(whole) => whole,
            Err(StoreError::Missing) => return Ok(Reading::Ended),
            Err(error) => return Err(error),
        };
        self.owed = Some(Box::new(Owed::new(&session, Vec::new(), &page, &wanted)));
        self.cursor = session.seq;
        self.cursor_bytes = session.log_bytes;
        self.stream_cursor = session.stream_seq;
        let snapshot = Box::new(stored(&session, &self.limits));
        let frame = encode(ServerBody::Render { session: snapshot });
        Ok(Reading::Frames {
            frames: vec![Delivery {
                at: Some(self.cursor),
                frame,
            }],
            behind: Behind::default(),
        })
    }
}

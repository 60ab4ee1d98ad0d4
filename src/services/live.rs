//! Following a session: a snapshot, what is to be replayed, then the log as it grows.

use std::sync::Arc;
use std::time::Duration;
use std::vec;

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::domain::clock::{Clock, Time};
use crate::domain::event::{Awaited, Creation, Emission, Event, Fact, LIFECYCLE_CHANNEL, Record};
use crate::domain::limits::{SessionLimits, quota};
use crate::domain::log::{Decision, Page, SessionLog, Waited};
use crate::domain::operation::Caller;
use crate::domain::principal::Principal;
use crate::domain::projection::{encode, frames, row, stored};
use crate::domain::session::Session;
use crate::domain::store::StoreError;
use crate::wire::contract::StreamReplay;
use crate::wire::frames::{LedgerRow, ServerBody};
use crate::wire::ids::{Seq, SessionKey};

/// Events a reader takes at a time: one write's worth, so that a slow one never holds many.
const BATCH_EVENTS_MAX: usize = 64;
/// Bytes of events on one page of the ledger: what a browser still reads at once.
const PAGE_BYTES_MAX: usize = 1 << 20;

/// Observations a second that strangers may bring about in one session.
const OBSERVED_PER_SECOND: u32 = 1;
/// Observations they may bring about at once.
const OBSERVED_BURST: u32 = 10;
/// How long before its end those who watch a session are told of it.
const EXPIRING_WITHIN: Duration = Duration::from_secs(60);

/// Lets browsers follow sessions.
pub(crate) struct Live {
    log: Arc<dyn SessionLog>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: SessionLimits,
    /// Cancelled when the server drains: held pages are then answered at once.
    drain: CancellationToken,
    observed_rate: DefaultKeyedRateLimiter<SessionKey>,
}

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

/// A ledger cursor as it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Since {
    /// Something that is no position.
    Malformed,
    /// A position.
    Position(Seq),
}

/// Why a ledger cursor is of no use. The subscription stands all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CursorError {
    /// It is no position.
    Malformed,
    /// It lies outside of what is kept.
    Passed {
        /// Where the ledger stands.
        current: Seq,
    },
}

/// A session to be followed from a snapshot on.
pub(crate) struct Subscription {
    /// The snapshot.
    pub(crate) session: Arc<Session>,
    /// Whether some of the stream it is owed is forgotten.
    pub(crate) replay_truncated: bool,
    /// Why it gets no ledger, where it asked for one.
    pub(crate) cursor_error: Option<CursorError>,
    /// What it is owed, and what comes after the snapshot.
    pub(crate) reader: Reader,
}

/// A cursor in a session's log.
pub(crate) struct Reader {
    log: Arc<dyn SessionLog>,
    clock: Arc<dyn Clock>,
    limits: SessionLimits,
    key: SessionKey,
    cursor: Seq,
    observes: bool,
    /// The end it has told of already.
    told_of: Option<Time>,
    owed: Option<Box<Owed>>,
}

/// What a subscriber is owed from before its snapshot: consents that are waited for, rows of the
/// ledger, then items.
struct Owed {
    consents: Vec<Bytes>,
    creation: Arc<Creation>,
    rows: vec::IntoIter<Arc<Record>>,
    items: vec::IntoIter<Arc<Record>>,
}

/// A frame, and the ledger position a reader that has it stands at; none where that is unchanged.
pub(crate) struct Delivery {
    pub(crate) at: Option<Seq>,
    pub(crate) frame: Bytes,
}

/// What a reader finds.
pub(crate) enum Reading {
    /// Frames to send, oldest first, and how many events are left behind them.
    Frames {
        /// Each encoded once for all who read it.
        frames: Vec<Delivery>,
        /// Events after these.
        behind: u64,
    },
    /// The session has ended.
    Ended,
}

/// What came of asking for a page of the ledger.
#[derive(Debug, Clone)]
pub(crate) enum Pulled {
    /// The cursor lies outside of what is kept.
    HorizonPassed {
        /// Where the ledger stands.
        current: Seq,
    },
    /// Rows after the cursor.
    Page {
        /// Oldest first.
        rows: Vec<LedgerRow>,
        /// Where the ledger stands.
        last: Seq,
        /// Whether there are rows after these.
        has_more: bool,
    },
}

impl Live {
    /// The use cases over a log.
    pub(crate) fn new(
        log: Arc<dyn SessionLog>,
        clock: Arc<dyn Clock>,
        limits: SessionLimits,
        drain: CancellationToken,
    ) -> Self {
        let (per_second, burst) = quota(OBSERVED_PER_SECOND, OBSERVED_BURST);
        Self {
            log,
            clock,
            limits,
            drain,
            observed_rate: RateLimiter::keyed(Quota::per_second(per_second).allow_burst(burst)),
        }
    }

    /// Tells those who watch a session what the server saw. Only so often: what strangers bring
    /// about must not push a session's history out of its log.
    pub(crate) async fn tell(&self, key: &SessionKey, event: Value) {
        if self.observed_rate.check_key(key).is_err() {
            return;
        }
        let caller = Caller::server(key.app.clone());
        let now = self.clock.now();
        let decide = |_: &Session| -> Result<Decision<()>, StoreError> {
            let event = Event::Observed(event.clone());
            Ok(Decision {
                facts: vec![Fact::by(&caller, now, event)],
                answer: (),
            })
        };
        // A session that is gone has nobody left who watches.
        let _ = self
            .log
            .transact(key, &caller.principal, now, &self.limits, decide)
            .await;
    }

    /// Frees what rates remember of sessions that are quiet.
    pub(crate) fn sweep(&self) {
        self.observed_rate.retain_recent();
    }

    /// A session that is live now, for whoever was handed the key to it.
    pub(crate) async fn read(&self, key: &SessionKey) -> Result<Arc<Session>, StoreError> {
        self.log.live(key, self.clock.now(), &self.limits).await
    }

    /// A session that is live now and the principal's to see.
    pub(crate) async fn read_as(
        &self,
        principal: &Principal,
        session: &str,
    ) -> Result<Arc<Session>, StoreError> {
        let key = principal.key(session);
        self.seen(&key, principal).await
    }

    async fn seen(&self, key: &SessionKey, by: &Principal) -> Result<Arc<Session>, StoreError> {
        self.log.seen(key, by, self.clock.now(), &self.limits).await
    }

    /// All sessions that are live now and the principal's to see.
    pub(crate) async fn sessions(
        &self,
        principal: &Principal,
    ) -> Result<Vec<Arc<Session>>, StoreError> {
        let now = self.clock.now();
        let mut sessions = self.log.sessions(&principal.app).await?;
        sessions.retain(|session| {
            session.is_live(now, &self.limits) && principal.sees(&session.creation.owner)
        });
        Ok(sessions)
    }

    /// A page of the ledger after a cursor; an empty one waits up to `wait` for its first row.
    pub(crate) async fn page(
        &self,
        key: &SessionKey,
        by: &Principal,
        after: Seq,
        rows_max: usize,
        wait: Duration,
    ) -> Result<Pulled, StoreError> {
        let deadline = Instant::now() + wait;
        let mut is_last_look = wait.is_zero();
        loop {
            let creation = Arc::clone(&self.seen(key, by).await?.creation);
            let page = self.log.read_from(key, after, rows_max).await?;
            if !is_within(after, &page) {
                return Ok(Pulled::HorizonPassed { current: page.head });
            }
            if !page.records.is_empty() || is_last_look {
                return Ok(bounded_page(&page, key, &creation));
            }
            tokio::select! {
                // The drain goes first: a held page is answered, not filled.
                biased;
                () = self.drain.cancelled() => is_last_look = true,
                waited = timeout_at(deadline, self.log.wait(key, after, Awaited::Any)) => {
                    match waited {
                        Ok(Waited::Gone) => return Err(StoreError::Missing),
                        Ok(Waited::Moved) => {}
                        Err(_) => is_last_look = true,
                    }
                }
            }
        }
    }

    /// Opens a session for a reader that has seen what it says.
    pub(crate) async fn subscribe(
        &self,
        key: &SessionKey,
        by: &Principal,
        wanted: Wanted,
    ) -> Result<Subscription, StoreError> {
        let session = self.seen(key, by).await?;
        let page = self.log.read_from(key, Seq::default(), usize::MAX).await?;
        let (rows, cursor_error) = match wanted.since {
            None => (Vec::new(), None),
            Some(Since::Malformed) => (Vec::new(), Some(CursorError::Malformed)),
            Some(Since::Position(after)) if !is_within(after, &page) => {
                let current = session.seq;
                (Vec::new(), Some(CursorError::Passed { current }))
            }
            Some(Since::Position(after)) => (ledger_owed(&page, after, session.seq), None),
        };
        let consents = session.auth_requests.iter().filter(|_| wanted.observes);
        let owed = Owed {
            consents: consents
                .map(|request| observe(key, &request.event))
                .collect(),
            creation: Arc::clone(&session.creation),
            rows: rows.into_iter(),
            items: items_owed(&page, &session, wanted.from_seq).into_iter(),
        };
        let reader = Reader {
            log: Arc::clone(&self.log),
            clock: Arc::clone(&self.clock),
            limits: self.limits.clone(),
            key: key.clone(),
            cursor: session.seq,
            observes: wanted.observes,
            told_of: None,
            owed: Some(Box::new(owed)),
        };
        Ok(Subscription {
            replay_truncated: wanted
                .from_seq
                .is_some_and(|from| from < page.forgotten_stream_seq),
            cursor_error,
            session,
            reader,
        })
    }
}

/// Whether a cursor lies within what is kept of a log.
fn is_within(cursor: Seq, page: &Page) -> bool {
    (page.horizon..=page.head).contains(&cursor)
}

fn bounded_page(page: &Page, key: &SessionKey, creation: &Creation) -> Pulled {
    let mut bytes = 0;
    let fits = |record: &&Arc<Record>| {
        // One row always fits, or a large one would stop its reader for ever.
        let fits = bytes < PAGE_BYTES_MAX;
        bytes += record.weight();
        fits
    };
    let records = page.records.iter().take_while(fits);
    let rows: Vec<_> = records
        .map(|record| row(record, key, &creation.contract))
        .collect();
    Pulled::Page {
        has_more: rows.last().is_some_and(|row| row.seq < page.head.0),
        rows,
        last: page.head,
    }
}

/// The rows between a cursor and a snapshot. Items are left to the stream's own replay.
fn ledger_owed(page: &Page, after: Seq, until: Seq) -> Vec<Arc<Record>> {
    let is_owed = |record: &&Arc<Record>| {
        record.seq > after && record.seq <= until && !matches!(record.fact.event, Event::Emitted(_))
    };
    page.records.iter().filter(is_owed).cloned().collect()
}

/// The items before a snapshot that a subscriber gets, oldest first.
fn items_owed(page: &Page, session: &Session, from_seq: Option<u64>) -> Vec<Arc<Record>> {
    let is_owed = |record: &&Arc<Record>| match &record.fact.event {
        // What came after the snapshot is the reader's.
        Event::Emitted(_) if record.seq > session.seq => false,
        Event::Emitted(emission) => {
            emission.replay == StreamReplay::All && is_asked_for(emission, from_seq)
        }
        _ => false,
    };
    let mut records: Vec<_> = page.records.iter().filter(is_owed).cloned().collect();
    let latest = session
        .latest
        .values()
        .filter(|record| match &record.fact.event {
            Event::Emitted(emission) => is_asked_for(emission, from_seq),
            _ => false,
        });
    records.extend(latest.cloned());
    records.sort_by_key(|record| record.seq);
    records
}

/// Whether an item is for this subscriber: every channel to whoever gave a cursor, the server's
/// own to everyone (live-channel §4.3).
fn is_asked_for(emission: &Emission, from_seq: Option<u64>) -> bool {
    match from_seq {
        Some(from) => emission.stream_seq > from,
        None => &*emission.channel == LIFECYCLE_CHANNEL,
    }
}

fn observe(key: &SessionKey, event: &Value) -> Bytes {
    encode(ServerBody::Observe {
        session_id: &key.session,
        event,
    })
}

impl Owed {
    /// The next few frames; none once all is given.
    fn next(&mut self, key: &SessionKey) -> Option<Vec<Delivery>> {
        if !self.consents.is_empty() {
            let frames = std::mem::take(&mut self.consents).into_iter();
            return Some(frames.map(|frame| Delivery { at: None, frame }).collect());
        }
        let rows: Vec<_> = self.rows.by_ref().take(BATCH_EVENTS_MAX).collect();
        let deliveries: Vec<_> = if rows.is_empty() {
            let items = self.items.by_ref().take(BATCH_EVENTS_MAX);
            items
                .flat_map(|record| frames(&record, key).to_vec())
                .map(|frame| Delivery { at: None, frame })
                .collect()
        } else {
            rows.iter()
                .map(|record| {
                    let row = row(record, key, &self.creation.contract);
                    Delivery {
                        at: Some(record.seq),
                        frame: encode(ServerBody::RenderEvent(Box::new(row))),
                    }
                })
                .collect()
        };
        (!deliveries.is_empty()).then_some(deliveries)
    }
}

impl Reader {
    /// Everything it finds, one reading after the other: a stream that may be left and polled
    /// again without starting anew.
    pub(crate) fn readings(self) -> impl Stream<Item = Result<Reading, StoreError>> {
        stream::unfold(self, async |mut reader| {
            let reading = reader.next().await;
            Some((reading, reader))
        })
    }

    /// What is owed, then the frames after the cursor as soon as there are any.
    pub(crate) async fn next(&mut self) -> Result<Reading, StoreError> {
        if let Some(owed) = &mut self.owed {
            if let Some(frames) = owed.next(&self.key) {
                return Ok(Reading::Frames { frames, behind: 0 });
            }
            self.owed = None;
        }
        loop {
            let page = match self
                .log
                .read_from(&self.key, self.cursor, BATCH_EVENTS_MAX)
                .await
            {
                Ok(page) => page,
                Err(StoreError::Missing) => return Ok(Reading::Ended),
                Err(error) => return Err(error),
            };
            if self.cursor < page.horizon {
                return self.skip_ahead().await;
            }
            let found = self.take(&page.records);
            if !found.is_empty() {
                let behind = page.head.0 - self.cursor.0;
                return Ok(Reading::Frames {
                    frames: found,
                    behind,
                });
            }
            if self.cursor == page.head
                && let Some(reading) = self.wait(page.expires_at).await
            {
                return Ok(reading);
            }
        }
    }

    /// The frames of some records; moves the cursor behind them.
    fn take(&mut self, records: &[Arc<Record>]) -> Vec<Delivery> {
        let mut found = Vec::new();
        for record in records {
            self.cursor = record.seq;
            let is_for_observers = matches!(
                record.fact.event,
                Event::AuthRequested(_) | Event::Observed(_)
            );
            if self.observes || !is_for_observers {
                let frames = frames(record, &self.key);
                found.extend(frames.iter().map(|frame| Delivery {
                    at: Some(record.seq),
                    frame: frame.clone(),
                }));
            }
        }
        found
    }

    /// Waits for the log to grow; a reading once the session has ended, or is about to.
    async fn wait(&mut self, expires_at: Time) -> Option<Reading> {
        let left = expires_at.since(self.clock.now());
        if left.is_zero() {
            return Some(Reading::Ended);
        }
        let is_to_tell = self.observes && self.told_of != Some(expires_at);
        if is_to_tell && left <= EXPIRING_WITHIN {
            self.told_of = Some(expires_at);
            let event = json!({"kind": "session-expiring", "expiresAt": expires_at.to_string()});
            let frame = observe(&self.key, &event);
            return Some(Reading::Frames {
                frames: vec![Delivery { at: None, frame }],
                behind: 0,
            });
        }
        let until = if is_to_tell {
            left - EXPIRING_WITHIN
        } else {
            left
        };
        // Whether it moved, is gone or its time is over, the next read tells.
        let grown = self.log.wait(&self.key, self.cursor, Awaited::Frame);
        let _ = timeout(until, grown).await;
        None
    }

    /// The events after the cursor are forgotten: the whole session instead.
    async fn skip_ahead(&mut self) -> Result<Reading, StoreError> {
        let session = match self
            .log
            .live(&self.key, self.clock.now(), &self.limits)
            .await
        {
            Ok(session) => session,
            Err(StoreError::Missing) => return Ok(Reading::Ended),
            Err(error) => return Err(error),
        };
        self.cursor = session.seq;
        let snapshot = Box::new(stored(&session, &self.limits));
        let frame = encode(ServerBody::Render { session: snapshot });
        Ok(Reading::Frames {
            frames: vec![Delivery {
                at: Some(self.cursor),
                frame,
            }],
            behind: 0,
        })
    }
}

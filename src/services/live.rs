//! Following a session: a snapshot, what is to be replayed, then the log as it grows.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use tokio::time::timeout;

use crate::domain::clock::Clock;
use crate::domain::contract::CompiledContract;
use crate::domain::event::{Awaited, Emission, Event, LIFECYCLE_CHANNEL, Record};
use crate::domain::limits::SessionLimits;
use crate::domain::log::SessionLog;
use crate::domain::principal::Principal;
use crate::domain::session::Session;
use crate::domain::store::StoreError;
use crate::wire::contract::StreamReplay;
use crate::wire::frames::{DRAFTS, ServerBody, ServerFrame};
use crate::wire::ids::{Seq, SessionKey};
use crate::wire::slice::{Specs, StoredSession, VIEW_MEDIA_TYPE};
use crate::wire::tools::SessionStatus;

/// Events a reader takes at a time: one write's worth, so that a slow one never holds many.
const BATCH_EVENTS_MAX: usize = 64;

/// Lets browsers follow sessions.
pub(crate) struct Live {
    pub(crate) log: Arc<dyn SessionLog>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: SessionLimits,
}

/// A session to be followed from a snapshot on.
pub(crate) struct Subscription {
    /// The snapshot.
    pub(crate) session: Arc<Session>,
    /// Items before the snapshot that the subscriber is owed, oldest first.
    pub(crate) replay: Vec<Bytes>,
    /// Whether some of what it is owed is forgotten.
    pub(crate) replay_truncated: bool,
    /// What comes after the snapshot.
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
}

/// What a reader finds.
pub(crate) enum Reading {
    /// Frames to send, oldest first, and how many events are left behind them.
    Frames {
        /// Each encoded once for all who read it.
        frames: Vec<Bytes>,
        /// Events after these.
        behind: u64,
    },
    /// The session has ended.
    Ended,
}

impl Live {
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
        self.log
            .seen(&key, principal, self.clock.now(), &self.limits)
            .await
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

    /// Opens a session for a reader that has seen the stream up to `from_seq`.
    pub(crate) async fn subscribe(
        &self,
        key: &SessionKey,
        by: &Principal,
        from_seq: Option<u64>,
        observes: bool,
    ) -> Result<Subscription, StoreError> {
        let session = self
            .log
            .seen(key, by, self.clock.now(), &self.limits)
            .await?;
        let page = self.log.read_from(key, Seq::default(), usize::MAX).await?;
        let from = from_seq.unwrap_or(0);
        let owed = |record: &&Arc<Record>| match &record.fact.event {
            // What came after the snapshot is the reader's.
            Event::Emitted(_) if record.seq > session.seq => false,
            Event::Emitted(emission) => is_owed(emission, from_seq),
            _ => false,
        };
        let mut records: Vec<_> = page.records.iter().filter(owed).cloned().collect();
        let latest = session
            .latest
            .values()
            .filter(|record| match &record.fact.event {
                Event::Emitted(emission) => {
                    emission.stream_seq > from
                        && (from_seq.is_some() || &*emission.channel == LIFECYCLE_CHANNEL)
                }
                _ => false,
            });
        records.extend(latest.cloned());
        records.sort_by_key(|record| record.seq);
        let reader = Reader {
            log: Arc::clone(&self.log),
            clock: Arc::clone(&self.clock),
            limits: self.limits.clone(),
            key: key.clone(),
            cursor: session.seq,
            observes,
        };
        Ok(Subscription {
            replay: records
                .iter()
                .flat_map(|record| frames(record, key).to_vec())
                .collect(),
            replay_truncated: from_seq.is_some_and(|from| from < page.forgotten_stream_seq),
            session,
            reader,
        })
    }
}

/// Whether an item of the log is replayed: what a channel keeps whole, to whoever gave a cursor;
/// the server's own channel, to everyone (live-channel §4.3).
fn is_owed(emission: &Emission, from_seq: Option<u64>) -> bool {
    let asked = match from_seq {
        Some(from) => emission.stream_seq > from,
        None => &*emission.channel == LIFECYCLE_CHANNEL,
    };
    asked && emission.replay == StreamReplay::All
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

    /// The frames after the cursor, as soon as there are any.
    async fn next(&mut self) -> Result<Reading, StoreError> {
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
            let mut found = Vec::new();
            for record in &page.records {
                self.cursor = record.seq;
                if self.observes || !matches!(record.fact.event, Event::Observed(_)) {
                    found.extend_from_slice(frames(record, &self.key));
                }
            }
            if !found.is_empty() {
                let behind = page.head.0 - self.cursor.0;
                return Ok(Reading::Frames {
                    frames: found,
                    behind,
                });
            }
            if self.cursor == page.head && !self.wait().await {
                return Ok(Reading::Ended);
            }
        }
    }

    /// Waits for the log to grow; false once the session has ended.
    async fn wait(&self) -> bool {
        let now = self.clock.now();
        let Ok(session) = self.log.live(&self.key, now, &self.limits).await else {
            return false;
        };
        let life_left = session.expires_at(&self.limits).since(now);
        drop(session);
        // Whether it moved, is gone or its time is over, the next read tells.
        let grown = self.log.wait(&self.key, self.cursor, Awaited::Frame);
        let _ = timeout(life_left, grown).await;
        self.log
            .live(&self.key, self.clock.now(), &self.limits)
            .await
            .is_ok()
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
            frames: vec![frame],
            behind: 0,
        })
    }
}

/// The frames of an event, encoded when the first reader asks.
fn frames<'a>(record: &'a Record, key: &SessionKey) -> &'a [Bytes] {
    record.frames.get_or_init(|| match &record.fact.event {
        Event::ActionsDrained(ids) => ids
            .iter()
            .map(|id| {
                encode(ServerBody::DrainAck {
                    app_id: &key.app,
                    session_id: &key.session,
                    event_id: id.as_str(),
                    drained_at: record.fact.at.to_string(),
                })
            })
            .collect(),
        Event::ActionSubmitted(_) | Event::Created(_) => Box::default(),
        Event::Emitted(emission) => Box::new([encode(ServerBody::Data {
            session_id: &key.session,
            channel: &emission.channel,
            mode: emission.mode,
            payload: &emission.payload,
            seq: emission.stream_seq,
            complete: emission.complete,
            schema_version: DRAFTS[0],
        })]),
        Event::Observed(event) => Box::new([encode(ServerBody::Observe {
            session_id: &key.session,
            event,
        })]),
        Event::Updated { props, epoch, .. } => Box::new([encode(ServerBody::PropsUpdate {
            session_id: &key.session,
            props,
            epoch: epoch.0,
        })]),
    })
}

fn encode(body: ServerBody<'_>) -> Bytes {
    let frame = ServerFrame {
        body,
        request_id: None,
    };
    // Keys of our own types are texts: writing them to memory cannot fail.
    serde_json::to_vec(&frame).unwrap_or_default().into()
}

/// A session as frames carry it.
pub(crate) fn stored(session: &Session, limits: &SessionLimits) -> StoredSession {
    StoredSession {
        id: session.key.session.to_string(),
        app_id: session.key.app.to_string(),
        kind: "component",
        component_code: "",
        content_type: VIEW_MEDIA_TYPE,
        view: Arc::clone(session.creation.view.value()),
        props: session.props.clone(),
        specs: specs(&session.creation.contract),
        event_sequence: session.seq.0,
        epoch: session.epoch.0,
        status: SessionStatus::Active,
        prompt: Arc::clone(&session.creation.intent),
        created_at: session.created_at.0,
        last_activity_at: session.last_activity_at.0,
        expires_at: session.expires_at(limits).0,
    }
}

fn specs(contract: &CompiledContract) -> Specs {
    let spec = |name: &str| contract.source().get(name).cloned();
    Specs {
        props_spec: spec("propsSpec"),
        action_spec: spec("actionSpec"),
        stream_spec: spec("streamSpec"),
        context_spec: spec("contextSpec"),
    }
}

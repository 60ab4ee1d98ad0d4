//! How an approval stands, read from the log of its session and written there: of all who would
//! write the next word one does.

use serde_json::Value;

use super::super::super::book::{BookError, Decision};
use super::super::error::GateError;
use super::super::meters;
use super::service::Approvals;
use crate::domain::event::{Event, Fact};
use crate::domain::gate::{AuditEvent, Reading, STATUS, State, Status, Subject};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::store_error::StoreError;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::{Seq, SessionKey};

/// What came of a word that was to be written.
pub(super) enum Written {
    /// The session is no longer there.
    Gone,
    /// Something else was written before.
    Moved,
    /// It stands there.
    Yes,
}

impl Approvals {
    /// How an approval stands now. What a person has done, and what time has, is written first.
    pub(super) async fn read(&self, key: &SessionKey) -> Result<(Reading, Seq), GateError> {
        loop {
            let page = match self.book.page(key, Seq::default(), usize::MAX).await {
                Ok(page) => page,
                Err(StoreError::Missing) => return Ok((Reading::gone(), Seq::default())),
                Err(error) => return Err(unavailable(&error)),
            };
            let reading = Reading::of(page.entries.iter().map(|entry| &***entry));
            let now = self.clock.now();
            let Some(status) = reading.due(now, self.limits.approval_valid()) else {
                return Ok((reading, page.head));
            };
            match self.write(key, page.head, &status).await? {
                Written::Gone => return Ok((Reading::gone(), page.head)),
                Written::Moved => {}
                Written::Yes => self.record(key, &status).await,
            }
        }
    }

    /// Writes the next word where nothing else was written since.
    pub(super) async fn write(
        &self,
        key: &SessionKey,
        head: Seq,
        status: &Status,
    ) -> Result<Written, GateError> {
        let (server, now) = (Caller::server(key.app.clone()), self.clock.now());
        let decide = |session: &Session| -> Result<Decision<bool>, BookError> {
            let is_next = session.seq == head;
            let emission = is_next.then(|| {
                let (mode, replay) = (StreamMode::Replace, StreamReplay::Latest);
                let payload = status.payload(Subject::of(session.props.as_deref()), said(session));
                session.emission(STATUS.into(), mode, replay, payload, false)
            });
            let fact = emission.map(|item| Fact::by(&server, now, Event::Emitted(item)));
            Ok(Decision {
                facts: fact.into_iter().collect(),
                answer: is_next,
            })
        };
        match self.book.decide(&server, key, decide).await {
            Ok((true, _)) => Ok(Written::Yes),
            Ok((false, _)) => Ok(Written::Moved),
            Err(BookError::SessionNotFound { .. }) => Ok(Written::Gone),
            Err(BookError::Store(error)) => Err(unavailable(&error)),
        }
    }

    /// Writes the last word after these, whatever else is written meanwhile.
    pub(super) async fn write_last(
        &self,
        key: &SessionKey,
        after: &[State],
        status: &Status,
    ) -> Result<(), GateError> {
        loop {
            let (reading, head) = self.read(key).await?;
            if !after.contains(&reading.state()) {
                return Ok(());
            }
            match self.write(key, head, status).await? {
                Written::Moved => {}
                Written::Gone | Written::Yes => break,
            }
        }
        self.record(key, status).await;
        Ok(())
    }

    /// Adds what a card says to the audit where it is not the last row there: a server that ended
    /// between the two has left it out.
    pub(super) async fn complete(&self, key: &SessionKey, last: &AuditEvent) {
        let Ok(page) = self.book.page(key, Seq::default(), usize::MAX).await else {
            return;
        };
        let reading = Reading::of(page.entries.iter().map(|entry| &***entry));
        let Some(mut status) = reading.status else {
            return;
        };
        if matches!(last, AuditEvent::Decided { state, .. } if *state == status.state) {
            return;
        }
        if status.state == State::Granted {
            // A call that was begun without asking, of which nobody knows what came.
            if matches!(last, AuditEvent::Executed { .. }) {
                self.record(key, &Status::of(State::Unknown)).await;
            }
            return;
        }
        // The card goes on naming whoever decided; the row names them where they did.
        let are_theirs = [State::Approved, State::Rejected, State::Revoked];
        if !are_theirs.contains(&status.state) {
            status.by = None;
        }
        self.record(key, &status).await;
    }

    /// Adds what was written to the audit.
    pub(super) async fn record(&self, key: &SessionKey, status: &Status) {
        let Some(event) = AuditEvent::of(status) else {
            return;
        };
        meters::count_approval(status.state);
        if let Err(error) = self.audit.append(self.clock.now(), key, event).await {
            tracing::error!(%error, "what became of an approval is not in the audit");
        }
    }
}

/// What a card says now.
fn said(session: &Session) -> Option<&Value> {
    match &session.latest.get(STATUS)?.fact.event {
        Event::Emitted(emission) => Some(&emission.payload),
        _ => None,
    }
}

pub(super) fn unavailable(error: &StoreError) -> GateError {
    GateError::Unavailable(error.to_string())
}

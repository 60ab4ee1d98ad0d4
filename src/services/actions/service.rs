//! What people do: judged, accepted once, and kept for the agent.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::super::book::{Book, Decision};
use super::error::ActionError;
use super::judge::{SERVER_ID_PREFIX, judge};
use super::presence::Presences;
use crate::domain::action::{Action, Gesture, fired_at};
use crate::domain::clock::{Clock, Time};
use crate::domain::event::{Event, Fact};
use crate::domain::limits::Limits;
use crate::domain::operation::Caller;
use crate::domain::presence::PresenceStore;
use crate::domain::session::Session;
use crate::domain::size::shorten;
use crate::wire::contract::Violation;
use crate::wire::ids::{ActionId, Seq, SessionKey};

/// Characters of a violation that go into the activity list.
const OBSERVED_CHARS_MAX: usize = 400;

/// An action as a person's browser sends it; boxed where it is handed on.
#[derive(Debug)]
pub(crate) struct Submission {
    pub(crate) key: SessionKey,
    /// `{action, data}`, judged against the contract.
    pub(crate) value: Value,
    /// Context slots at that moment.
    pub(crate) ui_context: Value,
    /// The client's own id of the gesture.
    pub(crate) id: Option<String>,
    /// When, as the client says.
    pub(crate) fired_at: Option<String>,
}

/// What the browser is told of an accepted action.
#[derive(Debug)]
pub(crate) struct Submitted {
    /// Position of the log.
    pub(crate) seq: Seq,
    /// Id under which it was accepted.
    pub(crate) id: ActionId,
    /// When the session was rendered.
    created_at: Time,
}

/// Submits and consumes.
pub(crate) struct Actions {
    pub(super) book: Arc<Book>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) limits: Limits,
    /// Cancelled when the server drains: held consumes are then answered at once.
    pub(super) drain: CancellationToken,
    pub(super) presences: Presences,
}

impl Actions {
    /// The use cases over the book.
    pub(crate) fn new(
        book: Arc<Book>,
        presence: Arc<dyn PresenceStore>,
        clock: Arc<dyn Clock>,
        limits: Limits,
        drain: CancellationToken,
    ) -> Self {
        Self {
            book,
            presences: Presences::new(presence, Arc::clone(&clock)),
            clock,
            limits,
            drain,
        }
    }

    /// Takes an action in: judged against the contract, accepted once per id.
    pub(crate) async fn submit(
        &self,
        caller: &Caller,
        submission: Box<Submission>,
    ) -> Result<Submitted, ActionError> {
        let now = self.clock.now();
        let Submission {
            key,
            value,
            ui_context,
            id,
            fired_at: claimed,
        } = *submission;
        // Made once, however often the decision has to be: the log keeps the very value that came.
        let gesture = Arc::new(Gesture {
            value,
            ui_context,
            fired_at: fired_at(claimed, now),
        });
        let limits = &self.limits.actions;
        let context_bytes_max = self.limits.mounts.snapshot_bytes_max;
        let decide = |session: &Session| -> Result<Decision<_>, ActionError> {
            // What it has changed may be why it would not fit once more.
            let is_known = id
                .as_deref()
                .is_some_and(|id| session.inbox.has_seen(&id.into()));
            if !is_known
                && let Err(violations) = judge(session, id.as_deref(), &gesture, context_bytes_max)
            {
                let observed = observe(caller, now, &violations);
                return Ok(Decision {
                    facts: vec![observed],
                    answer: Err(violations),
                });
            }
            let id = match &id {
                Some(id) => ActionId::from(id.as_str()),
                // From the log's position, so that no two can ever meet.
                None => ActionId::new(format!("{}{}", SERVER_ID_PREFIX, session.seq.next())),
            };
            let accepted = Submitted {
                seq: session.seq,
                id,
                created_at: session.created_at,
            };
            if session.inbox.has_seen(&accepted.id) {
                return Ok(Decision {
                    facts: Vec::new(),
                    answer: Ok(accepted),
                });
            }
            let (waiting, bytes) = session.inbox.waiting();
            if waiting >= limits.pending_max || bytes >= limits.pending_bytes_max {
                return Err(ActionError::InboxFull { waiting });
            }
            let action = Action {
                id: accepted.id.clone(),
                gesture: Arc::clone(&gesture),
            };
            let fact = Fact::by(caller, now, Event::ActionSubmitted(Arc::new(action)));
            Ok(Decision {
                facts: vec![fact],
                answer: Ok(accepted),
            })
        };
        let (answer, seq) = self.book.decide(caller, &key, decide).await?;
        answer
            .map(|accepted| Submitted { seq, ..accepted })
            .map_err(ActionError::Violations)
    }

    /// Whether an agent waits for this session, or just left and is coming back.
    pub(super) async fn is_consumer_present(&self, key: &SessionKey) -> bool {
        self.presences.is_present(key).await
    }

    /// Waits a moment for an agent, as the relay does before it answers (tools.md §12.1).
    pub(crate) async fn await_consumer(&self, key: &SessionKey, submitted: &Submitted) -> bool {
        self.presences.await_one(key, submitted.created_at).await
    }

    /// Sessions whose agents are remembered.
    pub(crate) fn remembered(&self) -> usize {
        self.presences.count()
    }
}

/// What those who watch are told of a refused action; the action itself reaches nobody.
fn observe(caller: &Caller, at: Time, violations: &[Violation]) -> Fact {
    let lines: Vec<_> = violations
        .iter()
        .map(|found| format!("{}: {}", found.field, found.message))
        .collect();
    let message = shorten(&lines.join("; "), OBSERVED_CHARS_MAX);
    let event = json!({ "kind": "contract-violation", "message": message });
    Fact::by(caller, at, Event::Observed(event))
}

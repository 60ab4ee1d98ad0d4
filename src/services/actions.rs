//! What people do, and how agents take it: one use case behind both doors.

use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::domain::action::{AUTH_ACTION, Action, CLIENT_ID_BYTES_MIN, fired_at};
use crate::domain::clock::{Clock, Time};
use crate::domain::event::{Awaited, Event, Fact, LIFECYCLE_CHANNEL};
use crate::domain::limits::Limits;
use crate::domain::log::{Decision, SessionLog};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::size::{shorten, value_bytes};
use crate::domain::store::StoreError;
use crate::wire::contract::{StreamMode, StreamReplay, Violation};
use crate::wire::host::HostContext;
use crate::wire::ids::{ActionId, ID_BYTES_MAX, Seq, SessionId, SessionKey};
use crate::wire::tools::{ActionEvent, Client, ConsumeParams, ConsumeResult, SessionStatus};

/// An agent that left this recently is coming back: its loop is busy with what it took.
const CONSUMER_RETURNS_WITHIN: Duration = Duration::from_secs(10);
/// A session this young may get its first consumer any moment.
const FIRST_CONSUMER_WITHIN: Duration = Duration::from_secs(60);
/// How long a relayed action waits for an agent that is expected (§2.8).
const GRACE_EXPECTED: Duration = Duration::from_millis(2_000);
/// How long a relayed action waits for an agent that is not.
const GRACE_UNEXPECTED: Duration = Duration::from_millis(150);
/// How long the memory of a consumer that left is kept.
const PRESENCE_KEPT: Duration = Duration::from_secs(60);
/// Bytes of context that may travel with an action: the wire's total for all slots (§2.8).
const UI_CONTEXT_BYTES_MAX: usize = 65_536;
/// Characters of a violation that go into the activity list.
const OBSERVED_CHARS_MAX: usize = 400;

/// Why an action was not accepted, or a consume not answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ActionError {
    /// Too many actions wait already.
    #[error("{waiting} actions wait for the agent")]
    InboxFull {
        /// How many.
        waiting: usize,
    },
    /// The session is unknown, expired or another app's.
    #[error("no session {id}")]
    SessionNotFound {
        /// As it was asked for.
        id: String,
    },
    /// The store does not answer.
    #[error("the session store failed")]
    Store(#[source] StoreError),
    /// The action does not fit the contract.
    #[error("the action does not fit the contract")]
    Violations(Vec<Violation>),
}

impl From<StoreError> for ActionError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// An action as a person's browser sends it.
#[derive(Debug)]
pub(crate) struct Submission {
    /// The session.
    pub(crate) session: SessionId,
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
    log: Arc<dyn SessionLog>,
    clock: Arc<dyn Clock>,
    limits: Limits,
    /// Cancelled when the server drains: held consumes are then answered at once.
    drain: CancellationToken,
    presence: DashMap<SessionKey, watch::Sender<Presence>>,
}

/// Whether agents wait for a session's actions.
#[derive(Debug, Clone, Copy, Default)]
struct Presence {
    waiting: usize,
    left_at: Option<Time>,
    /// Whether those who watch believe that one waits.
    is_told: bool,
}

impl Actions {
    /// The use cases over a log.
    pub(crate) fn new(
        log: Arc<dyn SessionLog>,
        clock: Arc<dyn Clock>,
        limits: Limits,
        drain: CancellationToken,
    ) -> Self {
        Self {
            log,
            clock,
            limits,
            drain,
            presence: DashMap::new(),
        }
    }

    /// Takes an action in: judged against the contract, accepted once per id.
    pub(crate) async fn submit(
        &self,
        caller: &Caller,
        submission: Submission,
    ) -> Result<Submitted, ActionError> {
        let now = self.clock.now();
        let key = caller.principal.key(submission.session.as_str());
        let limits = &self.limits.actions;
        let decide = |session: &Session| -> Result<Decision<_>, ActionError> {
            if let Err(violations) = judge(session, &submission) {
                let observed = observe(caller, now, &violations);
                return Ok(Decision {
                    facts: vec![observed],
                    answer: Err(violations),
                });
            }
            let id = match &submission.id {
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
            let inbox = &session.inbox;
            let waiting = inbox.pending().len();
            if waiting >= limits.pending_max || inbox.pending_bytes() >= limits.pending_bytes_max {
                return Err(ActionError::InboxFull { waiting });
            }
            let action = Action {
                id: accepted.id.clone(),
                intent: submission.value["action"]
                    .as_str()
                    .unwrap_or_default()
                    .into(),
                data: submission.value.get("data").cloned().unwrap_or(Value::Null),
                ui_context: submission.ui_context.clone(),
                fired_at: fired_at(submission.fired_at.as_deref(), now),
            };
            let fact = Fact::by(caller, now, Event::ActionSubmitted(Arc::new(action)));
            Ok(Decision {
                facts: vec![fact],
                answer: Ok(accepted),
            })
        };
        let done = self
            .log
            .transact(&key, &caller.principal, now, &self.limits.sessions, decide)
            .await;
        let (answer, seq) = done.map_err(|error| named(error, &submission.session))?;
        answer
            .map(|accepted| Submitted { seq, ..accepted })
            .map_err(ActionError::Violations)
    }

    /// Whether an agent waits for this session, or just left and is coming back.
    pub(crate) fn is_consumer_present(&self, key: &SessionKey) -> bool {
        let presence = self.presence.get(key).map(|entry| *entry.borrow());
        presence.is_some_and(|presence| presence.waiting > 0 || self.left_recently(presence))
    }

    /// Waits a moment for an agent, as the relay does before it answers (§2.8).
    pub(crate) async fn await_consumer(&self, key: &SessionKey, submitted: &Submitted) -> bool {
        let mut watched = self.watched(key);
        let presence = *watched.borrow();
        let young = self.clock.now().since(submitted.created_at) < FIRST_CONSUMER_WITHIN;
        let expected = self.left_recently(presence) || (presence.left_at.is_none() && young);
        let grace = if expected {
            GRACE_EXPECTED
        } else {
            GRACE_UNEXPECTED
        };
        let waiting = watched.wait_for(|presence| presence.waiting > 0);
        matches!(tokio::time::timeout(grace, waiting).await, Ok(Ok(_)))
    }

    fn left_recently(&self, presence: Presence) -> bool {
        presence
            .left_at
            .is_some_and(|left| self.clock.now().since(left) < CONSUMER_RETURNS_WITHIN)
    }

    fn watched(&self, key: &SessionKey) -> watch::Receiver<Presence> {
        self.presence.entry(key.clone()).or_default().subscribe()
    }

    /// `ggui_consume`: takes what waits, or waits for it. Cancelled by dropping: nothing is
    /// drained before there is someone to hand it to.
    pub(crate) async fn consume(
        &self,
        caller: &Caller,
        params: ConsumeParams,
    ) -> Result<ConsumeResult, ActionError> {
        let key = caller.principal.key(&params.session_id);
        let wait = Duration::from_secs(params.timeout.unwrap_or(0).into());
        let deadline = Instant::now() + wait;
        let (drained, mut seq) = self.drain(caller, &key).await?;
        if !drained.events.is_empty() || wait.is_zero() {
            return Ok(active(drained));
        }
        let _present = Present::enter(self, &key);
        self.tell_polling(caller, &key).await;
        loop {
            let moved = tokio::select! {
                // The drain goes first: a held consume is answered, not served.
                biased;
                () = self.drain.cancelled() => return Ok(active(Drained::default())),
                moved = timeout_at(deadline, self.log.wait(&key, seq, Awaited::Action)) => moved,
            };
            match (moved, self.drain(caller, &key).await) {
                (_, Ok((drained, _))) if !drained.events.is_empty() => return Ok(active(drained)),
                (Err(_), Ok((drained, _))) => return Ok(active(drained)),
                (Ok(_), Ok((_, head))) => seq = head,
                // It ended while the agent waited.
                (_, Err(ActionError::SessionNotFound { .. })) => {
                    return Ok(ConsumeResult {
                        events: Vec::new(),
                        status: SessionStatus::Expired,
                        client: None,
                    });
                }
                (_, Err(error)) => return Err(error),
            }
        }
    }

    /// Takes everything that waits.
    async fn drain(
        &self,
        caller: &Caller,
        key: &SessionKey,
    ) -> Result<(Drained, Seq), ActionError> {
        let now = self.clock.now();
        let decide = |session: &Session| -> Result<Decision<_>, ActionError> {
            let pending = session.inbox.pending();
            let events: Vec<_> = pending
                .iter()
                .map(|action| action.to_event(&key.session))
                .collect();
            let facts = if pending.is_empty() {
                Vec::new()
            } else {
                let ids = pending.iter().map(|action| action.id.clone()).collect();
                vec![Fact::by(caller, now, Event::ActionsDrained(ids))]
            };
            Ok(Decision {
                facts,
                answer: Drained {
                    events,
                    host_context: session.host_context.clone(),
                },
            })
        };
        let done = self
            .log
            .transact(key, &caller.principal, now, &self.limits.sessions, decide)
            .await;
        done.map_err(|error| named(error, &key.session))
    }

    /// Tells those who watch that an agent waits.
    async fn tell_polling(&self, caller: &Caller, key: &SessionKey) {
        let now = self.clock.now();
        let is_news = self.note_told(key, true);
        let decide = |session: &Session| -> Result<Decision<()>, ActionError> {
            let payload = json!({
                "kind": "consume_polling",
                "state": "open",
                "sessionId": key.session.as_str(),
            });
            let channel = LIFECYCLE_CHANNEL.into();
            let emission = session.emission(
                channel,
                StreamMode::Append,
                StreamReplay::Latest,
                payload,
                false,
            );
            let mut facts = vec![Fact::by(caller, now, Event::Emitted(emission))];
            facts.extend(is_news.then(|| presence_fact(now, key, true)));
            Ok(Decision { facts, answer: () })
        };
        // Only a courtesy: the wait itself finds out what has become of the session.
        let _ = self
            .log
            .transact(key, &caller.principal, now, &self.limits.sessions, decide)
            .await;
    }

    /// Notes what those who watch are told; whether it is news to them.
    fn note_told(&self, key: &SessionKey, is_present: bool) -> bool {
        let entry = self.presence.entry(key.clone()).or_default();
        entry.send_if_modified(|presence| {
            let is_news = presence.is_told != is_present;
            presence.is_told = is_present;
            is_news
        })
    }

    /// Tells of agents that did not come back, and forgets those that left long ago.
    pub(crate) async fn sweep(&self) {
        let now = self.clock.now();
        let absent: Vec<_> = self
            .presence
            .iter()
            .filter(|entry| {
                let presence = *entry.value().borrow();
                presence.is_told && presence.waiting == 0 && !self.left_recently(presence)
            })
            .map(|entry| entry.key().clone())
            .collect();
        for key in absent {
            if !self.note_told(&key, false) {
                continue;
            }
            let caller = Caller::server(key.app.clone());
            let decide = |_: &Session| -> Result<Decision<()>, StoreError> {
                Ok(Decision {
                    facts: vec![presence_fact(now, &key, false)],
                    answer: (),
                })
            };
            // A session that is gone has nobody left who watches.
            let _ = self
                .log
                .transact(&key, &caller.principal, now, &self.limits.sessions, decide)
                .await;
        }
        self.presence.retain(|_, presence| {
            let state = *presence.borrow();
            let left = state
                .left_at
                .is_none_or(|left| now.since(left) > PRESENCE_KEPT);
            presence.receiver_count() > 0 || state.waiting > 0 || !left
        });
    }
}

/// What an agent takes away.
#[derive(Default)]
struct Drained {
    events: Vec<ActionEvent>,
    host_context: Option<Arc<HostContext>>,
}

/// Marks an agent as waiting for as long as it lives.
struct Present<'a> {
    actions: &'a Actions,
    key: &'a SessionKey,
}

impl<'a> Present<'a> {
    fn enter(actions: &'a Actions, key: &'a SessionKey) -> Self {
        let entry = actions.presence.entry(key.clone()).or_default();
        entry.send_modify(|presence| presence.waiting += 1);
        Self { actions, key }
    }
}

impl Drop for Present<'_> {
    fn drop(&mut self) {
        let now = self.actions.clock.now();
        if let Some(entry) = self.actions.presence.get(self.key) {
            entry.send_modify(|presence| {
                presence.waiting = presence.waiting.saturating_sub(1);
                presence.left_at = Some(now);
            });
        }
    }
}

/// Prefix of ids minted here; a client may not bring one.
const SERVER_ID_PREFIX: &str = "seq:";

/// Everything that is wrong with a submission.
fn judge(session: &Session, submission: &Submission) -> Result<(), Vec<Violation>> {
    let judged = if submission.value["action"] == AUTH_ACTION {
        check_auth_answer(session, &submission.value["data"])
    } else {
        session.creation.contract.check_action(&submission.value)
    };
    let mut violations = match judged {
        Ok(()) => Vec::new(),
        Err(violations) => violations,
    };
    if let Some(id) = &submission.id
        && (!(CLIENT_ID_BYTES_MIN..=ID_BYTES_MAX).contains(&id.len())
            || id.starts_with(SERVER_ID_PREFIX))
    {
        let message = format!("must have {CLIENT_ID_BYTES_MIN} to {ID_BYTES_MAX} characters");
        violations.push(Violation::new("actionId", message));
    }
    if !(submission.ui_context.is_object() || submission.ui_context.is_null()) {
        violations.push(Violation::new("uiContext", "must be object".to_owned()));
    } else if value_bytes(&submission.ui_context) > UI_CONTEXT_BYTES_MAX {
        let message = format!("must take at most {UI_CONTEXT_BYTES_MAX} bytes");
        violations.push(Violation::new("uiContext", message));
    }
    if violations.is_empty() {
        Ok(())
    } else {
        Err(violations)
    }
}

/// Whether an answer is one to a consent that is waited for; the contract knows nothing of it.
fn check_auth_answer(session: &Session, data: &Value) -> Result<(), Vec<Violation>> {
    let id = data["authRequestId"].as_str().unwrap_or_default();
    let mut violations = Vec::new();
    if !session.auth_requests.iter().any(|open| *open.id == *id) {
        let message = "must name a request for consent that is open";
        violations.push(Violation::new("_ggui:auth.data.authRequestId", message));
    }
    if !matches!(data["outcome"].as_str(), Some("completed" | "cancelled")) {
        let message = "must be completed or cancelled";
        violations.push(Violation::new("_ggui:auth.data.outcome", message));
    }
    if violations.is_empty() {
        Ok(())
    } else {
        Err(violations)
    }
}

/// What those who watch are told of agents.
fn presence_fact(at: Time, key: &SessionKey, is_present: bool) -> Fact {
    let kind = if is_present {
        "consumer-present"
    } else {
        "consumer-absent"
    };
    let caller = Caller::server(key.app.clone());
    Fact::by(&caller, at, Event::Observed(json!({ "kind": kind })))
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

fn active(drained: Drained) -> ConsumeResult {
    ConsumeResult {
        events: drained.events,
        status: SessionStatus::Active,
        client: drained
            .host_context
            .map(|host_context| Client { host_context }),
    }
}

fn named(error: ActionError, session: &SessionId) -> ActionError {
    match error {
        ActionError::Store(StoreError::Missing) => ActionError::SessionNotFound {
            id: session.to_string(),
        },
        error => error,
    }
}

//! How an approval stands: read from the log of the session in which a person is asked.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::super::action::Gesture;
use super::super::card::STATUS;
use super::super::clock::Time;
use super::super::event::{Event, Record};
use super::card::{APPROVE, APPROVE_CHANGED, APPROVE_SESSION, REASON, REJECT, REVOKE};
use super::status::{State, Status};

/// How long a call may take that was begun: longer than any is waited for. What has not come back by
/// then was begun by a process that is gone.
const EXECUTION_MAX: Duration = Duration::from_secs(660);

/// What the log of a card has come to.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// How the approval stands, as it was last written.
    pub(crate) status: Option<Status>,
    /// When that was written.
    since: Time,
    /// When nobody may agree any more.
    expires_at: Time,
    approved: Option<Decision>,
    rejected: Option<Decision>,
}

/// What a person decided.
#[derive(Debug)]
struct Decision {
    at: Time,
    by: Arc<str>,
    reason: Option<String>,
    choice: Choice,
}

/// What a person agrees to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Choice {
    /// The call, with what they have changed of it.
    Changed(Value),
    /// The call as it was asked.
    Once,
    /// The call, and further ones of its tool.
    Session,
}

/// What a person does on a card who agrees to the call as it was asked.
pub(crate) fn approving(at: Time) -> Gesture {
    Gesture {
        value: json!({ "action": APPROVE, "data": null }),
        ui_context: Value::Null,
        fired_at: at.to_string(),
    }
}

impl Reading {
    /// What is left of a card that is gone.
    pub(crate) fn gone() -> Self {
        Self {
            status: Some(Status::of(State::Expired)),
            ..Self::default()
        }
    }

    /// Reads a log, oldest first.
    pub(crate) fn of<'a>(records: impl Iterator<Item = &'a Record>) -> Self {
        let mut reading = Self::default();
        for record in records {
            let fact = &record.fact;
            match &fact.event {
                Event::Created(creation) => {
                    let props = creation.props.as_deref();
                    let expires = props.and_then(|props| props["expiresAt"].as_str());
                    let expires = expires.and_then(|text| text.parse::<jiff::Timestamp>().ok());
                    let expires = expires.map(jiff::Timestamp::as_millisecond);
                    let expires = expires.and_then(|expires| u64::try_from(expires).ok());
                    // One that does not say when it ends has ended.
                    reading.expires_at = Time(expires.unwrap_or_default());
                }
                Event::ActionSubmitted(action) => {
                    reading.decided(&action.gesture, fact.at, &fact.principal);
                }
                Event::Emitted(emission) if *emission.channel == *STATUS => {
                    if let Ok(status) = serde_json::from_value::<Status>(emission.payload.clone()) {
                        // Asked again: what was agreed to before could not be done.
                        if status.state == State::Pending {
                            reading.approved = None;
                        }
                        reading.status = Some(status);
                        reading.since = fact.at;
                    }
                }
                _ => {}
            }
        }
        reading
    }

    fn decided(&mut self, gesture: &Gesture, at: Time, by: &Arc<str>) {
        let reason = gesture.data()[REASON].as_str();
        let reason = reason.filter(|reason| !reason.trim().is_empty());
        let (place, choice) = match gesture.intent() {
            APPROVE => (&mut self.approved, Choice::Once),
            APPROVE_CHANGED => (&mut self.approved, Choice::Changed(gesture.data().clone())),
            APPROVE_SESSION => (&mut self.approved, Choice::Session),
            REJECT | REVOKE => (&mut self.rejected, Choice::Once),
            _ => return,
        };
        place.get_or_insert(Decision {
            at,
            by: Arc::clone(by),
            reason: reason.map(str::to_owned),
            choice,
        });
    }

    /// How the approval stands.
    pub(crate) fn state(&self) -> State {
        self.status
            .as_ref()
            .map_or(State::Pending, |status| status.state)
    }

    /// What a person has agreed to, and who.
    pub(crate) fn agreed(&self) -> Option<(&Choice, &Arc<str>)> {
        let approved = self.approved.as_ref()?;
        Some((&approved.choice, &approved.by))
    }

    /// What has to be written of it by now. Of a yes and a no at once the no counts, until the call
    /// has begun.
    pub(crate) fn due(&self, now: Time, valid_for: Duration) -> Option<Status> {
        let is_open = match self.state() {
            State::Pending => true,
            State::Approved => false,
            State::Granted => {
                let revoked = self.rejected.as_ref().map(|no| Status {
                    by: Some(Arc::clone(&no.by)),
                    ..Status::of(State::Revoked)
                });
                let is_over = now >= self.expires_at;
                return revoked.or_else(|| is_over.then(|| Status::of(State::Expired)));
            }
            State::Executing => {
                let is_lost = now >= self.since.plus(EXECUTION_MAX);
                return is_lost.then(|| Status::of(State::Unknown));
            }
            _ => return None,
        };
        let in_time = |decision: &&Decision| decision.at < self.expires_at || !is_open;
        if let Some(no) = self.rejected.as_ref().filter(in_time) {
            return Some(Status {
                by: Some(Arc::clone(&no.by)),
                note: no.reason.clone(),
                ..Status::of(State::Rejected)
            });
        }
        if let Some(yes) = self.approved.as_ref().filter(in_time).filter(|_| is_open) {
            return Some(Status {
                by: Some(Arc::clone(&yes.by)),
                ..Status::of(State::Approved)
            });
        }
        (now >= self.ends(valid_for)).then(|| Status::of(State::Expired))
    }

    /// When it expires as it stands.
    pub(crate) fn ends(&self, valid_for: Duration) -> Time {
        match (self.state(), &self.approved) {
            (State::Approved, Some(yes)) => yes.at.plus(valid_for),
            (State::Approved, None) => self.since.plus(valid_for),
            (State::Executing, _) => self.since.plus(EXECUTION_MAX),
            _ => self.expires_at,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::super::action::Action;
    use super::super::super::document::DocumentHash;
    use super::super::super::event::{Creation, Emission, Fact};
    use super::super::super::principal::Door;
    use super::super::status::Subject;
    use super::*;
    use crate::wire::contract::{StreamMode, StreamReplay};
    use crate::wire::ids::{Seq, ShortCode};
    use crate::wire::tools::Variance;

    const VALID: Duration = Duration::from_secs(300);

    fn at(second: u64, event: Event) -> Record {
        let fact = Fact {
            at: Time(second * 1_000),
            principal: "ida".into(),
            door: Door::Socket,
            attempt: None,
            event,
        };
        Record::new(Seq(second), 0, fact)
    }

    fn born(expires: &str) -> Record {
        let creation = Creation {
            owner: "server".into(),
            intent: "i".into(),
            contract: DocumentHash::of(""),
            variance: Variance::default(),
            view: DocumentHash::of(""),
            props: Some(Arc::new(json!({ "expiresAt": expires }))),
            theme: None,
            host: None,
            short_code: ShortCode::from("c"),
            is_reused: false,
        };
        at(0, Event::Created(Arc::new(creation)))
    }

    fn click(second: u64, action: &str, data: Value) -> Record {
        let gesture = Gesture {
            value: json!({"action": action, "data": data}),
            ui_context: Value::Null,
            fired_at: String::new(),
        };
        let action = Action {
            id: "gesture-1".into(),
            gesture: Arc::new(gesture),
        };
        at(second, Event::ActionSubmitted(Arc::new(action)))
    }

    fn said(second: u64, state: State) -> Record {
        let emission = Emission {
            channel: STATUS.into(),
            mode: StreamMode::Replace,
            payload: Status::of(state).payload(Subject::Call, None),
            complete: false,
            stream_seq: 1,
            replay: StreamReplay::Latest,
        };
        at(second, Event::Emitted(emission))
    }

    fn due(log: &[Record], second: u64) -> Option<State> {
        let due = Reading::of(log.iter()).due(Time(second * 1_000), VALID);
        due.map(|status| status.state)
    }

    #[test]
    fn a_decision_in_time_counts_and_silence_expires() {
        let born = || born("1970-01-01T00:01:40Z");
        assert_eq!(due(&[born()], 99), None);
        assert_eq!(due(&[born()], 100), Some(State::Expired));
        let yes = click(50, APPROVE, Value::Null);
        assert_eq!(due(&[born(), yes], 200), Some(State::Approved));
        let late = click(100, APPROVE, Value::Null);
        assert_eq!(due(&[born(), late], 100), Some(State::Expired));
        let reason = json!({"reason": "no\u{202e}"});
        let log = [born(), click(50, REJECT, reason)];
        let no = Reading::of(log.iter()).due(Time(60_000), VALID).unwrap();
        assert_eq!((no.state, no.by.as_deref()), (State::Rejected, Some("ida")));
        assert!(
            no.payload(Subject::Call, None)["message"]
                .as_str()
                .unwrap()
                .ends_with("no\\u{202e}")
        );
        // One that does not say when it ends has ended.
        assert_eq!(due(&[], 1), Some(State::Expired));
    }

    #[test]
    fn a_no_wins_over_a_yes_until_the_call_has_begun() {
        let log = |state| {
            vec![
                born("1970-01-01T00:01:40Z"),
                click(10, APPROVE, Value::Null),
                said(11, state),
                click(12, REJECT, json!({})),
            ]
        };
        assert_eq!(due(&log(State::Pending), 13), Some(State::Rejected));
        assert_eq!(due(&log(State::Approved), 13), Some(State::Rejected));
        assert_eq!(due(&log(State::Executing), 600), None);
        assert_eq!(due(&log(State::Executing), 671), Some(State::Unknown));
        for begun in [State::Done, State::Failed, State::Unknown] {
            assert_eq!(due(&log(begun), 10_000), None);
        }
    }

    #[test]
    fn a_yes_is_good_for_a_while_after_it_was_said() {
        let log = [
            born("1970-01-01T00:01:40Z"),
            click(90, APPROVE, Value::Null),
            said(95, State::Approved),
        ];
        assert_eq!(due(&log, 389), None);
        assert_eq!(due(&log, 390), Some(State::Expired));
    }
}

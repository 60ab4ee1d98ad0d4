//! What a card says of what it asks, one word after the other.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::grant::SINCE;
use super::redaction::visible;
use super::tool_change::NOW;

/// The name of those of whom nothing is known but that they had the card before them.
const VIEWER: &str = "viewer";

/// How an approval stands. A person reads it on the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// A person has agreed: the call is made when its caller is there.
    Approved,
    /// What was approved was done, and succeeded.
    Done,
    /// The call is being made.
    Executing,
    /// Nobody decided in time, or the caller did not come back in time.
    Expired,
    /// What was approved was done, and failed.
    Failed,
    /// A person has agreed to further calls.
    Granted,
    /// Nobody has decided.
    Pending,
    /// A person has refused.
    Rejected,
    /// A person has taken back what they had agreed to.
    Revoked,
    /// The call was begun; nobody knows what came of it.
    Unknown,
    /// The rules or the tool have changed since: a person has to be asked anew.
    Withdrawn,
}

impl State {
    /// Whether nothing comes after it.
    pub(crate) fn is_final(self) -> bool {
        let is_open = matches!(self, Self::Approved | Self::Executing | Self::Granted);
        !is_open && self != Self::Pending
    }

    /// The mood in which it is shown.
    fn tone(self) -> &'static str {
        match self {
            Self::Approved | Self::Executing | Self::Granted | Self::Pending => "info",
            Self::Done => "good",
            Self::Failed => "bad",
            Self::Unknown => "warn",
            Self::Expired | Self::Rejected | Self::Revoked | Self::Withdrawn => "neutral",
        }
    }
}

/// What a card asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A call.
    Call,
    /// A tool that is not what was accepted.
    Change,
    /// Further calls that a person has agreed to.
    Grant,
}

impl Subject {
    /// What a card with these props asks about.
    pub(crate) fn of(props: Option<&Value>) -> Self {
        let has = |name: &str| props.is_some_and(|props| props.get(name).is_some());
        if has(NOW) {
            Self::Change
        } else if has(SINCE) {
            Self::Grant
        } else {
            Self::Call
        }
    }

    /// How it stands, in words for the person who decides.
    fn words(self, state: State, by: &str) -> String {
        let is_call = self == Self::Call;
        match state {
            State::Approved if is_call => {
                format!("Approved{by}. The call is made as soon as the agent asks for it again.")
            }
            State::Approved => format!("Accepted{by}. It can be used in a moment."),
            State::Done if is_call => format!("Approved{by}, and done."),
            State::Done => format!("Accepted{by}. It can be used now."),
            State::Executing => format!("Approved{by}. The call is being made now."),
            State::Expired if self == Self::Grant => {
                "The time is over: each further call is asked about.".to_owned()
            }
            State::Granted => format!("Allowed{by}: these calls are made without asking."),
            State::Revoked => format!("Stopped{by}: each further call is asked about."),
            State::Expired if is_call => "Too late: nothing was done.".to_owned(),
            State::Expired => "Nobody decided in time: it stays hidden.".to_owned(),
            State::Failed if is_call => format!("Approved{by}, but it failed."),
            State::Failed => format!("Accepted{by}, but that could not be kept."),
            State::Pending => "Waiting for a decision.".to_owned(),
            State::Rejected if is_call => format!("Rejected{by}: nothing was done."),
            State::Rejected => format!("Rejected{by}: it stays hidden."),
            State::Unknown => {
                format!("Approved{by} and begun, but nobody knows what came of it.")
            }
            State::Withdrawn if self == Self::Grant => {
                "The rules have changed meanwhile: each further call is asked about.".to_owned()
            }
            State::Withdrawn if is_call => {
                "The rules or the tool have changed meanwhile: nothing was done.".to_owned()
            }
            State::Withdrawn => {
                "It is no longer as it is shown here: nothing was accepted.".to_owned()
            }
        }
    }
}

/// What a card says of what it asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Status {
    /// How it stands.
    pub(crate) state: State,
    /// Who decided.
    pub(crate) by: Option<Arc<str>>,
    /// Words beside it: of the person who refused, or of what failed.
    pub(crate) note: Option<String>,
}

impl Status {
    /// A state that nobody brought about.
    pub(crate) fn of(state: State) -> Self {
        Self {
            state,
            by: None,
            note: None,
        }
    }

    /// The same with words beside it.
    pub(crate) fn noting(self, note: impl Into<String>) -> Self {
        Self {
            note: Some(note.into()),
            ..self
        }
    }

    /// As the card of a subject is told it, after a payload that named whoever decided.
    pub(crate) fn payload(&self, subject: Subject, before: Option<&Value>) -> Value {
        let decided = before.and_then(|before| before["by"].as_str());
        let by = self.by.as_deref().or(decided);
        let name = by.filter(|by| *by != VIEWER);
        let name = name.map_or(String::new(), |name| format!(" by {}", visible(name)));
        let mut message = subject.words(self.state, &name);
        if let Some(note) = &self.note {
            message = format!("{message} {}", visible(note));
        }
        let choices = match self.state {
            State::Granted | State::Pending => json!([{ "id": "decision" }]),
            _ => json!([]),
        };
        json!({
            "state": self.state,
            "message": message,
            "tone": self.state.tone(),
            "choices": choices,
            "by": by,
            "note": self.note,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_decided_stays_on_the_card_and_nobody_is_made_up() {
        let approved = Status {
            by: Some("key-1".into()),
            ..Status::of(State::Approved)
        };
        let first = approved.payload(Subject::Call, None);
        let done = Status::of(State::Done).payload(Subject::Call, Some(&first));
        assert_eq!(done["message"], "Approved by key-1, and done.");
        assert_eq!(done["by"], "key-1");
        let nobody = Status {
            by: Some(VIEWER.into()),
            ..Status::of(State::Rejected)
        };
        let said = nobody.noting("no\u{202e}").payload(Subject::Call, None);
        assert_eq!(said["message"], "Rejected: nothing was done. no\\u{202e}");
        assert_eq!(said["by"], VIEWER);
    }

    #[test]
    fn answers_are_there_as_long_as_nobody_has_given_one() {
        let states = [
            State::Approved,
            State::Done,
            State::Executing,
            State::Expired,
            State::Failed,
            State::Granted,
            State::Pending,
            State::Rejected,
            State::Revoked,
            State::Unknown,
            State::Withdrawn,
        ];
        for subject in [Subject::Call, Subject::Change, Subject::Grant] {
            for state in states {
                let said = Status::of(state).payload(subject, None);
                let choices = said["choices"].as_array().unwrap();
                let is_open = matches!(state, State::Granted | State::Pending);
                assert_eq!(choices.len() == 1, is_open, "{said}");
            }
        }
    }
}

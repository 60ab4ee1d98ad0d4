//! What people do: a gesture that fits the contract, as the agent will get it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::clock::Time;
use super::size::value_bytes;
use crate::wire::ids::{ActionId, SessionId};
use crate::wire::tools::ActionEvent;

/// Shortest id a client may bring: shorter ones collide.
pub(crate) const CLIENT_ID_BYTES_MIN: usize = 8;

/// What a person did, as their browser tells it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Gesture {
    /// `{action, data}`, judged against the contract.
    pub(crate) value: Value,
    /// Context slots at that moment.
    pub(crate) ui_context: Value,
    /// When, as the client said, or when it arrived.
    pub(crate) fired_at: String,
}

impl Gesture {
    /// Name in `actionSpec`.
    pub(crate) fn intent(&self) -> &str {
        self.value["action"].as_str().unwrap_or_default()
    }

    /// What the person gave.
    pub(crate) fn data(&self) -> &Value {
        &self.value["data"]
    }
}

/// One gesture that fits the contract.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Action {
    /// Accepted once.
    pub(crate) id: ActionId,
    /// As it came, and as the agent will get it.
    pub(crate) gesture: Arc<Gesture>,
}

/// Name of the action that answers a request for consent.
pub(crate) const AUTH_ACTION: &str = "_ggui:auth";

impl Action {
    /// The request for consent it answers, if it does.
    pub(crate) fn answers_auth(&self) -> Option<&str> {
        (self.gesture.intent() == AUTH_ACTION)
            .then(|| self.gesture.data()["authRequestId"].as_str())
            .flatten()
    }

    /// Bytes its content takes.
    pub(crate) fn bytes(&self) -> usize {
        value_bytes(&self.gesture.value) + value_bytes(&self.gesture.ui_context)
    }

    /// The row `ggui_consume` delivers (tools.md §6.1).
    pub(crate) fn to_event(&self, session: &SessionId, redelivered: bool) -> ActionEvent {
        ActionEvent {
            kind: "action".to_owned(),
            session_id: session.to_string(),
            intent: self.gesture.intent().to_owned(),
            action_data: self.gesture.data().clone(),
            ui_context: self.gesture.ui_context.clone(),
            action_id: self.id.to_string(),
            fired_at: self.gesture.fired_at.clone(),
            redelivered,
        }
    }
}

/// When an action says it was fired: the client's words if they are a time, else its arrival.
pub(crate) fn fired_at(claimed: Option<String>, now: Time) -> String {
    claimed
        .filter(|text| text.parse::<jiff::Timestamp>().is_ok())
        .unwrap_or_else(|| now.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claimed_time_that_is_none_becomes_the_arrival() {
        let now = Time(1_787_500_000_000);
        let at = |claimed: &str| fired_at(Some(claimed.to_owned()), now);
        assert_eq!(at("yesterday"), "2026-08-23T15:46:40.000Z");
        assert_eq!(at("2026-01-02T03:04:05Z"), "2026-01-02T03:04:05Z");
    }
}

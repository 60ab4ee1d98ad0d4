//! The inbox of a session: each action is accepted once and drained once.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value;

use super::clock::Time;
use super::size::value_bytes;
use crate::wire::ids::{ActionId, SessionId};
use crate::wire::tools::ActionEvent;

/// Ids an inbox remembers to recognise a gesture that was sent twice.
///
/// A relay retries within seconds; four thousand gestures are more than an hour of clicking.
const REMEMBERED_IDS_MAX: usize = 4_096;

/// Shortest id a client may bring: shorter ones collide.
pub(crate) const CLIENT_ID_BYTES_MIN: usize = 8;

/// What a person did, as their browser tells it.
#[derive(Debug)]
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
#[derive(Debug, Clone)]
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
    pub(crate) fn to_event(&self, session: &SessionId) -> ActionEvent {
        ActionEvent {
            kind: "action".to_owned(),
            session_id: session.to_string(),
            intent: self.gesture.intent().to_owned(),
            action_data: self.gesture.data().clone(),
            ui_context: self.gesture.ui_context.clone(),
            action_id: self.id.to_string(),
            fired_at: self.gesture.fired_at.clone(),
        }
    }
}

/// When an action says it was fired: the client's words if they are a time, else its arrival.
pub(crate) fn fired_at(claimed: Option<String>, now: Time) -> String {
    claimed
        .filter(|text| text.parse::<jiff::Timestamp>().is_ok())
        .unwrap_or_else(|| now.to_string())
}

/// Actions that wait for the agent, and the ids that were seen.
///
/// All snapshots of a session share one inbox, so that no commit copies it. Who decides on it
/// commits at the position of its snapshot: an inbox that has moved on since makes that commit a
/// conflict, and the decision is made anew.
#[derive(Debug, Clone, Default)]
pub(crate) struct Inbox(Arc<Mutex<Tray>>);

#[derive(Debug, Default)]
struct Tray {
    pending: VecDeque<Arc<Action>>,
    pending_bytes: usize,
    /// Ids that were accepted, oldest first, and the same for looking up.
    order: VecDeque<ActionId>,
    seen: HashSet<ActionId>,
}

impl Inbox {
    /// Whether this gesture was accepted before, drained or not.
    pub(crate) fn has_seen(&self, id: &ActionId) -> bool {
        self.0.lock().seen.contains(id)
    }

    /// Actions that wait, oldest first.
    pub(crate) fn pending(&self) -> Vec<Arc<Action>> {
        self.0.lock().pending.iter().cloned().collect()
    }

    /// How many actions wait, and their bytes.
    pub(crate) fn waiting(&self) -> (usize, usize) {
        let tray = self.0.lock();
        (tray.pending.len(), tray.pending_bytes)
    }

    /// Takes one in.
    pub(crate) fn accept(&self, action: Arc<Action>) {
        let mut tray = self.0.lock();
        if tray.order.len() == REMEMBERED_IDS_MAX
            && let Some(oldest) = tray.order.pop_front()
        {
            tray.seen.remove(&oldest);
        }
        tray.order.push_back(action.id.clone());
        tray.seen.insert(action.id.clone());
        tray.pending_bytes += action.bytes();
        tray.pending.push_back(action);
    }

    /// Forgets the first `count` that waited: the agent has them.
    pub(crate) fn drain(&self, count: usize) {
        let mut tray = self.0.lock();
        let count = count.min(tray.pending.len());
        let drained: Vec<_> = tray.pending.drain(..count).collect();
        tray.pending_bytes -= drained.iter().map(|action| action.bytes()).sum::<usize>();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn action(id: &str) -> Arc<Action> {
        Arc::new(Action {
            id: id.into(),
            gesture: Arc::new(Gesture {
                value: json!({"action": "go"}),
                ui_context: Value::Null,
                fired_at: "2026-08-23T15:46:40.000Z".to_owned(),
            }),
        })
    }

    #[test]
    fn a_drained_action_is_still_known() {
        let inbox = Inbox::default();
        inbox.accept(action("gesture-1"));
        inbox.drain(1);
        assert!(inbox.pending().is_empty());
        assert_eq!(inbox.waiting(), (0, 0));
        assert!(inbox.has_seen(&"gesture-1".into()));
    }

    #[test]
    fn the_memory_for_ids_is_bounded_and_forgets_the_oldest() {
        let inbox = Inbox::default();
        for number in 0..=REMEMBERED_IDS_MAX {
            inbox.accept(action(&format!("gesture-{number}")));
            inbox.drain(1);
        }
        assert!(!inbox.has_seen(&"gesture-0".into()));
        assert!(inbox.has_seen(&"gesture-1".into()));
        let tray = inbox.0.lock();
        assert_eq!(
            (tray.seen.len(), tray.order.len()),
            (REMEMBERED_IDS_MAX, REMEMBERED_IDS_MAX)
        );
    }

    #[test]
    fn a_claimed_time_that_is_none_becomes_the_arrival() {
        let now = Time(1_787_500_000_000);
        let at = |claimed: &str| fired_at(Some(claimed.to_owned()), now);
        assert_eq!(at("yesterday"), "2026-08-23T15:46:40.000Z");
        assert_eq!(at("2026-01-02T03:04:05Z"), "2026-01-02T03:04:05Z");
    }
}

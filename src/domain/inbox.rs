//! The inbox of a session: each action is accepted once, and delivered once or until it is confirmed.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::action::Action;
use super::action_queue::{Queue, Seen};
use super::limits::ActionLimits;
use crate::wire::ids::ActionId;

/// Actions that wait for the agent, those it may have missed, and the ids that were seen: a value,
/// which copies share until one of them is changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Inbox(Arc<Tray>);

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Tray {
    /// Delivered, and not known to have arrived, oldest first.
    delivered: Queue,
    /// The last one that left `delivered`.
    settled: Option<ActionId>,
    /// Never delivered, oldest first.
    pending: Queue,
    /// What was accepted.
    seen: Seen,
}

/// What one call of an agent is given, and what it brings about.
#[derive(Debug, Default)]
pub(crate) struct Handout {
    /// Delivered by an earlier call, and not confirmed by this one.
    pub(crate) again: Vec<Arc<Action>>,
    /// Never delivered before.
    pub(crate) fresh: Vec<Arc<Action>>,
    /// The oldest delivered ones, which are delivered no more: they are confirmed, or there is no
    /// room to keep them.
    pub(crate) settled: Vec<ActionId>,
}

/// No event of this name was delivered, or it was so long ago that nobody remembers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NeverDelivered;

impl Inbox {
    /// Whether this gesture was accepted before, drained or not.
    pub(crate) fn has_seen(&self, id: &ActionId) -> bool {
        self.0.seen.ids.contains(id)
    }

    /// How many actions wait, and their bytes.
    pub(crate) fn waiting(&self) -> (usize, usize) {
        (self.0.pending.actions.len(), self.0.pending.bytes)
    }

    /// What a call would be given. One that says what arrived (`after`; nothing where it is empty)
    /// confirms all up to there and gets the rest again; as many are kept for that as may wait.
    pub(crate) fn hand_out(
        &self,
        after: Option<&str>,
        limits: &ActionLimits,
    ) -> Result<Handout, NeverDelivered> {
        let tray = &self.0;
        let confirmed = match after {
            None | Some("") => 0,
            Some(id) => tray.confirmed_by(id)?,
        };
        let again: Vec<_> = match after {
            None => Vec::new(),
            Some(_) => tray
                .delivered
                .actions
                .iter()
                .skip(confirmed)
                .cloned()
                .collect(),
        };
        let fresh: Vec<_> = tray.pending.actions.iter().cloned().collect();
        let (mut count, mut bytes) = (
            tray.delivered.actions.len() + fresh.len(),
            tray.delivered.bytes + tray.pending.bytes,
        );
        let settled = tray.delivered.actions.iter().chain(&fresh).enumerate();
        let settled = settled.map_while(|(at, action)| {
            let leaves =
                at < confirmed || count > limits.pending_max || bytes > limits.pending_bytes_max;
            count -= 1;
            bytes -= action.bytes();
            leaves.then(|| action.id.clone())
        });
        Ok(Handout {
            settled: settled.collect(),
            again,
            fresh,
        })
    }

    /// What a call was given whose answer was lost: so many actions, of which the last has this id, and
    /// before them what it had not confirmed. Those that were confirmed since are not among them.
    pub(crate) fn hand_out_again(
        &self,
        after: Option<&str>,
        count: usize,
        last: &ActionId,
    ) -> Vec<Arc<Action>> {
        let delivered = &self.0.delivered.actions;
        let Some(at) = delivered.iter().rposition(|action| action.id == *last) else {
            return Vec::new();
        };
        let confirmed = after.map(|after| self.0.confirmed_by(after).unwrap_or(0));
        let first = confirmed.unwrap_or((at + 1).saturating_sub(count));
        let given = delivered.iter().take(at + 1).skip(first);
        given.cloned().collect()
    }

    /// Takes one in.
    pub(crate) fn accept(&mut self, action: Arc<Action>) {
        let tray = Arc::make_mut(&mut self.0);
        tray.seen.add(&action.id);
        tray.pending.push(action);
    }

    /// The first `count` that waited are delivered.
    pub(crate) fn drain(&mut self, count: usize) {
        let tray = Arc::make_mut(&mut self.0);
        for _ in 0..count {
            if let Some(action) = tray.pending.pop() {
                tray.delivered.push(action);
            }
        }
    }

    /// The first `count` that were delivered are not delivered again.
    pub(crate) fn settle(&mut self, count: usize) {
        let tray = Arc::make_mut(&mut self.0);
        for _ in 0..count {
            if let Some(action) = tray.delivered.pop() {
                tray.settled = Some(action.id.clone());
            }
        }
    }
}

impl Tray {
    /// How many delivered actions are confirmed by naming the last that arrived.
    fn confirmed_by(&self, id: &str) -> Result<usize, NeverDelivered> {
        let is_it = |action: &Arc<Action>| action.id.as_str() == id;
        if let Some(at) = self.delivered.actions.iter().rposition(is_it) {
            return Ok(at + 1);
        }
        let id = ActionId::from(id);
        let was_delivered = self.settled.as_ref() == Some(&id)
            || self.seen.ids.contains(&id)
                && !self.pending.actions.iter().any(|action| action.id == id);
        if was_delivered {
            Ok(0)
        } else {
            Err(NeverDelivered)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::action::Gesture;
    use super::super::action_queue::REMEMBERED_IDS_MAX;
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

    fn ids(actions: &[Arc<Action>]) -> Vec<String> {
        actions.iter().map(|action| action.id.to_string()).collect()
    }

    /// One call as the use case makes it.
    fn call(
        inbox: &mut Inbox,
        after: Option<&str>,
        limits: &ActionLimits,
    ) -> Result<(Vec<String>, Vec<String>), NeverDelivered> {
        let given = inbox.hand_out(after, limits)?;
        inbox.drain(given.fresh.len());
        inbox.settle(given.settled.len());
        Ok((ids(&given.again), ids(&given.fresh)))
    }

    #[test]
    fn a_drained_action_is_still_known() {
        let mut inbox = Inbox::default();
        inbox.accept(action("gesture-1"));
        call(&mut inbox, None, &ActionLimits::default()).unwrap();
        assert_eq!(inbox.waiting(), (0, 0));
        assert!(inbox.has_seen(&"gesture-1".into()));
    }

    #[test]
    fn an_inbox_is_read_as_it_was_written_and_copies_go_their_own_ways() {
        let (mut inbox, limits) = (Inbox::default(), ActionLimits::default());
        for id in ["gesture-1", "gesture-2", "gesture-3"] {
            inbox.accept(action(id));
        }
        call(&mut inbox, Some(""), &limits).unwrap();
        let before = inbox.clone();
        inbox.accept(action("gesture-4"));
        call(&mut inbox, Some("gesture-2"), &limits).unwrap();
        assert_eq!((before.waiting().0, inbox.waiting().0), (0, 0));
        assert!(inbox.has_seen(&"gesture-4".into()) && !before.has_seen(&"gesture-4".into()));
        for value in [before, inbox] {
            let text = serde_json::to_string(&value).unwrap();
            assert_eq!(serde_json::from_str::<Inbox>(&text).unwrap(), value);
        }
    }

    #[test]
    fn the_memory_for_ids_is_bounded_and_forgets_the_oldest() {
        let mut inbox = Inbox::default();
        for number in 0..=REMEMBERED_IDS_MAX {
            inbox.accept(action(&format!("gesture-{number}")));
        }
        assert!(!inbox.has_seen(&"gesture-0".into()));
        assert!(inbox.has_seen(&"gesture-1".into()));
        let seen = &inbox.0.seen;
        assert_eq!(
            (seen.ids.len(), seen.order.len()),
            (REMEMBERED_IDS_MAX, REMEMBERED_IDS_MAX)
        );
    }

    #[test]
    fn only_what_was_delivered_can_be_confirmed_and_again_and_again() {
        let (mut inbox, limits) = (Inbox::default(), ActionLimits::default());
        for id in ["gesture-1", "gesture-2", "gesture-3"] {
            inbox.accept(action(id));
        }
        assert_eq!(
            call(&mut inbox, Some("gesture-1"), &limits),
            Err(NeverDelivered)
        );
        assert_eq!(
            call(&mut inbox, Some("nobody"), &limits),
            Err(NeverDelivered)
        );
        call(&mut inbox, Some(""), &limits).unwrap();
        for _ in 0..2 {
            let (again, fresh) = call(&mut inbox, Some("gesture-2"), &limits).unwrap();
            assert_eq!((again, fresh), (vec!["gesture-3".to_owned()], vec![]));
        }
        // What is confirmed stays so.
        let (again, _) = call(&mut inbox, Some("gesture-1"), &limits).unwrap();
        assert_eq!(again, ["gesture-3"]);
    }

    #[test]
    fn as_many_are_kept_for_a_second_delivery_as_may_wait() {
        let mut inbox = Inbox::default();
        let by_count = ActionLimits {
            pending_max: 2,
            ..ActionLimits::default()
        };
        for id in ["gesture-1", "gesture-2", "gesture-3"] {
            inbox.accept(action(id));
            assert_eq!(call(&mut inbox, None, &by_count).unwrap().1, [id]);
        }
        let (again, _) = call(&mut inbox, Some(""), &by_count).unwrap();
        assert_eq!(again, ["gesture-2", "gesture-3"]);
        let by_bytes = ActionLimits {
            pending_bytes_max: action("gesture-3").bytes(),
            ..ActionLimits::default()
        };
        call(&mut inbox, None, &by_bytes).unwrap();
        let (again, _) = call(&mut inbox, Some(""), &by_bytes).unwrap();
        assert_eq!(again, ["gesture-3"]);
    }

    /// What happens to an inbox.
    #[derive(Debug, Clone)]
    enum Step {
        /// A person clicks.
        Click,
        /// An agent calls; its answer may get lost.
        Call { is_lost: bool },
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let call = any::<bool>().prop_map(|is_lost| Step::Call { is_lost });
        prop::collection::vec(prop_oneof![Just(Step::Click), call], 0..60)
    }

    proptest! {
        #[test]
        fn an_agent_that_confirms_handles_each_action_once_whatever_answers_are_lost(steps in steps()) {
            let (mut inbox, limits) = (Inbox::default(), ActionLimits::default());
            let (mut clicked, mut handled, mut first_given) = (Vec::new(), Vec::new(), Vec::new());
            for step in steps.into_iter().chain([Step::Call { is_lost: false }]) {
                match step {
                    Step::Click => {
                        let id = format!("gesture-{}", clicked.len());
                        inbox.accept(action(&id));
                        clicked.push(id);
                    }
                    Step::Call { is_lost } => {
                        let last = handled.last().map_or("", String::as_str);
                        let (again, fresh) = call(&mut inbox, Some(last), &limits).unwrap();
                        // Marked is what some call was given before, lost or not, and only that.
                        prop_assert!(again.iter().all(|id| first_given.contains(id)));
                        first_given.extend(fresh.iter().cloned());
                        if !is_lost {
                            handled.extend(again.into_iter().chain(fresh));
                        }
                    }
                }
            }
            prop_assert_eq!(&handled, &clicked);
            prop_assert_eq!(&first_given, &clicked);
        }

        #[test]
        fn an_agent_that_never_confirms_is_given_each_action_once_and_in_order(steps in steps()) {
            let (mut inbox, limits) = (Inbox::default(), ActionLimits::default());
            let (mut clicked, mut given) = (0, Vec::new());
            for step in steps.into_iter().chain([Step::Call { is_lost: false }]) {
                match step {
                    Step::Click => {
                        inbox.accept(action(&format!("gesture-{clicked}")));
                        clicked += 1;
                    }
                    Step::Call { .. } => {
                        let (again, fresh) = call(&mut inbox, None, &limits).unwrap();
                        prop_assert!(again.is_empty());
                        given.extend(fresh);
                    }
                }
            }
            let all: Vec<_> = (0..clicked).map(|number| format!("gesture-{number}")).collect();
            prop_assert_eq!(given, all);
        }
    }
}

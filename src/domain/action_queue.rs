//! Actions in their order, and the ids of those that were accepted.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::action::Action;
use crate::wire::ids::ActionId;

/// Ids an inbox remembers to recognise a gesture that was sent twice.
///
/// A relay retries within seconds; four thousand gestures are more than an hour of clicking.
pub(super) const REMEMBERED_IDS_MAX: usize = 4_096;

/// Actions in their order, and their bytes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "VecDeque<Arc<Action>>", into = "VecDeque<Arc<Action>>")]
pub(super) struct Queue {
    pub(super) actions: VecDeque<Arc<Action>>,
    pub(super) bytes: usize,
}

impl From<VecDeque<Arc<Action>>> for Queue {
    fn from(actions: VecDeque<Arc<Action>>) -> Self {
        let bytes = actions.iter().map(|action| action.bytes()).sum();
        Self { actions, bytes }
    }
}

impl From<Queue> for VecDeque<Arc<Action>> {
    fn from(queue: Queue) -> Self {
        queue.actions
    }
}

impl Queue {
    pub(super) fn push(&mut self, action: Arc<Action>) {
        self.bytes += action.bytes();
        self.actions.push_back(action);
    }

    pub(super) fn pop(&mut self) -> Option<Arc<Action>> {
        let action = self.actions.pop_front()?;
        self.bytes -= action.bytes();
        Some(action)
    }
}

/// Ids that were accepted, in their order and for looking up; of too many the oldest is forgotten.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "VecDeque<ActionId>", into = "VecDeque<ActionId>")]
pub(super) struct Seen {
    pub(super) order: VecDeque<ActionId>,
    pub(super) ids: HashSet<ActionId>,
}

impl From<VecDeque<ActionId>> for Seen {
    fn from(order: VecDeque<ActionId>) -> Self {
        let ids = order.iter().cloned().collect();
        Self { order, ids }
    }
}

impl From<Seen> for VecDeque<ActionId> {
    fn from(seen: Seen) -> Self {
        seen.order
    }
}

impl Seen {
    pub(super) fn add(&mut self, id: &ActionId) {
        if self.order.len() == REMEMBERED_IDS_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
        self.order.push_back(id.clone());
        self.ids.insert(id.clone());
    }
}

//! What people were shown of the calls that they approved last, for the next card of the same kind.

use indexmap::IndexMap;
use parking_lot::Mutex;

use crate::domain::gate::{Binding, Shown};

/// Whose call of what it was.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Kind {
    app: String,
    caller: String,
    source: String,
    tool: String,
}

impl Kind {
    fn of(binding: &Binding) -> Self {
        Self {
            app: binding.app.clone(),
            caller: binding.caller.clone(),
            source: binding.source.clone(),
            tool: binding.tool.clone(),
        }
    }
}

/// The calls that were approved last, in this process: without what is secret, as it was shown.
#[derive(Default)]
pub(crate) struct Approved(Mutex<IndexMap<Kind, Shown>>);

impl Approved {
    /// What was approved last of the same kind.
    pub(super) fn last(&self, binding: &Binding) -> Option<Shown> {
        self.0.lock().get(&Kind::of(binding)).cloned()
    }

    /// A call is made that a person has approved. Of more kinds than this the oldest is forgotten.
    pub(super) fn keep(&self, binding: &Binding, shown: Shown, max: usize) {
        let mut kept = self.0.lock();
        let kind = Kind::of(binding);
        kept.shift_remove(&kind);
        if kept.len() >= max {
            kept.shift_remove_index(0);
        }
        kept.insert(kind, shown);
    }
}

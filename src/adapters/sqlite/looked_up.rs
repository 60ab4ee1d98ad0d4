//! Blueprints that were looked up, as they stand in the database: every handshake and render asks for
//! one, and a thread that reads would cost more than all the rest of the call.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::domain::blueprint::Blueprint;
use crate::wire::ids::AppId;

/// Blueprints that are held: those that busy apps show again and again, about a kilobyte each.
const HELD_MAX: usize = 4_096;

/// What was looked up, by app and key. Exact, since one process owns a folder: what is being changed
/// is not taken in, and forgotten before whoever changes it has an answer.
#[derive(Default)]
pub(super) struct LookedUp(Mutex<Held>);

#[derive(Default)]
struct Held {
    blueprints: HashMap<AppId, HashMap<String, Arc<Blueprint>>>,
    count: usize,
    /// Changes that have begun, and those of them that have ended.
    begun: u64,
    ended: u64,
}

/// How many changes had ended when a reading began.
#[derive(Clone, Copy)]
pub(super) struct Moment(u64);

/// Blueprints of an app are changed as long as this lives: until the transaction has ended, whether or
/// not somebody still waits for it.
pub(super) struct Change {
    looked_up: Arc<LookedUp>,
    app: AppId,
}

impl LookedUp {
    /// What is held of a key; otherwise the moment from which a reading of it may be taken in.
    pub(super) fn find(&self, app: &AppId, key: &str) -> Result<Arc<Blueprint>, Moment> {
        let held = self.0.lock();
        let found = held.blueprints.get(app).and_then(|app| app.get(key));
        found.cloned().ok_or(Moment(held.ended))
    }

    /// Takes in what was read, unless a change was under way at any moment of the reading.
    pub(super) fn take_in(&self, app: &AppId, blueprint: &Arc<Blueprint>, since: Moment) {
        let mut held = self.0.lock();
        if (held.begun, held.ended) != (since.0, since.0) {
            return;
        }
        if held.count >= HELD_MAX {
            held.blueprints.clear();
            held.count = 0;
        }
        let of_app = held.blueprints.entry(app.clone()).or_default();
        let replaced = of_app.insert(blueprint.key.clone(), Arc::clone(blueprint));
        held.count += usize::from(replaced.is_none());
    }

    /// Something of an app is about to be changed.
    pub(super) fn change(self: &Arc<Self>, app: &AppId) -> Change {
        self.0.lock().begun += 1;
        Change {
            looked_up: Arc::clone(self),
            app: app.clone(),
        }
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        let mut held = self.looked_up.0.lock();
        held.ended += 1;
        let forgotten = held.blueprints.remove(&self.app);
        held.count -= forgotten.map_or(0, |of_app| of_app.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::battery::blueprints::row;

    #[test]
    fn what_was_read_while_it_was_changed_is_not_taken_in() {
        let looked_up = Arc::new(LookedUp::default());
        let app = AppId::from("a");
        let read = row("one", "k").blueprint;
        let is_held = || looked_up.find(&app, "k").is_ok();
        let before = looked_up.find(&app, "k").err().unwrap();
        let change = looked_up.change(&app);
        looked_up.take_in(&app, &read, before);
        assert!(!is_held(), "a change has begun after the reading");
        let during = looked_up.find(&app, "k").err().unwrap();
        drop(change);
        looked_up.take_in(&app, &read, during);
        assert!(!is_held(), "a change has ended after the reading began");
        let after = looked_up.find(&app, "k").err().unwrap();
        looked_up.take_in(&app, &read, after);
        assert!(is_held());
        drop(looked_up.change(&app));
        assert!(!is_held(), "it was changed");
    }
}

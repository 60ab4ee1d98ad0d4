//! Which log messages a caller wants.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value;

use crate::domain::principal::Principal;
use crate::wire::ids::AppId;

/// How much log messages matter, least first (RFC 5424 §6.2.1).
const LEVELS: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];
/// Callers whose choice is known: more than use one server at a time. Whoever chose longest ago is
/// sent everything again.
const CALLERS_MAX: usize = 10_000;

/// How much a log message matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Level(usize);

impl Level {
    /// By its name.
    pub(in super::super) fn of(name: &Value) -> Option<Self> {
        LEVELS.iter().position(|known| name == known).map(Self)
    }

    /// The names of all levels.
    pub(in super::super) fn names() -> String {
        LEVELS.join(", ")
    }
}

type Caller = (AppId, Arc<str>);

/// What callers of the older era have chosen.
#[derive(Default)]
pub(in super::super) struct Levels(Mutex<Chosen>);

#[derive(Default)]
struct Chosen {
    levels: HashMap<Caller, Level>,
    /// Who chose, longest ago first.
    order: VecDeque<Caller>,
}

impl Levels {
    /// What a caller has chosen.
    pub(super) fn of(&self, caller: &Principal) -> Option<Level> {
        let caller = (caller.app.clone(), Arc::clone(&caller.name));
        self.0.lock().levels.get(&caller).copied()
    }

    /// Notes what a caller chooses.
    pub(in super::super) fn choose(&self, caller: &Principal, level: Level) {
        let caller = (caller.app.clone(), Arc::clone(&caller.name));
        let mut chosen = self.0.lock();
        if chosen.levels.insert(caller.clone(), level).is_none() {
            chosen.order.push_back(caller);
        }
        if chosen.order.len() > CALLERS_MAX
            && let Some(oldest) = chosen.order.pop_front()
        {
            chosen.levels.remove(&oldest);
        }
    }
}

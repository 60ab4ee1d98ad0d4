//! What wakes those who wait: positions that only grow, and those who listen for the next.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;

use super::entry::Entry;
use crate::domain::event::{Awaited, Event};

/// Why a wait on a log ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waited {
    /// The session is no longer kept.
    Gone,
    /// It is there.
    Moved,
}

/// What wakes those who wait on a session: one bell for each thing that is awaited, so that a
/// click wakes no browser and an item no agent.
#[derive(Default)]
pub(super) struct Notifiers {
    action: Notifier,
    any: Notifier,
    frame: Notifier,
}

/// One of them.
#[derive(Default)]
pub(super) struct Notifier {
    /// Position it was last rung for; [`GONE`] for ever after the end.
    at: AtomicU64,
    rung: Notify,
}

/// No log grows that far.
const GONE: u64 = u64::MAX;

impl Notifiers {
    /// Rings for what was written, once for each kind of listener.
    pub(super) fn notify(&self, entries: &[Arc<Entry>]) {
        let last = |is_awaited: fn(&Event) -> bool| {
            let mut latest_first = entries.iter().rev();
            let found = latest_first.find(|entry| is_awaited(&entry.fact.event));
            found.map(|entry| entry.seq.0)
        };
        self.any.notify(last(|_| true));
        self.frame.notify(last(|event| event.wakes(Awaited::Frame)));
        self.action
            .notify(last(|event| event.wakes(Awaited::Action)));
    }

    /// Tells everyone who waits that there will be no more.
    pub(super) fn close(&self) {
        for bell in [&self.action, &self.any, &self.frame] {
            bell.notify(Some(GONE));
        }
    }

    /// The bell of one kind of listener.
    pub(super) fn of(&self, awaited: Awaited) -> &Notifier {
        match awaited {
            Awaited::Action => &self.action,
            Awaited::Any => &self.any,
            Awaited::Frame => &self.frame,
        }
    }
}

impl Notifier {
    /// Rings for a position, if there is one.
    pub(super) fn notify(&self, at: Option<u64>) {
        if let Some(at) = at {
            self.at.store(at, Ordering::SeqCst);
            self.rung.notify_waiters();
        }
    }

    /// Position it was last rung for.
    pub(super) fn at(&self) -> u64 {
        self.at.load(Ordering::SeqCst)
    }

    /// Returns once it was rung for a position beyond this one.
    pub(super) async fn wait(&self, after: u64) -> Waited {
        loop {
            let mut rung = pin!(self.rung.notified());
            // Listening before looking: what is rung in between is heard.
            rung.as_mut().enable();
            match self.at() {
                GONE => return Waited::Gone,
                at if at > after => return Waited::Moved,
                _ => rung.await,
            }
        }
    }
}

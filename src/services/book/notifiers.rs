//! What wakes those who wait: positions that only grow, and those who listen for the next.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;

use super::entry::Entry;
use crate::domain::event::{Awaited, Event};
use crate::wire::ids::Seq;

/// Why a wait on a log ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waited {
    /// The session is no longer kept.
    Gone,
    /// It is there.
    Moved,
}

/// What wakes those who wait on a session: a notifier for each thing that is awaited, so that a
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
    /// The last position it announced; [`GONE`] once the session has ended.
    at: AtomicU64,
    moved: Notify,
}

/// No log grows that far.
const GONE: u64 = u64::MAX;

impl Notifiers {
    /// Announces what was written, once for each kind of listener.
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

    /// Announces that everything up to a position is there, whatever it was.
    pub(super) fn notify_forgotten(&self, horizon: Seq) {
        for notifier in [&self.action, &self.any, &self.frame] {
            notifier.notify((notifier.at() < horizon.0).then_some(horizon.0));
        }
    }

    /// Tells everyone who waits that there will be no more.
    pub(super) fn close(&self) {
        for notifier in [&self.action, &self.any, &self.frame] {
            notifier.notify(Some(GONE));
        }
    }

    /// The notifier of one kind of listener.
    pub(super) fn of(&self, awaited: Awaited) -> &Notifier {
        match awaited {
            Awaited::Action => &self.action,
            Awaited::Any => &self.any,
            Awaited::Frame => &self.frame,
        }
    }
}

impl Notifier {
    /// Announces a position, if there is one.
    pub(super) fn notify(&self, at: Option<u64>) {
        if let Some(at) = at {
            self.at.store(at, Ordering::SeqCst);
            self.moved.notify_waiters();
        }
    }

    /// The last position it announced.
    pub(super) fn at(&self) -> u64 {
        self.at.load(Ordering::SeqCst)
    }

    /// Returns once a position beyond this one is announced.
    pub(super) async fn wait(&self, after: u64) -> Waited {
        loop {
            let mut moved = pin!(self.moved.notified());
            // Listening before looking: what is announced in between is not missed.
            moved.as_mut().enable();
            match self.at() {
                GONE => return Waited::Gone,
                at if at > after => return Waited::Moved,
                _ => moved.await,
            }
        }
    }
}

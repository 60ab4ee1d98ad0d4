//! The approvals that are open in this process, and who waits for what comes of them.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::{OnceCell, watch};

use super::super::error::GateError;
use crate::domain::limits::GateLimits;
use crate::wire::ids::{AppId, SessionKey};

/// What came of a call that was approved.
pub(super) type Outcome = Result<Value, GateError>;
/// Whose call it is.
pub(super) type Owner = (AppId, Arc<str>);

/// One approval. Equal calls of one caller share it.
pub(crate) struct Case {
    /// How the name of its session begins; it stands for all the approval is bound to.
    pub(super) prefix: String,
    pub(super) owner: Owner,
    /// The session in which a person is asked, once there is one.
    pub(super) session: OnceCell<SessionKey>,
    /// Whether this process makes the call, or has made it.
    is_ours: AtomicBool,
    /// Whether somebody knows what came of it.
    is_delivered: AtomicBool,
    /// Whether nobody is asked any more.
    is_decided: AtomicBool,
    outcome: watch::Sender<Option<Outcome>>,
}

impl Case {
    fn new(prefix: &str, owner: Owner) -> Arc<Self> {
        Arc::new(Self {
            prefix: prefix.to_owned(),
            owner,
            session: OnceCell::new(),
            is_ours: AtomicBool::new(false),
            is_delivered: AtomicBool::new(false),
            is_decided: AtomicBool::new(false),
            outcome: watch::Sender::new(None),
        })
    }

    /// From now on this process makes the call.
    pub(super) fn begin(&self) {
        self.is_ours.store(true, Ordering::SeqCst);
    }

    /// Whether this process makes the call, or has made it.
    pub(super) fn is_ours(&self) -> bool {
        self.is_ours.load(Ordering::SeqCst)
    }

    /// Tells everyone who waits what came of the call.
    pub(super) fn finish(&self, outcome: Outcome) {
        self.outcome.send_replace(Some(outcome));
    }

    /// Notifies of what comes of the call.
    pub(super) fn outcomes(&self) -> watch::Receiver<Option<Outcome>> {
        self.outcome.subscribe()
    }

    /// What came of the call, for one who waits for it.
    pub(super) fn deliver(&self) -> Option<Outcome> {
        let outcome = self.outcome.borrow().clone();
        if outcome.is_some() {
            self.mark_delivered();
        }
        outcome
    }

    /// Somebody is told what came of it.
    pub(super) fn mark_delivered(&self) {
        self.is_delivered.store(true, Ordering::SeqCst);
    }

    /// From now on it no longer counts among those that people are asked about.
    pub(super) fn decide(&self) {
        self.is_decided.store(true, Ordering::SeqCst);
    }

    /// Whether somebody knows what came of it.
    pub(super) fn is_delivered(&self) -> bool {
        self.is_delivered.load(Ordering::SeqCst)
    }
}

/// The approvals that are open in this process.
#[derive(Default)]
pub(crate) struct Cases(Mutex<HashMap<String, Arc<Case>>>);

impl Cases {
    /// The approval with this prefix, which is a new one where there was none.
    pub(super) fn enter(
        &self,
        prefix: &str,
        owner: Owner,
        limits: &GateLimits,
    ) -> Result<Arc<Case>, GateError> {
        let mut cases = self.0.lock();
        if let Some(case) = cases.get(prefix) {
            return Ok(Arc::clone(case));
        }
        let all = limits.approvals_max;
        if cases.len() >= all {
            return Err(GateError::Unavailable(format!(
                "{all} approvals are open (gate.approvals_max)"
            )));
        }
        let max = limits.approvals_per_caller_max;
        let is_open = |case: &&Arc<Case>| !case.is_decided.load(Ordering::SeqCst);
        let own = cases.values().filter(is_open);
        let own = own.filter(|case| case.owner == owner).count();
        if own >= max {
            return Err(GateError::ManyApprovals { max });
        }
        let case = Case::new(prefix, owner);
        cases.insert(prefix.to_owned(), Arc::clone(&case));
        Ok(case)
    }

    /// Whether there is an approval with this prefix.
    pub(super) fn has(&self, prefix: &str) -> bool {
        self.0.lock().contains_key(prefix)
    }

    /// An approval that was open when the server started.
    pub(super) fn restore(&self, prefix: &str, owner: Owner) -> Arc<Case> {
        let mut cases = self.0.lock();
        let case = cases.entry(prefix.to_owned());
        Arc::clone(case.or_insert_with(|| Case::new(prefix, owner)))
    }

    /// Forgets an approval: the same call, made again, needs another one.
    pub(super) fn remove(&self, case: &Arc<Case>) {
        let mut cases = self.0.lock();
        let is_it = cases
            .get(&case.prefix)
            .is_some_and(|known| Arc::ptr_eq(known, case));
        if is_it {
            cases.remove(&case.prefix);
        }
    }
}

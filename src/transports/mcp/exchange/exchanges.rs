//! What an endpoint keeps of requests whose callers are told and asked things.

use std::sync::Arc;

use tokio::sync::watch;

use super::levels::Levels;
use super::questions::Questions;
use super::rounds::Rounds;
use crate::domain::clock::Ids;
use crate::domain::limits::GateLimits;

/// What an endpoint keeps of requests whose callers are told and asked things.
pub(crate) struct Exchanges {
    /// What callers are asked.
    pub(in super::super) questions: Arc<Questions>,
    /// Requests that wait for the next round.
    pub(super) rounds: Rounds,
    /// Which log messages callers want.
    pub(in super::super) levels: Levels,
    /// Tells each time that a list of the gate may be another one.
    pub(in super::super) changes: watch::Receiver<()>,
}

impl Exchanges {
    /// Nothing yet.
    pub(crate) fn new(
        limits: &GateLimits,
        ids: &Arc<dyn Ids>,
        changes: &watch::Receiver<()>,
    ) -> Self {
        Self {
            questions: Questions::new(limits, Arc::clone(ids)),
            rounds: Rounds::default(),
            levels: Levels::default(),
            changes: changes.clone(),
        }
    }
}

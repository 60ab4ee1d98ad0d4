//! What a server keeps its things in: one store for each port.

use std::sync::Arc;

use crate::adapters::memory::{MemoryAnswers, MemoryBlueprints, MemoryPresence, MemorySessions};
use crate::domain::blueprint::BlueprintStore;
use crate::domain::limits::Limits;
use crate::domain::presence::PresenceStore;
use crate::domain::replayed::ReplayedAnswers;
use crate::domain::store::SessionStore;

/// The stores of a server.
#[derive(Clone)]
pub(super) struct Stores {
    pub(super) sessions: Arc<dyn SessionStore>,
    pub(super) blueprints: Arc<dyn BlueprintStore>,
    pub(super) presence: Arc<dyn PresenceStore>,
    pub(super) answers: Arc<dyn ReplayedAnswers>,
}

impl Stores {
    /// Everything in this process.
    pub(super) fn in_memory(limits: &Limits) -> Self {
        Self {
            sessions: Arc::new(MemorySessions::default()),
            blueprints: Arc::new(MemoryBlueprints::default()),
            presence: Arc::new(MemoryPresence::default()),
            answers: Arc::new(MemoryAnswers::new(limits.idempotency.clone())),
        }
    }
}

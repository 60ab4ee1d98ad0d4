//! The port through which nodes know of each other's agents: whether one waits for what people do.

use async_trait::async_trait;

use super::clock::Time;
use super::store_error::StoreError;
use crate::wire::ids::SessionKey;

/// Whether agents wait for a session's actions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Presence {
    /// How many wait.
    pub(crate) waiting: usize,
    /// How often one came: one that came and left again was there, too.
    pub(crate) arrivals: u64,
    /// When the last one left.
    pub(crate) left_at: Option<Time>,
    /// Whether those who watch believe that one waits.
    pub(crate) is_announced: bool,
}

/// The agents of all sessions. They are gone with the node they wait at.
#[async_trait]
pub(crate) trait PresenceStore: Send + Sync + 'static {
    /// What is known of a session; nobody waits for one that is unknown.
    async fn presence(&self, key: &SessionKey) -> Result<Presence, StoreError>;

    /// Returns once an agent waits, or one has come since `arrivals`.
    async fn wait(&self, key: &SessionKey, arrivals: u64) -> Result<(), StoreError>;

    /// An agent waits from now on.
    async fn enter(&self, key: &SessionKey) -> Result<(), StoreError>;

    /// One that waited is gone. It is called where nobody can wait for an answer: a store that
    /// cannot be reached forgets the agent with its node.
    fn leave(&self, key: &SessionKey, at: Time);

    /// Notes what those who watch are told; whether it is news to them.
    async fn announce(&self, key: &SessionKey, is_present: bool) -> Result<bool, StoreError>;

    /// Sessions whose watchers believe that an agent waits, though none does.
    async fn absent(&self) -> Result<Vec<(SessionKey, Presence)>, StoreError>;

    /// Forgets sessions whose last agent left before a moment.
    async fn forget(&self, before: Time) -> Result<(), StoreError>;

    /// Sessions that are remembered at this node.
    fn count(&self) -> usize;
}

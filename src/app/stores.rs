//! What a server keeps its things in: one store for each port.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
#[cfg(feature = "redis")]
use std::time::Duration;

use super::error::StartError;
use crate::adapters::memory::{
    MemoryActivity, MemoryAnswers, MemoryBlueprints, MemoryPresence, MemorySessions,
};
use crate::adapters::private_questions::PrivateQuestions;
#[cfg(feature = "redis")]
use crate::adapters::redis::{
    Address, Node, RedisActivity, RedisAnswers, RedisBlueprints, RedisPresence, RedisSessions,
};
use crate::adapters::sqlite::{
    Database, Folder, SqliteActivity, SqliteAnswers, SqliteBlueprints, SqliteSessions, introduce,
    location,
};
use crate::domain::activity::ActivityStore;
use crate::domain::blueprint::BlueprintStore;
use crate::domain::brain::PageStore;
#[cfg(feature = "redis")]
use crate::domain::clock::Clock;
use crate::domain::clock::Ids;
use crate::domain::limits::IdempotencyLimits;
#[cfg(feature = "redis")]
use crate::domain::limits::Limits;
use crate::domain::presence::PresenceStore;
use crate::domain::replayed::ReplayedAnswers;
use crate::domain::store::SessionStore;
#[cfg(feature = "redis")]
use crate::domain::store_error::StoreError;
use crate::domain::store_settings::StoreSettings;

/// The stores of a server.
#[derive(Clone)]
pub(super) struct Stores {
    pub(super) sessions: Arc<dyn SessionStore>,
    pub(super) activity: Arc<dyn ActivityStore>,
    pub(super) blueprints: Arc<dyn BlueprintStore>,
    pub(super) presence: Arc<dyn PresenceStore>,
    pub(super) answers: Arc<dyn ReplayedAnswers>,
    /// Where pages are kept; none for what the configuration names.
    pub(super) pages: Option<Arc<dyn PageStore>>,
    /// Tokens of the live channel are signed with it.
    pub(super) signing_key: [u8; 32],
    /// Whether other servers have the same.
    pub(super) is_shared: bool,
    /// Where the data lies; none for what is gone with the process.
    pub(super) folder: Option<PathBuf>,
    /// What the operator should know of the data, a sentence each.
    pub(super) notes: Vec<String>,
}

impl Stores {
    /// The stores that are configured.
    pub(super) async fn open(
        settings: &StoreSettings,
        limits: &IdempotencyLimits,
        ids: &dyn Ids,
    ) -> Result<Self, StartError> {
        let mut fresh = [0; 32];
        ids.fill(&mut fresh);
        if settings.ephemeral {
            return Ok(Self::in_memory(limits, fresh));
        }
        let path = location(&settings.data)?;
        let database = Database::open(Folder::own(path.clone())?, settings)?;
        let key = database.secret("signing key", fresh).await;
        Ok(Self {
            sessions: Arc::new(SqliteSessions(Arc::clone(&database))),
            activity: Arc::new(SqliteActivity::new(Arc::clone(&database))),
            blueprints: Arc::new(SqliteBlueprints::new(Arc::clone(&database))),
            // Whoever waits here is gone with the process.
            presence: Arc::new(MemoryPresence::default()),
            signing_key: key.map_err(|error| StartError::Store(error.to_string()))?,
            answers: Arc::new(SqliteAnswers {
                database: Arc::clone(&database),
                limits: limits.clone(),
            }),
            pages: None,
            is_shared: false,
            folder: Some(path),
            notes: database.notes().to_vec(),
        })
    }

    /// Everything in this process.
    pub(super) fn in_memory(limits: &IdempotencyLimits, signing_key: [u8; 32]) -> Self {
        Self {
            sessions: Arc::new(MemorySessions::default()),
            activity: Arc::new(MemoryActivity::default()),
            blueprints: Arc::new(MemoryBlueprints::default()),
            presence: Arc::new(MemoryPresence::default()),
            answers: Arc::new(MemoryAnswers::new(limits.clone())),
            pages: None,
            signing_key,
            is_shared: false,
            folder: None,
            notes: Vec::new(),
        }
    }

    /// Everything in Redis, together with the other servers there.
    #[cfg(feature = "redis")]
    pub(super) async fn shared(
        settings: &StoreSettings,
        limits: &Limits,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
    ) -> Result<Self, StartError> {
        let failed = |error: StoreError| {
            StartError::Store(format!(
                "--store (store.url): {error}; see that it runs there and lets this server in"
            ))
        };
        let address = Address::parse(&settings.url).map_err(StartError::Store)?;
        let node = Node::join(address, &settings.prefix, clock, ids).await;
        let node = node.map_err(failed)?;
        let life_max = Duration::from_secs(limits.sessions.life_max_s);
        let answers = RedisAnswers::new(Arc::clone(&node), limits.idempotency.clone());
        Ok(Self {
            sessions: Arc::new(RedisSessions::new(Arc::clone(&node), life_max)),
            activity: Arc::new(RedisActivity::new(Arc::clone(&node))),
            blueprints: Arc::new(RedisBlueprints::new(Arc::clone(&node))),
            presence: Arc::new(RedisPresence::new(Arc::clone(&node))),
            answers: Arc::new(answers),
            signing_key: node.signing_key().await.map_err(failed)?,
            pages: None,
            is_shared: true,
            folder: None,
            notes: node.warnings().await,
        })
    }

    /// The sessions, where what people did not agree to stays in this process.
    pub(super) fn sessions_without_questions(&self) -> Arc<dyn SessionStore> {
        Arc::new(PrivateQuestions::new(Arc::clone(&self.sessions)))
    }

    /// Tells other processes that want the same data where this one serves.
    pub(super) fn introduce(&self, address: SocketAddr) -> Result<(), StartError> {
        match &self.folder {
            None => Ok(()),
            Some(folder) => Ok(introduce(folder, Some(address))?),
        }
    }
}

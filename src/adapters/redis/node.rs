//! A node: one server above the store, with a lease that it renews, and what it knows of sessions.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use parking_lot::Mutex;
use redis::{Cmd, FromRedisValue, Pipeline, ScriptInvocation};

use tokio::sync::broadcast;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::address::Address;
use super::link::Link;
use super::names::Names;
use crate::domain::clock::{Clock, Ids, Time};
use crate::domain::store::Change;
use crate::domain::store_error::StoreError;
use crate::wire::ids::{AppId, Seq, SessionKey};

/// Changes that are held for whoever follows them; who is further behind finds them by looking.
const CHANGES_HELD: usize = 16_384;

/// A server above the store.
pub(crate) struct Node {
    /// Of this start of the server: nothing else has ever had it.
    pub(super) name: String,
    pub(super) link: Link,
    pub(super) names: Names,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn Ids>,
    pub(super) lease: Mutex<Lease>,
    /// Sessions that this node has read or written, and where they stood.
    pub(super) known: Mutex<IndexMap<SessionKey, Mark>>,
    /// What others have appended.
    pub(super) changes: broadcast::Sender<Change>,
    /// Sessions to which an agent came, wherever.
    pub(super) arrivals: broadcast::Sender<SessionKey>,
    /// Apps whose activity lists have grown, wherever.
    pub(super) happened: broadcast::Sender<AppId>,
    /// The key that signs tokens, once it is known: it is given back to a store that lost it.
    pub(super) signing_key: Mutex<Option<Vec<u8>>>,
    pub(super) stopped: CancellationToken,
    _stop: DropGuard,
}

/// The last record of a session that a node knows; by default none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) head: Seq,
    /// Id of the append that wrote it.
    pub(super) write: String,
    /// When the session is over, as far as this node knows.
    pub(super) expires: Time,
}

/// The right to write, for a time that the clock of the store measures.
#[derive(Default)]
pub(super) struct Lease {
    /// In milliseconds of the store's clock; zero while there is none.
    pub(super) ends: u64,
    /// Changes when the store has lost everything.
    pub(super) generation: Option<String>,
    /// Nodes that have a lease, as they were when this one was last renewed.
    pub(super) nodes: HashSet<String>,
}

impl Node {
    /// Connects to the store, and joins the other nodes there.
    ///
    /// # Errors
    ///
    /// The store cannot be reached, or does not let this server in.
    pub(crate) async fn join(
        address: Address,
        prefix: &str,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
    ) -> Result<Arc<Self>, StoreError> {
        let stopped = CancellationToken::new();
        let node = Arc::new(Self {
            name: ids.uuid(),
            link: Link::connect(address).await?,
            names: Names::new(prefix),
            clock,
            ids,
            lease: Mutex::default(),
            known: Mutex::default(),
            changes: broadcast::Sender::new(CHANGES_HELD),
            arrivals: broadcast::Sender::new(CHANGES_HELD),
            happened: broadcast::Sender::new(CHANGES_HELD),
            signing_key: Mutex::default(),
            _stop: stopped.clone().drop_guard(),
            stopped,
        });
        node.check_events().await?;
        node.beat().await?;
        node.keep_up();
        Ok(node)
    }

    /// What is said at start of settings with which the store may lose what it has acknowledged.
    pub(crate) async fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        match self.link.setting("maxmemory-policy").await {
            Some(policy) if policy != "noeviction" => warnings.push(format!(
                "the store drops sessions when its memory is full (maxmemory-policy {policy}): set \
                 it to noeviction"
            )),
            Some(_) => {}
            None => warnings.push(
                "the store does not say whether it keeps what it acknowledges: see that it runs \
                 with maxmemory-policy noeviction and appendonly yes"
                    .to_owned(),
            ),
        }
        if self.link.setting("appendonly").await.as_deref() == Some("no") {
            warnings.push(
                "the store forgets what it has not saved when it ends (appendonly no): set it to yes"
                    .to_owned(),
            );
        }
        warnings
    }

    /// The key with which all nodes sign tokens; the first node makes it.
    pub(crate) async fn signing_key<const BYTES: usize>(&self) -> Result<[u8; BYTES], StoreError> {
        let mut made = [0; BYTES];
        self.ids.fill(&mut made);
        let kept = self.offer_signing_key(&made).await?;
        let key = <[u8; BYTES]>::try_from(kept.as_slice())
            .map_err(|_| StoreError::unavailable("the signing key in the store is damaged"))?;
        *self.signing_key.lock() = Some(kept);
        Ok(key)
    }

    /// Keeps a signing key unless there is one; the one that is kept.
    pub(super) async fn offer_signing_key(&self, key: &[u8]) -> Result<Vec<u8>, StoreError> {
        let name = self.names.shared("signing-key");
        let mut set = redis::cmd("SET");
        set.arg(&name).arg(key).arg("NX");
        self.ask::<Option<String>>(&set).await?;
        let mut get = redis::cmd("GET");
        self.ask(get.arg(&name)).await
    }

    /// What a command answers.
    pub(super) async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, StoreError> {
        self.link.ask(command).await
    }

    /// What a script answers.
    pub(super) async fn run<T: FromRedisValue>(
        &self,
        script: &ScriptInvocation<'_>,
    ) -> Result<T, StoreError> {
        self.link.run(script).await
    }

    /// What commands answer that are carried out together, of keys at one place.
    pub(super) async fn all<T: FromRedisValue>(
        &self,
        commands: &Pipeline,
    ) -> Result<T, StoreError> {
        self.link.all(commands).await
    }

    /// Where a session stood when this node last saw it.
    pub(super) fn mark(&self, key: &SessionKey) -> Mark {
        self.known.lock().get(key).cloned().unwrap_or_default()
    }

    /// Notes where a session stands; never an earlier position than is known.
    pub(super) fn saw(&self, key: &SessionKey, mark: Mark) {
        let mut known = self.known.lock();
        match known.get_mut(key) {
            Some(before) if before.head > mark.head => {}
            Some(before) => *before = mark,
            None => {
                known.insert(key.clone(), mark);
            }
        }
    }

    /// A session is no longer there.
    pub(super) fn forget(&self, key: &SessionKey) {
        self.known.lock().swap_remove(key);
    }
}

/// How long the store itself keeps what has expired by the clock of the nodes.
pub(super) const GRACE: Duration = Duration::from_secs(600);

/// A script of this folder, compiled once.
macro_rules! script {
    ($name:literal) => {{
        static SCRIPT: std::sync::LazyLock<redis::Script> = std::sync::LazyLock::new(|| {
            redis::Script::new(include_str!(concat!("scripts/", $name, ".lua")))
        });
        SCRIPT.prepare_invoke()
    }};
}

pub(super) use script;

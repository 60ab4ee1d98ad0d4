//! Sessions and handshakes.
//!
//! The log of a session is a stream whose entries have the positions of their records as ids; what is
//! known of it besides is a hash, `meta`. An append names the position and the write before it, so
//! that the store refuses what was decided on another history. A session is there from the moment its
//! handshake is claimed; its log was written before, and whoever finds it unfinished finishes it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::try_join_all;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt as _, TryStreamExt as _};
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;

use super::beat::LEASE;
use super::logs::{kept_for, millis, name, named};
use super::node::{GRACE, Mark, Node, script};
use super::recovery::text;
use crate::domain::clock::Time;
use crate::domain::document::{Document, DocumentHash};
use crate::domain::event::Record;
use crate::domain::handshake::Handshake;
use crate::domain::store::{Append, Change, Listed, SessionStore, StoreCounts};
use crate::domain::store_error::StoreError;
use crate::wire::ids::{AppId, HandshakeId, Seq, SessionKey, ShortCode};

/// How long a handshake may take to be claimed for a session that is written: twice as long as the lease
/// under which that was begun, after which it is refused. A render that is made again under its key
/// finds the place of one that was cut off in between free by then.
const CLAIM_WITHIN: Duration = LEASE.saturating_mul(2);
/// How many sessions are looked at together when what has expired is freed.
const SWEPT_TOGETHER: usize = 100;
/// How many sessions of a list are read at the same time: enough that nobody waits for each, few
/// enough that other calls come between.
const LISTED_TOGETHER: usize = 100;

/// The sessions and handshakes of every app.
pub(crate) struct RedisSessions {
    node: Arc<Node>,
    /// The longest that any session lives.
    life_max: Duration,
}

impl RedisSessions {
    /// The sessions of a store, none of which lives longer than `life_max`.
    pub(crate) fn new(node: Arc<Node>, life_max: Duration) -> Self {
        Self { node, life_max }
    }

    /// Keeps documents for a time at least.
    async fn keep(&self, documents: &[Document], span: Duration) -> Result<(), StoreError> {
        let keep = documents.iter().map(async |document| {
            let name = self.node.names.document(document.hash);
            let kept_for = millis(span + GRACE);
            let mut set = redis::cmd("SET");
            set.arg(&name).arg(document.value.to_string());
            set.arg("PX").arg(kept_for).arg("NX");
            self.node.ask::<()>(&set).await?;
            let mut prolong = redis::cmd("PEXPIRE");
            prolong.arg(&name).arg(kept_for).arg("GT");
            self.node.ask::<()>(&prolong).await
        });
        try_join_all(keep).await.map(|_| ())
    }

    /// Looks whether a session that is listed as over is; it is listed for later otherwise.
    async fn expire(&self, app: &AppId, listed: &str, now: Time) -> Result<(), StoreError> {
        let (code, session) = named(listed);
        let key = SessionKey {
            app: app.clone(),
            session,
        };
        let mut script = script!("expire");
        script
            .key(self.node.names.session(&key, "meta"))
            .key(self.node.names.session(&key, "log"))
            .arg(now.0);
        let expires: String = self.node.run(&script).await?;
        if expires.is_empty() {
            return self.node.unlist(&key, code.as_str()).await;
        }
        let mut command = redis::cmd("ZADD");
        command.arg(self.node.names.app(app, "sessions"));
        command.arg("XX").arg(expires).arg(listed);
        self.node.ask(&command).await
    }

    /// A session of a list with its summary; none where it is gone.
    async fn read_listed(&self, app: AppId, listed: String) -> Result<Option<Listed>, StoreError> {
        let (_, session) = named(&listed);
        let key = SessionKey { app, session };
        let mut command = redis::cmd("HMGET");
        let meta = self.node.names.session(&key, "meta");
        let command = command.arg(meta).arg("head").arg("summary");
        let (head, summary): (Option<String>, Option<String>) = self.node.ask(command).await?;
        if head.is_none() {
            return Ok(None);
        }
        let summary = summary.map(|text| serde_json::from_str(&text));
        Ok(Some(Listed {
            session: key.session,
            summary: summary.transpose().map_err(StoreError::unavailable)?,
        }))
    }

    async fn listed(&self, app: &AppId, list: &str) -> Result<usize, StoreError> {
        let mut command = redis::cmd("ZCARD");
        self.node
            .ask(command.arg(self.node.names.app(app, list)))
            .await
    }
}

#[async_trait]
impl SessionStore for RedisSessions {
    async fn put_handshake(
        &self,
        handshake: Arc<Handshake>,
        documents: Vec<Document>,
        open_max: usize,
    ) -> Result<(), StoreError> {
        let lives = handshake.expires_at.since(handshake.created_at);
        self.keep(&documents, lives).await?;
        self.node.note(&handshake.app).await?;
        let mut script = script!("offer");
        script
            .key(self.node.names.app(&handshake.app, "handshakes"))
            .key(self.node.names.app(&handshake.app, "handshake"))
            .arg(handshake.id.as_str())
            .arg(handshake.created_at.0)
            .arg(handshake.expires_at.0)
            .arg(open_max)
            .arg(serde_json::to_string(&handshake).map_err(StoreError::unavailable)?);
        let answer: Vec<String> = self.node.run(&script).await?;
        if answer.first().is_some_and(|status| status == "ok") {
            return Ok(());
        }
        let free_at = answer.get(1).and_then(|time| time.parse().ok());
        Err(StoreError::too_many_handshakes(open_max, free_at.map(Time)))
    }

    async fn handshake(&self, app: &AppId, id: &HandshakeId) -> Result<Arc<Handshake>, StoreError> {
        let mut command = redis::cmd("HGET");
        command.arg(self.node.names.app(app, "handshake"));
        let text: Option<String> = self.node.ask(command.arg(id.as_str())).await?;
        let handshake = serde_json::from_str(&text.ok_or(StoreError::Missing)?);
        handshake.map(Arc::new).map_err(StoreError::unavailable)
    }

    async fn create(
        &self,
        claim: &HandshakeId,
        now: Time,
        birth: &Append,
        documents: Vec<Document>,
        sessions_max: usize,
    ) -> Result<(), StoreError> {
        let node = &self.node;
        let (ends, key) = (node.lease_ends()?, &birth.key);
        let code = birth.short_code().map_or("", ShortCode::as_str);
        let (meta, log) = (
            node.names.session(key, "meta"),
            node.names.session(key, "log"),
        );
        let (write, head) = (birth.id.to_string(), birth.head());
        self.keep(&documents, self.life_max).await?;
        let mut stage = script!("stage");
        stage.key(&meta).key(&log).arg(&write).arg(head.0);
        stage.arg(birth.expires_at.0).arg(kept_for(birth));
        stage.arg(millis(CLAIM_WITHIN)).arg(code);
        stage.arg(serde_json::to_string(&birth.summary).map_err(StoreError::unavailable)?);
        for record in &birth.records {
            stage.arg(text(record)?);
        }
        if node.run::<String>(&stage).await? != "ok" {
            return Err(StoreError::Conflict);
        }
        let mut script = script!("claim");
        script
            .key(node.names.app(&key.app, "handshakes"))
            .key(node.names.app(&key.app, "handshake"))
            .key(node.names.app(&key.app, "sessions"))
            .arg(ends)
            .arg(now.0)
            .arg(claim.as_str())
            .arg(name(code, key))
            .arg(birth.expires_at.0)
            .arg(sessions_max);
        let answer: String = node.run(&script).await?;
        if answer == "ok" {
            node.finish(key, code).await?;
            let expires = birth.expires_at;
            node.saw(
                key,
                Mark {
                    head,
                    write,
                    expires,
                },
            );
            return Ok(());
        }
        // It is forgotten anyway, a little later.
        let _ = node.ask::<()>(redis::cmd("DEL").arg(&meta).arg(&log)).await;
        Err(match answer.as_str() {
            "fenced" => StoreError::unavailable("the lease of this node has lapsed"),
            "full" => StoreError::too_many_sessions(sessions_max),
            _ => StoreError::Missing,
        })
    }

    async fn append(&self, append: &Append) -> Result<(), StoreError> {
        self.node.append_to(append).await
    }

    async fn read(&self, key: &SessionKey, after: Seq) -> Result<Vec<Arc<Record>>, StoreError> {
        self.node.read_on(key, after).await
    }

    async fn document(&self, hash: DocumentHash) -> Result<Arc<Value>, StoreError> {
        let mut command = redis::cmd("GET");
        let text: Option<String> = self
            .node
            .ask(command.arg(self.node.names.document(hash)))
            .await?;
        let value = serde_json::from_str(&text.ok_or(StoreError::Missing)?);
        value.map(Arc::new).map_err(StoreError::unavailable)
    }

    fn sessions(&self, app: &AppId) -> BoxStream<'_, Result<Listed, StoreError>> {
        let app = app.clone();
        let names = async move {
            let mut command = redis::cmd("ZRANGE");
            command.arg(self.node.names.app(&app, "sessions"));
            let names: Vec<String> = self.node.ask(command.arg(0).arg(-1)).await?;
            let read = names
                .into_iter()
                .map(move |name| self.read_listed(app.clone(), name));
            let listed = stream::iter(read).buffer_unordered(LISTED_TOGETHER);
            Ok::<_, StoreError>(listed.try_filter_map(async |found| Ok(found)))
        };
        stream::once(names).try_flatten().boxed()
    }

    async fn session_names(
        &self,
        app: &AppId,
        prefix: &str,
    ) -> Result<Vec<crate::wire::ids::SessionId>, StoreError> {
        let mut command = redis::cmd("ZRANGE");
        command.arg(self.node.names.app(app, "sessions"));
        let names: Vec<String> = self.node.ask(command.arg(0).arg(-1)).await?;
        let names = names.iter().map(|listed| named(listed).1);
        let names = names.filter(|name| name.as_str().starts_with(prefix));
        Ok(names.collect())
    }

    async fn opened_by(&self, code: &ShortCode) -> Result<SessionKey, StoreError> {
        let mut command = redis::cmd("GET");
        let text: Option<String> = self
            .node
            .ask(command.arg(self.node.names.code(code)))
            .await?;
        serde_json::from_str(&text.ok_or(StoreError::Missing)?).map_err(StoreError::unavailable)
    }

    async fn counts(&self) -> Result<StoreCounts, StoreError> {
        let mut counts = StoreCounts::default();
        for app in self.node.apps().await? {
            counts.handshakes += self.listed(&app, "handshakes").await?;
            counts.sessions += self.listed(&app, "sessions").await?;
        }
        Ok(counts)
    }

    async fn sweep(&self, now: Time) -> Result<(), StoreError> {
        for app in self.node.apps().await? {
            loop {
                let mut script = script!("sweep");
                script
                    .key(self.node.names.app(&app, "handshakes"))
                    .key(self.node.names.app(&app, "handshake"))
                    .key(self.node.names.app(&app, "sessions"))
                    .arg(now.0)
                    .arg(SWEPT_TOGETHER);
                let due: Vec<String> = self.node.run(&script).await?;
                let expired = due.iter().map(|listed| self.expire(&app, listed, now));
                try_join_all(expired).await?;
                if due.len() < SWEPT_TOGETHER {
                    break;
                }
            }
        }
        Ok(())
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn watch(&self) -> BoxStream<'static, Change> {
        let changes = self.node.changes.subscribe();
        let changes = stream::unfold(changes, async |mut changes| {
            loop {
                match changes.recv().await {
                    Ok(change) => return Some((change, changes)),
                    // What was missed is found by looking.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
            }
        });
        changes.boxed()
    }
}

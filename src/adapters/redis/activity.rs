//! What happened in the sessions of each app: a sorted set of rows by their positions.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

use super::changes::{Announcement, LOOK_EVERY};
use super::node::{Node, script};
use crate::domain::activity::{Activity, ActivityStore};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// The lists of every app, to which all nodes add.
pub(crate) struct RedisActivity {
    node: Arc<Node>,
}

impl RedisActivity {
    /// The lists of a store.
    pub(crate) fn new(node: Arc<Node>) -> Self {
        Self { node }
    }

    fn list(&self, app: &AppId) -> String {
        self.node.names.app(app, "activity")
    }
}

#[async_trait]
impl ActivityStore for RedisActivity {
    async fn add(&self, app: &AppId, rows: &[Activity], rows_max: usize) -> Result<(), StoreError> {
        let happened = Announcement::Happened { app: app.clone() };
        let texts: serde_json::Result<Vec<_>> = rows.iter().map(serde_json::to_string).collect();
        let mut script = script!("happened");
        script
            .key(self.list(app))
            .arg(rows_max)
            .arg(self.node.names.changes())
            .arg(happened.to_json())
            .arg(texts.map_err(StoreError::unavailable)?);
        self.node.run::<u8>(&script).await.map(|_| ())
    }

    async fn after(&self, app: &AppId, at: u64) -> Result<(Vec<Activity>, u64), StoreError> {
        let mut command = redis::cmd("ZRANGEBYSCORE");
        command.arg(self.list(app)).arg(format!("({at}"));
        command.arg("+inf").arg("WITHSCORES");
        let found: Vec<(String, u64)> = self.node.ask(&command).await?;
        let last = found.last().map_or(at, |(_, position)| *position);
        let rows = found.iter().map(|(row, _)| serde_json::from_str(row));
        let rows: serde_json::Result<_> = rows.collect();
        Ok((rows.map_err(StoreError::unavailable)?, last))
    }

    async fn wait(&self, app: &AppId, at: u64) -> Result<(), StoreError> {
        let mut happened = self.node.happened.subscribe();
        loop {
            let mut command = redis::cmd("ZCOUNT");
            command.arg(self.list(app)).arg(format!("({at}"));
            let fresh: u64 = self.node.ask(command.arg("+inf")).await?;
            if fresh > 0 {
                return Ok(());
            }
            let announced = async {
                loop {
                    match happened.recv().await {
                        Ok(of) if of != *app => {}
                        Ok(_) | Err(RecvError::Lagged(_)) => return,
                        // The node is gone, and nobody announces any more.
                        Err(RecvError::Closed) => std::future::pending().await,
                    }
                }
            };
            // An announcement may be missed: then it is found by looking.
            let _ = timeout(LOOK_EVERY, announced).await;
        }
    }
}

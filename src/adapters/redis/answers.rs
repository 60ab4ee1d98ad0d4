//! Answers of attempts, so that a retry at another node gets what the first attempt was given.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::node::{Node, script};
use crate::domain::clock::Time;
use crate::domain::digest::{hex, sha256};
use crate::domain::limits::IdempotencyLimits;
use crate::domain::operation::Answer;
use crate::domain::replayed::{AttemptName, ReplayedAnswer, ReplayedAnswers};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// What an entry costs beside its key and answer.
const ENTRY_BYTES: usize = 512;
/// The hashes and lists that hold the answers of an app.
const KEYS: [&str; 3] = ["answers", "answers:order", "answers:size"];

/// The answers of every app.
pub(crate) struct RedisAnswers {
    node: Arc<Node>,
    limits: IdempotencyLimits,
}

/// As it is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    digest: [u8; 32],
    answer: Answer,
    at: Time,
}

/// A short name for a long one; whatever is in it cannot be mistaken for another's.
fn field(name: &AttemptName) -> Result<String, StoreError> {
    let parts = (&name.principal, &name.operation, &name.key);
    let text = serde_json::to_string(&parts).map_err(StoreError::unavailable)?;
    Ok(hex(&sha256(text.as_bytes())))
}

impl RedisAnswers {
    /// The answers of a store.
    pub(crate) fn new(node: Arc<Node>, limits: IdempotencyLimits) -> Self {
        Self { node, limits }
    }

    fn keys(&self, app: &AppId) -> [String; 3] {
        KEYS.map(|what| self.node.names.app(app, what))
    }
}

#[async_trait]
impl ReplayedAnswers for RedisAnswers {
    async fn find(
        &self,
        name: &AttemptName,
        now: Time,
    ) -> Result<Option<ReplayedAnswer>, StoreError> {
        let [answers, ..] = self.keys(&name.app);
        let mut command = redis::cmd("HGET");
        let text: Option<String> = self
            .node
            .ask(command.arg(answers).arg(field(name)?))
            .await?;
        let Some(text) = text else { return Ok(None) };
        let Stored { digest, answer, at } =
            serde_json::from_str(&text).map_err(StoreError::unavailable)?;
        let is_too_old = now.since(at) >= Duration::from_secs(self.limits.ttl_s);
        Ok((!is_too_old).then_some(ReplayedAnswer { digest, answer, at }))
    }

    async fn keep(&self, name: AttemptName, answer: ReplayedAnswer) -> Result<(), StoreError> {
        let bytes = ENTRY_BYTES + name.key.bytes() + answer.answer.bytes();
        if bytes > self.limits.bytes_max {
            // An answer for which there is no room cannot be given twice.
            tracing::warn!(bytes, "an answer is too large to be kept for a retry");
            return Ok(());
        }
        let ReplayedAnswer { digest, answer, at } = answer;
        let stored = Stored { digest, answer, at };
        self.node.note(&name.app).await?;
        let mut script = script!("answer_keep");
        for key in self.keys(&name.app) {
            script.key(key);
        }
        script
            .arg(self.node.lease_ends()?)
            .arg(field(&name)?)
            .arg(serde_json::to_string(&stored).map_err(StoreError::unavailable)?)
            .arg(bytes)
            .arg(at.0)
            .arg(self.limits.results_max)
            .arg(self.limits.bytes_max);
        match self.node.run::<u8>(&script).await? {
            0 => Err(StoreError::unavailable("the lease of this node has lapsed")),
            _ => Ok(()),
        }
    }

    async fn sweep(&self, now: Time) -> Result<(), StoreError> {
        let Some(too_old) = now.0.checked_sub(1_000 * self.limits.ttl_s) else {
            return Ok(());
        };
        for app in self.node.apps().await? {
            let mut script = script!("answer_sweep");
            for key in self.keys(&app) {
                script.key(key);
            }
            script.arg(too_old);
            self.node.run::<u8>(&script).await?;
        }
        Ok(())
    }
}

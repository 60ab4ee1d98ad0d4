//! The port through which answers are kept for attempts that are made again.

use std::sync::Arc;

use async_trait::async_trait;

use super::attempt::AttemptId;
use super::clock::Time;
use super::operation::{Answer, IdempotencyKey};
use super::store_error::StoreError;
use crate::wire::ids::AppId;

/// What an answer is kept under. Not even principals of one app share: what one was answered need
/// not be another's to know.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AttemptName {
    pub(crate) app: AppId,
    pub(crate) principal: Arc<str>,
    pub(crate) operation: Arc<str>,
    pub(crate) key: IdempotencyKey,
}

impl AttemptName {
    /// Names the call that is made under this name with arguments of a digest.
    pub(crate) fn call(&self, digest: &[u8; 32]) -> AttemptId {
        AttemptId::of([
            self.app.as_str().as_bytes(),
            self.principal.as_bytes(),
            self.operation.as_bytes(),
            self.key.as_str().as_bytes(),
            digest,
        ])
    }
}

/// An answer, and what it was given to.
#[derive(Clone, Debug)]
pub(crate) struct ReplayedAnswer {
    /// Of the arguments: another attempt under the same name has to have the same.
    pub(crate) digest: [u8; 32],
    pub(crate) answer: Answer,
    /// When it was given.
    pub(crate) at: Time,
}

/// Answers of attempts. Each method may fail when the store cannot be reached.
#[async_trait]
pub(crate) trait ReplayedAnswers: Send + Sync + 'static {
    /// The answer that was given under a name, unless it is too old.
    async fn find(
        &self,
        name: &AttemptName,
        now: Time,
    ) -> Result<Option<ReplayedAnswer>, StoreError>;

    /// Keeps an answer as long as there is room for it, and no longer than its time.
    async fn keep(&self, name: AttemptName, answer: ReplayedAnswer) -> Result<(), StoreError>;

    /// Frees what is too old; nothing that is read depends on it.
    async fn sweep(&self, now: Time) -> Result<(), StoreError>;
}

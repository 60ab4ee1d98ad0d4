//! What hashes name: compiled where someone holds it, else read from the store and compiled anew.

use std::sync::Arc;

use serde_json::Value;

use super::contracts::Contracts;
use crate::domain::contract::CompiledContract;
use crate::domain::document::DocumentHash;
use crate::domain::store_error::StoreError;
use crate::domain::view::View;

impl Contracts {
    /// The contract of a hash; `read` fetches its document.
    pub(super) async fn contract(
        &self,
        hash: DocumentHash,
        read: impl Future<Output = Result<Arc<Value>, StoreError>>,
    ) -> Result<Arc<CompiledContract>, StoreError> {
        if let Some(held) = self.held_contract(hash) {
            return Ok(held);
        }
        let document = read.await.map_err(|error| lost(hash, &error))?;
        match self.compile(&document) {
            Ok(compiled) => Ok(compiled.contract),
            Err(findings) => Err(damaged(format!(
                "the stored contract {hash} no longer compiles: {findings:?}"
            ))),
        }
    }

    /// The stored view of a hash; `read` fetches its document.
    pub(super) async fn stored_view(
        &self,
        hash: DocumentHash,
        read: impl Future<Output = Result<Arc<Value>, StoreError>>,
    ) -> Result<Arc<View>, StoreError> {
        if let Some(held) = self.held_view(hash) {
            return Ok(held);
        }
        let document = read.await.map_err(|error| lost(hash, &error))?;
        // It was checked against its contract before it was stored.
        Ok(self.keep(Arc::new(View::from_value(Value::clone(&document)))))
    }
}

/// A document that is named and not there is no session that is not there.
fn lost(hash: DocumentHash, error: &StoreError) -> StoreError {
    damaged(format!("the document {hash} cannot be read: {error}"))
}

/// What is stored cannot be used: told to the operator, and not taken for missing.
pub(super) fn damaged(reason: String) -> StoreError {
    tracing::error!(reason, "a stored session cannot be opened");
    StoreError::unavailable(reason)
}

//! Whether an operation may be run at all, whoever is allowed to ask for it.

use async_trait::async_trait;

use super::error::DispatchError;
use crate::domain::operation::Operation;

/// Decides over operations as plain data: what it sees can be stored, shown to a person, and run
/// later.
#[async_trait]
pub(crate) trait Policy: Send + Sync {
    /// Lets an operation pass, or refuses it.
    async fn decide(&self, operation: &Operation) -> Result<(), DispatchError>;
}

/// The policy of a server without rules: everything passes.
pub(crate) struct AllowAll;

#[async_trait]
impl Policy for AllowAll {
    async fn decide(&self, _: &Operation) -> Result<(), DispatchError> {
        Ok(())
    }
}

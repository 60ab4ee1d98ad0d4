//! The versions of what is shown: as it was in an earlier epoch, and news of the next change.

use std::sync::Arc;

use tokio::time::sleep;

use super::super::book::Waited;
use super::service::Live;
use crate::domain::event::Awaited;
use crate::domain::principal::Principal;
use crate::domain::session::Session;
use crate::domain::store_error::{STORE_WAIT, StoreError};
use crate::wire::ids::{Epoch, SessionKey};

impl Live {
    /// A session as it was when an epoch ended, or as it is where that has not ended. What is no
    /// longer in the log is missing.
    pub(crate) async fn at(
        &self,
        by: &Principal,
        id: &str,
        epoch: Epoch,
    ) -> Result<Arc<Session>, StoreError> {
        self.book.at(&by.key(id), by, epoch).await
    }

    /// Returns once the props are beyond a version: where they are then. A store that does not
    /// answer is asked again.
    pub(crate) async fn after(
        &self,
        by: &Principal,
        id: &str,
        version: u64,
    ) -> Result<u64, StoreError> {
        let key = by.key(id);
        loop {
            match self.look(&key, by, version).await {
                Ok(Some(version)) => return Ok(version),
                Ok(None) => {}
                Err(StoreError::Unavailable { .. }) => sleep(STORE_WAIT).await,
                Err(error) => return Err(error),
            }
        }
    }

    /// Where the props are beyond a version; if they are not, waits for something to happen.
    async fn look(
        &self,
        key: &SessionKey,
        by: &Principal,
        version: u64,
    ) -> Result<Option<u64>, StoreError> {
        let session = self.book.seen(key, by).await?;
        if session.version > version {
            return Ok(Some(session.version));
        }
        let waited = self.book.wait(key, session.seq, Awaited::Frame);
        match waited.await? {
            Waited::Gone => Err(StoreError::Missing),
            Waited::Moved => Ok(None),
        }
    }
}

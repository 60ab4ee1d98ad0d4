//! The versions of what is shown: as it was in an earlier epoch, and news of the next change.

use std::sync::Arc;

use super::service::Live;
use crate::domain::event::{Awaited, Event, Record};
use crate::domain::log::Waited;
use crate::domain::principal::Principal;
use crate::domain::session::Session;
use crate::domain::store::StoreError;
use crate::wire::ids::{Epoch, Seq};

impl Live {
    /// A session as it was when an epoch ended, or as it is where that has not ended. What is no
    /// longer in the log is missing.
    pub(crate) async fn at(
        &self,
        by: &Principal,
        id: &str,
        epoch: Epoch,
    ) -> Result<Arc<Session>, StoreError> {
        let session = self.read_as(by, id).await?;
        if epoch == session.epoch {
            return Ok(session);
        }
        if epoch > session.epoch {
            return Err(StoreError::Missing);
        }
        let page = self
            .log
            .read_from(&session.key, Seq::default(), usize::MAX)
            .await?;
        let written = |record: &Arc<Record>| match &record.fact.event {
            Event::Updated {
                props, epoch: of, ..
            } if *of == epoch => Some(Some(Arc::clone(props))),
            _ => None,
        };
        let last = page.records.iter().rev().find_map(written);
        // No update wrote the first props; once anything is forgotten, nobody knows whether one of
        // their epoch changed them.
        let first = || {
            let is_known = epoch == Epoch::default() && page.horizon == Seq::default();
            is_known.then(|| session.creation.props.clone())
        };
        let props = last.or_else(first).ok_or(StoreError::Missing)?;
        Ok(Arc::new(Session {
            props,
            epoch,
            ..Session::clone(&session)
        }))
    }

    /// Returns once the props are beyond a version: where they are then.
    pub(crate) async fn after(
        &self,
        by: &Principal,
        id: &str,
        version: u64,
    ) -> Result<u64, StoreError> {
        loop {
            let session = self.read_as(by, id).await?;
            if session.version > version {
                return Ok(session.version);
            }
            let waited = self.log.wait(&session.key, session.seq, Awaited::Frame);
            if waited.await == Waited::Gone {
                return Err(StoreError::Missing);
            }
        }
    }
}

//! Sessions that come into memory: read from the store once, however many ask for one at a time.

use std::sync::Arc;

use super::cell::Cell;
use super::documents::damaged;
use super::loading::Reading;
use super::service::Book;
use crate::domain::event::{Record, SessionState};
use crate::domain::session::Session;
use crate::domain::store_error::StoreError;
use crate::wire::ids::{ID_BYTES_MAX, Seq, SessionKey};

impl Book {
    /// A session that is kept, as it may have been a moment ago.
    pub(super) async fn kept(&self, key: &SessionKey) -> Result<Arc<Cell>, StoreError> {
        if key.session.as_str().len() > ID_BYTES_MAX {
            return Err(StoreError::Missing);
        }
        if let Some(cell) = self.in_memory(key) {
            return Ok(cell);
        }
        loop {
            let reading = Reading::of(&self.loading, key);
            let mut is_mine = false;
            let outcome = reading.outcome.get_or_init(|| {
                is_mine = true;
                self.bring_back(key)
            });
            match outcome.await.clone() {
                // It may have come after another one began to look for it.
                Err(StoreError::Missing) if !is_mine => {}
                outcome => return outcome,
            }
        }
    }

    /// Reads a session into memory.
    async fn bring_back(&self, key: &SessionKey) -> Result<Arc<Cell>, StoreError> {
        // Another reading may have ended before this one was noted.
        if let Some(cell) = self.in_memory(key) {
            return Ok(cell);
        }
        let loaded = self.load(key).await?;
        // While it was read, another may have brought it back, written in it, and let it leave.
        loaded.set_behind();
        Ok(self.keep(loaded))
    }

    fn in_memory(&self, key: &SessionKey) -> Option<Arc<Cell>> {
        // Cloned out so that no lock of the map outlives the call.
        let cell = self.cells.get(key).map(|cell| Arc::clone(&cell))?;
        cell.touch(self.clock.now());
        Some(cell)
    }

    /// Takes a session into memory; whoever was faster has the one that all wait on.
    pub(super) fn keep(&self, cell: Cell) -> Arc<Cell> {
        cell.touch(self.clock.now());
        let key = cell.key.clone();
        let kept = Arc::clone(&self.cells.entry(key).or_insert(Arc::new(cell)));
        self.make_room();
        kept
    }

    /// A session as the store holds it.
    pub(super) async fn load(&self, key: &SessionKey) -> Result<Cell, StoreError> {
        let records = self.store.read(key, Seq::default()).await?;
        self.open(key, records).await
    }

    /// A session of which all that is kept was read.
    pub(super) async fn open(
        &self,
        key: &SessionKey,
        records: Vec<Arc<Record>>,
    ) -> Result<Cell, StoreError> {
        let state = SessionState::fold(key, &records)
            .ok_or_else(|| damaged(format!("the log of {key} has no beginning")))?;
        let session = Session {
            contract: self.contract(state.creation.contract).await?,
            first_view: self.view(state.creation.view).await?,
            state,
        };
        Ok(Cell::new(session, records, &self.limits.log))
    }

    /// A session that is kept, as it is now. What has to be read for that is read in a task of its
    /// own: a reader is not polled while its socket answers a frame, and would keep the session's
    /// turn from the very action that is answered.
    pub(super) async fn cell(&self, key: &SessionKey) -> Result<Arc<Cell>, StoreError> {
        if let Some(cell) = self.in_memory(key)
            && !cell.is_behind()
        {
            return Ok(cell);
        }
        let ended = || StoreError::unavailable("the server ends");
        let book = self.this.upgrade().ok_or_else(ended)?;
        let key = key.clone();
        let reading = tokio::spawn(async move {
            let cell = book.kept(&key).await?;
            let noticed = cell.noticed();
            let turn = cell.turn().await;
            book.catch_up(&cell, noticed).await?;
            drop(turn);
            Ok(cell)
        });
        reading.await.map_err(|_| ended())?
    }
}

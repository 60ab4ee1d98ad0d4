//! What is done for the book while it stands: it is swept, and follows what others write.

use std::sync::Arc;

use futures_util::StreamExt as _;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::cell::Cell;
use super::service::Book;
use crate::domain::store_error::{STORE_WAIT, StoreError};
use crate::wire::ids::SessionKey;

impl Book {
    /// Frees what has expired; nothing that is read depends on it.
    pub(crate) async fn sweep(&self) -> Result<(), StoreError> {
        let now = self.clock.now();
        self.handshakes.retain(|_, open| open.is_live(now));
        let is_over = |cell: &Cell| !cell.session().is_live(now, &self.limits.sessions);
        let over = self.cells.iter().filter(|cell| is_over(cell));
        let over: Vec<_> = over.map(|cell| cell.key().clone()).collect();
        for key in over {
            #[cfg(debug_assertions)]
            {
                let cell = self.cells.get(&key).map(|cell| Arc::clone(&cell));
                if let Some(cell) = cell {
                    self.assert_folds(&cell).await;
                }
            }
            self.close(&key);
        }
        self.evict_idle(now);
        self.store.sweep(now).await
    }

    /// Follows what others write into the store, and finds out what became of writes whose outcome
    /// is not known, until the server drains.
    pub(crate) async fn follow(self: Arc<Self>, drain: CancellationToken) {
        let Some(mut to_settle) = self.to_settle.lock().take() else {
            return;
        };
        let mut changes = self.store.watch();
        loop {
            let key = tokio::select! {
                () = drain.cancelled() => return,
                Some(key) = to_settle.recv() => key,
                Some(change) = changes.next() => {
                    let cell = self.cells.get(&change.key).map(|cell| Arc::clone(&cell));
                    match cell {
                        Some(cell) if cell.head() < change.head => cell.set_behind(),
                        _ => continue,
                    };
                    change.key
                }
                else => return,
            };
            let (book, drain) = (Arc::clone(&self), drain.clone());
            tokio::spawn(async move {
                tokio::select! {
                    () = drain.cancelled() => {}
                    () = book.settle(&key) => {}
                }
            });
        }
    }

    /// Writes the activity lists as things happen, until the server drains.
    pub(crate) async fn write_activity(self: Arc<Self>, drain: CancellationToken) {
        self.activity.write(&drain).await;
    }

    /// Writes what happened last, once nothing happens any more.
    pub(crate) async fn finish_activity(&self) {
        if let Err(error) = self.activity.write_waiting().await {
            tracing::warn!(%error, "the activity list misses what happened last");
        }
    }

    /// Reads a session until it is known how it stands: who waits for it is woken by what is new.
    async fn settle(&self, key: &SessionKey) {
        while let Err(StoreError::Unavailable { .. }) = self.cell(key).await {
            sleep(STORE_WAIT).await;
        }
    }
}

//! Pages of a session's ledger, for those who ask instead of listening.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::super::book::{Entry, Page, Waited};
use super::error::LiveError;
use super::owed::is_within;
use super::service::Live;
use crate::domain::contract::CompiledContract;
use crate::domain::event::Awaited;
use crate::domain::principal::Principal;
use crate::domain::projection::row;
use crate::domain::store_error::StoreError;
use crate::wire::frames::LedgerRow;
use crate::wire::ids::{Seq, SessionKey};

/// Bytes of events on one page of the ledger: what a browser still reads at once.
const PAGE_BYTES_MAX: usize = 1 << 20;

/// What came of asking for a page of the ledger.
pub(super) enum Pulled {
    /// The cursor lies outside of what is kept.
    HorizonPassed {
        /// Where the ledger stands.
        current: Seq,
    },
    /// Rows after the cursor.
    Page {
        /// Oldest first.
        rows: Vec<LedgerRow>,
        /// Where the ledger stands.
        last: Seq,
        /// Whether there are rows after these.
        has_more: bool,
    },
}

impl Live {
    /// A page of the ledger after a cursor; an empty one waits up to `wait` for its first row.
    pub(super) async fn page(
        &self,
        key: &SessionKey,
        by: &Principal,
        after: Seq,
        rows_max: usize,
        wait: Duration,
    ) -> Result<Pulled, LiveError> {
        let deadline = Instant::now() + wait;
        let mut is_last_look = wait.is_zero();
        // Whoever is held follows the session as long.
        let mut place = None;
        let mut watch = None;
        loop {
            let mut session = self.book.seen(key, by).await?;
            if after > session.seq {
                session = self.book.seen_newest(key, by).await?;
            }
            if watch.is_none() {
                watch = Some(Arc::clone(&self.feeds).watch(&session));
            }
            let contract = Arc::clone(&session.contract);
            drop(session);
            let page = self.book.page(key, after, rows_max).await?;
            if !is_within(after, &page) {
                return Ok(Pulled::HorizonPassed { current: page.head });
            }
            if !page.entries.is_empty() || is_last_look {
                return Ok(bounded_page(&page, key, &contract));
            }
            if place.is_none() {
                place = Some(self.enter(key)?);
            }
            tokio::select! {
                // The drain goes first: a held page is answered, not filled.
                biased;
                () = self.drain.cancelled() => is_last_look = true,
                waited = timeout_at(deadline, self.book.wait(key, after, Awaited::Any)) => {
                    match waited.map_or(Ok(None), |waited| waited.map(Some))? {
                        Some(Waited::Gone) => return Err(StoreError::Missing.into()),
                        Some(Waited::Moved) => {}
                        None => is_last_look = true,
                    }
                }
            }
        }
    }
}

fn bounded_page(page: &Page, key: &SessionKey, contract: &CompiledContract) -> Pulled {
    let mut bytes = 0;
    let fits = |entry: &&Arc<Entry>| {
        // One row always fits, or a large one would stop its reader for ever.
        let fits = bytes < PAGE_BYTES_MAX;
        bytes += entry.fact.weight();
        fits
    };
    let entries = page.entries.iter().take_while(fits);
    let rows: Vec<_> = entries.map(|entry| row(entry, key, contract)).collect();
    Pulled::Page {
        has_more: rows.last().is_some_and(|row| row.seq < page.head.0),
        rows,
        last: page.head,
    }
}

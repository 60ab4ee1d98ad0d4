//! The journal is written: entries become pages, and of too many the oldest are dropped.

use std::collections::HashMap;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::error::BrainError;
use super::queue::Queue;
use super::service::Brain;
use crate::domain::brain::{Entry, Filter, NewGap, Place, Scope, Slug};
use crate::domain::operation::Caller;
use crate::domain::store_error::StoreError;
use crate::wire::brain::PutParams;
use crate::wire::ids::AppId;

/// How often a page is written anew on top of what others wrote meanwhile.
const ATTEMPTS_MAX: usize = 5;
/// After how many new pages those that are too many are looked for, at most.
const NEW_PAGES_MAX: usize = 100;

/// New pages since the others were looked through, by app and wing.
type NewPages = HashMap<(AppId, &'static str), usize>;

impl Brain {
    /// Writes what waits until the server drains, then all that still waits.
    pub(crate) async fn keep_journal(self: Arc<Self>, queue: Arc<Queue>, drain: CancellationToken) {
        let mut new_pages = NewPages::new();
        let mut is_over = false;
        while !is_over {
            tokio::select! {
                () = drain.cancelled() => is_over = true,
                () = queue.pause() => {}
            }
            // Before the pages, which may be what they wait for.
            for (app, query_hash) in queue.gaps_due(is_over) {
                let gap = NewGap {
                    place: None,
                    query_hash,
                    confidence: None,
                    now: self.now(),
                };
                if let Err(error) = self.store.add_gap(&app, gap).await {
                    queue.lost("failed", &error);
                }
            }
            for entry in queue.due(is_over) {
                if let Err(error) = self.write_down(&entry, &mut new_pages).await {
                    queue.lost("failed", &error);
                }
            }
        }
    }

    async fn write_down(&self, entry: &Entry, new_pages: &mut NewPages) -> Result<(), BrainError> {
        let place = Place {
            collection: self.collections.write_target().name.clone(),
            slug: Slug::parse(&entry.slug()).map_err(BrainError::Invalid)?,
        };
        self.check_restored(&place.collection)?;
        let caller = Caller::server(entry.app.clone());
        let mut attempts = 0;
        let put = loop {
            let page = match self.store.page(&entry.app, &place).await {
                Ok(page) => Some(page),
                Err(StoreError::Missing) => None,
                Err(error) => return Err(error.into()),
            };
            let source = page.as_ref().map(|page| page.source.as_str());
            let put = PutParams {
                slug: place.to_string(),
                content: entry.onto(source, self.limits.journal_rows_max),
                expected_version: page.map(|page| page.version),
            };
            attempts += 1;
            match self.put(&caller, put).await {
                Err(BrainError::Stale { .. }) if attempts < ATTEMPTS_MAX => {}
                put => break put?,
            }
        };
        for query_hash in &entry.answers {
            self.end_gap(&entry.app, query_hash, &place).await?;
        }
        if put.created {
            self.drop_oldest(entry, &place, new_pages).await?;
        }
        Ok(())
    }

    /// Forgets pages of one kind that are too many, those that were changed longest ago.
    async fn drop_oldest(
        &self,
        entry: &Entry,
        place: &Place,
        new_pages: &mut NewPages,
    ) -> Result<(), BrainError> {
        let max = self.limits.journal_pages_max;
        let new = new_pages
            .entry((entry.app.clone(), entry.wing))
            .or_default();
        *new += 1;
        if *new < NEW_PAGES_MAX.min(max) {
            return Ok(());
        }
        *new = 0;
        let filter = Filter {
            scope: Scope {
                collection: Some(place.collection.clone()),
                wing: Some(entry.wing.to_owned()),
                limit: u32::try_from(max + 2 * NEW_PAGES_MAX).unwrap_or(u32::MAX),
            },
            kind: Some(entry.kind.to_owned()),
        };
        let pages = self.store.list(&entry.app, filter).await?;
        for page in pages.into_iter().skip(max) {
            match self.store.delete(&entry.app, &page.place).await {
                Ok(()) => self.changes.announce(&entry.app, &page.place),
                // Somebody was faster.
                Err(StoreError::Missing) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

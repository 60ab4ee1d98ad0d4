//! Vectors of pages: made with the page where that is at hand, and otherwise behind it, so that what
//! makes them may fail without failing a page.

use std::sync::Arc;
use std::time::Duration;

use metrics::counter;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::service::Brain;
use crate::domain::brain::{NoVectors, Unembedded, Vector};
use crate::domain::store_error::StoreError;

/// Pages that are read at once while vectors are made.
const PAGES_AT_ONCE: u32 = 32;
/// The longest wait before pages without vectors are tried again.
const RETRY_MAX: Duration = Duration::from_secs(60);

impl Brain {
    /// The vectors of a page that is about to be written; none where they follow.
    pub(super) async fn vectors_now(&self, parts: &[String]) -> Option<Vec<Vector>> {
        if !self.embedder.is_here() {
            return None;
        }
        let made = self.embedder.embed(parts).await;
        made.inspect_err(|why| self.no_vectors(why)).ok()
    }

    /// The vector of a query, where there is one in time.
    pub(super) async fn vector_of(&self, query: &str) -> Option<Vector> {
        let wait = Duration::from_millis(self.limits.embedding_query_ms_max);
        let query = [query.to_owned()];
        let made = match timeout(wait, self.embedder.embed(&query)).await {
            Ok(made) => made,
            Err(_) => Err(NoVectors::Unavailable("it took too long".to_owned())),
        };
        let made = made.inspect_err(|why| self.no_vectors(why)).ok();
        made.and_then(|vectors| vectors.into_iter().next())
    }

    /// Makes the vectors of pages that have none of the present model, until the server drains: those
    /// that were just written, and all others after a change of the model.
    pub(crate) async fn embed_pages(self: Arc<Self>, drain: CancellationToken) {
        let first = Duration::from_millis(self.limits.embedding_retry_ms.max(1));
        let mut wait = first;
        loop {
            let passed = tokio::select! {
                () = drain.cancelled() => return,
                passed = self.embed_all() => passed,
            };
            let pause = async {
                match passed {
                    Ok(()) => {
                        wait = first;
                        self.unembedded.notified().await;
                    }
                    Err(why) => {
                        self.no_vectors(&why);
                        sleep(wait).await;
                        wait = RETRY_MAX.min(wait * 2);
                    }
                }
            };
            tokio::select! {
                () = drain.cancelled() => return,
                () = pause => {}
            }
        }
    }

    /// One pass over all pages that have none. Those that are refused stay as they are until the next
    /// pass.
    async fn embed_all(&self) -> Result<(), NoVectors> {
        let failed = |error: StoreError| NoVectors::Unavailable(error.to_string());
        let mut after = 0;
        loop {
            let pages = self.store.unembedded(after, PAGES_AT_ONCE).await;
            let pages = pages.map_err(failed)?;
            let Some(last) = pages.last() else {
                return Ok(());
            };
            after = last.id;
            for page in pages {
                let Unembedded {
                    id,
                    place,
                    version,
                    document,
                } = page;
                let title = document.title(&place.slug);
                match self.embedder.embed(&document.parts(&title)).await {
                    Ok(vectors) => {
                        let kept = self.store.embed(id, version, vectors).await;
                        kept.map_err(failed)?;
                    }
                    Err(why @ NoVectors::Refused(_)) => self.no_vectors(&why),
                    Err(why) => return Err(why),
                }
            }
        }
    }

    /// Counts what has no vectors, and says so once a minute.
    fn no_vectors(&self, why: &NoVectors) {
        counter!("proscenium_embeddings_failed_total").increment(1);
        if let Some(count) = self.spoken.count(Instant::now().into_std()) {
            tracing::warn!(count, %why, "pages are found by their words alone");
        }
    }
}

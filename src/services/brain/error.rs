//! Why the page store did not do what was asked.

use crate::domain::store_error::StoreError;

/// Why the page store did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BrainError {
    /// A bare slug that stands in several collections.
    #[error("{slug} stands in several collections")]
    Ambiguous {
        /// The slug.
        slug: String,
        /// Whole addresses of the pages that may be meant.
        candidates: Vec<String>,
    },
    /// An argument that its schema cannot judge.
    #[error("{0}")]
    Invalid(String),
    /// A page, a link, a collection or a gap that is not there, in words.
    #[error("{0}")]
    NotFound(String),
    /// The request names another app than that of its credential.
    #[error("{app} is another app")]
    OtherApp {
        /// The app that it names.
        app: String,
    },
    /// There is raw data of this source.
    #[error("there is raw data of {source_name}")]
    RawExists {
        /// The page.
        slug: String,
        /// Where the data came from.
        source_name: String,
    },
    /// The collection may only be read.
    #[error("{collection} may only be read")]
    ReadOnly {
        /// Its name.
        collection: String,
    },
    /// The collection is restored, or has to be compared with its source first.
    #[error("{collection} cannot be changed yet")]
    Restoring {
        /// Its name.
        collection: String,
        /// Whether it waits to be compared with its source.
        needs_full_sync: bool,
    },
    /// The page stands at another version than the change was made from.
    #[error("expected {expected:?}, found {current:?}")]
    Stale {
        /// Its version; none where there is no page.
        current: Option<i64>,
        /// The version the change was made from; none to create the page.
        expected: Option<i64>,
    },
    /// The store did not answer, or has no room.
    #[error(transparent)]
    Store(#[from] StoreError),
}

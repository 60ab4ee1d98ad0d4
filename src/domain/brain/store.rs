//! The port through which pages are kept.

use async_trait::async_trait;

use super::super::store_error::StoreError;
use super::embedder::Vector;
use super::interval::{Bound, Temporal};
use super::page::{
    Found, Gap, GapApproval, Link, Listed, NewGap, NewLink, NewPage, NewRaw, Page, Unembedded,
    Version,
};
use super::slug::{Place, Slug};
use crate::wire::ids::AppId;

/// What became of a page that was to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PutOutcome {
    /// Its text claims the id of another page; it keeps its own.
    OtherUuid,
    /// The page stands at another version, or is not there.
    Stale {
        /// Its version; none where there is no page.
        current: Option<i64>,
    },
    /// It is written.
    Written {
        /// Its version from now on.
        version: i64,
    },
}

/// What became of data that was to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RawOutcome {
    /// There is data of this source.
    Exists,
    /// It is kept in this row.
    Kept(i64),
}

/// A link that was made or closed.
#[derive(Clone, Debug)]
pub(crate) struct LinkChange {
    /// The link.
    pub(crate) link: Link,
    /// Whether an open one was closed.
    pub(crate) closed_existing: bool,
}

/// Where something is looked for: pages of an app.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Only in this collection.
    pub(crate) collection: Option<String>,
    /// Only in this wing.
    pub(crate) wing: Option<String>,
    /// Pages at most.
    pub(crate) limit: u32,
}

/// Which pages are listed.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    /// Where, and how many.
    pub(crate) scope: Scope,
    /// Only of this type.
    pub(crate) kind: Option<String>,
}

/// Two statements that cannot both hold.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    /// The page of the earlier one.
    pub(crate) page: Place,
    /// The page of the later one.
    pub(crate) other: Place,
    /// Who or what.
    pub(crate) subject: String,
    /// What is said of it.
    pub(crate) predicate: String,
    /// By the earlier one.
    pub(crate) object: String,
    /// By the later one.
    pub(crate) other_object: String,
    /// The first day of the later one.
    pub(crate) since: String,
    /// When the later one was written, ISO 8601.
    pub(crate) detected_at: String,
}

/// What is kept of an app.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StoredCounts {
    pub(crate) pages: i64,
    pub(crate) links: i64,
    pub(crate) assertions: i64,
    pub(crate) conflicts: i64,
    pub(crate) open_gaps: i64,
    pub(crate) vectors: i64,
    pub(crate) bytes: i64,
    pub(crate) schema_version: i64,
}

/// What a collection has.
#[derive(Clone, Debug)]
pub(crate) struct CollectionCounts {
    /// Its name.
    pub(crate) collection: String,
    pub(crate) pages: i64,
    /// Pages whose vectors are still to be made.
    pub(crate) unembedded: i64,
}

/// The pages of every app.
///
/// Every method is asked with the app: another app's page answers exactly like a missing one, which
/// is [`StoreError::Missing`]. Each may be [`StoreError::Unavailable`]. What a method has
/// acknowledged is kept.
#[async_trait]
pub(crate) trait PageStore: Send + Sync + 'static {
    /// The collections in which a slug stands, sorted.
    async fn owners(&self, app: &AppId, slug: &Slug) -> Result<Vec<String>, StoreError>;

    /// Where the page of an id stands.
    async fn place_of(&self, app: &AppId, uuid: &str) -> Result<Place, StoreError>;

    /// A page.
    async fn page(&self, app: &AppId, place: &Place) -> Result<Page, StoreError>;

    /// Writes a page if it stands at the version expected: of racing writers one wins.
    async fn put(&self, app: &AppId, page: NewPage) -> Result<PutOutcome, StoreError>;

    /// Forgets a page with its versions, links, statements, tags and data.
    async fn delete(&self, app: &AppId, place: &Place) -> Result<(), StoreError>;

    /// Versions of a page before a number, newest first, without their texts.
    async fn versions(
        &self,
        app: &AppId,
        place: &Place,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<Version>, StoreError>;

    /// A version of a page, as far as it is kept.
    async fn version(
        &self,
        app: &AppId,
        place: &Place,
        version: i64,
    ) -> Result<Version, StoreError>;

    /// Pages by their words: all of them, or any of them; best first.
    async fn search(
        &self,
        app: &AppId,
        terms: Vec<String>,
        all: bool,
        scope: Scope,
    ) -> Result<Vec<Found>, StoreError>;

    /// Pages by their vectors, nearest first, as far as they are nearer than `min`.
    async fn nearest(
        &self,
        app: &AppId,
        vector: Vector,
        min: f64,
        scope: Scope,
    ) -> Result<Vec<Found>, StoreError>;

    /// The pages whose title is this text, whatever the case of its letters.
    async fn titled(
        &self,
        app: &AppId,
        title: &str,
        scope: Scope,
    ) -> Result<Vec<Found>, StoreError>;

    /// A page as if it had been found.
    async fn found(&self, app: &AppId, place: &Place) -> Result<Found, StoreError>;

    /// Pages, last changed first.
    async fn list(&self, app: &AppId, filter: Filter) -> Result<Vec<Listed>, StoreError>;

    /// Pages of all collections behind a place, in the order of their slugs and then of their
    /// collections.
    async fn list_after(
        &self,
        app: &AppId,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Listed>, StoreError>;

    /// Pages of all collections, newest first, that are older than a page of a moment of birth and an
    /// id.
    async fn newest(
        &self,
        app: &AppId,
        older_than: Option<(String, String)>,
        limit: u32,
    ) -> Result<Vec<Listed>, StoreError>;

    /// Makes a link. One with an end closes an open one of the same pages and relationship instead.
    async fn link(&self, app: &AppId, link: NewLink) -> Result<LinkChange, StoreError>;

    /// A link.
    async fn link_by_id(&self, app: &AppId, id: i64) -> Result<Link, StoreError>;

    /// Sets the end of a link.
    async fn close_link(&self, app: &AppId, id: i64, until: &Bound) -> Result<Link, StoreError>;

    /// Links to a page, newest first.
    async fn links_to(
        &self,
        app: &AppId,
        place: &Place,
        temporal: Temporal,
        today: &str,
        limit: u32,
    ) -> Result<Vec<Link>, StoreError>;

    /// Links from a page, oldest first.
    async fn links_from(
        &self,
        app: &AppId,
        place: &Place,
        temporal: Temporal,
        today: &str,
        limit: u32,
    ) -> Result<Vec<Link>, StoreError>;

    /// What contradicts itself, of one page or of all.
    async fn conflicts(
        &self,
        app: &AppId,
        place: Option<&Place>,
        limit: u32,
    ) -> Result<Vec<Conflict>, StoreError>;

    /// Adds tags to a page, then removes some; gives what is left, sorted. `Full` above `max`.
    async fn tags(
        &self,
        app: &AppId,
        place: &Place,
        add: &[String],
        remove: &[String],
        max: usize,
    ) -> Result<Vec<String>, StoreError>;

    /// Keeps data about a page.
    async fn put_raw(&self, app: &AppId, raw: NewRaw) -> Result<RawOutcome, StoreError>;

    /// Keeps a gap; one that is known already is open again.
    async fn add_gap(&self, app: &AppId, gap: NewGap) -> Result<Gap, StoreError>;

    /// Notes that a person has agreed at a moment to a gap leaving this machine in these words, which
    /// are its own unless they are redacted.
    async fn share_gap(&self, app: &AppId, approval: GapApproval) -> Result<(), StoreError>;

    /// Gaps, newest first; those that are resolved, too, where told.
    async fn gaps(&self, app: &AppId, is_all: bool, limit: u32) -> Result<Vec<Gap>, StoreError>;

    /// The gap of a question, by its hash.
    async fn gap(&self, app: &AppId, query_hash: &str) -> Result<Gap, StoreError>;

    /// Notes that a page answers a gap.
    async fn resolve_gap(
        &self,
        app: &AppId,
        gap: i64,
        by: &Place,
        now: &str,
    ) -> Result<(), StoreError>;

    /// What is kept.
    async fn counts(&self, app: &AppId) -> Result<StoredCounts, StoreError>;

    /// What each collection has that has pages.
    async fn page_counts(&self, app: &AppId) -> Result<Vec<CollectionCounts>, StoreError>;

    /// Pages of all apps whose vectors are still to be made, behind a row.
    async fn unembedded(&self, after: i64, limit: u32) -> Result<Vec<Unembedded>, StoreError>;

    /// A number that changes when another process has written.
    async fn others_wrote(&self) -> Result<i64, StoreError>;

    /// Keeps the vectors of a page, unless it stands at another version by now.
    async fn embed(&self, id: i64, version: i64, vectors: Vec<Vector>) -> Result<(), StoreError>;
}

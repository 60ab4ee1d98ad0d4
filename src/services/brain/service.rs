//! Reading and writing single pages.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Notify;

use super::super::book::Book;
use super::changes::Changes;
use super::error::BrainError;
use super::fresh::Recalled;
use super::intent::Intent;
use crate::domain::brain::{
    Address, Ask, Collections, Document, Embedder, Likeness, NewPage, Page, PageStore, Place,
    Proposal, PutOutcome, assertions, is_preference, question_hash,
};
use crate::domain::clock::{Clock, Ids};
use crate::domain::limits::BrainLimits;
use crate::domain::operation::Caller;
use crate::domain::principal::{Door, OWN_NAMES};
use crate::domain::seldom::Seldom;
use crate::domain::store_error::StoreError;
use crate::wire::brain::{
    CollectionRow, CollectionsResult, GetParams, GetResult, PutParams, PutResult, StatsResult,
    TimelineParams, TimelineResult,
};

/// Entries of a timeline unless told.
const ENTRIES_DEFAULT: u32 = 20;
/// Bytes of a preference: what a person reads before they agree to it.
const PREFERENCE_BYTES_MAX: usize = 4_096;

/// The page store.
pub(crate) struct Brain {
    pub(crate) store: Arc<dyn PageStore>,
    /// The sessions in which people are asked.
    pub(crate) book: Arc<Book>,
    pub(crate) embedder: Arc<dyn Embedder>,
    /// What its vectors are worth.
    pub(crate) likeness: Likeness,
    pub(crate) collections: Collections,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) limits: BrainLimits,
    /// Wakes those who wait for a page.
    pub(crate) changes: Changes,
    /// What handshakes were told a moment ago.
    pub(crate) recalled: Recalled,
    /// Wakes what makes vectors behind pages.
    pub(crate) unembedded: Notify,
    pub(crate) spoken: Seldom,
}

impl Brain {
    /// `brain_get`: a page as text.
    pub(super) async fn get(
        &self,
        caller: &Caller,
        params: GetParams,
    ) -> Result<GetResult, BrainError> {
        let Page {
            place,
            uuid,
            version,
            document,
            tags,
            created_at,
            updated_at,
            ..
        } = self.page(caller, &params.slug).await?;
        let slug = place.to_string();
        Ok(GetResult {
            content: document.render(&slug, &uuid, version),
            title: document.title(&place.slug),
            kind: document.kind(),
            frontmatter: document.frontmatter,
            slug,
            version,
            uuid,
            tags,
            created_at,
            updated_at,
        })
    }

    /// `brain_timeline`: what happened, newest first.
    pub(super) async fn timeline(
        &self,
        caller: &Caller,
        params: TimelineParams,
    ) -> Result<TimelineResult, BrainError> {
        let page = self.page(caller, &params.slug).await?;
        let mut entries = page.document.timeline_entries();
        entries.truncate(self.rows(params.limit, ENTRIES_DEFAULT) as usize);
        Ok(TimelineResult {
            slug: page.place.to_string(),
            entries,
        })
    }

    /// The page that a text names.
    pub(super) async fn page(&self, caller: &Caller, slug: &str) -> Result<Page, BrainError> {
        let place = self.resolve(caller, slug, Intent::Read).await?;
        let page = self.store.page(&caller.principal.app, &place).await;
        page.map_err(|error| missing_page(slug, error))
    }

    /// `brain_put`: of racing writers of one version one wins, and the others are told its version.
    pub(super) async fn put(
        &self,
        caller: &Caller,
        params: PutParams,
    ) -> Result<PutResult, BrainError> {
        self.put_as(caller, params, self.ids.uuid()).await
    }

    /// The same, where a page that is new gets this id.
    pub(super) async fn put_as(
        &self,
        caller: &Caller,
        params: PutParams,
        new_uuid: String,
    ) -> Result<PutResult, BrainError> {
        let PutParams {
            slug,
            content,
            expected_version: expected,
        } = params;
        let intent = match expected {
            None => Intent::Create,
            Some(_) => Intent::Change,
        };
        let place = match self.resolve(caller, &slug, intent).await {
            // There is nothing to update, which is a conflict of versions.
            Err(BrainError::NotFound(_)) if expected.is_some() && is_bare(&slug) => {
                let current = None;
                return Err(BrainError::Stale { current, expected });
            }
            place => place?,
        };
        if content.contains('\0') {
            return Err(BrainError::Invalid("content: a NUL is no text".to_owned()));
        }
        at_most("bytes", content.len(), self.limits.page_bytes_max)?;
        let document = Document::parse(&content);
        if let Some(claimed) = &document.claimed_uuid
            && uuid::Uuid::parse_str(claimed).is_err()
        {
            return Err(BrainError::Invalid(format!(
                "content: gbrain_id: \"{claimed}\" is no UUID"
            )));
        }
        let title = document.title(&place.slug);
        let assertions = assertions(&title, &document);
        let links = document.wiki_links();
        let limits = &self.limits;
        at_most(
            "statements",
            assertions.len(),
            limits.statements_per_page_max,
        )?;
        at_most("links", links.len(), limits.links_per_page_max)?;
        at_most("tags", document.tags().len(), limits.tags_per_page_max)?;
        let wiki_links = links.into_iter();
        let wiki_links = wiki_links.filter_map(|link| Address::parse(link).ok());
        let wiki_links = wiki_links.collect();
        self.check_writable(&place)?;
        let may_decide = caller.door == Door::Server || caller.principal.is_person;
        if is_preference(&place) && !may_decide {
            return self
                .propose(caller, &place, &document, &content, expected)
                .await;
        }
        let name = &*caller.principal.name;
        let is_known = may_decide && !OWN_NAMES.contains(&name);
        let names = [title.as_str(), place.slug.as_str(), &place.to_string()];
        let page = NewPage {
            answers: names.map(question_hash).to_vec(),
            person: is_known.then(|| name.to_owned()),
            assertions,
            wiki_links,
            vectors: self.vectors_now(&document.parts(&title)).await,
            expected_version: expected,
            new_uuid,
            now: self.now(),
            by: caller.principal.name.to_string(),
            place: place.clone(),
            content,
            document,
        };
        let (slug, has_vectors) = (place.to_string(), page.vectors.is_some());
        match self.store.put(&caller.principal.app, page).await? {
            PutOutcome::OtherUuid => {
                let why = format!("content: gbrain_id is not that of {slug}: leave it out");
                Err(BrainError::Invalid(why))
            }
            PutOutcome::Stale { current } => Err(BrainError::Stale { current, expected }),
            PutOutcome::Written { version } => {
                self.changes.announce(&caller.principal.app, &place);
                if !has_vectors {
                    self.unembedded.notify_one();
                }
                let created = expected.is_none();
                let verb = if created { "Created" } else { "Updated" };
                Ok(PutResult {
                    message: format!("{verb} {slug} (version {version})"),
                    slug,
                    version,
                    created,
                    asked: None,
                })
            }
        }
    }

    /// A preference is not written: people are asked whether it is kept.
    async fn propose(
        &self,
        caller: &Caller,
        place: &Place,
        document: &Document,
        content: &str,
        expected: Option<i64>,
    ) -> Result<PutResult, BrainError> {
        at_most("bytes", content.len(), PREFERENCE_BYTES_MAX)?;
        let app = &caller.principal.app;
        let current = match self.store.page(app, place).await {
            Ok(page) => Some(page.version),
            Err(StoreError::Missing) => None,
            Err(error) => return Err(error.into()),
        };
        if current != expected {
            return Err(BrainError::Stale { current, expected });
        }
        let ask = Ask::Keep(Proposal {
            slug: place.to_string(),
            title: document.title(&place.slug),
            content: content.to_owned(),
            expected_version: expected,
            by: caller.principal.name.to_string(),
        });
        let session = self.ask(app, &ask).await?.to_string();
        let slug = place.to_string();
        Ok(PutResult {
            message: format!(
                "Asked whether {slug} may be kept (session {session}). It is written once a person \
                 agrees."
            ),
            slug,
            version: current.unwrap_or_default(),
            created: false,
            asked: Some(session),
        })
    }

    /// `brain_stats`: how much there is of everything.
    pub(super) async fn stats(&self, caller: &Caller) -> Result<StatsResult, BrainError> {
        let counts = self.store.counts(&caller.principal.app).await?;
        Ok(StatsResult {
            page_count: counts.pages,
            link_count: counts.links,
            assertion_count: counts.assertions,
            contradiction_count: counts.conflicts,
            gap_count: counts.open_gaps,
            embedding_count: counts.vectors,
            active_model: self.embedder.model().to_owned(),
            db_size_bytes: counts.bytes,
            schema_version: counts.schema_version,
        })
    }

    /// `brain_collections`: every collection, and what may be done with it.
    pub(super) async fn collections(
        &self,
        caller: &Caller,
    ) -> Result<CollectionsResult, BrainError> {
        let counts = self.store.page_counts(&caller.principal.app).await?;
        let target = &self.collections.write_target().name;
        let rows = self.collections.all().iter().map(|collection| {
            let name = collection.name.clone();
            let counted = counts.iter().find(|counted| counted.collection == name);
            CollectionRow {
                root_path: None,
                state: collection.state.word(),
                writable: !collection.state.is_read_only(),
                is_write_target: name == *target,
                page_count: counted.map_or(0, |counted| counted.pages),
                last_sync_at: None,
                embedding_queue_depth: counted.map_or(0, |counted| counted.unembedded),
                ignore_parse_errors: None,
                needs_full_sync: collection.state.needs_full_sync(),
                recovery_in_progress: false,
                integrity_blocked: None,
                restore_in_progress: collection.state.is_restoring(),
                name,
            }
        });
        Ok(CollectionsResult {
            collections: rows.collect(),
        })
    }

    /// The moment, as it is written down.
    pub(super) fn now(&self) -> String {
        self.clock.wall().to_string()
    }

    /// As many rows as were asked for, or as an answer has.
    pub(super) fn rows(&self, asked: Option<u32>, default: u32) -> u32 {
        asked.unwrap_or(default).min(self.limits.rows_max)
    }
}

/// Refuses a text with more of something than a page may have.
fn at_most(what: &str, count: usize, max: usize) -> Result<(), BrainError> {
    if count > max {
        let why = format!("content: {count} {what}, at most {max} make a page");
        return Err(BrainError::Invalid(why));
    }
    Ok(())
}

/// Whether an address names no collection.
fn is_bare(slug: &str) -> bool {
    Address::parse(slug).is_ok_and(|address| address.collection.is_none())
}

/// A page that is not there, in the words of whoever named it.
pub(super) fn missing_page(slug: &str, error: StoreError) -> BrainError {
    match error {
        StoreError::Missing => BrainError::NotFound(format!("page not found: {slug}")),
        error => error.into(),
    }
}

/// A text among arguments that were not checked yet.
pub(super) fn text<'a>(arguments: &'a Value, name: &str) -> Option<&'a str> {
    arguments.get(name).and_then(Value::as_str)
}

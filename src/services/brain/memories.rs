//! Memories: pages by their ids, as the REST interface reads and writes them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use uuid::Uuid;

use super::error::BrainError;
use super::intent::Intent;
use super::service::{Brain, text};
use crate::domain::brain::{
    Document, Listed, Page, Place, Slug, Version, body_of, is_preference, rewritten,
};
use crate::domain::operation::Caller;
use crate::domain::page::cursor;
use crate::domain::store_error::StoreError;
use crate::wire::brain::{
    ChangeMemoryParams, CreateMemoryParams, FoundMemories, FoundMemory, Memory, MemoryChange,
    MemoryParams, MemoryRow, MemoryVersion, NewMemory, PutParams, QueryParams,
    SearchMemoriesParams, VersionParams, VersionRow, VersionsParams,
};
use crate::wire::object::Object;
use crate::wire::page::{Page as ListPage, PageParams};
use crate::wire::runtime::RuntimeResult;

/// The wing in which new memories stand.
const WING: &str = "memories";
/// The type of a memory that names none.
const KIND_DEFAULT: &str = "fact";
/// Bytes of an id: a text of another length is a slug.
const ID_BYTES: usize = 36;
/// Between the moment of birth and the id of the last row of a page of a list.
const SEPARATOR: char = ' ';

// Entries of the frontmatter.
const AGENT: &str = "agent_id";
const KIND: &str = "type";
const METADATA: &str = "metadata";
const SOURCE: &str = "source_uri";
const TITLE: &str = "title";

impl Brain {
    /// `POST /api/v1/memories`: a page of its own.
    pub(super) async fn create_memory(
        &self,
        caller: &Caller,
        params: CreateMemoryParams,
    ) -> Result<Memory, BrainError> {
        let NewMemory {
            content,
            tenant_id,
            agent_id,
            memory_type,
            title,
            source_uri,
            metadata,
        } = params.body;
        if let Some(app) = tenant_id.filter(|app| app != caller.principal.app.as_str()) {
            return Err(BrainError::OtherApp { app });
        }
        let id = self.ids.uuid();
        let slug = Slug::parse(&format!("{WING}/{id}")).map_err(BrainError::Invalid)?;
        let place = Place {
            collection: self.collections.write_target().name.clone(),
            slug,
        };
        let agent = agent_id.unwrap_or_else(|| caller.principal.name.to_string());
        let kind = memory_type.unwrap_or_else(|| KIND_DEFAULT.to_owned());
        let entries = entries([
            (KIND, Some(kind)),
            (TITLE, title),
            (AGENT, Some(agent)),
            (SOURCE, source_uri),
            (METADATA, metadata.map(to_line)),
        ]);
        let put = PutParams {
            slug: place.to_string(),
            content: rewritten("", &entries, Some(&content)),
            expected_version: None,
        };
        self.put_as(caller, put, id).await?;
        self.memory_at(caller, &place).await
    }

    /// `GET /api/v1/memories/{memory}`.
    pub(super) async fn memory(
        &self,
        caller: &Caller,
        params: MemoryParams,
    ) -> Result<Memory, BrainError> {
        let place = self.place(caller, &params.id).await?;
        self.memory_at(caller, &place).await
    }

    /// `PATCH /api/v1/memories/{memory}`: a change on top of the version it was made from.
    pub(super) async fn change_memory(
        &self,
        caller: &Caller,
        params: ChangeMemoryParams,
    ) -> Result<Memory, BrainError> {
        let MemoryChange {
            expected_version: expected,
            content,
            memory_type,
            title,
            source_uri,
            metadata,
        } = params.body;
        let place = self.place(caller, &params.id).await?;
        let page = self.page_at(caller, &place).await?;
        if expected.is_some_and(|expected| expected != page.version) {
            let current = Some(page.version);
            return Err(BrainError::Stale { current, expected });
        }
        let entries = entries([
            (KIND, memory_type),
            (TITLE, title),
            (SOURCE, source_uri),
            (METADATA, metadata.map(to_line)),
        ]);
        let source = rewritten(&page.source, &entries, content.as_deref());
        if is_preference(&place) && !caller.principal.is_person {
            let why = "content: a person changes a preference, on the stage; an agent asks for it \
                with brain_put";
            return Err(BrainError::Invalid(why.to_owned()));
        }
        if source != page.source {
            let put = PutParams {
                slug: place.to_string(),
                content: source,
                expected_version: Some(page.version),
            };
            self.put(caller, put).await?;
            if is_preference(&place)
                && let Err(error) = self.ask_which(&caller.principal.app, &place).await
            {
                tracing::warn!(%error, "nobody is asked which of two preferences holds");
            }
        }
        self.memory_at(caller, &place).await
    }

    /// `DELETE /api/v1/memories/{memory}`: gone, with its versions and all that hangs on it.
    pub(super) async fn delete_memory(
        &self,
        caller: &Caller,
        params: MemoryParams,
    ) -> Result<RuntimeResult, BrainError> {
        let place = self.place(caller, &params.id).await?;
        self.check_writable(&place)?;
        if is_preference(&place) && !caller.principal.is_person {
            let why = "id: a person deletes a preference, on the stage";
            return Err(BrainError::Invalid(why.to_owned()));
        }
        let app = &caller.principal.app;
        self.store.delete(app, &place).await.map_err(missing)?;
        self.changes.announce(app, &place);
        Ok(RuntimeResult::done())
    }

    /// `GET /api/v1/memories`: newest first.
    pub(super) async fn memories(
        &self,
        caller: &Caller,
        params: PageParams,
    ) -> Result<ListPage<MemoryRow>, BrainError> {
        let older_than = match &params.after {
            None => None,
            Some(place) => {
                let parts = place.split_once(SEPARATOR);
                let (born, id) = parts.ok_or_else(bad_cursor)?;
                Some((born.to_owned(), id.to_owned()))
            }
        };
        let limit = u32::try_from(params.limit).unwrap_or(u32::MAX);
        let app = &caller.principal.app;
        let listed = self.store.newest(app, older_than, limit.saturating_add(1));
        Ok(list_page(listed.await?, limit, to_row, |row| {
            format!("{}{SEPARATOR}{}", row.created_at, row.id)
        }))
    }

    /// `POST /api/v1/search`: as `brain_query` finds pages.
    pub(super) async fn search_memories(
        &self,
        caller: &Caller,
        params: SearchMemoriesParams,
    ) -> Result<FoundMemories, BrainError> {
        let query = QueryParams {
            query: params.body.query,
            collection: params.body.collection,
            wing: None,
            limit: params.body.limit,
            depth: None,
        };
        let found = self.best(caller, &query).await?.found;
        let found = found.into_iter().map(|found| FoundMemory {
            id: found.uuid,
            slug: found.place.to_string(),
            title: found.title,
            memory_type: found.kind,
            snippet: match found.snippet.trim() {
                "" => found.summary,
                snippet => snippet.to_owned(),
            },
            score: found.score,
        });
        Ok(FoundMemories {
            data: found.collect(),
        })
    }

    /// `GET /api/v1/memories/{memory}/versions`: newest first, as far as they are kept.
    pub(super) async fn versions(
        &self,
        caller: &Caller,
        params: VersionsParams,
    ) -> Result<ListPage<VersionRow>, BrainError> {
        let before = match &params.after {
            None => None,
            Some(place) => Some(place.parse().map_err(|_| bad_cursor())?),
        };
        let place = self.place(caller, &params.id).await?;
        let app = &caller.principal.app;
        let more = params.limit.saturating_add(1);
        let rows = self.store.versions(app, &place, before, more).await;
        let row = |version: Version| VersionRow {
            version: version.version,
            written_at: version.written_at,
            written_by: version.written_by,
        };
        Ok(list_page(
            rows.map_err(missing)?,
            params.limit,
            row,
            |row| row.version.to_string(),
        ))
    }

    /// `GET /api/v1/memories/{memory}/versions/{version}`.
    pub(super) async fn version(
        &self,
        caller: &Caller,
        params: VersionParams,
    ) -> Result<MemoryVersion, BrainError> {
        let missing = || BrainError::NotFound("Version not found".to_owned());
        let number = params.version.parse().map_err(|_| missing())?;
        let place = self.place(caller, &params.id).await?;
        let app = &caller.principal.app;
        let kept = match self.store.version(app, &place, number).await {
            Err(StoreError::Missing) => return Err(missing()),
            kept => kept?,
        };
        Ok(MemoryVersion {
            version: kept.version,
            written_at: kept.written_at,
            written_by: kept.written_by,
            title: Document::parse(&kept.source).title(&place.slug),
            content: body_of(&kept.source).to_owned(),
        })
    }

    /// Refuses a change of a memory whose collection is not ready for it, before anything else about
    /// it is judged. What names no memory is judged later.
    pub(super) async fn check_memory_ready(
        &self,
        caller: &Caller,
        given: &Value,
    ) -> Result<(), BrainError> {
        let Some(id) = text(given, "id") else {
            return self.check_restored(&self.collections.write_target().name);
        };
        match self.place(caller, id).await {
            Ok(place) => self.check_restored(&place.collection),
            Err(BrainError::Store(error)) => Err(error.into()),
            Err(_) => Ok(()),
        }
    }

    /// Where the page of a memory stands.
    async fn place(&self, caller: &Caller, id: &str) -> Result<Place, BrainError> {
        if id.len() == ID_BYTES
            && let Ok(uuid) = Uuid::parse_str(id)
        {
            let place = self
                .store
                .place_of(&caller.principal.app, &uuid.to_string())
                .await;
            return place.map_err(missing);
        }
        match self.resolve(caller, id, Intent::Read).await {
            Err(BrainError::Invalid(_) | BrainError::NotFound(_)) => {
                Err(missing(StoreError::Missing))
            }
            place => place,
        }
    }

    async fn page_at(&self, caller: &Caller, place: &Place) -> Result<Page, BrainError> {
        let page = self.store.page(&caller.principal.app, place).await;
        page.map_err(missing)
    }

    async fn memory_at(&self, caller: &Caller, place: &Place) -> Result<Memory, BrainError> {
        let Page {
            place,
            uuid,
            version,
            source,
            document,
            tags,
            created_at,
            updated_at,
            ..
        } = self.page_at(caller, place).await?;
        Ok(Memory {
            tenant_id: caller.principal.app.to_string(),
            slug: place.to_string(),
            title: document.title(&place.slug),
            memory_type: document.kind(),
            agent_id: document.frontmatter.get(AGENT).cloned(),
            source_uri: document.frontmatter.get(SOURCE).cloned(),
            content: body_of(&source).to_owned(),
            metadata: metadata_of(&document.frontmatter),
            id: uuid,
            tags,
            version,
            created_at,
            updated_at,
        })
    }
}

/// Those that are given.
fn entries<const N: usize>(
    given: [(&'static str, Option<String>); N],
) -> Vec<(&'static str, String)> {
    let given = given.into_iter();
    given
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

/// On one line: JSON breaks none where nobody asks for it.
fn to_line(metadata: Object) -> String {
    Value::Object(metadata).to_string()
}

/// What somebody else has written there may be anything.
fn metadata_of(frontmatter: &BTreeMap<String, String>) -> Map<String, Value> {
    let line = frontmatter.get(METADATA).map(String::as_str);
    line.and_then(|line| serde_json::from_str(line).ok())
        .unwrap_or_default()
}

fn to_row(page: Listed) -> MemoryRow {
    MemoryRow {
        id: page.uuid,
        slug: page.place.to_string(),
        title: page.title,
        memory_type: page.kind,
        summary: page.summary,
        version: page.version,
        created_at: page.created_at,
        updated_at: page.updated_at,
    }
}

/// A page of a list, of which one row more was read than belongs on it.
fn list_page<T, R>(
    mut rows: Vec<T>,
    limit: u32,
    to_row: impl Fn(T) -> R,
    place: impl Fn(&R) -> String,
) -> ListPage<R> {
    let has_more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let data: Vec<R> = rows.into_iter().map(to_row).collect();
    let last = data.last().filter(|_| has_more);
    ListPage {
        next_cursor: last.map(|last| cursor(&place(last))),
        data,
    }
}

fn missing(error: StoreError) -> BrainError {
    match error {
        StoreError::Missing => BrainError::NotFound("Memory not found".to_owned()),
        error => error.into(),
    }
}

fn bad_cursor() -> BrainError {
    BrainError::Invalid("cursor: no nextCursor of this list".to_owned())
}

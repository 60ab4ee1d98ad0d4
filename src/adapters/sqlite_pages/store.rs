//! The port, by the functions of the files beside this one: each method is one read or one
//! transaction.

use async_trait::async_trait;

use super::database::Database;
use super::rows::{all, page};
use super::{history, links, notes, search, vectors, write};
use crate::domain::brain::{
    Bound, CollectionCounts, Conflict, Filter, Found, Gap, GapApproval, Link, LinkChange, Listed,
    NewGap, NewLink, NewPage, NewRaw, Page, PageStore, Place, PutOutcome, RawOutcome, Scope, Slug,
    StoredCounts, Temporal, Unembedded, Vector, Version,
};
use crate::domain::limits::BrainLimits;
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// Pages in SQLite.
pub(crate) struct SqlitePages {
    pub(crate) database: Database,
    pub(crate) limits: BrainLimits,
    /// The model whose vectors are kept and compared.
    pub(crate) model: String,
}

#[async_trait]
impl PageStore for SqlitePages {
    async fn owners(&self, app: &AppId, slug: &Slug) -> Result<Vec<String>, StoreError> {
        let (app, slug) = (app.clone(), slug.clone());
        let read = move |connection: &_| {
            let sql =
                "SELECT collection FROM pages WHERE app = ?1 AND slug = ?2 ORDER BY collection";
            all(connection, sql, [app.as_str(), slug.as_str()], |row| {
                row.get(0)
            })
        };
        self.database.read(read).await
    }

    async fn place_of(&self, app: &AppId, uuid: &str) -> Result<Place, StoreError> {
        let (app, uuid) = (app.clone(), uuid.to_owned());
        self.database
            .read(move |connection| history::place_of(connection, &app, &uuid))
            .await
    }

    async fn page(&self, app: &AppId, place: &Place) -> Result<Page, StoreError> {
        let (app, place) = (app.clone(), place.clone());
        self.database
            .read(move |connection| page(connection, &app, &place))
            .await
    }

    async fn put(&self, app: &AppId, page: NewPage) -> Result<PutOutcome, StoreError> {
        let (app, model, limits) = (app.clone(), self.model.clone(), self.limits.clone());
        let put = move |connection: &_| write::put(connection, &app, &page, &model, &limits);
        self.database.write(put).await
    }

    async fn delete(&self, app: &AppId, place: &Place) -> Result<(), StoreError> {
        let (app, place) = (app.clone(), place.clone());
        self.database
            .write(move |connection| history::delete(connection, &app, &place))
            .await
    }

    async fn versions(
        &self,
        app: &AppId,
        place: &Place,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<Version>, StoreError> {
        let (app, place) = (app.clone(), place.clone());
        let read = move |connection: &_| history::versions(connection, &app, &place, before, limit);
        self.database.read(read).await
    }

    async fn version(
        &self,
        app: &AppId,
        place: &Place,
        version: i64,
    ) -> Result<Version, StoreError> {
        let (app, place) = (app.clone(), place.clone());
        self.database
            .read(move |connection| history::version(connection, &app, &place, version))
            .await
    }

    async fn search(
        &self,
        app: &AppId,
        terms: Vec<String>,
        is_all: bool,
        scope: Scope,
    ) -> Result<Vec<Found>, StoreError> {
        let app = app.clone();
        let read = move |connection: &_| search::search(connection, &app, &terms, is_all, &scope);
        self.database.read(read).await
    }

    async fn nearest(
        &self,
        app: &AppId,
        vector: Vector,
        min: f64,
        scope: Scope,
    ) -> Result<Vec<Found>, StoreError> {
        let (app, model) = (app.clone(), self.model.clone());
        let read =
            move |connection: &_| search::nearest(connection, &app, &model, &vector, min, &scope);
        self.database.read(read).await
    }

    async fn titled(
        &self,
        app: &AppId,
        title: &str,
        scope: Scope,
    ) -> Result<Vec<Found>, StoreError> {
        let (app, title) = (app.clone(), title.to_owned());
        let read = move |connection: &_| search::titled(connection, &app, &title, &scope);
        self.database.read(read).await
    }

    async fn found(&self, app: &AppId, place: &Place) -> Result<Found, StoreError> {
        let (app, place) = (app.clone(), place.clone());
        self.database
            .read(move |connection| search::one(connection, &app, &place))
            .await
    }

    async fn list(&self, app: &AppId, filter: Filter) -> Result<Vec<Listed>, StoreError> {
        let app = app.clone();
        self.database
            .read(move |connection| search::list(connection, &app, &filter))
            .await
    }

    async fn list_after(
        &self,
        app: &AppId,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Listed>, StoreError> {
        let app = app.clone();
        self.database
            .read(move |connection| search::list_after(connection, &app, after.as_ref(), limit))
            .await
    }

    async fn newest(
        &self,
        app: &AppId,
        older_than: Option<(String, String)>,
        limit: u32,
    ) -> Result<Vec<Listed>, StoreError> {
        let app = app.clone();
        self.database
            .read(move |connection| search::newest(connection, &app, older_than.as_ref(), limit))
            .await
    }

    async fn link(&self, app: &AppId, link: NewLink) -> Result<LinkChange, StoreError> {
        let (app, limits) = (app.clone(), self.limits.clone());
        let write = move |connection: &_| links::link(connection, &app, &link, &limits);
        self.database.write(write).await
    }

    async fn link_by_id(&self, app: &AppId, id: i64) -> Result<Link, StoreError> {
        let app = app.clone();
        self.database
            .read(move |connection| links::by_id(connection, &app, id))
            .await
    }

    async fn close_link(&self, app: &AppId, id: i64, until: &Bound) -> Result<Link, StoreError> {
        let (app, until) = (app.clone(), until.clone());
        let write = move |connection: &_| links::close(connection, &app, id, &until);
        self.database.write(write).await
    }

    async fn links_to(
        &self,
        app: &AppId,
        place: &Place,
        temporal: Temporal,
        today: &str,
        limit: u32,
    ) -> Result<Vec<Link>, StoreError> {
        let (app, place, today) = (app.clone(), place.clone(), today.to_owned());
        let read =
            move |connection: &_| links::to(connection, &app, &place, temporal, &today, limit);
        self.database.read(read).await
    }

    async fn links_from(
        &self,
        app: &AppId,
        place: &Place,
        temporal: Temporal,
        today: &str,
        limit: u32,
    ) -> Result<Vec<Link>, StoreError> {
        let (app, place, today) = (app.clone(), place.clone(), today.to_owned());
        let read =
            move |connection: &_| links::from(connection, &app, &place, temporal, &today, limit);
        self.database.read(read).await
    }

    async fn conflicts(
        &self,
        app: &AppId,
        place: Option<&Place>,
        limit: u32,
    ) -> Result<Vec<Conflict>, StoreError> {
        let (app, place) = (app.clone(), place.cloned());
        let compared = self.limits.statements_compared_max;
        self.database
            .read(move |connection| {
                notes::conflicts(connection, &app, place.as_ref(), compared, limit)
            })
            .await
    }

    async fn tags(
        &self,
        app: &AppId,
        place: &Place,
        add: &[String],
        remove: &[String],
        max: usize,
    ) -> Result<Vec<String>, StoreError> {
        let (app, place) = (app.clone(), place.clone());
        let (add, remove) = (add.to_vec(), remove.to_vec());
        let change =
            move |connection: &_| notes::tags(connection, &app, &place, &add, &remove, max);
        self.database.write(change).await
    }

    async fn put_raw(&self, app: &AppId, raw: NewRaw) -> Result<RawOutcome, StoreError> {
        let (app, limits) = (app.clone(), self.limits.clone());
        let write = move |connection: &_| notes::put_raw(connection, &app, &raw, &limits);
        self.database.write(write).await
    }

    async fn add_gap(&self, app: &AppId, gap: NewGap) -> Result<Gap, StoreError> {
        let (app, limits) = (app.clone(), self.limits.clone());
        let write = move |connection: &_| notes::add_gap(connection, &app, &gap, &limits);
        self.database.write(write).await
    }

    async fn share_gap(&self, app: &AppId, approval: GapApproval) -> Result<(), StoreError> {
        let app = app.clone();
        let write = move |connection: &_| notes::share_gap(connection, &app, &approval);
        self.database.write(write).await
    }

    async fn gaps(&self, app: &AppId, is_all: bool, limit: u32) -> Result<Vec<Gap>, StoreError> {
        let app = app.clone();
        self.database
            .read(move |connection| notes::gaps(connection, &app, is_all, limit))
            .await
    }

    async fn gap(&self, app: &AppId, query_hash: &str) -> Result<Gap, StoreError> {
        let (app, query_hash) = (app.clone(), query_hash.to_owned());
        self.database
            .read(move |connection| notes::one_gap(connection, &app, &query_hash))
            .await
    }

    async fn resolve_gap(
        &self,
        app: &AppId,
        gap: i64,
        by: &Place,
        now: &str,
    ) -> Result<(), StoreError> {
        let (app, by, now) = (app.clone(), by.clone(), now.to_owned());
        self.database
            .write(move |connection| notes::resolve_gap(connection, &app, gap, &by, &now))
            .await
    }

    async fn counts(&self, app: &AppId) -> Result<StoredCounts, StoreError> {
        let (app, compared) = (app.clone(), self.limits.statements_compared_max);
        self.database
            .read(move |connection| notes::counts(connection, &app, compared))
            .await
    }

    async fn page_counts(&self, app: &AppId) -> Result<Vec<CollectionCounts>, StoreError> {
        let (app, model) = (app.clone(), self.model.clone());
        self.database
            .read(move |connection| vectors::counts(connection, &app, &model))
            .await
    }

    async fn unembedded(&self, after: i64, limit: u32) -> Result<Vec<Unembedded>, StoreError> {
        let model = self.model.clone();
        self.database
            .read(move |connection| vectors::missing(connection, &model, after, limit))
            .await
    }

    async fn others_wrote(&self) -> Result<i64, StoreError> {
        self.database.others_wrote().await
    }

    async fn embed(&self, id: i64, version: i64, given: Vec<Vector>) -> Result<(), StoreError> {
        let model = self.model.clone();
        self.database
            .write(move |connection| vectors::follow(connection, id, version, &model, &given))
            .await
    }
}

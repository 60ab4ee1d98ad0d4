//! A page store that fails on purpose.

use async_trait::async_trait;

use super::failing::Failing;
use crate::domain::brain::{
    Bound, CollectionCounts, Conflict, Filter, Found, Gap, GapApproval, Link, LinkChange, Listed,
    NewGap, NewLink, NewPage, NewRaw, Page, PageStore, Place, PutOutcome, RawOutcome, Scope, Slug,
    StoredCounts, Temporal, Unembedded, Vector, Version,
};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// The port: which methods read and which write, each handed on where it does not fail.
macro_rules! failing_pages {
    ($($kind:ident $name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        #[async_trait]
        impl<S: PageStore> PageStore for Failing<S> {
            $(
                async fn $name(&self, $($argument: $type),*)
                    -> Result<$answer, StoreError>
                {
                    let call = self.inner.$name($($argument),*);
                    self.$kind(call).await
                }
            )*
        }
    };
}

failing_pages! {
    reading owners(app: &AppId, slug: &Slug) -> Vec<String>;
    reading place_of(app: &AppId, uuid: &str) -> Place;
    reading page(app: &AppId, place: &Place) -> Page;
    write put(app: &AppId, page: NewPage) -> PutOutcome;
    write delete(app: &AppId, place: &Place) -> ();
    reading versions(app: &AppId, place: &Place, before: Option<i64>, limit: u32) -> Vec<Version>;
    reading version(app: &AppId, place: &Place, version: i64) -> Version;
    reading search(app: &AppId, terms: Vec<String>, all: bool, scope: Scope) -> Vec<Found>;
    reading nearest(app: &AppId, vector: Vector, min: f64, scope: Scope) -> Vec<Found>;
    reading titled(app: &AppId, title: &str, scope: Scope) -> Vec<Found>;
    reading found(app: &AppId, place: &Place) -> Found;
    reading list(app: &AppId, filter: Filter) -> Vec<Listed>;
    reading list_after(app: &AppId, after: Option<Place>, limit: u32) -> Vec<Listed>;
    reading newest(app: &AppId, older_than: Option<(String, String)>, limit: u32) -> Vec<Listed>;
    write link(app: &AppId, link: NewLink) -> LinkChange;
    reading link_by_id(app: &AppId, id: i64) -> Link;
    write close_link(app: &AppId, id: i64, until: &Bound) -> Link;
    reading links_to(app: &AppId, place: &Place, temporal: Temporal, today: &str, limit: u32) -> Vec<Link>;
    reading links_from(app: &AppId, place: &Place, temporal: Temporal, today: &str, limit: u32) -> Vec<Link>;
    reading conflicts(app: &AppId, place: Option<&Place>, limit: u32) -> Vec<Conflict>;
    write tags(app: &AppId, place: &Place, add: &[String], remove: &[String], max: usize) -> Vec<String>;
    write put_raw(app: &AppId, raw: NewRaw) -> RawOutcome;
    write add_gap(app: &AppId, gap: NewGap) -> Gap;
    write share_gap(app: &AppId, approval: GapApproval) -> ();
    reading gaps(app: &AppId, is_all: bool, limit: u32) -> Vec<Gap>;
    reading gap(app: &AppId, query_hash: &str) -> Gap;
    write resolve_gap(app: &AppId, gap: i64, by: &Place, now: &str) -> ();
    reading counts(app: &AppId) -> StoredCounts;
    reading page_counts(app: &AppId) -> Vec<CollectionCounts>;
    reading unembedded(after: i64, limit: u32) -> Vec<Unembedded>;
    reading others_wrote() -> i64;
    write embed(id: i64, version: i64, vectors: Vec<Vector>) -> ();
}

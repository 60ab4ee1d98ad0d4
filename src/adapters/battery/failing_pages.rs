//! A page store that fails on purpose.

use async_trait::async_trait;

use super::failing::Failing;
use crate::domain::brain::{
    Bound, Conflict, Filter, Found, Gap, GapApproval, Link, LinkChange, Listed, NewGap, NewLink,
    NewPage, NewRaw, Page, PageStore, Place, PutOutcome, RawOutcome, Scope, Slug, StoredCounts,
    Temporal, Vector, Version,
};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// The port: which methods read and which write, each handed on where it does not fail.
macro_rules! failing_pages {
    ($($kind:ident $name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        #[async_trait]
        impl<S: PageStore> PageStore for Failing<S> {
            $(
                async fn $name(&self, app: &AppId, $($argument: $type),*)
                    -> Result<$answer, StoreError>
                {
                    let call = self.inner.$name(app, $($argument),*);
                    self.$kind(call).await
                }
            )*
        }
    };
}

failing_pages! {
    reading owners(slug: &Slug) -> Vec<String>;
    reading place_of(uuid: &str) -> Place;
    reading page(place: &Place) -> Page;
    write put(page: NewPage) -> PutOutcome;
    write delete(place: &Place) -> ();
    reading versions(place: &Place, before: Option<i64>, limit: u32) -> Vec<Version>;
    reading version(place: &Place, version: i64) -> Version;
    reading search(terms: Vec<String>, all: bool, scope: Scope) -> Vec<Found>;
    reading nearest(vector: Vector, min: f64, scope: Scope) -> Vec<Found>;
    reading titled(title: &str, scope: Scope) -> Vec<Found>;
    reading found(place: &Place) -> Found;
    reading list(filter: Filter) -> Vec<Listed>;
    reading list_after(after: Option<Place>, limit: u32) -> Vec<Listed>;
    reading newest(older_than: Option<(String, String)>, limit: u32) -> Vec<Listed>;
    write link(link: NewLink) -> LinkChange;
    reading link_by_id(id: i64) -> Link;
    write close_link(id: i64, until: &Bound) -> Link;
    reading links_to(place: &Place, temporal: Temporal, today: &str, limit: u32) -> Vec<Link>;
    reading links_from(place: &Place, temporal: Temporal, today: &str, limit: u32) -> Vec<Link>;
    reading conflicts(place: Option<&Place>, limit: u32) -> Vec<Conflict>;
    write tags(place: &Place, add: &[String], remove: &[String], max: usize) -> Vec<String>;
    write put_raw(raw: NewRaw) -> RawOutcome;
    write add_gap(gap: NewGap) -> Gap;
    write share_gap(approval: GapApproval) -> ();
    reading gaps(limit: u32) -> Vec<Gap>;
    reading counts() -> StoredCounts;
    reading page_counts() -> Vec<(String, i64)>;
}

//! Pages as resources: listed by their addresses, and read as they were written.

use super::error::BrainError;
use super::service::Brain;
use crate::domain::brain::Place;
use crate::domain::operation::Caller;
use crate::domain::page::{cursor, place_of};
use crate::wire::brain::{
    AwaitPageParams, ListPagesParams, PageContents, PageMeta, PageResource, PageResources,
    PageText, ReadPageParams,
};

/// What the text of a page is.
const MEDIA_TYPE: &str = "text/markdown";

impl Brain {
    /// A stretch of all pages, in the order of their slugs.
    pub(super) async fn list_resources(
        &self,
        caller: &Caller,
        params: ListPagesParams,
    ) -> Result<PageResources, BrainError> {
        let after = match &params.cursor {
            None => None,
            Some(cursor) => {
                let place = place_of(cursor).and_then(|uri| Place::from_uri(&uri));
                let why = || BrainError::Invalid("cursor: no nextCursor of this list".to_owned());
                Some(place.ok_or_else(why)?)
            }
        };
        let max = self.limits.rows_max;
        let app = &caller.principal.app;
        // One more tells whether there are more.
        let listed = self.store.list_after(app, after, max.saturating_add(1));
        let mut listed = listed.await?;
        let has_more = listed.len() > max as usize;
        listed.truncate(max as usize);
        let last = listed.last().filter(|_| has_more);
        Ok(PageResources {
            next_cursor: last.map(|last| cursor(&last.place.to_uri())),
            resources: listed
                .into_iter()
                .map(|page| PageResource {
                    uri: page.place.to_uri(),
                    name: page.place.to_string(),
                    title: page.title,
                    description: page.summary,
                    mime_type: MEDIA_TYPE,
                })
                .collect(),
        })
    }

    /// Returns once a page has another version than the one that is known. What another process
    /// writes into the same file is seen within `pages.others_look_ms`.
    pub(super) async fn await_page(
        &self,
        caller: &Caller,
        params: AwaitPageParams,
    ) -> Result<PageMeta, BrainError> {
        let place = page_of(&params.uri)?;
        let mut changes = self.changes.follow();
        loop {
            let version = self.page(caller, &place.to_string()).await?.version;
            if version != params.version {
                return Ok(PageMeta { version });
            }
            changes.next(&caller.principal.app, &place).await;
        }
    }

    /// The text of a page.
    pub(super) async fn read_resource(
        &self,
        caller: &Caller,
        params: ReadPageParams,
    ) -> Result<PageContents, BrainError> {
        let uri = params.uri;
        let place = page_of(&uri)?;
        let page = self.page(caller, &place.to_string()).await?;
        Ok(PageContents {
            contents: vec![PageText {
                uri,
                mime_type: MEDIA_TYPE,
                text: page.source,
                meta: PageMeta {
                    version: page.version,
                },
            }],
        })
    }
}

/// The page of an address, or what is wrong with that.
fn page_of(uri: &str) -> Result<Place, BrainError> {
    Place::from_uri(uri).ok_or_else(|| {
        let why = format!("{uri:?} is no address of a page: brain://collection/slug");
        BrainError::Invalid(why)
    })
}

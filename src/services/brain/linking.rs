//! Links between pages: made, closed, and followed.

use std::collections::HashSet;

use super::error::BrainError;
use super::intent::Intent;
use super::service::{Brain, missing_page};
use crate::domain::brain::{Bound, Found, Interval, Link, NewLink, Temporal, is_word};
use crate::domain::operation::Caller;
use crate::domain::store_error::StoreError;
use crate::wire::brain::{
    Backlink, BacklinksParams, BacklinksResult, Graph, GraphEdge, GraphNode, GraphParams,
    LinkCloseParams, LinkCloseResult, LinkParams, LinkResult,
};

/// Links read of one page, and pages and links of a graph.
pub(super) const LINKS_MAX: u32 = 1_000;
/// Backlinks unless told.
const BACKLINKS_DEFAULT: u32 = 100;
/// Links followed one after another unless told.
const DEPTH_DEFAULT: u32 = 2;
/// Links followed one after another at most: beyond it, everything is linked with everything.
const DEPTH_MAX: u32 = 10;
/// Letters of a date as `today` is written.
const DATE_BYTES: usize = 10;

impl Brain {
    /// `brain_link`: a link that says what it means and when it holds.
    pub(super) async fn link(
        &self,
        caller: &Caller,
        params: LinkParams,
    ) -> Result<LinkResult, BrainError> {
        let LinkParams {
            from_slug,
            to_slug,
            relationship,
            valid_from,
            valid_until,
        } = params;
        let from = self.resolve(caller, &from_slug, Intent::Change).await?;
        let to = self.resolve(caller, &to_slug, Intent::Change).await?;
        if !is_word(&relationship) {
            let why =
                format!("relationship: \"{relationship}\" is not 1 to 64 of a-z, 0-9, _ and -");
            return Err(BrainError::Invalid(why));
        }
        let interval = Interval::parse(valid_from.as_deref(), valid_until.as_deref())
            .map_err(BrainError::Invalid)?;
        for place in [&from, &to] {
            self.check_writable(place)?;
        }
        let app = &caller.principal.app;
        // Whichever end is missing is named.
        for (place, slug) in [(&from, &from_slug), (&to, &to_slug)] {
            let found = self.store.found(app, place).await;
            found.map_err(|error| missing_page(slug, error))?;
        }
        let link = NewLink {
            from,
            to,
            relationship,
            interval,
            now: self.now(),
        };
        let change = self.store.link(app, link).await.map_err(ends_before)?;
        let Link {
            id,
            from,
            to,
            relationship,
            valid_from,
            valid_until,
            ..
        } = change.link;
        let verb = if change.closed_existing {
            "Closed"
        } else {
            "Linked"
        };
        Ok(LinkResult {
            id,
            message: format!("{verb} {from} → {to} ({relationship})"),
            from_slug: from.to_string(),
            to_slug: to.to_string(),
            relationship,
            valid_from,
            valid_until,
            closed_existing: change.closed_existing,
        })
    }

    /// `brain_link_close`: a link holds no longer.
    pub(super) async fn close_link(
        &self,
        caller: &Caller,
        params: LinkCloseParams,
    ) -> Result<LinkCloseResult, BrainError> {
        let LinkCloseParams {
            link_id,
            valid_until,
        } = params;
        let until = Bound::parse("valid_until", &valid_until).map_err(BrainError::Invalid)?;
        let app = &caller.principal.app;
        let missing = || BrainError::NotFound(format!("link not found: id {link_id}"));
        let id = i64::try_from(link_id).map_err(|_| missing())?;
        let or_missing = |error| match error {
            StoreError::Missing => missing(),
            error => ends_before(error),
        };
        let link = self.store.link_by_id(app, id).await.map_err(or_missing)?;
        self.check_writable(&link.from)?;
        self.store
            .close_link(app, id, &until)
            .await
            .map_err(or_missing)?;
        Ok(LinkCloseResult {
            id,
            message: format!("Closed link {id} valid_until={valid_until}"),
            valid_until,
        })
    }

    /// `brain_backlinks`: what links to a page, newest first.
    pub(super) async fn backlinks(
        &self,
        caller: &Caller,
        params: BacklinksParams,
    ) -> Result<BacklinksResult, BrainError> {
        let temporal = Temporal::parse(params.temporal.as_deref()).map_err(BrainError::Invalid)?;
        let place = self.resolve(caller, &params.slug, Intent::Read).await?;
        let limit = self.rows(params.limit, BACKLINKS_DEFAULT);
        let app = &caller.principal.app;
        let links = self
            .store
            .links_to(app, &place, temporal, &self.today(), limit)
            .await;
        let links = links.map_err(|error| missing_page(&params.slug, error))?;
        let links = links.into_iter().map(|link| Backlink {
            id: link.id,
            from_slug: link.from.to_string(),
            from_title: link.from_title,
            relationship: link.relationship,
            valid_from: link.valid_from,
            valid_until: link.valid_until,
        });
        Ok(BacklinksResult {
            links: links.collect(),
        })
    }

    /// `brain_graph`: the pages around one, nearest first.
    pub(super) async fn graph(
        &self,
        caller: &Caller,
        params: GraphParams,
    ) -> Result<Graph, BrainError> {
        let temporal = Temporal::parse(params.temporal.as_deref()).map_err(BrainError::Invalid)?;
        let depth = params.depth.unwrap_or(DEPTH_DEFAULT);
        if depth > DEPTH_MAX {
            return Err(BrainError::Invalid(format!(
                "depth: {depth} is more than {DEPTH_MAX}"
            )));
        }
        let app = &caller.principal.app;
        let place = self.resolve(caller, &params.slug, Intent::Read).await?;
        let root = self.store.found(app, &place).await;
        let root = root.map_err(|error| missing_page(&params.slug, error))?;
        let today = self.today();
        let mut known = HashSet::from([root.id]);
        let mut graph = Graph::default();
        graph.nodes.push(to_node(root));
        let mut front = vec![place];
        let max = LINKS_MAX as usize;
        for _ in 0..depth {
            let mut next = Vec::new();
            for place in front {
                let links = self
                    .store
                    .links_from(app, &place, temporal, &today, LINKS_MAX)
                    .await;
                let links = match links {
                    Err(StoreError::Missing) => continue,
                    links => links?,
                };
                for link in links {
                    let is_new = !known.contains(&link.to_id);
                    if graph.edges.len() == max || (is_new && graph.nodes.len() == max) {
                        graph.truncated = true;
                        return Ok(graph);
                    }
                    if is_new {
                        match self.store.found(app, &link.to).await {
                            Ok(page) => graph.nodes.push(to_node(page)),
                            Err(StoreError::Missing) => continue,
                            Err(error) => return Err(error.into()),
                        }
                        known.insert(link.to_id);
                        next.push(link.to.clone());
                    }
                    graph.edges.push(GraphEdge {
                        from: link.from.to_string(),
                        to: link.to.to_string(),
                        relationship: link.relationship,
                        valid_from: link.valid_from,
                        valid_until: link.valid_until,
                    });
                }
            }
            front = next;
        }
        Ok(graph)
    }

    /// The day, as links compare it.
    pub(super) fn today(&self) -> String {
        let mut now = self.now();
        now.truncate(DATE_BYTES);
        now
    }
}

fn to_node(page: Found) -> GraphNode {
    GraphNode {
        slug: page.place.to_string(),
        kind: page.kind,
        title: page.title,
    }
}

/// A link cannot end before it begins.
fn ends_before(error: StoreError) -> BrainError {
    match error {
        StoreError::Conflict => {
            BrainError::Invalid("valid_until: it is before the valid_from of the link".to_owned())
        }
        error => error.into(),
    }
}

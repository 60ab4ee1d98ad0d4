//! Finding pages: by their words, by what they mean, and as lists.

use std::collections::HashSet;

use super::error::BrainError;
use super::gaps::Outcome;
use super::intent::Intent;
use super::linking::LINKS_MAX;
use super::service::Brain;
use crate::domain::brain::{Filter, Found, Likeness, Scope, Temporal, terms};
use crate::domain::operation::Caller;
use crate::domain::store_error::StoreError;
use crate::wire::brain::{
    Hit, HitsResult, ListParams, ListResult, ListedPage, QueryParams, SearchParams,
};

/// Pages found unless told.
const HITS_DEFAULT: u32 = 10;
/// Pages listed unless told.
const LISTED_DEFAULT: u32 = 50;
/// Pages of each kind of search that are ranked together, at least: those below change nothing.
const CANDIDATES_MIN: u32 = 30;
/// Ranks are fused as `weight / (RANK_OFFSET + rank)`, the usual offset.
const RANK_OFFSET: f64 = 60.0;
/// How far linked pages are followed.
const HOPS_MAX: usize = 3;
/// Bytes of a token of a page's text, on average.
const TOKEN_BYTES: usize = 4;

/// What was found best.
pub(super) struct Best {
    pub(super) found: Vec<Found>,
    /// Where was looked.
    scope: Scope,
    /// How many there are, those above the limit included.
    count: usize,
    /// How much the best one has to do with the question, from 0 to 1.
    confidence: f64,
}

impl Brain {
    /// `brain_search`: pages that have all the words, then pages that have some.
    pub(super) async fn search(
        &self,
        caller: &Caller,
        params: SearchParams,
    ) -> Result<HitsResult, BrainError> {
        let limit = self.rows(params.limit, HITS_DEFAULT);
        let scope = self.scope(params.collection, params.wing, limit)?;
        let (found, _) = self.by_words(caller, &params.query, &scope).await?;
        let results = found.into_iter().map(|found| to_hit(found, None)).collect();
        Ok(HitsResult { results })
    }

    /// `brain_query`: what is found best, and where told what it links to.
    pub(super) async fn query(
        &self,
        caller: &Caller,
        params: QueryParams,
    ) -> Result<HitsResult, BrainError> {
        let depth = params.depth.as_deref().unwrap_or_default().trim();
        let is_deep = depth.eq_ignore_ascii_case("auto");
        let Best {
            found,
            scope,
            count,
            confidence,
        } = self.best(caller, &params).await?;
        let outcome = Outcome {
            count,
            best: found.first().map(|found| &found.place),
            confidence,
        };
        self.note_outcome(caller, &params.query, outcome).await;
        let results = if is_deep {
            self.expanded(caller, found, &scope).await?
        } else {
            found.into_iter().map(|found| to_hit(found, None)).collect()
        };
        Ok(HitsResult { results })
    }

    /// A page that is named, else pages by their words and by what they are alike.
    pub(super) async fn best(
        &self,
        caller: &Caller,
        params: &QueryParams,
    ) -> Result<Best, BrainError> {
        let limit = self.rows(params.limit, HITS_DEFAULT);
        let is_everywhere = params.collection.is_none();
        let scope = self.scope(params.collection.clone(), params.wing.clone(), limit)?;
        let named = self.named(caller, &params.query, is_everywhere, &scope);
        let found = named.await?;
        if found.is_empty() {
            return self.fused(caller, &params.query, scope).await;
        }
        Ok(Best {
            count: found.len(),
            found,
            scope,
            confidence: 1.0,
        })
    }

    /// `brain_list`: pages, last changed first.
    pub(super) async fn list(
        &self,
        caller: &Caller,
        params: ListParams,
    ) -> Result<ListResult, BrainError> {
        let limit = self.rows(params.limit, LISTED_DEFAULT);
        let filter = Filter {
            scope: self.scope(params.collection, params.wing, limit)?,
            kind: params.page_type,
        };
        let listed = self.store.list(&caller.principal.app, filter).await?;
        let pages = listed.into_iter().map(|page| ListedPage {
            slug: page.place.to_string(),
            kind: page.kind,
            title: page.title,
            summary: page.summary,
            version: page.version,
            updated_at: page.updated_at,
        });
        Ok(ListResult {
            pages: pages.collect(),
        })
    }

    /// Where is looked: in a collection that is named, else in the only one that is active, else in
    /// the one that takes new pages.
    fn scope(
        &self,
        collection: Option<String>,
        wing: Option<String>,
        limit: u32,
    ) -> Result<Scope, BrainError> {
        let collection = match collection {
            Some(name) => self.collection(&name)?,
            None => {
                let all = self.collections.all().iter();
                let mut active = all.filter(|collection| !collection.state.is_restoring());
                match (active.next(), active.next()) {
                    (Some(only), None) => only.name.clone(),
                    _ => self.collections.write_target().name.clone(),
                }
            }
        };
        Ok(Scope {
            collection: Some(collection),
            wing,
            limit,
        })
    }

    /// Pages by their words, and whether some have all of them.
    async fn by_words(
        &self,
        caller: &Caller,
        query: &str,
        scope: &Scope,
    ) -> Result<(Vec<Found>, bool), BrainError> {
        let app = &caller.principal.app;
        let terms = terms(query);
        if terms.is_empty() || scope.limit == 0 {
            return Ok((Vec::new(), false));
        }
        let is_one = terms.len() == 1;
        let mut found = self
            .store
            .search(app, terms.clone(), true, scope.clone())
            .await?;
        let has_all = !found.is_empty();
        let wanted = scope.limit as usize;
        if found.len() < wanted && !is_one {
            let known: HashSet<_> = found.iter().map(|found| found.id).collect();
            let some = self.store.search(app, terms, false, scope.clone()).await?;
            found.extend(some.into_iter().filter(|page| !known.contains(&page.id)));
            found.truncate(wanted);
        }
        for (rank, page) in found.iter_mut().enumerate() {
            page.score = points(rank, 1.0);
        }
        Ok((found, has_all))
    }

    /// The page whose address or title the query is.
    async fn named(
        &self,
        caller: &Caller,
        query: &str,
        is_everywhere: bool,
        scope: &Scope,
    ) -> Result<Vec<Found>, BrainError> {
        let app = &caller.principal.app;
        let name = query.trim();
        let inner = name
            .strip_prefix("[[")
            .and_then(|name| name.strip_suffix("]]"));
        let name = inner.unwrap_or(name);
        let is_slug = !name.contains(char::is_whitespace);
        if is_slug && is_everywhere {
            match self.resolve(caller, name, Intent::Read).await {
                Ok(place) => match self.store.found(app, &place).await {
                    Ok(found) => {
                        return Ok(vec![Found {
                            score: 1.0,
                            ..found
                        }]);
                    }
                    Err(StoreError::Missing) => {}
                    Err(error) => return Err(error.into()),
                },
                Err(BrainError::Invalid(_) | BrainError::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        if name.is_empty() {
            return Ok(Vec::new());
        }
        let titled = self.store.titled(app, name, scope.clone()).await?;
        let named = titled.into_iter().map(|found| Found {
            score: 1.0,
            ..found
        });
        Ok(named.collect())
    }

    /// Pages by words and by likeness, their ranks added up.
    async fn fused(&self, caller: &Caller, query: &str, scope: Scope) -> Result<Best, BrainError> {
        if terms(query).is_empty() {
            return Ok(Best {
                found: Vec::new(),
                scope,
                count: 0,
                confidence: 0.0,
            });
        }
        let wide = Scope {
            limit: scope.limit.max(CANDIDATES_MIN),
            ..scope.clone()
        };
        let (by_words, has_all) = self.by_words(caller, query, &wide).await?;
        let Likeness { weight, cosine_min } = self.likeness;
        let alike = match self.vector_of(query).await {
            Some(vector) => {
                let app = &caller.principal.app;
                self.store.nearest(app, vector, cosine_min, wide).await?
            }
            None => Vec::new(),
        };
        let likest = alike.first().map_or(0.0, |found| found.score);
        let mut fused = by_words;
        for (rank, found) in alike.into_iter().enumerate() {
            let more = points(rank, weight);
            match fused.iter_mut().find(|known| known.id == found.id) {
                Some(known) => known.score += more,
                None => fused.push(Found {
                    score: more,
                    ..found
                }),
            }
        }
        fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
        let count = fused.len();
        fused.truncate(scope.limit as usize);
        Ok(Best {
            found: fused,
            scope,
            count,
            confidence: if has_all { 1.0 } else { likest },
        })
    }

    /// The pages that fit the budget, then those they link to, hop by hop.
    async fn expanded(
        &self,
        caller: &Caller,
        found: Vec<Found>,
        scope: &Scope,
    ) -> Result<Vec<Hit>, BrainError> {
        let app = &caller.principal.app;
        let today = self.today();
        let mut left = self.limits.query_tokens_max;
        let mut known = HashSet::new();
        let mut hits = Vec::new();
        let mut front = Vec::new();
        for page in found {
            let Some(rest) = left.checked_sub(page.truth_bytes / TOKEN_BYTES) else {
                break;
            };
            left = rest;
            known.insert(page.id);
            front.push(page.place.clone());
            hits.push(to_hit(page, None));
        }
        for _ in 0..HOPS_MAX {
            let mut next = Vec::new();
            for place in front {
                let links =
                    self.store
                        .links_from(app, &place, Temporal::Current, &today, LINKS_MAX);
                for link in links.await.or_else(none_if_missing)? {
                    let is_inside = scope
                        .collection
                        .as_ref()
                        .is_none_or(|name| *name == link.to.collection);
                    if !is_inside || !known.insert(link.to_id) {
                        continue;
                    }
                    let page = match self.store.found(app, &link.to).await {
                        Ok(page) => page,
                        Err(StoreError::Missing) => continue,
                        Err(error) => return Err(error.into()),
                    };
                    if let Some(rest) = left.checked_sub(page.truth_bytes / TOKEN_BYTES) {
                        left = rest;
                        next.push(page.place.clone());
                        hits.push(to_hit(page, Some(link.relationship)));
                    }
                }
            }
            front = next;
        }
        Ok(hits)
    }
}

/// What a rank is worth. Scores tell ranks and nothing else: how rare a word is would tell of the
/// pages of other apps.
fn points(rank: usize, weight: f64) -> f64 {
    weight / (RANK_OFFSET + rank as f64 + 1.0)
}

/// A page that went between two reads has no links.
fn none_if_missing<T>(error: StoreError) -> Result<Vec<T>, StoreError> {
    match error {
        StoreError::Missing => Ok(Vec::new()),
        error => Err(error),
    }
}

fn to_hit(found: Found, via: Option<String>) -> Hit {
    let snippet = match found.snippet.trim() {
        "" => found.summary.clone(),
        snippet => snippet.to_owned(),
    };
    Hit {
        slug: found.place.to_string(),
        title: found.title,
        snippet,
        summary: found.summary,
        score: found.score,
        wing: found.wing,
        via,
    }
}

//! Questions without an answer: of which only the hash is kept, and which end once a page answers.

use super::error::BrainError;
use super::intent::Intent;
use super::service::{Brain, missing_page};
use crate::domain::brain::{Ask, Disclosure, NewGap, Place, question_hash};
use crate::domain::operation::Caller;
use crate::domain::store_error::StoreError;
use crate::wire::brain::{Gap, GapParams, GapResult, GapsParams, GapsResult};
use crate::wire::ids::AppId;

/// Gaps listed unless told.
const GAPS_DEFAULT: u32 = 20;
/// Letters of what may be said about a question.
const CONTEXT_CHARS_MAX: usize = 500;
/// Letters of a question that is shared: what a person reads before they agree.
const SHARED_CHARS_MAX: usize = 2_000;
/// How much a page has to do with a question at least that it answers.
const CONFIDENCE_MIN: f64 = 0.3;
/// Pages that have something to do with a question whose words none has all: one alone is chance.
const ANSWERS_MIN: usize = 2;

/// What was found for a question.
pub(super) struct Outcome<'a> {
    /// How many pages.
    pub(super) count: usize,
    /// The best of them.
    pub(super) best: Option<&'a Place>,
    /// How much it has to do with the question: 1 where it has all the words or is named, otherwise
    /// how alike both are.
    pub(super) confidence: f64,
}

impl Outcome<'_> {
    fn is_weak(&self) -> bool {
        let is_sure = self.confidence >= 1.0;
        !is_sure && (self.count < ANSWERS_MIN || self.confidence < CONFIDENCE_MIN)
    }
}

impl Brain {
    /// Keeps a gap where next to nothing was found for a question, and ends the one that there was
    /// where something is found. It never fails a query.
    pub(super) async fn note_outcome(&self, caller: &Caller, question: &str, outcome: Outcome<'_>) {
        if question.trim().is_empty() {
            return;
        }
        let app = &caller.principal.app;
        let query_hash = question_hash(question);
        let noted = match outcome.best {
            _ if outcome.is_weak() => self.open_gap(app, query_hash, outcome.confidence).await,
            Some(best) => self.end_gap(app, &query_hash, best).await,
            None => Ok(()),
        };
        if let Err(error) = noted {
            tracing::warn!(%error, "a question without an answer was not noted");
        }
    }

    /// Keeps a gap of a question, unless one is open.
    async fn open_gap(
        &self,
        app: &AppId,
        query_hash: String,
        confidence: f64,
    ) -> Result<(), StoreError> {
        match self.store.gap(app, &query_hash).await {
            Ok(gap) if gap.resolved_at.is_none() => return Ok(()),
            Ok(_) | Err(StoreError::Missing) => {}
            Err(error) => return Err(error),
        }
        let gap = NewGap {
            place: None,
            query_hash,
            confidence: Some(confidence),
            now: self.now(),
        };
        self.store.add_gap(app, gap).await.map(|_| ())
    }

    /// Ends the gap of a question that a page answers, if there is one.
    pub(super) async fn end_gap(
        &self,
        app: &AppId,
        query_hash: &str,
        by: &Place,
    ) -> Result<(), StoreError> {
        match self.store.gap(app, query_hash).await {
            Ok(gap) if gap.resolved_at.is_none() => {
                self.store.resolve_gap(app, gap.id, by, &self.now()).await
            }
            Ok(_) | Err(StoreError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// `brain_gap`: a question without an answer, of which only the hash is kept.
    pub(super) async fn gap(
        &self,
        caller: &Caller,
        params: GapParams,
    ) -> Result<GapResult, BrainError> {
        let place = match &params.slug {
            Some(slug) => Some(self.resolve(caller, slug, Intent::Change).await?),
            None => None,
        };
        if params.query.trim().is_empty() {
            return Err(BrainError::Invalid("query: it is blank".to_owned()));
        }
        let context = params
            .context
            .as_deref()
            .unwrap_or_default()
            .chars()
            .count();
        if context > CONTEXT_CHARS_MAX {
            let why = format!("context: {context} letters, at most {CONTEXT_CHARS_MAX}");
            return Err(BrainError::Invalid(why));
        }
        if let Some(place) = &place {
            self.check_writable(place)?;
        }
        let (letters, max) = (params.query.chars().count(), SHARED_CHARS_MAX);
        if params.share.unwrap_or_default() && letters > max {
            let why = format!("query: {letters} letters, at most {max} can be shared");
            return Err(BrainError::Invalid(why));
        }
        let gap = NewGap {
            place,
            query_hash: question_hash(&params.query),
            confidence: None,
            now: self.now(),
        };
        let gap = self.store.add_gap(&caller.principal.app, gap).await;
        let slug = params.slug.as_deref().unwrap_or_default();
        let gap = gap.map_err(|error| missing_page(slug, error))?;
        let asked = match params.share.unwrap_or_default() {
            false => None,
            true => {
                let ask = Ask::Share(Disclosure {
                    gap: gap.id,
                    question: params.query,
                    by: caller.principal.name.to_string(),
                });
                let session = self.ask(&caller.principal.app, &ask).await?;
                Some(session.to_string())
            }
        };
        Ok(GapResult {
            id: gap.id,
            query_hash: gap.query_hash,
            page_id: gap.page_id,
            asked,
        })
    }

    /// `brain_gaps`: newest first.
    pub(super) async fn gaps(
        &self,
        caller: &Caller,
        params: GapsParams,
    ) -> Result<GapsResult, BrainError> {
        let limit = self.rows(params.limit, GAPS_DEFAULT);
        let is_all = params.resolved.unwrap_or_default();
        let gaps = self
            .store
            .gaps(&caller.principal.app, is_all, limit)
            .await?;
        let gaps = gaps.into_iter().map(|gap| Gap {
            id: gap.id,
            page_id: gap.page_id,
            query_hash: gap.query_hash,
            context: String::new(),
            confidence_score: gap.confidence,
            sensitivity: gap.sensitivity,
            shared_query: gap.shared_query,
            resolved_at: gap.resolved_at,
            resolved_by_slug: gap.resolved_by,
            detected_at: gap.detected_at,
        });
        Ok(GapsResult {
            gaps: gaps.collect(),
        })
    }
}

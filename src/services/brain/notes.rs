//! What is noted about pages: contradictions, tags and raw data.

use serde_json::Value;

use super::error::BrainError;
use super::intent::Intent;
use super::service::{Brain, missing_page};
use crate::domain::brain::{NewRaw, RawOutcome, is_word};
use crate::domain::operation::Caller;
use crate::wire::brain::{
    CheckParams, CheckResult, Contradiction, RawParams, RawResult, TagsParams, TagsResult,
};

/// Tags of one call.
const TAGS_PER_CALL_MAX: usize = 100;
/// Bytes of the name of a source.
const SOURCE_BYTES_MAX: usize = 256;

impl Brain {
    /// `brain_check`: statements that cannot both hold.
    pub(super) async fn check(
        &self,
        caller: &Caller,
        params: CheckParams,
    ) -> Result<CheckResult, BrainError> {
        let app = &caller.principal.app;
        let place = match &params.slug {
            Some(slug) => Some(self.resolve(caller, slug, Intent::Read).await?),
            None => None,
        };
        let found = self
            .store
            .conflicts(app, place.as_ref(), self.limits.rows_max)
            .await;
        let slug = params.slug.as_deref().unwrap_or_default();
        let found = found.map_err(|error| missing_page(slug, error))?;
        let contradictions = found.into_iter().map(|found| Contradiction {
            page_slug: found.page.to_string(),
            other_page_slug: found.other.to_string(),
            kind: "assertion_conflict",
            description: format!(
                "{} has conflicting {} assertions: {} vs {}",
                found.subject, found.predicate, found.object, found.other_object
            ),
            detected_at: found.detected_at,
        });
        Ok(CheckResult {
            contradictions: contradictions.collect(),
        })
    }

    /// `brain_tags`: the tags of a page, after some were added and some removed.
    pub(super) async fn tags(
        &self,
        caller: &Caller,
        params: TagsParams,
    ) -> Result<TagsResult, BrainError> {
        let (add, remove) = (
            params.add.unwrap_or_default(),
            params.remove.unwrap_or_default(),
        );
        if add.is_empty() && remove.is_empty() {
            let page = self.page(caller, &params.slug).await?;
            return Ok(TagsResult { tags: page.tags });
        }
        let place = self.resolve(caller, &params.slug, Intent::Change).await?;
        for (name, tags) in [("add", &add), ("remove", &remove)] {
            if tags.len() > TAGS_PER_CALL_MAX {
                let why = format!("{name}: {} tags, at most {TAGS_PER_CALL_MAX}", tags.len());
                return Err(BrainError::Invalid(why));
            }
            if let Some(tag) = tags.iter().find(|tag| !is_word(tag)) {
                let why = format!("{name}: \"{tag}\" is not 1 to 64 of a-z, 0-9, _ and -");
                return Err(BrainError::Invalid(why));
            }
        }
        self.check_writable(&place)?;
        let app = &caller.principal.app;
        let max = self.limits.tags_per_page_max;
        let tags = self.store.tags(app, &place, &add, &remove, max).await;
        let tags = tags.map_err(|error| missing_page(&params.slug, error))?;
        Ok(TagsResult { tags })
    }

    /// `brain_raw`: data about a page, one row a source.
    pub(super) async fn raw(
        &self,
        caller: &Caller,
        params: RawParams,
    ) -> Result<RawResult, BrainError> {
        let RawParams {
            slug,
            source,
            data,
            overwrite,
        } = params;
        let place = self.resolve(caller, &slug, Intent::Change).await?;
        if source.trim().is_empty() || source.len() > SOURCE_BYTES_MAX {
            let why = format!("source: 1 to {SOURCE_BYTES_MAX} bytes, not blank");
            return Err(BrainError::Invalid(why));
        }
        let data = Value::Object(data).to_string();
        let max = self.limits.raw_bytes_max;
        if data.len() > max {
            let why = format!("data: {} bytes, at most {max} are kept", data.len());
            return Err(BrainError::Invalid(why));
        }
        self.check_writable(&place)?;
        let raw = NewRaw {
            place,
            source: source.clone(),
            data,
            overwrite: overwrite.unwrap_or_default(),
            now: self.now(),
        };
        let kept = self.store.put_raw(&caller.principal.app, raw).await;
        match kept.map_err(|error| missing_page(&slug, error))? {
            RawOutcome::Exists => Err(BrainError::RawExists {
                slug,
                source_name: source,
            }),
            RawOutcome::Kept(id) => Ok(RawResult { id }),
        }
    }
}

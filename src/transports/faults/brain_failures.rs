//! Where failures of the page store get their code.
#![deny(clippy::wildcard_enum_match_arm)]

use serde_json::{Value, json};

use super::fault::Fault;
use crate::domain::store_error::StoreError;
use crate::services::brain::BrainError;
use crate::wire::fault::Code;

impl From<BrainError> for Fault {
    fn from(error: BrainError) -> Self {
        match error {
            BrainError::Ambiguous { slug, candidates } => Self::saying(
                Code::BrainAmbiguous,
                format!("{slug} stands in more than one collection: name one of the candidates."),
            )
            .with(json!({ "candidates": candidates })),
            BrainError::Invalid(why) => Self::saying(Code::BrainInvalidParams, why),
            BrainError::NotFound(what) => Self::saying(Code::BrainNotFound, what),
            BrainError::OtherApp { app } => Self::other_app(&app),
            BrainError::RawExists { slug, source_name } => Self::saying(
                Code::BrainConflict,
                format!("{slug} has data of {source_name}: give overwrite to replace it."),
            )
            .with(json!({ "slug": slug, "source": source_name })),
            BrainError::ReadOnly { collection } => Self::saying(
                Code::BrainReadOnly,
                format!("CollectionReadOnlyError: collection={collection}"),
            )
            .with(json!({ "collection": collection })),
            BrainError::Restoring {
                collection,
                needs_full_sync,
            } => Self::restoring(&collection, needs_full_sync),
            BrainError::Stale { current, expected } => Self::stale(current, expected),
            BrainError::Store(error) => Self::from_page_store(error),
        }
    }
}

impl Fault {
    fn restoring(collection: &str, needs_full_sync: bool) -> Self {
        let state = if needs_full_sync {
            "active"
        } else {
            "restoring"
        };
        let message = format!(
            "CollectionRestoringError: collection={collection} state={state} \
             needs_full_sync={needs_full_sync}"
        );
        let details = json!({
            "collection": collection, "state": state, "needs_full_sync": needs_full_sync,
        });
        Self::saying(Code::BrainRestoring, message).with(details)
    }

    fn stale(current: Option<i64>, expected: Option<i64>) -> Self {
        let message = match (current, expected) {
            (Some(current), Some(expected)) => {
                format!("expected_version {expected} does not match current {current}")
            }
            (Some(current), None) => format!(
                "the page is there at version {current}: give expected_version to change it"
            ),
            (None, _) => {
                "there is no such page: leave expected_version out to create it".to_owned()
            }
        };
        let mut details = json!({ "current_version": current });
        if let Some(expected) = expected {
            details["expected_version"] = Value::from(expected);
        }
        Self::saying(Code::BrainConflict, message).with(details)
    }

    fn from_page_store(error: StoreError) -> Self {
        match error {
            StoreError::Full { what, max, .. } => {
                let message = format!("{what}: there are {max}, as many as may be.");
                Self::saying(Code::BrainFull, message).with(json!({ "max": max }))
            }
            // Where only the numbers of the page store are used, that is `BRAIN_INTERNAL`.
            StoreError::Unavailable { .. } => error.into(),
            StoreError::Conflict | StoreError::Missing => Self {
                source: Some(error.to_string()),
                ..Self::of(Code::BrainInternal)
            },
        }
    }
}

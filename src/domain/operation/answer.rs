//! What an operation is answered with: a result that is written once, and what goes with it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::wire::ids::{Epoch, SessionId, SessionKey};

/// What an operation is answered with, ready to be kept and given again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    /// The result as JSON.
    pub(crate) result: Arc<RawValue>,
    /// What a host shows with it.
    pub(crate) mounts: Option<Mount>,
    /// Advice for a model.
    pub(crate) hint: Option<Hint>,
}

/// A session that a host shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mount {
    pub(crate) key: SessionKey,
    /// The epoch that a new card is pinned to; none for whatever is newest.
    pub(crate) epoch: Option<Epoch>,
}

/// Advice for a model that reads only text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hint {
    /// Link for the person, where the client shows no UI.
    pub(crate) link: Option<String>,
    /// What to do next.
    pub(crate) then: String,
    /// Whether it stands before the result.
    pub(crate) comes_first: bool,
}

/// What a handler gives: a result that is not written yet.
pub(crate) struct Reply<T> {
    pub(crate) result: T,
    /// What a host shows with it.
    pub(crate) mounts: Option<Mount>,
    /// Advice for a model.
    pub(crate) hint: Option<Hint>,
}

impl<T> From<T> for Reply<T> {
    fn from(result: T) -> Self {
        Self {
            result,
            mounts: None,
            hint: None,
        }
    }
}

impl Answer {
    /// Writes the result of a handler.
    pub(super) fn written<T: Serialize>(reply: Reply<T>) -> Self {
        // Keys of our own types are texts: writing them to memory cannot fail.
        let result = to_raw_value(&reply.result).unwrap_or_default();
        Self {
            result: result.into(),
            mounts: reply.mounts,
            hint: reply.hint,
        }
    }

    /// Bytes it takes to keep.
    pub(crate) fn bytes(&self) -> usize {
        let hint = self.hint.as_ref();
        let hint = hint.map_or(0, |hint| {
            hint.then.len() + hint.link.as_deref().map_or(0, str::len)
        });
        self.result.get().len() + hint
    }
}

/// Where hosts read a render; `#N` pins an epoch (hosting.md §4).
pub(crate) fn resource_uri(session: &SessionId, contract: &str, epoch: Option<Epoch>) -> String {
    match epoch {
        None => format!("ui://ggui/render/{session}/{contract}"),
        Some(epoch) => format!("ui://ggui/render/{session}/{contract}#{epoch}"),
    }
}

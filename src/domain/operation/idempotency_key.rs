//! The caller's name for one attempt at an operation.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Longest idempotency key, in characters.
const IDEMPOTENCY_KEY_CHARS_MAX: usize = 255;

/// The caller's name for one attempt: made again under the same name, it gets the same answer.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct IdempotencyKey(Arc<str>);

/// A text that names no attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum IdempotencyKeyError {
    /// Nothing but spaces.
    #[error("must not be blank")]
    Blank,
    /// More than fits.
    #[error("must be at most {IDEMPOTENCY_KEY_CHARS_MAX} characters")]
    TooLong,
}

impl IdempotencyKey {
    /// A key of 1 to 255 characters that are not all spaces.
    pub(crate) fn new(text: &str) -> Result<Self, IdempotencyKeyError> {
        if text.trim().is_empty() {
            Err(IdempotencyKeyError::Blank)
        } else if text.chars().nth(IDEMPOTENCY_KEY_CHARS_MAX).is_some() {
            Err(IdempotencyKeyError::TooLong)
        } else {
            Ok(Self(text.into()))
        }
    }

    /// As text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The same as it stands in a body: never one of a header, which has no line breaks.
    pub(crate) fn in_body(text: &str) -> Result<Self, IdempotencyKeyError> {
        let Self(key) = Self::new(text)?;
        Ok(Self(format!("body\n{key}").into()))
    }

    /// Bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Some clients put what they should not into keys.
        f.write_str("IdempotencyKey(***)")
    }
}

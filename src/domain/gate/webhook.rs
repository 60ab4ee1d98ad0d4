//! What is told when a person is asked. Whoever reads it decides on the stage.

use std::fmt;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// What a secret begins with (standardwebhooks.com, "Signature scheme").
const SECRET_PREFIX: &str = "whsec_";
/// Bytes of a secret, by the same document.
const SECRET_BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// Who else than the stage learns that a person is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// Whoever reads the log.
    Console,
    /// A channel of Slack.
    Slack(Webhook),
    /// A program.
    Webhook(Webhook),
}

/// An address, and what its notices are signed with.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Webhook {
    /// Where notices are posted.
    pub(crate) url: String,
    /// The key of their signature; none: whoever knows the address may write there.
    pub(crate) key: Option<Vec<u8>>,
}

impl Webhook {
    /// The key that is written as this.
    pub(super) fn key(secret: &str) -> Result<Vec<u8>, String> {
        let encoded = secret.strip_prefix(SECRET_PREFIX);
        let key = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
        let key = key.filter(|key| SECRET_BYTES.contains(&key.len()));
        key.ok_or_else(|| {
            let (min, max) = SECRET_BYTES.into_inner();
            format!("is not {SECRET_PREFIX} and {min} to {max} bytes in base64")
        })
    }
}

/// The address may be a secret, and the key is one.
impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhook").finish_non_exhaustive()
    }
}

/// What an address is told.
pub(crate) struct Notice {
    /// Tells it from other notices; the same each time that it is sent.
    pub(crate) id: String,
    /// JSON.
    pub(crate) body: String,
}

/// Why a notice was not taken. The address is in none.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotTaken {
    /// The server at the address answered with a status that is no success.
    #[error("HTTP status {0}")]
    Refused(u16),
    /// There was no answer.
    #[error("{0}")]
    Unanswered(&'static str),
}

/// Posts notices.
#[async_trait]
pub(crate) trait Messenger: Send + Sync {
    /// Posts a notice once, as of this time (seconds since 1970).
    async fn post(&self, to: &Webhook, notice: &Notice, at: u64) -> Result<(), NotTaken>;
}

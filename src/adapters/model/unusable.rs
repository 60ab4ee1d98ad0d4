//! Why a model cannot be asked.

use std::error::Error;
use std::io;

/// A model cannot be asked; what a key holds is not told.
#[derive(Debug, thiserror::Error)]
pub enum ModelUnusable {
    /// Its key cannot be read where it is kept.
    #[error("{place}: {reason}")]
    Unreadable {
        /// Its file, or the setting that names it.
        place: String,
        /// Why, and what to do about it.
        reason: String,
    },
    /// There is no key.
    #[error("{place}: holds no key: it is one word of visible ASCII characters")]
    NoKey {
        /// Where one was looked for.
        place: String,
    },
    /// Connections cannot be made, as where no certificate is trusted. Nothing takes the model's place
    /// unasked.
    #[error("{setting} makes no connections: {reason}")]
    NoConnections {
        /// What names the model.
        setting: &'static str,
        /// Why.
        reason: String,
    },
}

impl ModelUnusable {
    /// Whether its key is the reason.
    pub(crate) fn is_about_key(&self) -> bool {
        !matches!(self, Self::NoConnections { .. })
    }

    pub(super) fn unreadable(place: &str, error: &io::Error) -> Self {
        Self::Unreadable {
            place: place.to_owned(),
            reason: error.to_string(),
        }
    }

    pub(super) fn no_connections(setting: &'static str, error: &dyn Error) -> Self {
        let mut reason = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            reason.push_str(&format!(": {inner}"));
            cause = inner.source();
        }
        Self::NoConnections { setting, reason }
    }
}

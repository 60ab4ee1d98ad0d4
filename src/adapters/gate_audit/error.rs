//! Why an audit cannot be used.

use std::path::{Path, PathBuf};

/// Why an audit cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AuditUnusable {
    /// A file cannot be read or written.
    #[error("cannot use {path}: {reason}")]
    Unreadable {
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// Somebody has changed it.
    #[error("{path}: {problem}; move all files gate-audit*.jsonl away to begin a new one")]
    Broken {
        path: PathBuf,
        /// Where it breaks.
        problem: String,
    },
}

impl AuditUnusable {
    /// What the system said of a file.
    pub(super) fn of_system(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |error| Self::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        }
    }
}

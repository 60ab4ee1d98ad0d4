//! Why the configuration cannot be loaded.

use std::path::PathBuf;

/// Why the configuration cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        reason: String,
    },
    /// Every problem with keys and values.
    #[error("{}", .0.join("; "))]
    Invalid(Vec<String>),
}

//! Why there is no configuration.

use std::path::PathBuf;

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// Keys or values are wrong: all of them.
    #[error("{}", .0.join("; "))]
    Invalid(Vec<String>),
}

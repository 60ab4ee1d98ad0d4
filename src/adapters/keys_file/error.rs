//! Why a keys file, or a file of an issuer's keys, cannot be used.

use std::path::PathBuf;

/// Why there are no keys.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The file cannot be read or written.
    #[error("cannot use {path}: {reason}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// What it holds is wrong: all of it.
    #[error("{}", .0.join("; "))]
    Invalid(Vec<String>),
    /// No key of that name stands in it.
    #[error("{path} holds no key {id}; `proscenium keys list` shows those it holds")]
    Unknown {
        /// The file.
        path: PathBuf,
        /// As it was asked for.
        id: String,
    },
}

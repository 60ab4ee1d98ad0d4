//! Why a gallery cannot be shown.

use std::path::PathBuf;

use crate::app::StartError;

/// Why a gallery cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum GalleryError {
    /// A command to the browser failed.
    #[error("the browser failed: {0}")]
    Browser(String),
    /// No browser was found.
    #[error(
        "no browser to draw with: install chromium (Debian: `apt-get install chromium`), \
         or name one with --browser"
    )]
    NoBrowser,
    /// The server refused an entry.
    #[error("{name} is not accepted: {what}")]
    Refused {
        /// The entry's name.
        name: String,
        /// The server's message.
        what: String,
    },
    /// The server did not respond.
    #[error("the server failed: {0}")]
    Server(String),
    /// The server cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        reason: String,
    },
    /// A picture cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Unwritable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        reason: String,
    },
}

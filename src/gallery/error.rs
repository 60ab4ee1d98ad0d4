//! Why a gallery is not shown.

use std::path::PathBuf;

use crate::app::StartError;

/// Why a gallery is not shown.
#[derive(Debug, thiserror::Error)]
pub enum GalleryError {
    /// The browser does not do what it is told.
    #[error("the browser failed: {0}")]
    Browser(String),
    /// There is none.
    #[error(
        "no browser to draw with: install chromium (Debian: `apt-get install chromium`), \
         or name one with --browser"
    )]
    NoBrowser,
    /// The server does not accept an entry.
    #[error("{name} is not accepted: {what}")]
    Refused {
        /// The entry.
        name: String,
        /// The server's words.
        what: String,
    },
    /// The server does not answer.
    #[error("the server failed: {0}")]
    Server(String),
    /// The server does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A picture cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

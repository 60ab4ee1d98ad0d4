//! Why a data folder cannot be used: each error names the file and says what to do.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::owner::Owner;

/// Why a data folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no folder for the data of programs here.
    #[error("this machine names no folder for data; give one with --data DIR, or use --ephemeral")]
    NoFolder,
    /// The operating system refuses the folder or a file in it.
    #[error(
        "{path} cannot be used: {reason}; make it readable and writable, give another folder with \
         --data DIR, or keep everything in memory with --ephemeral"
    )]
    Unusable {
        /// The folder or file.
        path: PathBuf,
        /// The error of the operating system or of SQLite.
        reason: String,
    },
    /// Another process has the folder.
    #[error(
        "the data in {folder} belongs to {owner}, which runs; stop it, give another folder with \
         --data DIR, or keep everything in memory with --ephemeral"
    )]
    Owned {
        /// The folder.
        folder: PathBuf,
        /// The process, as far as it is known.
        owner: Owner,
    },
    /// The file is damaged.
    #[error(
        "{file} is damaged: {reason}; nothing was changed. `proscenium data check` says how far it \
         goes, `proscenium data restore FILE` takes a backup, --data DIR starts in another folder"
    )]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What SQLite says.
        reason: String,
    },
    /// A backup never overwrites anything.
    #[error("{0} is there already; give the backup another name")]
    Exists(PathBuf),
    /// There is no database yet.
    #[error("{0} is not there; --data DIR names another folder")]
    Nothing(PathBuf),
    /// The file was written by something else.
    #[error("{0} is no database of proscenium; give another file or folder")]
    Stranger(PathBuf),
    /// The file was written by a later release.
    #[error(
        "{file} has schema {version}, and this release knows schemas up to {known}; run the release \
         that wrote it, or a later one"
    )]
    Newer {
        /// The file.
        file: PathBuf,
        /// Its schema.
        version: usize,
        /// The last schema of this release.
        known: usize,
    },
    /// The SQLite that was linked has a defect that loses data.
    #[error("SQLite {0} can damage write-ahead logs; build with 3.51.3 or later")]
    Library(&'static str),
}

impl OpenError {
    /// What an error of SQLite says of a file.
    pub(super) fn of_database(file: &Path, error: &rusqlite::Error) -> Self {
        let (file, reason) = (file.to_owned(), error.to_string());
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                Self::Damaged { file, reason }
            }
            _ => Self::Unusable { path: file, reason },
        }
    }

    pub(super) fn of_system(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::Unusable {
            path: path.to_owned(),
            reason: error.to_string(),
        }
    }
}

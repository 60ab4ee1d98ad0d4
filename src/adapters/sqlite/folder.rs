//! The folder of the data: where it lies, who may read it, and the one process that owns it.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

use super::open_error::OpenError;
use super::owner::{OWNER, Owner};

const DATABASE: &str = "proscenium.db";
/// Locked as long as a process owns the folder; empty, because other processes cannot read a locked
/// file on every system.
const LOCK: &str = "proscenium.lock";

/// A folder that this process owns, until this is dropped.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    _lock: File,
}

/// The folder that is configured, or the platform's folder for the data of this program.
pub(crate) fn location(configured: &Path) -> Result<PathBuf, OpenError> {
    if !configured.as_os_str().is_empty() {
        return Ok(configured.to_owned());
    }
    let platform = etcetera::choose_base_strategy().map_err(|_| OpenError::NoFolder)?;
    Ok(platform.data_dir().join("proscenium"))
}

impl Folder {
    /// Makes a folder that only this user may open, where there is none, and owns it.
    pub(crate) fn own(path: PathBuf) -> Result<Self, OpenError> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path).map_err(OpenError::of_system(&path))?;
        let lock = path.join(LOCK);
        let file = private(&lock).map_err(OpenError::of_system(&lock))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let owner = Owner::of(&path);
                return Err(OpenError::Owned {
                    folder: path,
                    owner,
                });
            }
            Err(TryLockError::Error(error)) => return Err(OpenError::of_system(&lock)(error)),
        }
        introduce(&path, None)?;
        Ok(Self { path, _lock: file })
    }

    /// The database in it.
    pub(super) fn database(&self) -> PathBuf {
        database_in(&self.path)
    }
}

/// Whether a process owns a folder at this moment.
pub(super) fn is_owned(folder: &Path) -> bool {
    let Ok(file) = File::open(folder.join(LOCK)) else {
        return false;
    };
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Tells other processes who owns a folder, and where it serves.
pub(crate) fn introduce(folder: &Path, address: Option<SocketAddr>) -> Result<(), OpenError> {
    let address = address.map(|address| address.to_string());
    let text = format!("{} {}\n", std::process::id(), address.unwrap_or_default());
    let path = folder.join(OWNER);
    let write = || {
        let file = private(&path)?;
        file.set_len(0)?;
        (&file).write_all(text.as_bytes())
    };
    write().map_err(OpenError::of_system(&path))
}

/// The database in a folder.
pub(crate) fn database_in(folder: &Path) -> PathBuf {
    folder.join(DATABASE)
}

/// A file that only this user may open, made if it is not there.
pub(super) fn private(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

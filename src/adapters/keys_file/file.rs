//! The keys file as it stands on the disk: one entry a key, read and replaced as a whole.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::error::KeysError;

/// One line of the file: a key without its secret.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// First digits of the hash: enough to name it in a log.
    pub(crate) id: String,
    /// The app it opens.
    pub(crate) app: String,
    /// 0 read, 1 own sessions, 2 any session of the app, 3 keys and blueprints.
    pub(crate) trust: u8,
    /// What it may ask for; none: all that its trust allows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) scopes: Vec<String>,
    /// SHA-256 of the secret, in hex.
    pub(crate) sha256: String,
    /// When it was made, ISO 8601.
    pub(crate) created_at: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeysFile {
    #[serde(default, rename = "key")]
    pub(crate) keys: Vec<Entry>,
}

/// What changes whenever a file is replaced or written to; nothing where there is none.
pub(crate) fn stamp(path: &Path) -> Option<(SystemTime, u64, u64)> {
    let known = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let node = std::os::unix::fs::MetadataExt::ino(&known);
    #[cfg(not(unix))]
    let node = 0;
    Some((known.modified().ok()?, known.len(), node))
}

/// What the system said of a file.
pub(crate) fn unusable(path: &Path, error: &std::io::Error) -> KeysError {
    KeysError::Unusable {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

/// What stands in a file.
pub(crate) fn read(path: &Path) -> Result<KeysFile, KeysError> {
    let text = fs::read_to_string(path).map_err(|error| {
        let mut why = unusable(path, &error);
        if error.kind() == ErrorKind::NotFound
            && let KeysError::Unusable { reason, .. } = &mut why
        {
            let file = path.display();
            *reason += &format!("; proscenium keys create --app NAME --keys-file {file} makes it");
        }
        why
    })?;
    toml::from_str(&text).map_err(|error| {
        KeysError::Invalid(vec![format!("{}: {}", path.display(), error.message())])
    })
}

/// Reads, changes and writes a file, one process after the other: none undoes another's change.
pub(crate) fn change(
    path: &Path,
    apply: impl FnOnce(&mut KeysFile) -> Result<(), KeysError>,
) -> Result<(), KeysError> {
    let _lock = Lock::take(path).map_err(|error| unusable(path, &error))?;
    let mut file = if path.exists() {
        read(path)?
    } else {
        KeysFile::default()
    };
    apply(&mut file)?;
    write(path, &file)
}

/// The right to change a file, held as a lock on a file beside it; that one goes with the right.
struct Lock {
    beside: PathBuf,
    _file: File,
}

impl Lock {
    /// Waits for the right.
    fn take(path: &Path) -> std::io::Result<Self> {
        let beside = path.with_extension("lock");
        loop {
            let file = private(&beside, false)?;
            file.lock()?;
            // Whoever held it has removed it: the lock is on a file that nobody else will find.
            if is_at(&file, &beside) {
                return Ok(Self {
                    beside,
                    _file: file,
                });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Before the lock is given back, so that nobody removes another's.
        let _ = fs::remove_file(&self.beside);
    }
}

/// Whether a file still stands under the name by which it was opened.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let of = |known: &fs::Metadata| (known.dev(), known.ino());
    matches!((file.metadata(), fs::metadata(path)), (Ok(a), Ok(b)) if of(&a) == of(&b))
}

/// Whether a file still stands under the name by which it was opened.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Opens a file that only its owner may read.
fn private(path: &Path, truncate: bool) -> std::io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(truncate);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Writes beside the file and moves it in place: a reader sees the old file or the new one.
fn write(path: &Path, file: &KeysFile) -> Result<(), KeysError> {
    let text =
        toml::to_string(file).map_err(|error| KeysError::Invalid(vec![error.to_string()]))?;
    let beside = path.with_extension("new");
    let written = (|| {
        let mut handle = private(&beside, true)?;
        handle.write_all(text.as_bytes())?;
        handle.sync_all()?;
        fs::rename(&beside, path)
    })();
    written.map_err(|error| unusable(path, &error))
}

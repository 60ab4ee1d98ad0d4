//! The tools that were accepted, in a file for people and for version control.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;

use crate::domain::gate::{PinEdit, PinError, PinStore, Pins};

/// Why a file of accepted tools cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PinsUnusable {
    /// What it holds is no list of accepted tools.
    #[error("{0}")]
    Invalid(String),
    /// It cannot be read or written.
    #[error("{0}")]
    Unreadable(String),
}

/// The tools that were accepted, if there is such a file.
pub(crate) fn load(path: &Path) -> Result<Option<Pins>, PinsUnusable> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|error| PinsUnusable::Unreadable(error.to_string()))?,
    };
    let pins = serde_json::from_str(&text);
    pins.map(Some)
        .map_err(|error| PinsUnusable::Invalid(format!("{}: {error}", path.display())))
}

/// Replaces the tools that were accepted, in one step.
pub(crate) fn save(path: &Path, pins: &Pins) -> Result<(), PinsUnusable> {
    let text = serde_json::to_string_pretty(pins).unwrap_or_default() + "\n";
    let beside = path.with_extension("new");
    let written = (|| {
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    })();
    written.map_err(|error: std::io::Error| {
        PinsUnusable::Unreadable(format!("it cannot be written: {error}"))
    })
}

/// Files of accepted tools that this process changes, one change after the other.
#[derive(Clone, Default)]
pub(crate) struct PinFiles(Arc<Mutex<()>>);

impl PinFiles {
    fn edit(&self, file: &Path, edit: Option<PinEdit>) -> Result<Pins, PinsUnusable> {
        let _one = self.0.lock();
        let missing = || PinsUnusable::Unreadable("there is no such file".to_owned());
        let mut pins = load(file)?.ok_or_else(missing)?;
        if let Some(edit) = edit {
            edit(&mut pins);
            save(file, &pins)?;
        }
        Ok(pins)
    }
}

#[async_trait]
impl PinStore for PinFiles {
    async fn edit(&self, file: &Path, edit: Option<PinEdit>) -> Result<Pins, PinError> {
        let (files, file): (_, PathBuf) = (self.clone(), file.to_owned());
        let edited = tokio::task::spawn_blocking(move || files.edit(&file, edit));
        match edited.await {
            Ok(pins) => pins.map_err(|error| PinError(error.to_string())),
            Err(error) => Err(PinError(error.to_string())),
        }
    }
}

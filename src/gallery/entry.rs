//! One entry of a gallery: an intent, a contract and its data.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::error::GalleryError;

/// An entry, read from a file with one JSON object.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name of its file, without `.json`.
    #[serde(skip)]
    pub name: String,
    /// The intent, as an agent would phrase it.
    pub intent: String,
    /// The contract, as in `ggui_handshake`.
    pub contract: Value,
    /// The props, as in `ggui_render`.
    pub props: Value,
    /// Payloads by channel, emitted in this order.
    #[serde(default)]
    pub streams: Map<String, Value>,
    /// What draws it.
    #[serde(skip)]
    pub drawn: Drawn,
}

/// What draws an entry.
#[derive(Clone, Debug, Default)]
pub enum Drawn {
    /// The composer.
    #[default]
    Composed,
    /// The model that the server is configured with.
    Generated,
    /// These components of the catalog.
    As(Value),
}

/// Reads every `*.json` file of a folder in the order of their names; `only` selects those whose
/// name contains it.
///
/// # Errors
/// The folder or a file cannot be read, a file is not an entry, or no entry is left.
pub fn read(folder: &Path, only: Option<&str>) -> Result<Vec<Entry>, GalleryError> {
    let unreadable = |path: &Path, error: &dyn std::fmt::Display| GalleryError::Unreadable {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let listing = std::fs::read_dir(folder).map_err(|error| {
        let cure = "name the folder of the entries with --from DIR";
        unreadable(folder, &format_args!("{error}; {cure}"))
    })?;
    let mut files: Vec<PathBuf> = listing
        .filter_map(|file| file.ok().map(|file| file.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    let mut entries = Vec::new();
    for path in files {
        let name = path
            .file_stem()
            .map(|name| name.to_string_lossy().into_owned());
        let Some(name) = name.filter(|name| only.is_none_or(|only| name.contains(only))) else {
            continue;
        };
        let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
        let mut entry: Entry =
            serde_json::from_str(&text).map_err(|error| unreadable(&path, &error))?;
        entry.name = name;
        entries.push(entry);
    }
    if entries.is_empty() {
        let which = only.map_or_else(String::new, |only| format!(" with \"{only}\" in its name"));
        let why =
            format!("it holds no entry{which}, a file NAME.json; --from names another folder");
        return Err(unreadable(folder, &why));
    }
    Ok(entries)
}

//! Settings of where everything is kept, and of what an acknowledgement promises.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where everything is kept: sessions, handshakes, blueprints, answers for retries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StoreSettings {
    /// Folder of the database, which belongs to one server at a time; empty: `proscenium` in the
    /// platform's folder for data (`$XDG_DATA_HOME` or `~/.local/share`, `%APPDATA%`).
    pub data: PathBuf,
    /// Whether everything is kept in memory instead, and forgotten with the process.
    pub ephemeral: bool,
    /// What survives a power cut: `full`, all that was acknowledged; `normal`, all that the
    /// operating system had written to the disk by then, for faster writes. Either survives the end
    /// of the process.
    pub durability: Durability,
    /// Writes that may wait for the disk, a second's worth; more are refused with a time to wait.
    pub writes_waiting_max: usize,
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self {
            data: PathBuf::new(),
            ephemeral: false,
            durability: Durability::default(),
            writes_waiting_max: 8_192,
        }
    }
}

/// What survives a power cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Durability {
    /// All that was acknowledged.
    #[default]
    Full,
    /// All that the operating system had written to the disk by then.
    Normal,
}

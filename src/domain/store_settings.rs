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
    /// Address of a Redis 7 or Valkey that any number of servers share, instead of a folder:
    /// `redis://[user:password@]host[:port][/database]`, `rediss://` with TLS,
    /// `redis+unix:///path`, `redis+cluster://host:port,host:port`, or
    /// `redis+sentinel://host:port,host:port/name` for the master of that name; empty: none. With a
    /// password it belongs into a file or the environment, where other users do not see it.
    pub url: String,
    /// What the names of all keys in Redis begin with: servers that share sessions have the same one.
    pub prefix: String,
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
            url: String::new(),
            prefix: "proscenium".to_owned(),
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

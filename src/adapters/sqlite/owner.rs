//! What the process that owns a data folder says of itself, for others that want the folder.

use std::fmt;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;

/// The file in the folder where it says so.
pub(super) const OWNER: &str = "proscenium.owner";

/// The process that owns a folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Owner {
    /// Its process id; `None` where it has not said so yet.
    pub process: Option<u32>,
    /// Where it serves; `None` before it does.
    pub address: Option<SocketAddr>,
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.process {
            Some(process) => write!(f, "process {process}")?,
            None => f.write_str("another process")?,
        }
        match self.address {
            Some(address) => write!(f, " (http://{address}/)"),
            None => Ok(()),
        }
    }
}

impl Owner {
    /// What the owner of a folder says of itself.
    pub(crate) fn of(folder: &Path) -> Self {
        let text = fs::read_to_string(folder.join(OWNER)).unwrap_or_default();
        let mut words = text.split_whitespace();
        Self {
            process: words.next().and_then(|word| word.parse().ok()),
            address: words.next().and_then(|word| word.parse().ok()),
        }
    }
}

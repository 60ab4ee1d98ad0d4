//! Why the server cannot start.

use std::net::SocketAddr;

#[cfg(feature = "gate")]
use crate::adapters::gate_audit::AuditUnusable;
use crate::adapters::keys_file::KeysError;
#[cfg(feature = "model")]
use crate::adapters::model::ModelUnusable;
use crate::adapters::sqlite::OpenError;
use crate::adapters::sqlite_pages::OpenError as PagesError;
use crate::adapters::static_table::TableUnusable;
use crate::config::ConfigError;

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The keys are invalid.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The table of vectors cannot be used.
    #[error(transparent)]
    Table(#[from] TableUnusable),
    /// A model cannot be asked.
    #[cfg(feature = "model")]
    #[error(transparent)]
    Model(#[from] ModelUnusable),
    /// The data folder cannot be used.
    #[error(transparent)]
    Data(#[from] OpenError),
    /// The audit of approvals cannot be used.
    #[cfg(feature = "gate")]
    #[error(transparent)]
    Audit(#[from] AuditUnusable),
    /// The store was opened and does not answer.
    #[error("{0}")]
    Store(String),
    /// The page store cannot be opened.
    #[error(transparent)]
    Pages(#[from] PagesError),
    /// The address cannot be bound.
    #[error(
        "cannot listen on {address}: {reason}; if a proscenium runs there already, \
         http://{address}/ is its stage; --listen 127.0.0.1:0 takes any free port, \
         --listen ADDRESS:PORT (server.listen) another one"
    )]
    Listen {
        /// The configured address.
        address: SocketAddr,
        /// The error of the operating system.
        reason: String,
    },
}

//! Why the server does not run.

use std::net::SocketAddr;

use crate::adapters::keys_file::KeysError;
use crate::config::ConfigError;

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The keys are.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The address cannot be listened on.
    #[error(
        "cannot listen on {address}: {reason}; if a proscenium runs there already, \
         http://{address}/ is its stage; --listen 127.0.0.1:0 takes any free port, \
         --listen ADDRESS:PORT (server.listen) another one"
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        reason: String,
    },
}

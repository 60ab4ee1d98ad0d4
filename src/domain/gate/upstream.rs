//! The port through which MCP servers behind the gate are asked.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::requester::{Abilities, Requester};
use super::source::Connection;
use crate::wire::ids::AppId;

/// Why an MCP server behind the gate gave no result. Nobody outside reads the reasons: they may
/// hold addresses.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum UpstreamError {
    /// It answered with an error.
    #[error("it answered with error {code}: {message}")]
    Answered {
        /// Its own number.
        code: i32,
        /// Its own words.
        message: String,
    },
    /// It needs a client that can be asked this.
    #[error("it needs a client that declares {}", .0.declared())]
    Incapable(Abilities),
    /// It said that too much is asked of it.
    #[error("it refuses for a while")]
    Busy,
    /// It cannot be reached.
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// It said that it is not ready.
    #[error("it is not ready")]
    Unavailable,
    /// What it answered cannot be used.
    #[error("its answer cannot be used: {0}")]
    Unusable(String),
    /// It did not answer in time.
    #[error("it did not answer in time")]
    Timeout,
}

/// One MCP server behind the gate. It is connected when it is first asked, and again when the
/// connection was lost.
#[async_trait]
pub(crate) trait Upstream: Send + Sync {
    /// Asks, and waits for the result. Whoever asked for it may be told things meanwhile, and asked. A
    /// future that is dropped takes the request back.
    async fn request(
        &self,
        method: &'static str,
        params: Map<String, Value>,
        requester: Option<Arc<dyn Requester>>,
    ) -> Result<Value, UpstreamError>;

    /// The name that it gave itself when it was last connected.
    fn server(&self) -> Option<Arc<str>>;

    /// A number that grows when its lists may have changed: it said so, or was connected anew.
    fn version(&self) -> u64;
}

/// Hears for whom a server says that a resource has changed, and which; none: it was connected anew
/// for them, so that it knows nothing of what they follow.
pub(crate) type OnChange = Arc<dyn Fn(&AppId, &str, Option<&str>) + Send + Sync>;

/// Connects MCP servers.
pub(crate) trait Upstreams: Send + Sync {
    /// The server at this place, and who hears of resources that callers have subscribed to there.
    fn open(&self, connection: &Connection, on_change: OnChange) -> Arc<dyn Upstream>;
}

//! Limits on the gate and the MCP servers behind it.

#[cfg(feature = "gate")]
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits on the gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GateLimits {
    /// Milliseconds a list waits for one server: one that is slower is told with what it listed
    /// last, so that it delays no other.
    pub list_wait_ms: u64,
    /// Seconds until a server is asked again for a list that it does not tell changes of.
    pub list_ttl_s: u64,
    /// Entries of one list of one server: ten times what models can choose from.
    pub list_entries_max: usize,
    /// Requests that one server has under way; more are refused with a time to wait.
    pub requests_per_server_max: usize,
    /// Seconds between two looks at the gate file; a changed one holds within that time.
    pub reread_s: u64,
}

impl Default for GateLimits {
    fn default() -> Self {
        Self {
            list_wait_ms: 1_000,
            list_ttl_s: 5,
            list_entries_max: 2_000,
            requests_per_server_max: 256,
            reread_s: 1,
        }
    }
}

#[cfg(feature = "gate")]
impl GateLimits {
    /// How long a list waits for one server.
    pub(crate) fn list_wait(&self) -> Duration {
        Duration::from_millis(self.list_wait_ms)
    }

    /// How long a list of a server is believed.
    pub(crate) fn list_ttl(&self) -> Duration {
        Duration::from_secs(self.list_ttl_s)
    }
}

//! The ports that measure how much memory the process takes, and say whether it may take more.

use std::time::Duration;

/// Measures how much memory the process takes.
pub(crate) trait Footprint: Send + Sync + 'static {
    /// Bytes the process takes now; `None` where the system does not report it.
    fn bytes(&self) -> Option<u64>;
}

/// The process has reached its memory limit.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the process takes {taken} bytes of {max}")]
pub(crate) struct OverBudget {
    /// Bytes in use.
    pub(crate) taken: u64,
    /// The limit in bytes.
    pub(crate) max: u64,
    /// When to try again.
    pub(crate) wait: Duration,
}

/// Whether the process has room for more.
pub(crate) trait Room: Send + Sync {
    /// Whether more may be taken on; what is not is logged once a minute.
    fn check(&self) -> Result<(), OverBudget>;
}

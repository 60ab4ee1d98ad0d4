//! The port that measures how much memory the process takes.

/// Measures how much memory the process takes.
pub(crate) trait Footprint: Send + Sync + 'static {
    /// Bytes the process takes now; `None` where the system does not report it.
    fn bytes(&self) -> Option<u64>;
}

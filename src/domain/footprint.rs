//! What the process takes of the machine's memory, as a port.

/// Tells how much memory the process takes.
pub(crate) trait Footprint: Send + Sync + 'static {
    /// Bytes it takes now; none where the system does not tell.
    fn bytes(&self) -> Option<u64>;
}

//! What a reader hands out at a time.

use bytes::Bytes;

use crate::wire::ids::Seq;

/// Events a reader takes at a time: one write's worth, so that a slow one never holds many.
pub(super) const BATCH_EVENTS_MAX: usize = 64;
/// Bytes of events it takes at a time; one event always fits.
pub(super) const BATCH_BYTES_MAX: u64 = 256 << 10;
/// A frame, and the ledger position a reader that has it stands at; none where that is unchanged.
pub(crate) struct Delivery {
    pub(crate) at: Option<Seq>,
    pub(crate) frame: Bytes,
}

/// What of a log a reader has not taken yet.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Behind {
    /// Events.
    pub(crate) events: u64,
    /// Bytes they count for.
    pub(crate) bytes: u64,
}

/// What a reader finds.
pub(crate) enum Reading {
    /// Frames to send, oldest first, and what is left behind them.
    Frames {
        /// Each encoded once for all who read it.
        frames: Vec<Delivery>,
        /// The log after these.
        behind: Behind,
    },
    /// The session has ended.
    Ended,
}

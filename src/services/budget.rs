//! How much memory the process may take: beyond it nothing new is taken on.
//!
//! What counts is what the system says the process holds (its resident set): it is what the system
//! judges it by, and no estimate of single things adds up to it.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::domain::footprint::{Footprint, OverBudget, Room};
use crate::domain::seldom::Seldom;

/// How long one look at the system is good for: it costs some tens of microseconds, and in that time
/// one caller can add a few requests at most.
const SEEN_FOR: Duration = Duration::from_millis(20);
/// How long a caller waits before it tries again: the allocator gives what was deleted back to the
/// system within that time.
const WAIT: Duration = Duration::from_secs(10);

/// The memory limit of the process, with the last measurement.
pub(crate) struct Budget {
    max: u64,
    footprint: Arc<dyn Footprint>,
    seen: Mutex<Option<(Instant, u64)>>,
    refused: Seldom,
}

impl Budget {
    /// A limit of `max` bytes.
    pub(crate) fn new(max: u64, footprint: Arc<dyn Footprint>) -> Self {
        Self {
            max,
            footprint,
            seen: Mutex::default(),
            refused: Seldom::default(),
        }
    }

    /// The limit in bytes of the whole process.
    pub(crate) fn max(&self) -> u64 {
        self.max
    }

    /// Bytes in use; 0 on systems that do not report it.
    pub(crate) fn taken(&self) -> u64 {
        let now = Instant::now();
        let mut seen = self.seen.lock();
        match *seen {
            Some((at, bytes)) if now - at < SEEN_FOR => bytes,
            _ => {
                let bytes = self.footprint.bytes().unwrap_or_default();
                *seen = Some((now, bytes));
                bytes
            }
        }
    }
}

impl Room for Budget {
    fn check(&self) -> Result<(), OverBudget> {
        let (taken, max) = (self.taken(), self.max);
        if taken < max {
            return Ok(());
        }
        if let Some(count) = self.refused.count(Instant::now().into_std()) {
            tracing::warn!(
                taken,
                memory.bytes_max = max,
                count,
                "nothing can be added: the process takes as much memory as it may"
            );
        }
        Err(OverBudget {
            taken,
            max,
            wait: WAIT,
        })
    }
}

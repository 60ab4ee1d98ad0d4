//! Limits of the operating system: open files and memory.

use std::sync::Arc;

use crate::adapters::system::{SystemMemory, open_files};
use crate::domain::limits::Limits;
use crate::services::budget::Budget;

/// Open files besides connections: listeners, the log, files read at start.
const OTHER_FILES: u64 = 256;

/// Raises the limit of open files to what connections need; returns a warning if it stays too low.
pub(super) fn make_room_for_connections(limits: &Limits) -> Option<String> {
    let connections = limits.http.connections_max as u64;
    let before = open_files(0);
    match open_files(connections.saturating_add(OTHER_FILES)) {
        Ok(now) if now < connections => Some(format!(
            "{now} files may be open at a time, and http.connections_max allows {connections} \
             connections: raise the system's limit (ulimit -Hn, LimitNOFILE=), or lower the setting"
        )),
        Ok(now) => {
            if before.is_ok_and(|before| before < now) {
                tracing::info!(files = now, "as many files may be open as connections need");
            }
            None
        }
        Err(error) => Some(format!(
            "the limit of open files cannot be read or raised: {error}"
        )),
    }
}

/// The memory budget of the process: the configured one, or half of the memory of the machine or
/// its control group.
pub(super) fn budget(limits: &Limits) -> Budget {
    /// The other half is for other processes and for allocations between two measurements.
    const PART: u64 = 2;
    let memory = SystemMemory::new();
    let max = match limits.memory.bytes_max {
        // Without a known total there is no budget, and the system's own limit applies.
        0 => memory.total().map_or(u64::MAX, |total| total / PART),
        max => max,
    };
    tracing::debug!(
        memory.bytes_max = max,
        "the process may take so much memory"
    );
    Budget::new(max, Arc::new(memory))
}

//! What a server keeps at this moment, as gauges of its metrics.

use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use crate::domain::log::StoreCounts;
use crate::transports::doors::Doors;

/// The gauges, in the text format of the metrics page.
pub(crate) fn page(doors: &Doors) -> String {
    let StoreCounts {
        handshakes,
        sessions,
    } = doors.log.counts();
    let sockets = doors.sockets.load(Ordering::Relaxed);
    let gauges = [
        (
            "consumers",
            "Sessions whose agents are remembered.",
            doors.dispatch.consumers() as u64,
        ),
        (
            "memory_bytes",
            "Bytes of memory the process takes.",
            doors.dispatch.budget.taken(),
        ),
        (
            "memory_bytes_max",
            "Bytes of memory beyond which nothing is added.",
            doors.dispatch.budget.max(),
        ),
        ("handshakes", "Handshakes that are kept.", handshakes as u64),
        (
            "held_calls",
            "Calls that wait for something to happen.",
            doors.held.count() as u64,
        ),
        (
            "log_bytes",
            "Bytes of the events that sessions keep.",
            doors.log.log_bytes(),
        ),
        (
            "readers",
            "Readers that follow a session, whichever way.",
            doors.live.following() as u64,
        ),
        ("sessions", "Sessions that are kept.", sessions as u64),
        ("sockets", "Sockets that are open.", sockets as u64),
    ];
    let mut page = String::new();
    for (name, help, value) in gauges {
        let _ = write!(
            page,
            "# HELP proscenium_{name} {help}\n# TYPE proscenium_{name} gauge\nproscenium_{name} {value}\n"
        );
    }
    page
}

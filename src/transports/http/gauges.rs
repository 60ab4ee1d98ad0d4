//! What a server keeps at this moment, as gauges of its metrics.

use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use super::state::Front;
use crate::domain::log::StoreCounts;

/// The gauges, in the text format of the metrics page.
pub(crate) fn page(front: &Front) -> String {
    let StoreCounts {
        handshakes,
        sessions,
    } = front.live.counts();
    let sockets = front.sockets.load(Ordering::Relaxed);
    let gauges = [
        (
            "consumers",
            "Sessions whose agents are remembered.",
            front.access.dispatch.actions.remembered() as u64,
        ),
        (
            "memory_bytes",
            "Bytes of memory the process takes.",
            front.access.dispatch.budget.taken(),
        ),
        (
            "memory_bytes_max",
            "Bytes of memory beyond which nothing is added.",
            front.access.dispatch.budget.max(),
        ),
        ("handshakes", "Handshakes that are kept.", handshakes as u64),
        (
            "held_calls",
            "Calls that wait for something to happen.",
            front.held.count() as u64,
        ),
        (
            "log_bytes",
            "Bytes of the events that sessions keep.",
            front.live.log_bytes(),
        ),
        (
            "readers",
            "Readers that follow a session, whichever way.",
            front.live.following() as u64,
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

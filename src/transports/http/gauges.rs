//! What a server keeps at this moment, as gauges of its metrics.

use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use super::state::Front;

/// The gauges, in the text format of the metrics page. Those of the store are left out while it does
/// not answer.
pub(crate) async fn page(front: &Front) -> String {
    let counts = front.live.counts().await.ok();
    let sockets = front.sockets.load(Ordering::Relaxed);
    let (memory, memory_max) = front.access.dispatch.memory();
    let gauges = [
        (
            "consumers",
            "Sessions whose agents are remembered.",
            front.access.dispatch.remembered_agents() as u64,
        ),
        ("memory_bytes", "Bytes of memory the process takes.", memory),
        (
            "memory_bytes_max",
            "Bytes of memory beyond which nothing is added.",
            memory_max,
        ),
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
        ("sockets", "Sockets that are open.", sockets as u64),
    ];
    let of_store = counts.map(|counts| {
        let (handshakes, sessions) = (counts.handshakes as u64, counts.sessions as u64);
        [
            ("handshakes", "Handshakes that are kept.", handshakes),
            ("sessions", "Sessions that are kept.", sessions),
        ]
    });
    let mut page = String::new();
    for (name, help, value) in gauges.into_iter().chain(of_store.into_iter().flatten()) {
        let _ = write!(
            page,
            "# HELP proscenium_{name} {help}\n# TYPE proscenium_{name} gauge\nproscenium_{name} {value}\n"
        );
    }
    page
}

//! What other processes write into the same file.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::service::Brain;

impl Brain {
    /// Looks at intervals whether another process has written, and wakes those who wait for a page,
    /// until the server drains.
    pub(crate) async fn watch_others(self: Arc<Self>, drain: CancellationToken) {
        let every = Duration::from_millis(self.limits.others_look_ms.max(1));
        let mut ticks = interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut known = None;
        loop {
            tokio::select! {
                () = drain.cancelled() => return,
                _ = ticks.tick() => {}
            }
            let Ok(seen) = self.store.others_wrote().await else {
                // Whoever asks for a page is told.
                continue;
            };
            if known.replace(seen).is_some_and(|known| known != seen) {
                self.changes.announce_all();
                self.unembedded.notify_one();
            }
        }
    }
}

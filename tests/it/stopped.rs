//! Time under the control of a test, for what takes minutes.

use std::cell::Cell;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use tokio::time::Instant;

use crate::world::PATIENCE;

/// Time that only moves when a test moves it: it does not run ahead while a thread works.
pub(crate) struct Stopped {
    began: Instant,
    moved: Cell<Duration>,
    _held: Sender<()>,
}

impl Stopped {
    pub(crate) fn now() -> Self {
        tokio::time::pause();
        let (sender, receiver) = channel();
        // Not for ever: a frame that never comes still has to be found missing.
        tokio::task::spawn_blocking(move || receiver.recv_timeout(PATIENCE));
        Self {
            began: Instant::now(),
            moved: Cell::default(),
            _held: sender,
        }
    }

    pub(crate) async fn advance(&self, milliseconds: u64) {
        let step = Duration::from_millis(milliseconds);
        self.moved.set(self.moved.get() + step);
        tokio::time::advance(step).await;
    }

    /// Whether time is still under control, and did not run ahead while the test was waiting.
    pub(crate) fn stands(&self) -> bool {
        self.began.elapsed() == self.moved.get()
    }
}

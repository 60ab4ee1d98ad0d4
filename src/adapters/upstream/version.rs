//! How often the lists of a server may have changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

/// A number that grows when the lists of a server may have changed.
#[derive(Clone)]
pub(super) struct Version {
    number: Arc<AtomicU64>,
    /// Who is told of it, of whichever server it is.
    changes: watch::Sender<()>,
}

impl Version {
    pub(super) fn new(changes: watch::Sender<()>) -> Self {
        let number = Arc::default();
        Self { number, changes }
    }

    pub(super) fn now(&self) -> u64 {
        self.number.load(Ordering::Acquire)
    }

    pub(super) fn grow(&self) {
        self.number.fetch_add(1, Ordering::AcqRel);
        self.changes.send_replace(());
    }
}

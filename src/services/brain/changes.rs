//! Pages that change: whoever waits for one is woken when it was written.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use crate::domain::brain::Place;
use crate::wire::ids::AppId;

/// Changes that are held for those who wait; who is further behind looks at its page.
const CHANGES_HELD: usize = 1_024;

/// A page; none where any may have changed.
type Changed = Option<(AppId, Place)>;

/// What is written.
pub(crate) struct Changes {
    sender: broadcast::Sender<Changed>,
    count: AtomicU64,
}

impl Default for Changes {
    fn default() -> Self {
        Self {
            sender: broadcast::Sender::new(CHANGES_HELD),
            count: AtomicU64::new(0),
        }
    }
}

impl Changes {
    /// Wakes those who wait for a page.
    pub(super) fn announce(&self, app: &AppId, place: &Place) {
        self.count.fetch_add(1, Ordering::Release);
        // Nobody may wait.
        let _ = self.sender.send(Some((app.clone(), place.clone())));
    }

    /// Wakes all who wait: any page may have changed.
    pub(super) fn announce_all(&self) {
        self.count.fetch_add(1, Ordering::Release);
        let _ = self.sender.send(None);
    }

    /// How many there were.
    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// Misses nothing from now on.
    pub(super) fn follow(&self) -> Followed {
        Followed(self.sender.subscribe())
    }
}

/// What is written from a moment on.
pub(super) struct Followed(broadcast::Receiver<Changed>);

impl Followed {
    /// Returns once a page may have changed.
    pub(super) async fn next(&mut self, app: &AppId, place: &Place) {
        while let Some((of, changed)) = self.any().await {
            if of == *app && changed == *place {
                return;
            }
        }
    }

    /// The next page that may have changed.
    pub(super) async fn any(&mut self) -> Changed {
        match self.0.recv().await {
            Ok(changed) => changed,
            // What was missed is found by looking.
            Err(RecvError::Lagged(_)) => None,
            // Nothing is written any more.
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }

    /// The same, where one has changed already.
    pub(super) fn at_once(&mut self) -> Option<Changed> {
        match self.0.try_recv() {
            Ok(changed) => Some(changed),
            Err(TryRecvError::Lagged(_)) => Some(None),
            Err(TryRecvError::Empty | TryRecvError::Closed) => None,
        }
    }
}

//! The demo as an offer: a button of the stage takes it, once, and whoever runs the server plays it.

use tokio::sync::watch;

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    Closed,
    Open,
    Taken,
}

/// The offer; closed until somebody can play the demo.
pub(crate) struct Offer(watch::Sender<Stand>);

impl Default for Offer {
    fn default() -> Self {
        Self(watch::Sender::new(Stand::Closed))
    }
}

impl Offer {
    /// From now on the stage offers the demo.
    pub(crate) fn open(&self) {
        self.0.send_replace(Stand::Open);
    }

    /// Waits until somebody takes the offer.
    pub(crate) async fn taken(&self) {
        // The sender lives in `self`, so this ends with the state only.
        let _ = self
            .0
            .subscribe()
            .wait_for(|state| *state == Stand::Taken)
            .await;
    }

    /// Whether the stage shows the button.
    pub(crate) fn is_open(&self) -> bool {
        *self.0.borrow() == Stand::Open
    }

    /// Takes the offer, once; whether the demo is played.
    pub(crate) fn take(&self) -> bool {
        self.0.send_if_modified(|state| {
            let is_open = *state == Stand::Open;
            if is_open {
                *state = Stand::Taken;
            }
            is_open
        });
        *self.0.borrow() == Stand::Taken
    }
}

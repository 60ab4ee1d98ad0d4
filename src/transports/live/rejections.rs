//! Sockets that were ended before they subscribed, counted.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::wire::fault::Close;

/// Sockets that were ended before they subscribed, by the bound they met.
#[derive(Default)]
pub(crate) struct Rejections {
    payload: AtomicU64,
    idle: AtomicU64,
    connection: AtomicU64,
}

impl Rejections {
    /// Counts the end of a socket, if it is one of these.
    pub(crate) fn count(&self, close: Close) {
        let counter = match close {
            Close::PreSubscribePayloadExceeded => &self.payload,
            Close::PreSubscribeIdleTimeout => &self.idle,
            Close::PreSubscribeCeiling => &self.connection,
            _ => return,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// How many of each.
    pub(crate) fn to_json(&self) -> Value {
        let Self {
            payload,
            idle,
            connection,
        } = self;
        let [payload, idle, connection] =
            [payload, idle, connection].map(|counter| counter.load(Ordering::Relaxed));
        json!({ "payload": payload, "idle": idle, "connection": connection })
    }
}

//! Handshakes, and the reading of sessions.

mod service;
mod suggestion;

pub(crate) use service::{SessionError, Sessions};

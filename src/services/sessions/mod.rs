//! Handshakes, and the reading of sessions.

mod foresight;
mod service;
mod suggestion;

pub(crate) use service::{SessionError, Sessions};

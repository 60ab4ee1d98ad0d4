//! Handshakes and sessions in this process: the default.

mod app;
mod cell;
mod notifiers;
mod store;

pub(crate) use store::Memory;

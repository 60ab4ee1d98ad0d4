//! Handshakes and sessions in this process: the default.

mod app;
mod bells;
mod cell;
mod store;

pub(crate) use store::Memory;

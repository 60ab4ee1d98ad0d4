//! The rules: no tokio, no I/O, no clock of its own, no randomness.

pub(crate) mod contract;

//! Failures: which code an error has, and how each kind of answer shows it.

mod brain_failures;
mod failures;
pub(super) mod family;
mod fault;
mod projection;

pub(super) use fault::{FULL_WAIT, Fault};

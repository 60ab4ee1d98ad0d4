//! Failures: which code an error has, and how each kind of answer shows it.

mod brain_failures;
mod failures;
pub(super) mod family;
mod fault;
mod fields;
#[cfg(feature = "gate")]
mod gate;
mod generation;
mod projection;

pub(super) use fault::{FULL_WAIT, Fault};
pub(super) use fields::BODY;

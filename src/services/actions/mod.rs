//! What people do, and how agents take it: one use case behind both doors.

mod consume;
mod error;
mod handlers;
mod judge;
mod presence;
mod service;

pub(crate) use error::ActionError;
pub(crate) use service::{Actions, Submission};

//! Approvals: a call that a person has to agree to, and the session in which that person is asked.

mod case;
mod execute;
mod log;
mod make;
mod service;

pub(crate) use case::Cases;
pub(crate) use service::Approvals;
pub(super) use service::{Question, Turn};

//! Approvals: a call that a person has to agree to, and the session in which that person is asked.

mod case;
mod desk;
mod execute;
mod log;
mod make;

pub(crate) use desk::Approvals;
pub(super) use desk::{Question, Turn};

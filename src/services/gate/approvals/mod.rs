//! Approvals: a call that a person has to agree to, and the session in which that person is asked.

mod approved;
mod asked;
mod case;
mod changes;
mod clicks;
mod execute;
mod grants;
mod log;
mod make;
mod noted;
mod notices;
mod service;

pub(crate) use approved::Approved;
pub(crate) use asked::Changes;
pub(super) use case::Case;
pub(crate) use case::Cases;
pub(super) use execute::Call;
pub(crate) use service::Approvals;
pub(super) use service::{Agreed, Question, Turn};

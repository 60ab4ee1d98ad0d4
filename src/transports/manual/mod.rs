//! The manual: what can go wrong and how often one may ask, for people and for programs.

mod errors;
mod limits;
mod page;

pub(super) use errors::errors;
pub(super) use limits::limits;

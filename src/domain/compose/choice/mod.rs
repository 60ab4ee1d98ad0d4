//! The choice: what somebody decides of a page instead of the rules, checked, and drawn like any plan.

mod apply;
#[cfg(test)]
mod cases;
mod form;
mod sketch;
mod texts;

pub(crate) use apply::chosen;
pub(crate) use form::{Choice, choice_schema};
pub(crate) use sketch::sketch;

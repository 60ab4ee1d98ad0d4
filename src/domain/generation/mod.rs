//! Views that a model draws: what it is asked, what its answers come to, and what they may cost.

mod budget;
mod generator;
mod near;
mod page;
mod prompt;
mod rounds;

pub(crate) use budget::{Budget, Prices};
pub(crate) use generator::{Answer, NoAnswer, Question, Speaker, Trouble, Usage, ViewGenerator};
pub(crate) use near::{is_alike, likeness};
pub(crate) use page::Page;
pub(crate) use rounds::{Drawn, Reason, Undrawn, draw};

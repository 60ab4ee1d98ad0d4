//! Views that a model draws: what it is asked, what its answers come to, and what they may cost.

mod budget;
mod free;
mod generator;
mod given_values;
mod literal;
mod near;
mod page;
mod prompt;
mod reason;
mod rounds;
mod talk;

pub(crate) use budget::{Budget, Prices, Reserved};
#[cfg(feature = "model")]
pub(crate) use generator::Speaker;
pub(crate) use generator::{Meter, Question, Trouble, Usage, ViewGenerator};
pub(crate) use near::{is_alike, likeness};
pub(crate) use page::Page;
pub(crate) use reason::Reason;
pub(crate) use rounds::{Drawn, Own, Undrawn, draw};

//! The composer: a picture for every contract, in three steps: what is there, what to show, how.

mod choice;
#[cfg(test)]
mod completeness;
mod composer;
mod draw;
#[cfg(test)]
mod labels;
mod plan;
mod reading;
mod remarks;

pub(crate) use choice::{Choice, choice_schema, chosen, sketch};
pub(crate) use composer::{compose, explain};
pub(crate) use reading::is_once;
pub(crate) use remarks::hint_problems;

//! The composer: a picture for every contract, in three steps: what is there, what to show, how.

#[cfg(test)]
mod completeness;
mod composer;
mod draw;
#[cfg(test)]
mod labels;
mod plan;
mod reading;

pub(crate) use composer::{compose, explain};

//! Whether a schema accepts one value, as far as that can be told without the engine.

#[cfg(test)]
mod cases;
mod kinds;
mod numbers;
mod verdict;

pub(super) use kinds::Kinds;
pub(super) use numbers::{order, whole_from, whole_to};
pub(super) use verdict::{Budget, accepts, count, equal, listed};

//! What comparing schemas needs to know of values: their kinds, the order of numbers, equality.

#[cfg(test)]
mod cases;
mod equal;
mod kinds;
mod order;

pub(super) use equal::{Budget, count, equal, listed};
pub(super) use kinds::Kinds;
pub(super) use order::{order, whole_from, whole_to};

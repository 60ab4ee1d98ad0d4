//! The gate: decides whether a draft is a valid contract, and reports every problem.

#[cfg(test)]
mod cases;
mod compatibility;
mod hygiene;
mod references;
mod schemas;
mod verdict;

pub(super) use hygiene::has_surface;
pub(crate) use verdict::oversized;
pub(super) use verdict::{Passed, check};

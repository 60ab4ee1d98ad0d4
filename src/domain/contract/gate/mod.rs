//! The gate: decides whether a draft is a contract, and says everything that is wrong with it.

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

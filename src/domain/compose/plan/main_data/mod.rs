//! The data a page is about.
//!
//! Which of its things that is follows from many small signs, as with headlines and actions. The weights of
//! the signs are fitted to the contracts of `tests/labelled`.

mod choose;
mod explained;
mod signs;

#[cfg(test)]
pub(in super::super) use choose::candidates as main_candidates;
pub(super) use choose::main;
pub(super) use explained::explained;

//! The one action of a page that stands out, or none.
//!
//! Which one a designer would choose follows from many small signs, as with headlines: each action that
//! ends or loses nothing is a candidate, and so is that none stands out. The weights of their signs are
//! fitted to the contracts of `tests/labelled`.

mod choose;
mod relations;
mod signs;

#[cfg(test)]
pub(in super::super) use choose::action_candidates;
pub(super) use choose::primary;

//! What only the conformance suites need.

mod control;
mod profile;

pub(crate) use control::control;
pub(crate) use profile::Profile;

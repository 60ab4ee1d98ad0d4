//! What only the conformance suites need. Without the feature `conformance` it is empty: the rest of
//! the server asks here, and there is nothing.

#[cfg(not(feature = "conformance"))]
mod absent;
#[cfg(feature = "conformance")]
mod control;
#[cfg(feature = "conformance")]
mod fixture_questions;
#[cfg(feature = "conformance")]
mod fixture_tasks;
#[cfg(feature = "conformance")]
mod fixture_tools;
#[cfg(feature = "conformance")]
mod fixtures;
#[cfg(feature = "conformance")]
mod profile;
#[cfg(feature = "conformance")]
mod suite;

#[cfg(not(feature = "conformance"))]
pub(crate) use absent::{Fixtures, Suite};
#[cfg(feature = "conformance")]
pub(crate) use control::control;
#[cfg(feature = "conformance")]
pub(crate) use fixtures::Fixtures;
#[cfg(feature = "conformance")]
pub(crate) use profile::Profile;
#[cfg(feature = "conformance")]
pub(crate) use suite::Suite;

//! The words of the wire: serde types and nothing that runs.

pub mod contract;
pub mod discovery;
pub mod fault;
pub mod frames;
pub mod host;
pub mod ids;
pub mod object;
pub mod observe;
#[cfg(test)]
mod published;
pub mod runtime;
pub mod slice;
pub mod stage;
pub mod theme;
pub mod tools;
pub mod trace;
pub(crate) mod whole;

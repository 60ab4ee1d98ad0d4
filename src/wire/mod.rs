//! The words of the wire: serde types and nothing that runs.

pub mod contract;
pub mod fault;
pub mod frames;
pub mod ids;
pub mod runtime;
pub mod slice;
pub mod tools;
pub mod trace;

//! The words of the wire: serde types and nothing that runs.

pub mod contract;

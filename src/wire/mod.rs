//! The types of everything on the wire, for serde; no behaviour.

pub mod brain;
pub mod contract;
pub mod discovery;
pub mod fault;
pub mod frames;
pub mod gate;
pub mod host;
pub mod ids;
pub mod object;
pub mod observe;
pub mod page;
#[cfg(test)]
mod published;
pub mod remark;
pub mod runtime;
pub mod slice;
pub mod stage;
pub mod theme;
pub mod tools;
pub mod trace;
pub(crate) mod whole;

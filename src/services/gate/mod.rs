//! The gate: lists, calls and reads of the MCP servers behind it, through one filter.

mod ahead;
mod approvals;
mod calls;
mod confirm;
mod error;
mod followed;
mod following;
mod handlers;
mod kind;
mod lists;
mod meters;
mod own;
mod pinned;
#[cfg(test)]
mod races;
mod requested;
mod search;
mod search_tools;
mod served;
mod service;
mod template;

pub(crate) use approvals::{Approvals, Approved, Cases, Changes};
pub(crate) use error::GateError;
pub(crate) use own::{Agreement, Pass};
pub(crate) use requested::requested_by;
pub(crate) use service::{Gate, listed};

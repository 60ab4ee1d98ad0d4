//! The gate: lists, calls and reads of the MCP servers behind it, through one filter.

mod error;
mod handlers;
mod kind;
mod lists;
mod served;
mod service;
mod template;

pub(crate) use error::GateError;
pub(crate) use service::Gate;

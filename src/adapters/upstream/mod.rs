//! MCP servers behind the gate, over the official client.

mod callers;
mod calls;
mod client;
mod connect;
mod listener;
mod listening;
mod message;
mod ordered;
mod param_headers;
mod program;
mod sent;
mod task;
mod version;

pub(crate) use client::McpUpstreams;

//! MCP servers behind the gate, over the official client.

mod client;
mod connect;
mod message;
mod program;

pub(crate) use client::McpUpstreams;

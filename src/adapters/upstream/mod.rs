//! MCP servers behind the gate, over the official client.

mod callers;
mod calls;
mod client;
mod connect;
mod listener;
mod message;
mod ordered;
mod program;
mod version;

pub(crate) use client::McpUpstreams;

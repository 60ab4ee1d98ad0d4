//! The doors: parse, dispatch, project. No rule is decided here.

mod api;
mod doors;
mod extract;
mod fault;
mod guest;
mod http;
mod listener;
mod mcp;
mod metadata;
mod relay;
mod rest;
mod result;
mod shell;
mod site;
mod stage;
mod stdio;
mod tools;
mod ws;

pub(crate) use doors::Doors;
pub(crate) use http::router;
pub(crate) use listener::serve;
pub(crate) use relay::{Probed, Relay};
pub(crate) use site::Site;
pub(crate) use stdio::{Desk, serve as serve_lines};

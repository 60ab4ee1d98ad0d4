//! The doors: parse, dispatch, project. No rule is decided here.

mod conformance;
mod faults;
mod http;
mod live;
mod manual;
mod mcp;
mod pages;
#[cfg(feature = "probe")]
pub(crate) mod probe;
mod request;
mod rest;
mod stdio;
mod tools;

pub(crate) use conformance::Suite;
#[cfg(feature = "conformance")]
pub(crate) use conformance::{Profile, control};
pub(crate) use http::{
    Edge, Front, Proxies, Reception, RequestLimiter, Routes, Site, router, serve,
};
pub(crate) use live::Channel;
#[cfg(feature = "gate")]
pub(crate) use mcp::Exchanges;
pub(crate) use mcp::Lists;
pub(crate) use mcp::{Held, Mcp};
#[cfg(feature = "demo")]
pub(crate) use pages::Offer;
pub(crate) use pages::{Slices, Stage};
pub(crate) use request::Access;
pub(crate) use stdio::{Backend, Probed, Relay, serve as serve_lines};

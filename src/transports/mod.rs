//! The doors: parse, dispatch, project. No rule is decided here.

mod conformance;
mod doors;
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
pub(crate) use doors::Doors;
pub(crate) use http::{Edge, Proxies, Reception, RequestLimiter, Site, router, serve};
pub(crate) use live::Rejections;
pub(crate) use mcp::Held;
#[cfg(feature = "demo")]
pub(crate) use pages::Offer;
pub(crate) use stdio::{Backend, Probed, Relay, serve as serve_lines};

//! The doors: parse, dispatch, project. No rule is decided here.

mod api;
mod bare;
#[cfg(feature = "conformance")]
mod control;
mod correlation;
#[cfg(feature = "demo")]
mod demo;
mod doors;
mod edge;
mod extract;
mod failures;
mod family;
mod fault;
mod feed;
mod gauges;
mod guards;
mod guest;
mod heads;
mod health;
mod http;
mod identity;
mod lag_timer;
mod listener;
mod manual;
mod mcp;
mod metadata;
mod observe;
#[cfg(feature = "demo")]
mod offer;
mod peers;
mod pictures;
#[cfg(feature = "probe")]
pub(crate) mod probe;
#[cfg(feature = "conformance")]
mod profile;
mod projection;
mod rejections;
mod relay;
mod request_limiter;
mod rest;
mod result;
mod schemas;
mod scripts;
mod shell;
mod site;
mod stage;
mod stdio;
mod tools;
mod weighed;
mod ws;

#[cfg(feature = "conformance")]
pub(crate) use control::control;
pub(crate) use doors::Doors;
pub(crate) use edge::Edge;
pub(crate) use http::router;
pub(crate) use listener::{Reception, serve};
pub(crate) use mcp::Held;
#[cfg(feature = "demo")]
pub(crate) use offer::Offer;
pub(crate) use peers::Proxies;
#[cfg(feature = "conformance")]
pub(crate) use profile::Profile;
pub(crate) use rejections::Rejections;
pub(crate) use relay::{Probed, Relay};
pub(crate) use request_limiter::RequestLimiter;
pub(crate) use site::Site;
pub(crate) use stdio::{Backend, serve as serve_lines};

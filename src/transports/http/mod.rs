//! The HTTP edge: the listener, the guards before every request, and the router with its layers.

mod bare;
mod edge;
mod farewell;
mod gauges;
mod guards;
mod heads;
mod health;
mod listener;
mod metadata;
mod observe;
mod peers;
mod request_limiter;
mod router;
mod site;
mod state;
mod unread;
mod weighed;

pub(crate) use edge::Edge;
pub(super) use edge::{Reason, Seat, client_of};
pub(super) use farewell::farewell;
pub(super) use guards::Patience;
pub(super) use listener::ConnectionCloser;
pub(crate) use listener::{Reception, serve};
pub(super) use peers::Client;
pub(crate) use peers::Proxies;
pub(crate) use request_limiter::RequestLimiter;
pub(crate) use router::{Routes, router};
pub(crate) use site::Site;
pub(crate) use state::Front;

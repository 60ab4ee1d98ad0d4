//! Looking around: what there is to show, and what is shown.

mod blueprints;
mod error;
mod handlers;
mod relevance;
mod service;
mod validation;

pub(crate) use error::DiscoveryError;
pub(crate) use service::Discovery;

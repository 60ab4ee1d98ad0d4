//! The page store: pages that are read, found, linked and written, each change on top of the last.

mod addresses;
mod changes;
mod error;
mod finding;
mod handlers;
mod intent;
mod linking;
mod memories;
mod notes;
mod resources;
mod service;

pub(crate) use changes::Changes;
pub(crate) use error::BrainError;
pub(crate) use service::Brain;

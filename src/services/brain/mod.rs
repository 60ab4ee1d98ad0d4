//! The page store: pages that are read, found, linked and written, each change on top of the last.

mod addresses;
mod cards;
mod changes;
mod embedding;
mod error;
mod feeding;
mod feeds;
mod finding;
mod fresh;
mod gaps;
mod handlers;
mod intent;
mod journal;
mod linking;
mod memories;
mod notes;
mod queue;
mod recall;
mod resources;
mod service;
mod watching;

pub(crate) use changes::Changes;
pub(crate) use error::BrainError;
pub(crate) use feeds::Feeds;
pub(crate) use fresh::Recalled;
pub(crate) use queue::{Click, Queue};
pub(crate) use service::Brain;

//! What agents put in front of people: render, update and amend, emit.

mod background;
mod drawing;
mod emit;
mod error;
mod generation;
mod handlers;
mod jobs;
mod opening;
mod preview;
mod remark;
mod render;
mod service;
mod spending;
mod update;

pub(crate) use error::{ContentError, Mismatch};
pub(crate) use generation::ModelOfServer;
pub(crate) use service::{Content, Stock};

//! The book of sessions: above every store, and below every use case.

mod activity;
mod blueprints;
mod cards;
#[cfg(test)]
mod cases;
mod cell;
mod contracts;
mod decision;
mod documents;
mod entry;
mod error;
mod eviction;
#[cfg(test)]
mod eviction_cases;
#[cfg(test)]
mod fixture;
#[cfg(debug_assertions)]
mod fold_check;
mod handshakes;
mod in_memory;
mod loading;
mod notifiers;
mod reading;
mod service;
mod upkeep;

pub(crate) use blueprints::{Blueprints, NewBlueprint, Shown};
pub(crate) use cards::said;
pub(crate) use contracts::{CachedContract, Contracts};
pub(crate) use decision::Decision;
pub(crate) use entry::{Entry, Page};
pub(crate) use error::BookError;
pub(crate) use notifiers::Waited;
pub(crate) use service::Book;

//! Pages in SQLite: one file, or this process's memory.

#[cfg(test)]
mod cases;
mod database;
mod history;
mod links;
mod notes;
mod rows;
mod schema;
mod search;
mod store;
mod upkeep;
mod vectors;
mod write;

pub(crate) use database::{Database, OpenError, location};
pub(crate) use store::SqlitePages;
pub(crate) use upkeep::{add_to, check, take_from};

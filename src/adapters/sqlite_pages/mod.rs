//! Pages in SQLite: one file, or this process's memory.

mod database;
mod links;
mod notes;
mod rows;
mod schema;
mod search;
mod store;
mod write;

pub(crate) use database::{Database, OpenError};
pub(crate) use store::SqlitePages;

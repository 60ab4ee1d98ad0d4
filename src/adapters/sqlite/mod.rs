//! Everything that is kept, in one SQLite database of a folder; a restart finds it again.

mod activity;
mod answers;
mod append;
#[cfg(feature = "gate")]
mod attached;
mod blueprints;
#[cfg(test)]
mod cases;
mod check_points;
mod copies;
mod database;
mod documents;
mod failure;
#[cfg(test)]
mod file_cases;
#[cfg(test)]
mod fixture;
mod folder;
mod log_damage;
mod looked_up;
mod numbers;
mod open_error;
mod owner;
mod schema;
mod sessions;
mod upkeep;
mod writer;
#[cfg(test)]
mod writer_cases;

pub(crate) use activity::SqliteActivity;
pub(crate) use answers::SqliteAnswers;
#[cfg(feature = "gate")]
pub(crate) use attached::{attach, detach};
pub(crate) use blueprints::SqliteBlueprints;
pub(crate) use database::Database;
pub(crate) use folder::{Folder, introduce, location};
pub(crate) use open_error::OpenError;
pub(crate) use owner::Owner;
pub(crate) use sessions::SqliteSessions;
pub(crate) use upkeep::{Fresh, Restored, backup, check, restore};

//! The stores in SQLite do what every store must do.

use std::sync::Arc;

use tempfile::TempDir;

use super::database::Database;
use super::folder::Folder;
use super::{SqliteActivity, SqliteAnswers, SqliteBlueprints, SqliteSessions};
use crate::adapters::battery::{
    activity_store_battery, answers::limits, blueprint_store_battery, replayed_answers_battery,
    session_store_battery,
};
use crate::domain::store_settings::StoreSettings;

fn fresh() -> (Arc<Database>, TempDir) {
    let held = TempDir::new().unwrap();
    let folder = Folder::own(held.path().to_owned()).unwrap();
    (
        Database::open(folder, &StoreSettings::default()).unwrap(),
        held,
    )
}

async fn sessions() -> (SqliteSessions, TempDir) {
    let (database, held) = fresh();
    (SqliteSessions(database), held)
}

async fn activity() -> (SqliteActivity, TempDir) {
    let (database, held) = fresh();
    (SqliteActivity::new(database), held)
}

async fn blueprints() -> (SqliteBlueprints, TempDir) {
    let (database, held) = fresh();
    (SqliteBlueprints::new(database), held)
}

async fn answers() -> (SqliteAnswers, TempDir) {
    let (database, held) = fresh();
    let limits = limits();
    (SqliteAnswers { database, limits }, held)
}

activity_store_battery!(activity);
session_store_battery!(sessions);
blueprint_store_battery!(blueprints);
replayed_answers_battery!(answers);

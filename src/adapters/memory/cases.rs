//! The stores in memory do what every store must do.

use super::{MemoryActivity, MemoryAnswers, MemoryBlueprints, MemoryPresence, MemorySessions};
use crate::adapters::battery::{
    activity_store_battery, answers::limits, blueprint_store_battery, presence_store_battery,
    replayed_answers_battery, session_store_battery,
};

async fn sessions() -> (MemorySessions, ()) {
    (MemorySessions::default(), ())
}

async fn activity() -> (MemoryActivity, ()) {
    (MemoryActivity::default(), ())
}

async fn blueprints() -> (MemoryBlueprints, ()) {
    (MemoryBlueprints::default(), ())
}

async fn presence() -> (MemoryPresence, ()) {
    (MemoryPresence::default(), ())
}

async fn answers() -> (MemoryAnswers, ()) {
    (MemoryAnswers::new(limits()), ())
}

activity_store_battery!(activity);
session_store_battery!(sessions);
blueprint_store_battery!(blueprints);
presence_store_battery!(presence);
replayed_answers_battery!(answers);

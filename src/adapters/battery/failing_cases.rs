//! A store that does not fail does what every store must do, whatever is put around it.

use super::failing::Failing;
use crate::adapters::battery::{
    activity_store_battery, answers::limits, blueprint_store_battery, presence_store_battery,
    replayed_answers_battery, session_store_battery,
};
use crate::adapters::memory::{
    MemoryActivity, MemoryAnswers, MemoryBlueprints, MemoryPresence, MemorySessions,
};

async fn sessions() -> (Failing<MemorySessions>, ()) {
    (Failing::new(MemorySessions::default()), ())
}

async fn activity() -> (Failing<MemoryActivity>, ()) {
    (Failing::new(MemoryActivity::default()), ())
}

async fn blueprints() -> (Failing<MemoryBlueprints>, ()) {
    (Failing::new(MemoryBlueprints::default()), ())
}

async fn presence() -> (Failing<MemoryPresence>, ()) {
    (Failing::new(MemoryPresence::default()), ())
}

async fn answers() -> (Failing<MemoryAnswers>, ()) {
    (Failing::new(MemoryAnswers::new(limits())), ())
}

activity_store_battery!(activity);
session_store_battery!(sessions);
blueprint_store_battery!(blueprints);
presence_store_battery!(presence);
replayed_answers_battery!(answers);

//! Everything that is kept, in this process; a restart forgets it.

mod activity;
mod answers;
mod blueprints;
#[cfg(test)]
mod cases;
mod presence;
mod sessions;

pub(crate) use activity::MemoryActivity;
pub(crate) use answers::MemoryAnswers;
pub(crate) use blueprints::MemoryBlueprints;
pub(crate) use presence::MemoryPresence;
pub(crate) use sessions::MemorySessions;

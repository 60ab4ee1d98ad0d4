//! What is kept in this process: handshakes, sessions, answers of attempts.

mod answers;
mod app;
mod cell;
mod notifiers;
mod store;

pub(crate) use answers::MemoryAnswers;
pub(crate) use store::Memory;

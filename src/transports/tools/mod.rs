//! The tools: their table, their calls, their answers.

mod answer;
mod call;
mod output;
mod table;

pub(super) use call::{call, structured, waits};
pub(super) use table::list;

//! The tools: their table, their calls, their answers.

mod answer;
mod call;
mod output;
mod result;
mod schemas;
mod table;

pub(super) use call::{call, idle, structured};
pub(super) use result::ToolResult;
pub(super) use table::{Audience, count, list};

//! The tools: their list, their calls, their answers.

mod answer;
mod call;
mod list;
mod result;

#[cfg(feature = "gate")]
pub(super) use call::unknown;
pub(super) use call::{call, draws, idle};
pub(super) use list::{Audience, count, list};
pub(super) use result::ToolResult;

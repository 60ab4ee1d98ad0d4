//! The tools: their list, their calls, their answers.

mod answer;
mod call;
mod list;
mod result;

pub(super) use call::{call, draws, idle};
#[cfg(feature = "gate")]
pub(super) use call::unknown;
pub(super) use list::{Audience, count, list};
pub(super) use result::ToolResult;

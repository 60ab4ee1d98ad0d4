//! The MCP edge: one stateless endpoint that speaks both eras.

#[cfg(feature = "conformance")]
mod conformance;
mod endpoint;
mod envelope;
mod era;
mod held;
mod line;
mod listen;
#[cfg(not(feature = "conformance"))]
mod lists;
mod methods;
mod prompts;
mod resources;
mod state;

pub(super) use endpoint::{call, method_not_allowed};
pub(super) use era::shows_ui;
pub(crate) use held::Held;
pub(super) use line::{Line, Question, Read, answer, read};
#[cfg(not(feature = "conformance"))]
pub(crate) use lists::Lists;
pub(super) use resources::generic_uri;
pub(crate) use state::Mcp;

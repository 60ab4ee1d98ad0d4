//! The MCP edge: one stateless endpoint that speaks both eras.

mod answer;
mod drawn;
mod endpoint;
mod envelope;
pub(super) mod era;
mod event_stream;
#[cfg(feature = "gate")]
mod exchange;
#[cfg(feature = "gate")]
mod gate;
#[cfg(feature = "gate")]
mod gate_lists;
mod held;
mod instructions;
mod line;
mod listen;
mod lists;
mod media_types;
mod methods;
mod page_resources;
mod prompts;
mod resources;
mod results;
mod rpc_call;
mod state;
mod subscribe;
mod unsubscribe;
mod updates;

pub(super) use endpoint::{call, method_not_allowed};
pub(super) use era::shows_ui;
#[cfg(feature = "gate")]
pub(crate) use exchange::Exchanges;
pub(crate) use held::Held;
#[cfg(feature = "gate")]
pub(super) use line::hear;
pub(super) use line::{Line, Question, Read, answer, read};
pub(crate) use lists::Lists;
pub(super) use resources::generic_uri;
pub(crate) use state::Mcp;

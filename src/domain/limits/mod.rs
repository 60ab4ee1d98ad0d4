//! Every limit of the server, each number with its reason.
//!
//! The first line of each field is what `config print` shows; the unit is part of the name.

mod all;
mod brain;
mod doors;
mod gate;
mod generation;
mod work;

pub(crate) use all::Limits;
pub(crate) use all::quota;
pub(crate) use brain::BrainLimits;
pub(crate) use doors::{HttpLimits, MountLimits, RateLimits, SocketLimits, StdioLimits, share};
#[cfg(feature = "gate")]
pub(crate) use gate::GateLimits;
pub(crate) use generation::GenerationLimits;
pub(crate) use work::{
    ActionLimits, BlueprintLimits, IdempotencyLimits, LogLimits, SessionLimits, WorkLimits,
};

//! The policies of the gate, in the language Cedar.

mod ahead;
mod argument_types;
mod engine;
mod load;
mod loaded;
mod projection;

pub(crate) use load::{PolicyFile, load};

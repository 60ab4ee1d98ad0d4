//! The keys file: API keys by the hash of their secrets, and who holds them.

mod error;
mod file;
mod holders;

pub use error::KeysError;

pub(crate) use file::{Entry, change, read, stamp, unusable};
pub(crate) use holders::{load, load_some};

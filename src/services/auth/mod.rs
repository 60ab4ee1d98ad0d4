//! Credentials, and the tokens of the live channel.

mod admission;
mod channel;
mod port;
mod service;

pub(crate) use admission::{Admission, KeyHash, Keys, Tokens, key_hash};
pub(crate) use service::Auth;

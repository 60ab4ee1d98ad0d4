//! Credentials, and the tokens of the live channel.

mod admission;
mod channel;
mod port;
mod service;

pub(crate) use admission::{Admission, Tokens};
pub(crate) use service::Auth;

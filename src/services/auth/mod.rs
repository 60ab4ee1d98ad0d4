//! Credentials, and the tokens of the live channel.

mod admission;
mod channel;
mod error;
mod service;

pub(crate) use admission::{Admission, Tokens};
pub(crate) use channel::{ChannelPass, ChannelToken};
pub(crate) use error::AuthError;
pub(crate) use service::Auth;

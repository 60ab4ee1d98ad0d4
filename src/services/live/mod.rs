//! Following a session: a snapshot, what is to be replayed, then the log as it grows.

mod delivery;
mod error;
mod handlers;
mod ledger;
mod owed;
mod reader;
mod service;
mod versions;

pub(crate) use delivery::{Behind, Reading};
pub(crate) use error::{CursorError, LiveError, PageError};
pub(crate) use owed::{Since, Wanted};
pub(crate) use reader::Reader;
pub(crate) use service::{Live, Subscription};

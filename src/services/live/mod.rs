//! Following a session: a snapshot, what is to be replayed, then the log as it grows.

mod delivery;
mod error;
mod ledger;
mod owed;
mod reader;
mod service;

pub(crate) use delivery::{Behind, Reading};
pub(crate) use error::{CursorError, LiveError};
pub(crate) use ledger::Pulled;
pub(crate) use owed::{Since, Wanted};
pub(crate) use reader::Reader;
pub(crate) use service::{Live, Subscription};

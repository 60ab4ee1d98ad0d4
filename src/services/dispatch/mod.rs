//! The one path of every operation. Only the files of this folder name their siblings.

mod error;
mod outcome;
mod path;
mod tally;
mod turn;

pub(crate) use error::DispatchError;
pub(crate) use outcome::{Answered, Outcome};
pub(crate) use path::Dispatch;
pub(crate) use tally::Tally;

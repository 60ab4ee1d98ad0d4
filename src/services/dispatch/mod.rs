//! The one path of every operation. Only the files of this folder name their siblings.

mod error;
mod operation_metrics;
mod outcome;
mod path;
mod turn;

pub(crate) use error::DispatchError;
pub(crate) use operation_metrics::OperationMetrics;
pub(crate) use outcome::{Answered, Outcome};
pub(crate) use path::Dispatch;

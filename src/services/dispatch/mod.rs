//! The one path of every operation. Only the files of this folder name their siblings.

mod composed;
mod error;
mod policy;
mod registry;
mod run;
mod steps;

pub(crate) use composed::Composed;
pub(crate) use error::DispatchError;
pub(crate) use policy::{AllowAll, Policy};
pub(crate) use registry::{Entry, Registry};
pub(crate) use run::{Answered, Dispatch, DispatchParts};

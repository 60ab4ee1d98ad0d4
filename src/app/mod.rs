//! The server: built, maintained while it runs, and shut down in order.

mod binding;
mod compose;
#[cfg(feature = "conformance")]
mod control;
mod dispatch;
mod embedder;
mod error;
#[cfg(feature = "gate")]
mod gate;
mod issuer;
#[cfg(feature = "gate")]
mod journalled_audit;
mod machine;
#[cfg(feature = "model")]
mod model;
mod pages;
mod reload;
#[cfg(test)]
mod run_time_tools;
mod running;
#[cfg(test)]
mod store_failures;
mod stores;
mod unwatched;
mod upkeep;

pub use compose::App;
pub use error::StartError;
pub use running::{KeyRefused, Running};

#[cfg(feature = "gate")]
pub(crate) use gate::listed_tools;
#[cfg(feature = "model")]
pub(crate) use model::generator as model_generator;
pub(crate) use reload::Hangups;

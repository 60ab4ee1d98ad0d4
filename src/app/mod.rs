//! The server: built, maintained while it runs, and shut down in order.

mod binding;
mod compose;
mod error;
mod issuer;
mod machine;
mod pages;
mod reload;
mod running;
#[cfg(test)]
mod store_failures;
mod stores;
mod upkeep;

pub use compose::App;
pub use error::StartError;
pub use running::{KeyRefused, Running};

pub(crate) use reload::Hangups;

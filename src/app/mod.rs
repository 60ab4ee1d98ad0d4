//! The server: put together, kept up, and ended in order.

mod binding;
mod compose;
mod error;
mod issuer;
mod machine;
mod reload;
mod running;
mod upkeep;

pub use compose::App;
pub use error::StartError;
pub use running::{KeyRefused, Running};

pub(crate) use reload::Hangups;

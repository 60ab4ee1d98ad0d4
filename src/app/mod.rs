//! The server: put together, kept up, and ended in order.

mod binding;
mod compose;
mod error;
mod machine;
mod reload;
mod running;
#[cfg(test)]
mod store_failures;
mod stores;
mod upkeep;

pub use compose::App;
pub use error::StartError;
pub use reload::Hangups;
pub use running::{KeyRefused, Running};

//! The server: built, maintained while it runs, and shut down in order.

mod binding;
mod compose;
mod error;
mod machine;
mod reload;
mod running;
mod upkeep;

pub use compose::App;
pub use error::StartError;
pub use reload::Hangups;
pub use running::{KeyRefused, Running};

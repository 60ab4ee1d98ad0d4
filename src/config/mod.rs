//! The configuration: one struct made of the parts' settings. Unknown keys are refused, and every
//! problem is told at once.

mod check;
mod error;
mod load;
mod settings;

pub use error::ConfigError;
pub use settings::{Config, LogFormat, LoggingSettings, ServerSettings, ThemeSettings};

pub use crate::domain::token_settings::JwtSettings;

//! The configuration: one struct made of the parts' settings. Unknown keys are refused, and every
//! problem is told at once.

mod check;
mod error;
mod load;
mod settings;
mod sources;

pub use error::ConfigError;
pub use settings::{
    Config, InvalidArguments, LogFormat, LoggingSettings, McpSettings, ServerSettings,
    ThemeSettings,
};

pub use crate::domain::token_settings::JwtSettings;

//! The configuration: one struct; unknown keys are refused, and all problems are reported at once.

mod check;
mod error;
mod load;
mod settings;
mod sources;

pub use error::ConfigError;
pub use settings::{
    BrainSettings, Config, InvalidArguments, LogFormat, LoggingSettings, McpSettings, McpTools,
    ServerSettings, ThemeSettings,
};

pub use crate::domain::token_settings::JwtSettings;

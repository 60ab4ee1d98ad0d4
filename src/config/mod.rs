//! The configuration: one struct; unknown keys are refused, and all problems are reported at once.

mod check;
mod error;
#[cfg(feature = "gate")]
mod gate;
mod load;
#[cfg(feature = "gate")]
mod policies;
mod settings;
mod sources;

pub use error::ConfigError;
#[cfg(feature = "gate")]
pub(crate) use gate::{load_pins, save_pins};
pub use settings::{
    BrainSettings, Config, InvalidArguments, LogFormat, LoggingSettings, McpSettings, McpTools,
    ServerSettings, StageOpen, StageSettings, ThemeSettings,
};

pub use crate::domain::brain::{EmbedderKind, JournalDepth};
pub use crate::domain::store_settings::{Durability, StoreSettings};
pub use crate::domain::token_settings::JwtSettings;

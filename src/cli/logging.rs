//! The log on standard error, as the configuration asks for it.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use super::failure::{EXIT_CONFIG, Failure};
use crate::config::{Config, LogFormat};

/// What is logged, or what is wrong with the level.
pub(super) fn log_filter(config: &Config) -> Result<EnvFilter, String> {
    // The demo's own clients are no news.
    let filter = EnvFilter::try_new(format!("rmcp=warn,{}", config.logging.level));
    filter.map_err(|error| config.blame(format!("logging.level: {error}")))
}

/// Starts the log; a process does it once.
pub(super) fn log_to_stderr(config: &Config) -> Result<(), Failure> {
    let filter = log_filter(config).map_err(|problem| Failure(EXIT_CONFIG, problem))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match config.logging.format {
        LogFormat::Text => {
            let ansi = std::io::stderr().is_terminal();
            builder.with_target(false).with_ansi(ansi).init();
        }
        LogFormat::Json => builder.json().init(),
    }
    Ok(())
}

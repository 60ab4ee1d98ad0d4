//! The log on standard error, as the configuration asks for it.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use super::failure::{EXIT_CONFIG, Failure};
use crate::config::{Config, LogFormat};

/// What is logged, or what is wrong with the level.
pub(super) fn log_filter(config: &Config) -> Result<EnvFilter, String> {
    // The demo's own clients are no news.
    let filter = EnvFilter::try_new(format!(
        "rmcp=warn,rmcp::service=error,{}",
        config.logging.level
    ));
    filter.map_err(|error| config.blame(format!("logging.level: {error}")))
}

/// The log of this process.
pub(super) struct Log(Box<dyn Fn(EnvFilter) + Send + Sync>);

impl Log {
    /// Says what this filter lets through from now on.
    pub(super) fn follow(&self, filter: EnvFilter) {
        self.0(filter);
    }
}

/// Starts the log; a process does it once.
pub(super) fn log_to_stderr(config: &Config) -> Result<Log, Failure> {
    let filter = log_filter(config).map_err(|problem| Failure(EXIT_CONFIG, problem))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // A log that is gone has nothing to follow with.
    let follow: Box<dyn Fn(EnvFilter) + Send + Sync> = match config.logging.format {
        LogFormat::Text => {
            let ansi = std::io::stderr().is_terminal();
            let builder = builder.with_target(false).with_ansi(ansi);
            let builder = builder.with_filter_reloading();
            let handle = builder.reload_handle();
            builder.init();
            Box::new(move |filter| drop(handle.reload(filter)))
        }
        LogFormat::Json => {
            let builder = builder.json().with_filter_reloading();
            let handle = builder.reload_handle();
            builder.init();
            Box::new(move |filter| drop(handle.reload(filter)))
        }
    };
    Ok(Log(follow))
}

//! Applies a new configuration to a running server.

use std::future::pending;
use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use super::issuer::issuer;
use crate::adapters::jwks::Jwks;
use crate::adapters::keys_file::{self, KeysError};
use crate::config::{Config, ConfigError};
use crate::domain::clock::Clock;
use crate::domain::token::TokenKeys as _;
use crate::services::auth::Auth;

/// The parts of a running server that a reload replaces.
pub(super) struct Reloads {
    /// The configuration the server runs with.
    pub(super) config: Mutex<Config>,
    pub(super) clock: Arc<dyn Clock>,
    /// The keys file, which a background task reads at intervals.
    pub(super) keys_file: watch::Sender<PathBuf>,
    /// The issuer's keys, which a background task refreshes.
    pub(super) issuer_keys: watch::Sender<Option<Arc<Jwks>>>,
}

impl Reloads {
    /// Applies the keys and the issuer of a new configuration, both or neither, and logs the
    /// outcome; false where nothing was applied.
    pub(super) async fn take_over(
        &self,
        auth: &Auth,
        mcp_url: String,
        config: Result<Config, ConfigError>,
    ) -> bool {
        let taken = match config {
            Ok(config) => self.replace(auth, mcp_url, config).await,
            Err(error) => Err(of_config(error)),
        };
        match taken {
            Ok(waits) => {
                tracing::info!("the keys and the issuer's settings were read anew");
                for setting in waits {
                    tracing::warn!(setting, "changed, and waits for a restart");
                }
                true
            }
            Err(problems) => {
                for problem in problems {
                    tracing::error!(problem, "not read anew: everything stays as it was");
                }
                false
            }
        }
    }

    /// Returns the settings that need a restart, or every problem.
    async fn replace(
        &self,
        auth: &Auth,
        mcp_url: String,
        config: Config,
    ) -> Result<Vec<String>, Vec<String>> {
        let mut problems = Vec::new();
        if let Err(error) = config.validate() {
            problems.extend(of_config(error));
        }
        let known = keys_file::load(&config.server.keys_file);
        let known = known.map_err(|error| problems.extend(of_keys(error)));
        let issuer = issuer(&config.jwt, mcp_url, &self.clock);
        let issuer = issuer.map_err(|error| problems.extend(of_keys(error)));
        let (Ok(known), Ok(issuer), true) = (known, issuer, problems.is_empty()) else {
            return Err(problems);
        };
        let (waits, is_open) = {
            let mut running = self.config.lock();
            let is_open = running.is_open();
            // Whether credentials are required at all must not change while the server runs.
            if is_open == config.is_open() {
                running.server.keys_file = config.server.keys_file.clone();
                running.jwt = config.jwt.clone();
            }
            running.logging.level = config.logging.level.clone();
            (differences(&running, &config), is_open)
        };
        if is_open || config.is_open() {
            return Ok(waits);
        }
        if known.is_empty() && issuer.is_none() {
            tracing::warn!("the keys file holds no key any more: no key opens anything");
        }
        auth.admit(known);
        self.keys_file.send_replace(config.server.keys_file);
        let (tokens, issuer_keys) = issuer.unzip();
        if auth.accept(tokens) {
            self.issuer_keys.send_replace(issuer_keys);
        } else {
            let keys = self.issuer_keys.borrow().clone();
            if let Some(keys) = keys {
                keys.refreshed().await;
            }
        }
        Ok(waits)
    }
}

/// SIGHUP, on systems that have it: the request to reload the configuration. Without a handler the
/// signal ends the process, so the handler is installed before the server is announced.
pub(crate) struct Hangups {
    #[cfg(unix)]
    signal: Option<Signal>,
}

impl Hangups {
    /// Installs the handler.
    pub(crate) fn listen() -> Self {
        Self {
            #[cfg(unix)]
            signal: signal(SignalKind::hangup()).ok(),
        }
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.signal {
            signal.recv().await;
            return;
        }
        pending().await
    }
}

/// The names of the settings in which two configurations differ.
fn differences(one: &Config, other: &Config) -> Vec<String> {
    let written = |config| serde_json::to_value(config).unwrap_or_default();
    let (one, other) = (written(one), written(other));
    let mut names = Vec::new();
    for (section, values) in one.as_object().into_iter().flatten() {
        for (key, value) in values.as_object().into_iter().flatten() {
            let changed: &Value = &other[section][key];
            if value != changed {
                names.push(format!("{section}.{key}"));
            }
        }
    }
    names
}

fn of_config(error: ConfigError) -> Vec<String> {
    match error {
        ConfigError::Invalid(problems) => problems,
        error @ ConfigError::Unreadable { .. } => vec![error.to_string()],
    }
}

fn of_keys(error: KeysError) -> Vec<String> {
    match error {
        KeysError::Invalid(problems) => problems,
        error @ (KeysError::Unusable { .. } | KeysError::Unknown { .. }) => vec![error.to_string()],
    }
}

//! The gate of a running server: its file, and what changes when the file does.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::adapters::keys_file;
use crate::adapters::upstream::McpUpstreams;
use crate::config::ConfigError;
use crate::domain::gate::GateConfig;
use crate::domain::limits::GateLimits;
use crate::services::gate::Gate;

/// What tells a file from another one of the same name.
type Stamp = Option<(SystemTime, u64, u64)>;

/// A gate file that was read.
pub(super) struct GateFile {
    path: PathBuf,
    seen: Stamp,
    config: GateConfig,
}

impl GateFile {
    /// Reads the file, where one is configured.
    pub(super) fn load(path: &PathBuf) -> Result<Option<Self>, ConfigError> {
        if path.as_os_str().is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            path: path.clone(),
            seen: keys_file::stamp(path),
            config: read(path)?,
        }))
    }

    /// The gate it describes.
    pub(super) fn open(&self, limits: &GateLimits) -> Arc<Gate> {
        let upstreams = McpUpstreams {
            requests_max: limits.requests_per_server_max,
        };
        Arc::new(Gate::new(&self.config, Box::new(upstreams), limits.clone()))
    }

    /// Reads the file again whenever it has changed. One that cannot be read, or in which anything
    /// is wrong, changes nothing, and is logged.
    pub(super) async fn follow(self, gate: Arc<Gate>, every_s: u64, drain: CancellationToken) {
        let mut ticks = tokio::time::interval(Duration::from_secs(every_s.max(1)));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let Self { path, mut seen, .. } = self;
        loop {
            tokio::select! {
                () = drain.cancelled() => return,
                _ = ticks.tick() => {}
            }
            let (file, before) = (path.clone(), seen);
            let changed = tokio::task::spawn_blocking(move || {
                let now = keys_file::stamp(&file);
                (now != before).then(|| (now, read(&file)))
            });
            let Ok(Some((now, read))) = changed.await else {
                continue;
            };
            seen = now;
            match read {
                Ok(config) => {
                    gate.replace(&config);
                    tracing::info!("the gate file was read anew");
                }
                Err(error) => {
                    tracing::error!(%error, "the gate file was not read anew: the gate stays as it was");
                }
            }
        }
    }
}

fn read(path: &PathBuf) -> Result<GateConfig, ConfigError> {
    let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    let variables = std::env::vars_os().map(|(name, value)| (text(name), text(value)));
    GateConfig::load(path, variables)
}

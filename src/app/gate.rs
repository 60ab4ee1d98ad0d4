//! The gate of a running server: its files, and what changes when they do.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::adapters::keys_file;
use crate::adapters::upstream::McpUpstreams;
use crate::config::ConfigError;
use crate::domain::gate::{GateConfig, Pins, UpstreamError};
use crate::domain::limits::GateLimits;
use crate::services::gate::{Approvals, Gate, listed};

/// What tells a file from another one of the same name.
type Stamp = Option<(SystemTime, u64, u64)>;

/// A gate file that was read.
pub(super) struct GateFile {
    path: PathBuf,
    seen: Seen,
    config: GateConfig,
}

/// The files that were read, as they were.
#[derive(Clone, PartialEq)]
struct Seen {
    gate: Stamp,
    pins_path: Option<PathBuf>,
    pins: Stamp,
}

impl Seen {
    fn look(gate: &Path, pins_path: Option<PathBuf>) -> Self {
        Self {
            gate: keys_file::stamp(gate),
            pins: pins_path.as_deref().and_then(keys_file::stamp),
            pins_path,
        }
    }
}

impl GateFile {
    /// Reads the file, where one is configured.
    pub(super) fn load(path: &Path) -> Result<Option<Self>, ConfigError> {
        if path.as_os_str().is_empty() {
            return Ok(None);
        }
        let config = read(path)?;
        Ok(Some(Self {
            path: path.to_owned(),
            // Whatever changed while it was read is read again.
            seen: Seen::look(path, config.pins_path(path)),
            config,
        }))
    }

    /// The gate it describes.
    pub(super) fn open(&self, limits: &GateLimits, approvals: Arc<Approvals>) -> Arc<Gate> {
        let upstreams = Box::new(upstreams(limits));
        Arc::new(Gate::new(
            &self.config,
            upstreams,
            limits.clone(),
            approvals,
        ))
    }

    /// Reads the file again whenever it has changed, or what was accepted has. One that cannot be
    /// read, or in which anything is wrong, changes nothing, and is logged.
    pub(super) async fn follow(self, gate: Arc<Gate>, every_s: u64, drain: CancellationToken) {
        let mut ticks = tokio::time::interval(Duration::from_secs(every_s.max(1)));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let Self { path, mut seen, .. } = self;
        loop {
            tokio::select! {
                () = drain.cancelled() => return,
                _ = ticks.tick() => {}
            }
            let (file, before) = (path.clone(), seen.clone());
            let changed = tokio::task::spawn_blocking(move || {
                let now = Seen::look(&file, before.pins_path.clone());
                (now != before).then(|| (now, read(&file)))
            });
            let Ok(Some((now, read))) = changed.await else {
                continue;
            };
            seen = now;
            match read {
                Ok(config) => {
                    seen.pins_path = config.pins_path(&path);
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

/// The tools that the sources of a gate list now.
///
/// # Errors
/// The id of the first source that gives no list, and why.
pub(crate) async fn listed_tools(config: &GateConfig) -> Result<Pins, (String, UpstreamError)> {
    let limits = GateLimits::default();
    listed(config, &upstreams(&limits), &limits).await
}

fn upstreams(limits: &GateLimits) -> McpUpstreams {
    McpUpstreams {
        requests_max: limits.requests_per_server_max,
    }
}

fn read(path: &Path) -> Result<GateConfig, ConfigError> {
    let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    let variables = std::env::vars_os().map(|(name, value)| (text(name), text(value)));
    GateConfig::load(path, variables)
}

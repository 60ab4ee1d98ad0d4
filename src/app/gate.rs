//! The gate of a running server: its files, and what changes when they do.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::dispatch::{Conscience, Foundations};
use super::error::StartError;
use super::journalled_audit::JournalledAudit;
use crate::adapters::gate_audit::AuditFile;
use crate::adapters::keys_file;
use crate::adapters::pins_file::PinFiles;
use crate::adapters::upstream::McpUpstreams;
use crate::adapters::webhooks::Webhooks;
use crate::config::ConfigError;
use crate::domain::ahead::Ahead;
use crate::domain::brain::Journal;
use crate::domain::credentials::Credentials;
use crate::domain::gate::{GateConfig, Pins, UpstreamError};
use crate::domain::limits::GateLimits;
use crate::services::gate::{Approvals, Approved, Cases, Changes, Gate, listed};

/// What tells a file from another one of the same name.
type Stamp = Option<(SystemTime, u64, u64)>;

/// A gate file that was read.
pub(super) struct GateFile {
    path: PathBuf,
    seen: Seen,
    config: GateConfig,
    /// Sent when a list of the gate may be another one.
    changes: watch::Sender<()>,
}

/// The files that were read, as they were.
#[derive(Clone, PartialEq)]
struct Seen {
    gate: Stamp,
    /// The policies, and what was accepted.
    others: Vec<(PathBuf, Stamp)>,
}

impl Seen {
    fn look(gate: &Path, others: impl IntoIterator<Item = PathBuf>) -> Self {
        let look = |path: PathBuf| {
            let stamp = keys_file::stamp(&path);
            (path, stamp)
        };
        Self {
            gate: keys_file::stamp(gate),
            others: others.into_iter().map(look).collect(),
        }
    }

    fn look_again(&self, gate: &Path) -> Self {
        let others = self.others.iter().map(|(path, _)| path.clone());
        Self::look(gate, others)
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
            seen: Seen::look(path, config.other_files(path)),
            config,
            changes: watch::Sender::default(),
        }))
    }

    /// Tells each time that a list of the gate may be another one.
    pub(super) fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    /// The gate it describes, above what the server stands on. Approvals that were open when the
    /// server ended go on.
    pub(super) fn open(
        &self,
        on: &Foundations<'_>,
        journal: &Arc<dyn Journal>,
        base: &str,
        tasks: &TaskTracker,
    ) -> Result<Arc<Gate>, StartError> {
        let limits = &on.limits.gate;
        let audit = AuditFile::open(on.stores.folder.as_deref(), limits)?;
        let journal = Arc::clone(journal);
        let approvals = Arc::new(Approvals {
            book: Arc::clone(on.book),
            clock: Arc::clone(on.clock),
            ids: Arc::clone(on.ids),
            audit: Arc::new(JournalledAudit { audit, journal }),
            credentials: Arc::clone(on.auth) as Arc<dyn Credentials>,
            limits: limits.clone(),
            room: Arc::clone(on.budget) as _,
            drain: on.drain.clone(),
            tasks: tasks.clone(),
            messenger: Arc::new(Webhooks),
            base: base.to_owned(),
            pins: Arc::new(PinFiles::default()),
            cases: Cases::default(),
            changes: Changes::default(),
            approved: Approved::default(),
            rules: watch::Sender::default(),
            recovered: CancellationToken::new(),
        });
        tasks.spawn(Arc::clone(&approvals).recover());
        let upstreams = Box::new(upstreams(limits, self.changes.clone()));
        let gate = Gate::new(&self.config, upstreams, limits.clone(), approvals);
        Ok(Arc::new(gate))
    }

    /// Looks at the lists of the sources again whenever one may be another one, so that people are asked
    /// about changed tools whether an agent comes or not, and reads the file again whenever it has changed, or its policies or what was accepted have. One
    /// that cannot be read, or in which anything is wrong, changes nothing, is logged, and is read
    /// again until it is sound: it may name files that nobody has looked at before.
    pub(super) async fn follow(self, gate: Arc<Gate>, every_s: u64, drain: CancellationToken) {
        let mut ticks = tokio::time::interval(Duration::from_secs(every_s.max(1)));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let Self {
            path,
            mut seen,
            changes,
            ..
        } = self;
        let mut problem = None;
        let mut listed = changes.subscribe();
        loop {
            tokio::select! {
                () = drain.cancelled() => return,
                _ = ticks.tick() => {}
            }
            // Once in a while, however often a source says so.
            if listed.has_changed().unwrap_or_default() {
                listed.mark_unchanged();
                gate.look_for_changes();
            }
            let (file, before, is_wrong) = (path.clone(), seen.clone(), problem.is_some());
            let changed = tokio::task::spawn_blocking(move || {
                let now = before.look_again(&file);
                (is_wrong || now != before).then(|| (now, read(&file)))
            });
            let Ok(Some((now, read))) = changed.await else {
                continue;
            };
            seen = now;
            match read {
                Ok(config) => {
                    // Of a file that is named for the first time nothing was seen before it was read.
                    let is_known =
                        |path: &PathBuf| seen.others.iter().any(|(known, _)| known == path);
                    let others = config.other_files(&path);
                    if !others.iter().all(is_known) || others.len() != seen.others.len() {
                        seen = Seen::look(&path, others);
                    }
                    gate.replace(&config);
                    changes.send_replace(());
                    problem = None;
                    tracing::info!("the gate file was read anew");
                }
                Err(error) => {
                    let error = error.to_string();
                    if problem.as_ref() != Some(&error) {
                        tracing::error!(
                            error,
                            "the gate file was not read anew: the gate stays as it was"
                        );
                    }
                    problem = Some(error);
                }
            }
        }
    }
}

/// What a gate decides over operations of this server, and sees ahead.
pub(super) fn conscience_of(gate: &Arc<Gate>) -> Conscience {
    Conscience {
        policy: Box::new(Arc::clone(gate)),
        ahead: Some(Arc::clone(gate) as Arc<dyn Ahead>),
    }
}

/// The tools that the sources of a gate list now.
///
/// # Errors
/// The id of the first source that gives no list, and why.
pub(crate) async fn listed_tools(config: &GateConfig) -> Result<Pins, (String, UpstreamError)> {
    let limits = GateLimits::default();
    let upstreams = upstreams(&limits, watch::Sender::default());
    listed(config, &upstreams, &limits).await
}

fn upstreams(limits: &GateLimits, changes: watch::Sender<()>) -> McpUpstreams {
    McpUpstreams {
        requests_max: limits.requests_per_server_max,
        connections_max: limits.connections_per_source_max,
        connection_idle: limits.connection_idle(),
        task_ttl: limits.task_ttl(),
        changes,
    }
}

fn read(path: &Path) -> Result<GateConfig, ConfigError> {
    let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    let variables = std::env::vars_os().map(|(name, value)| (text(name), text(value)));
    GateConfig::load(path, variables)
}

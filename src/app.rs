//! The composition root: configuration to adapters to services to doors; owns every background
//! task, and ends them in order.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::adapters::jwks::Jwks;
use crate::adapters::memory::Memory;
use crate::adapters::system::{SystemClock, SystemIds};
use crate::config::{Config, ConfigError};
use crate::domain::blueprint::Blueprints;
use crate::domain::clock::{Clock, Ids};
use crate::domain::limits::Limits;
use crate::domain::log::SessionLog;
use crate::domain::operation::Caller;
use crate::domain::places::Places;
use crate::domain::principal::Door;
use crate::domain::shelf::Shelf;
use crate::domain::theme::Themes;
use crate::keys::{self, KeysError};
use crate::services::actions::Actions;
use crate::services::arguments::Arguments;
use crate::services::auth::{Admission, Auth, Keys};
use crate::services::content::{Content, Stock};
use crate::services::discovery::Discovery;
use crate::services::dispatch::Dispatch;
use crate::services::limits::CallLimits;
use crate::services::live::Live;
use crate::services::mounts::Mounts;
use crate::services::replay::Replay;
use crate::services::sessions::Sessions;
use crate::services::versions::Versions;
#[cfg(feature = "demo")]
use crate::transports::Offer;
use crate::transports::{Desk, Doorman, Doors, Site, router, serve, serve_lines};
#[cfg(feature = "conformance")]
use crate::transports::{Profile, control};

/// How often what has expired is freed; no answer depends on it.
const SWEEP_EVERY: Duration = Duration::from_secs(5);
/// How often the age of the issuer's keys is looked at; they are fetched far less often.
const FRESHEN_EVERY: Duration = Duration::from_secs(1);
/// Upper bounds of the latency histogram, in seconds: from a memory read to a full consume.
const LATENCY_BUCKETS: [f64; 10] = [
    0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 5.0, 30.0,
];

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The keys are.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {reason}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        reason: String,
    },
}

/// The key opens nothing here.
#[derive(Debug, thiserror::Error)]
#[error("the server does not take this key; give one of its keys with --key")]
pub struct KeyRefused;

/// A server about to run.
pub struct App {
    config: Config,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl App {
    /// A server on the machine's own clock and randomness.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            clock: Arc::new(SystemClock),
            ids: Arc::new(SystemIds),
        }
    }

    /// The same on another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Binds and serves.
    ///
    /// # Errors
    /// The configuration or the keys are wrong, or the address cannot be listened on.
    pub async fn start(self) -> Result<Running, StartError> {
        let checked = self.config.check()?;
        let keys_file = self.config.server.keys_file.clone();
        let has_keys = !keys_file.as_os_str().is_empty();
        let known_keys = if has_keys {
            keys::load(&keys_file)?
        } else {
            Keys::new()
        };
        if has_keys && known_keys.is_empty() {
            let why = format!("{}: holds no key", keys_file.display());
            return Err(KeysError::Invalid(vec![why]).into());
        }
        let themes = self.config.themes.load()?;
        let mut limits = self.config.limits.clone();
        if self.config.server.unlimited {
            limits = limits.unlimited();
        }
        let metrics = recorder();
        let address = checked.listen;
        let cannot = |error: std::io::Error| StartError::Listen {
            address,
            reason: error.to_string(),
        };
        let listener = TcpListener::bind(address).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let site = Site::new(address, checked.public_url.as_ref(), checked.embedders);
        let issuer = keys::issuer(&self.config.jwt, site.mcp_url(), &self.clock)?;
        let (tokens, issuer_keys) = issuer.unzip();
        let admission = Admission {
            is_dev: self.config.is_open(),
            keys: known_keys,
            tokens,
        };

        let drain = CancellationToken::new();
        let tasks = TaskTracker::new();
        let log: Arc<dyn SessionLog> = Arc::new(Memory::new(limits.clone()));
        let auth = Auth::new(admission, Arc::clone(&self.clock), Arc::clone(&self.ids));
        let auth = Arc::new(auth);
        let live = Arc::new(Live::new(
            Arc::clone(&log),
            Arc::clone(&self.clock),
            &limits,
            drain.clone(),
        ));
        let dispatch = Arc::new(self.dispatch(&log, &limits, &drain, &live, &auth, themes));
        // Whoever is on this machine may come as often as it likes.
        let doorman = (!auth.is_dev() && !self.config.server.unlimited)
            .then(|| Doorman::new(&limits.rates, checked.trusted_proxies))
            .flatten();
        #[cfg(feature = "conformance")]
        let profile = (!self.config.server.control.is_empty()).then(|| {
            let (log, clock, ids) = (&log, &self.clock, &self.ids);
            let (log, clock, ids) = (Arc::clone(log), Arc::clone(clock), Arc::clone(ids));
            Profile::new(log, clock, ids, limits.sessions.clone())
        });
        let versions = Versions {
            log: Arc::clone(&log),
            clock: Arc::clone(&self.clock),
            limits: limits.sessions.clone(),
        };
        let doors = Arc::new(Doors {
            versions,
            auth,
            doorman: doorman.clone(),
            access_log: self.config.logging.access,
            dispatch: Arc::clone(&dispatch),
            live,
            log: Arc::clone(&log),
            ids: self.ids,
            issuer: issuer_keys
                .is_some()
                .then(|| self.config.jwt.issuer.clone()),
            site: site.clone(),
            drain: drain.clone(),
            tasks: tasks.clone(),
            metrics: metrics.clone(),
            sockets: Arc::default(),
            listeners: Arc::new(Places::new(limits.http.listen_streams_per_app_max)),
            pre_subscribe: Arc::new(Semaphore::new(
                limits.sockets.pre_subscribe_max.min(Semaphore::MAX_PERMITS),
            )),
            limits: limits.clone(),
            #[cfg(feature = "demo")]
            offer: Offer::default(),
            #[cfg(feature = "conformance")]
            profile,
        });
        let drain_s = limits.http.drain_s;
        #[cfg(feature = "conformance")]
        let control = serve_control(&self.config.server.control, &doors).await?;
        let accepting = serve(
            listener,
            router(Arc::clone(&doors)),
            limits.http,
            Arc::clone(&doors.ids),
            drain.clone(),
            tasks.clone(),
        );
        tasks.spawn(accepting);
        if has_keys {
            let every = Duration::from_secs(self.config.server.keys_reread_s.max(1));
            tasks.spawn(reread_keys(Arc::clone(&doors), keys_file, every));
        }
        if let Some(keys) = issuer_keys {
            tasks.spawn(keep_fresh(keys, drain.clone()));
        }
        tasks.spawn(sweep(
            Arc::clone(&doors),
            dispatch,
            doorman,
            self.clock,
            metrics,
            drain.clone(),
        ));
        Ok(Running {
            address,
            doors,
            drain_s,
            #[cfg(feature = "conformance")]
            control,
        })
    }

    fn dispatch(
        &self,
        log: &Arc<dyn SessionLog>,
        limits: &Limits,
        drain: &CancellationToken,
        live: &Arc<Live>,
        auth: &Arc<Auth>,
        themes: Themes,
    ) -> Dispatch {
        let (log, clock, ids) = (log, &self.clock, &self.ids);
        let shelf = Arc::new(Shelf::default());
        let blueprints = Arc::new(Blueprints::new(limits.blueprints.clone()));
        let arguments = Arguments::new();
        let own_tools = arguments.by_tool();
        Dispatch {
            replay: Replay::new(Arc::clone(clock), limits.idempotency.clone()),
            limits: CallLimits::new(&limits.rates),
            arguments,
            sessions: Sessions {
                log: Arc::clone(log),
                clock: Arc::clone(clock),
                ids: Arc::clone(ids),
                shelf: Arc::clone(&shelf),
                blueprints: Arc::clone(&blueprints),
                limits: limits.clone(),
            },
            discovery: Discovery {
                log: Arc::clone(log),
                clock: Arc::clone(clock),
                shelf: Arc::clone(&shelf),
                blueprints: Arc::clone(&blueprints),
                themes: themes.clone(),
                limits: limits.sessions.clone(),
            },
            content: Content::new(
                Arc::clone(log),
                Arc::clone(clock),
                Arc::clone(ids),
                Stock {
                    shelf,
                    blueprints,
                    themes,
                },
                limits.clone(),
                own_tools,
            ),
            actions: Actions::new(
                Arc::clone(log),
                Arc::clone(clock),
                limits.clone(),
                drain.clone(),
            ),
            mounts: Mounts::new(
                Arc::clone(log),
                Arc::clone(clock),
                Arc::clone(ids),
                limits.clone(),
            ),
            live: Arc::clone(live),
            auth: Arc::clone(auth),
        }
    }
}

/// A server that serves.
pub struct Running {
    address: SocketAddr,
    doors: Arc<Doors>,
    drain_s: u64,
    #[cfg(feature = "conformance")]
    control: Option<SocketAddr>,
}

impl Running {
    /// Where a conformance suite asks for its sessions.
    #[cfg(feature = "conformance")]
    pub fn control_url(&self) -> Option<String> {
        self.control.map(|address| format!("http://{address}"))
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The stage.
    pub fn stage_url(&self) -> String {
        format!("{}/", self.doors.site.base())
    }

    /// The MCP endpoint.
    pub fn mcp_url(&self) -> String {
        self.doors.site.mcp_url()
    }

    /// Whether callers on this machine need no key.
    pub fn is_dev(&self) -> bool {
        self.doors.auth.is_dev()
    }

    /// Has the empty stage offer the demo, and waits until a person there takes it.
    #[cfg(feature = "demo")]
    pub async fn demo_taken(&self) {
        self.doors.offer.open();
        self.doors.offer.taken().await;
    }

    /// Serves one client that speaks MCP in lines, until it is gone or the server stops.
    ///
    /// # Errors
    /// The key opens nothing here; without one, only the dev identity comes in.
    pub async fn attach<R, W>(
        &self,
        key: Option<&str>,
        reader: R,
        writer: W,
    ) -> Result<impl Future<Output = ()> + Send + 'static, KeyRefused>
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let principal = self.doors.auth.identify(key, false).await;
        let caller = Caller {
            host: None,
            principal: principal.map_err(|_| KeyRefused)?,
            door: Door::Mcp,
        };
        let desk = Desk::Here(Arc::clone(&self.doors), caller);
        let (limits, drain) = (self.doors.limits.stdio.clone(), self.doors.drain.clone());
        Ok(serve_lines(desk, limits, drain, reader, writer))
    }

    /// Stops accepting, answers what is held, closes sockets, and waits for all of it; false if
    /// the time for that was over first.
    pub async fn stop(self) -> bool {
        self.doors.drain.cancel();
        self.doors.tasks.close();
        let deadline = Duration::from_secs(self.drain_s);
        tokio::time::timeout(deadline, self.doors.tasks.wait())
            .await
            .is_ok()
    }
}

/// Serves the address on which a conformance suite asks for its sessions.
#[cfg(feature = "conformance")]
async fn serve_control(given: &str, doors: &Arc<Doors>) -> Result<Option<SocketAddr>, StartError> {
    if given.is_empty() {
        return Ok(None);
    }
    let address = given.parse().ok();
    let address = address.filter(|address: &SocketAddr| address.ip().is_loopback());
    let address = address.ok_or_else(|| {
        let problem = format!("server.control: \"{given}\" is no loopback address and port");
        ConfigError::Invalid(vec![problem])
    })?;
    let cannot = |error: std::io::Error| StartError::Listen {
        address,
        reason: error.to_string(),
    };
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    doors.tasks.spawn(serve(
        listener,
        control(Arc::clone(doors)),
        doors.limits.http.clone(),
        Arc::clone(&doors.ids),
        doors.drain.clone(),
        doors.tasks.clone(),
    ));
    Ok(Some(address))
}

/// Looks at the keys file again and again: a key that was made opens, one that was revoked does not.
/// A file that cannot be read or is malformed changes nothing, and is told.
async fn reread_keys(doors: Arc<Doors>, path: PathBuf, every: Duration) {
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut seen = None;
    loop {
        tokio::select! {
            () = doors.drain.cancelled() => return,
            _ = ticks.tick() => {}
        }
        let (path, before) = (path.clone(), seen);
        // Nothing is read unless the file was replaced.
        let read = tokio::task::spawn_blocking(move || {
            let now = keys::stamp(&path);
            (now != before).then(|| (now, keys::load(&path)))
        });
        let Ok(Some((now, read))) = read.await else {
            continue;
        };
        seen = now;
        match read {
            Ok(keys) => {
                if keys.is_empty() {
                    tracing::warn!("the keys file holds no key any more: no key opens anything");
                }
                doors.auth.admit(keys);
            }
            Err(error) => {
                tracing::error!(%error, "the keys file cannot be read: the keys stay as they were");
            }
        }
    }
}

/// Reads the issuer's keys anew as they grow old.
async fn keep_fresh(keys: Arc<Jwks>, drain: CancellationToken) {
    let mut ticks = tokio::time::interval(FRESHEN_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = drain.cancelled() => return,
            _ = ticks.tick() => {}
        }
        tokio::select! {
            () = drain.cancelled() => return,
            () = keys.keep_fresh() => {}
        }
    }
}

async fn sweep(
    doors: Arc<Doors>,
    dispatch: Arc<Dispatch>,
    doorman: Option<Doorman>,
    clock: Arc<dyn Clock>,
    metrics: PrometheusHandle,
    drain: CancellationToken,
) {
    let mut ticks = tokio::time::interval(SWEEP_EVERY);
    loop {
        tokio::select! {
            () = drain.cancelled() => return,
            _ = ticks.tick() => {}
        }
        doors.log.sweep(clock.now()).await;
        doors.auth.sweep();
        dispatch.sweep().await;
        if let Some(doorman) = &doorman {
            doorman.sweep();
        }
        metrics.run_upkeep();
    }
}

/// The process's one metrics recorder: the registry is global by the library's design.
fn recorder() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    let handle = HANDLE.get_or_init(|| {
        let builder = PrometheusBuilder::new();
        let builder = match builder.set_buckets(&LATENCY_BUCKETS) {
            Ok(builder) => builder,
            Err(_) => PrometheusBuilder::new(),
        };
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another metrics recorder is installed: /metrics stays empty");
        }
        handle
    });
    handle.clone()
}

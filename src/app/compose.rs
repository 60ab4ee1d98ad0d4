//! The composition root: builds adapters, services and transports from the configuration.

#[cfg(feature = "conformance")]
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
#[cfg(feature = "conformance")]
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::binding::bind;
use super::error::StartError;
use super::machine;
use super::reload::Reloads;
use super::running::Running;
use super::upkeep::{keep_fresh, recorder, reread_keys, sweep};
use crate::adapters::memory::Memory;
use crate::adapters::system::{SystemClock, SystemIds};
#[cfg(feature = "conformance")]
use crate::config::ConfigError;
use crate::config::{Config, InvalidArguments};
use crate::domain::blueprint::Blueprints;
use crate::domain::clock::{Clock, Ids};
use crate::domain::contract_cache::ContractCache;
use crate::domain::limits::Limits;
use crate::domain::log::SessionLog;
use crate::domain::places::Places;
use crate::domain::theme::Themes;
use crate::keys::{self, KeysError};
use crate::services::actions::Actions;
use crate::services::arguments::Arguments;
use crate::services::auth::{Admission, Auth};
use crate::services::content::{Content, Stock};
use crate::services::discovery::Discovery;
use crate::services::dispatch::{Dispatch, OperationMetrics};
use crate::services::limits::CallLimits;
use crate::services::live::Live;
use crate::services::mounts::Mounts;
use crate::services::replay::Replay;
use crate::services::seldom::Seldom;
use crate::services::sessions::Sessions;
use crate::services::versions::Versions;
use crate::services::work::Work;
#[cfg(feature = "demo")]
use crate::transports::Offer;
use crate::transports::{
    Doors, Edge, Held, Proxies, Reception, Rejections, RequestLimiter, Site, router, serve,
};
#[cfg(feature = "conformance")]
use crate::transports::{Profile, control};

/// A server that can be started.
pub struct App {
    config: Config,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl App {
    /// A server with the system's clock and randomness.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            clock: Arc::new(SystemClock::new()),
            ids: Arc::new(SystemIds),
        }
    }

    /// Replaces the clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Binds the address and serves.
    ///
    /// # Errors
    /// The configuration or the keys are invalid, or the address cannot be bound.
    pub async fn start(self) -> Result<Running, StartError> {
        let checked = self.config.check()?;
        let keys_file = self.config.server.keys_file.clone();
        let has_keys = !keys_file.as_os_str().is_empty();
        let known_keys = keys::load(&keys_file)?;
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
        let bound = bind(address).await.map_err(cannot)?;
        let address = bound.address;
        let public_url = checked.public_url.as_ref();
        let site = Site::new(address, bound.has_both(), public_url, checked.embedders);
        let mut notes = Vec::new();
        notes.extend(bound.note(&site));
        notes.extend(machine::make_room_for_connections(&limits));
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
        // In dev mode, callers on this machine are not limited.
        let request_limiter = (!auth.is_dev() && !self.config.server.unlimited)
            .then(|| RequestLimiter::new(&limits.rates))
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
            request_limiter: request_limiter.clone(),
            access_log: self.config.logging.access,
            dispatch: Arc::clone(&dispatch),
            live,
            log: Arc::clone(&log),
            ids: self.ids,
            local_tools: checked.local_tools,
            site: site.clone(),
            drain: drain.clone(),
            tasks: tasks.clone(),
            metrics: metrics.clone(),
            metrics_open: self.config.server.metrics_open,
            rejections: Rejections::default(),
            held: Held::default(),
            unfit_is_result: self.config.mcp.invalid_arguments == InvalidArguments::Result,
            sockets: Arc::default(),
            listeners: Arc::new(Places::new(limits.http.listen_streams_per_app_max)),
            edge: Arc::new(Edge::new(&limits, Proxies::from(checked.trusted_proxies))),
            limits: limits.clone(),
            #[cfg(feature = "demo")]
            offer: Offer::default(),
            #[cfg(feature = "conformance")]
            profile,
        });
        let drain_s = limits.http.drain_s;
        #[cfg(feature = "conformance")]
        let control = serve_control(&self.config.server.control, &doors).await?;
        let routes = router(Arc::clone(&doors));
        tasks.spawn(serve(bound.listeners, reception(&doors, routes)));
        let (keys_file, path) = watch::channel(keys_file);
        let (issuer_keys, issuers) = watch::channel(issuer_keys);
        if !self.config.is_open() {
            let every = Duration::from_secs(self.config.server.keys_reread_s.max(1));
            tasks.spawn(reread_keys(Arc::clone(&doors), path, every));
            tasks.spawn(keep_fresh(issuers, drain.clone()));
        }
        tasks.spawn(sweep(
            Arc::clone(&doors),
            dispatch,
            request_limiter,
            Arc::clone(&self.clock),
            metrics,
            drain.clone(),
        ));
        Ok(Running {
            address,
            doors,
            drain_s,
            reloads: Reloads {
                config: self.config.into(),
                clock: self.clock,
                keys_file,
                issuer_keys,
            },
            notes,
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
        let contract_cache = Arc::new(ContractCache::default());
        let blueprints = Arc::new(Blueprints::new(limits.blueprints.clone()));
        let arguments = Arguments::new();
        let own_tools = arguments.by_tool();
        Dispatch {
            operation_metrics: OperationMetrics::default(),
            replay: Replay::new(Arc::clone(clock), limits.idempotency.clone()),
            limits: CallLimits::new(&limits.rates),
            budget: machine::budget(limits),
            over_budget: Seldom::default(),
            work: Work::new(
                &limits.work,
                std::thread::available_parallelism().map_or(1, usize::from),
            ),
            arguments,
            sessions: Sessions {
                log: Arc::clone(log),
                clock: Arc::clone(clock),
                ids: Arc::clone(ids),
                contract_cache: Arc::clone(&contract_cache),
                blueprints: Arc::clone(&blueprints),
                limits: limits.clone(),
            },
            discovery: Discovery {
                log: Arc::clone(log),
                clock: Arc::clone(clock),
                contract_cache: Arc::clone(&contract_cache),
                blueprints: Arc::clone(&blueprints),
                themes: themes.clone(),
                limits: limits.sessions.clone(),
            },
            content: Content::new(
                Arc::clone(log),
                Arc::clone(clock),
                Arc::clone(ids),
                Stock {
                    contract_cache,
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

/// The entry point of connections for these routes.
fn reception(doors: &Doors, router: Router) -> Reception {
    Reception {
        router,
        limits: doors.limits.http.clone(),
        edge: Arc::clone(&doors.edge),
        ids: Arc::clone(&doors.ids),
        drain: doors.drain.clone(),
        tasks: doors.tasks.clone(),
    }
}

/// Serves the control address on which a conformance suite creates its sessions.
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
    let routes = control(Arc::clone(doors));
    let accepting = serve(vec![listener], reception(doors, routes));
    doors.tasks.spawn(accepting);
    Ok(Some(address))
}

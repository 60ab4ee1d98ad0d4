//! The composition root: configuration to adapters to services to doors.

#[cfg(feature = "conformance")]
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

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
use crate::adapters::memory::{Memory, MemoryAnswers};
use crate::adapters::system::{SystemClock, SystemIds};
#[cfg(feature = "conformance")]
use crate::config::ConfigError;
use crate::config::{Config, InvalidArguments};
use crate::domain::blueprint::Blueprints;
use crate::domain::clock::{Clock, Ids};
use crate::domain::credentials::Credentials;
use crate::domain::limits::Limits;
use crate::domain::links::Links;
use crate::domain::log::SessionLog;
use crate::domain::operation::table;
use crate::domain::places::Places;
use crate::domain::seldom::Seldom;
use crate::keys::{self, KeysError};
use crate::services::actions::Actions;
use crate::services::auth::{Admission, Auth};
use crate::services::content::{Content, Stock};
use crate::services::discovery::Discovery;
use crate::services::dispatch::{AllowAll, Composed, Dispatch, Registry};
use crate::services::limits::CallLimits;
use crate::services::live::Live;
use crate::services::mounts::Mounts;
use crate::services::replay::Replay;
use crate::services::sessions::Sessions;
use crate::services::work::Work;
#[cfg(not(feature = "conformance"))]
use crate::transports::Lists;
#[cfg(feature = "demo")]
use crate::transports::Offer;
use crate::transports::{
    Access, Channel, Edge, Front, Held, Mcp, Proxies, Reception, RequestLimiter, Routes, Site,
    Slices, Stage, router, serve,
};
#[cfg(feature = "conformance")]
use crate::transports::{Profile, control};

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
            clock: Arc::new(SystemClock::new()),
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
        let stock = Stock {
            contract_cache: Arc::default(),
            blueprints: Arc::new(Blueprints::new(limits.blueprints.clone())),
            themes,
            links: Links::below(site.base()),
        };
        let dispatch = Arc::new(self.dispatch(&log, &limits, &drain, &live, &auth, stock));
        // Whoever is on this machine may come as often as it likes.
        let request_limiter = (!auth.is_dev() && !self.config.server.unlimited)
            .then(|| RequestLimiter::new(&limits.rates))
            .flatten();
        #[cfg(feature = "conformance")]
        let profile = (!self.config.server.control.is_empty()).then(|| {
            let (log, clock, ids) = (&log, &self.clock, &self.ids);
            let (log, clock, ids) = (Arc::clone(log), Arc::clone(clock), Arc::clone(ids));
            Profile::new(log, clock, ids, limits.sessions.clone())
        });
        let access = Access {
            credentials: Arc::clone(&auth) as Arc<dyn Credentials>,
            dispatch: Arc::clone(&dispatch),
        };
        let slices = Arc::new(Slices {
            credentials: Arc::clone(&access.credentials),
            site: site.clone(),
            sessions: limits.sessions.clone(),
            local_tools: checked.local_tools,
        });
        let edge = Arc::new(Edge::new(&limits, Proxies::from(checked.trusted_proxies)));
        let front = Arc::new(Front {
            access: access.clone(),
            live: Arc::clone(&live),
            site: site.clone(),
            limits: limits.clone(),
            edge: Arc::clone(&edge),
            ids: Arc::clone(&self.ids),
            drain: drain.clone(),
            request_limiter: request_limiter.clone(),
            access_log: self.config.logging.access,
            metrics: metrics.clone(),
            metrics_open: self.config.server.metrics_open,
            sockets: Arc::default(),
            rejections: Arc::default(),
            held: Held::default(),
        });
        let mcp = Arc::new(Mcp {
            access: access.clone(),
            live: Arc::clone(&live),
            slices: Arc::clone(&slices),
            site: site.clone(),
            http: limits.http.clone(),
            edge: Arc::clone(&edge),
            drain: drain.clone(),
            #[cfg(not(feature = "conformance"))]
            lists: Lists::default(),
            held: front.held.clone(),
            listeners: Arc::new(Places::new(limits.http.listen_streams_per_app_max)),
            unfit_is_result: self.config.mcp.invalid_arguments == InvalidArguments::Result,
        });
        let channel = Arc::new(Channel {
            access: access.clone(),
            live: Arc::clone(&live),
            slices: Arc::clone(&slices),
            site: site.clone(),
            limits: limits.clone(),
            edge: Arc::clone(&edge),
            drain: drain.clone(),
            tasks: tasks.clone(),
            rejections: Arc::clone(&front.rejections),
            sockets: Arc::clone(&front.sockets),
            #[cfg(feature = "conformance")]
            profile,
        });
        let stage = Arc::new(Stage {
            access,
            live,
            slices,
            site,
            ids: Arc::clone(&self.ids),
            drain: drain.clone(),
            #[cfg(feature = "demo")]
            offer: Offer::default(),
        });
        let reception = |router| Reception {
            router,
            limits: limits.http.clone(),
            edge: Arc::clone(&edge),
            ids: Arc::clone(&self.ids),
            drain: drain.clone(),
            tasks: tasks.clone(),
        };
        #[cfg(feature = "conformance")]
        let control = {
            let given = &self.config.server.control;
            serve_control(given, reception(control(Arc::clone(&channel)))).await?
        };
        let routes = Routes {
            front,
            mcp: Arc::clone(&mcp),
            channel,
            stage: Arc::clone(&stage),
        };
        let serving = reception(router(&routes));
        tasks.spawn(serve(bound.listeners, serving));
        let (keys_file, path) = watch::channel(keys_file);
        let (issuer_keys, issuers) = watch::channel(issuer_keys);
        if !self.config.is_open() {
            let every = Duration::from_secs(self.config.server.keys_reread_s.max(1));
            tasks.spawn(reread_keys(Arc::clone(&auth), path, every, drain.clone()));
            tasks.spawn(keep_fresh(issuers, drain.clone()));
        }
        tasks.spawn(sweep(
            log,
            Arc::clone(&auth),
            dispatch,
            request_limiter,
            Arc::clone(&self.clock),
            metrics,
            drain.clone(),
        ));
        Ok(Running {
            address,
            auth,
            mcp,
            stage,
            tasks,
            drain,
            stdio: limits.stdio,
            drain_s: limits.http.drain_s,
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
        stock: Stock,
    ) -> Dispatch {
        let (log, clock, ids) = (log, &self.clock, &self.ids);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let work = Arc::new(Work::new(&limits.work, cores));
        let sessions = Arc::new(Sessions {
            log: Arc::clone(log),
            clock: Arc::clone(clock),
            ids: Arc::clone(ids),
            contract_cache: Arc::clone(&stock.contract_cache),
            blueprints: Arc::clone(&stock.blueprints),
            limits: limits.clone(),
        });
        let discovery = Arc::new(Discovery {
            log: Arc::clone(log),
            clock: Arc::clone(clock),
            contract_cache: Arc::clone(&stock.contract_cache),
            blueprints: Arc::clone(&stock.blueprints),
            themes: stock.themes.clone(),
            limits: limits.sessions.clone(),
            credentials: Arc::clone(auth) as Arc<dyn Credentials>,
        });
        let content = Arc::new(Content::new(
            Arc::clone(log),
            Arc::clone(clock),
            Arc::clone(ids),
            stock,
            limits.clone(),
            table::input_schemas().into_iter().collect(),
        ));
        let actions = Arc::new(Actions::new(
            Arc::clone(log),
            Arc::clone(clock),
            limits.clone(),
            drain.clone(),
        ));
        let mounts = Arc::new(Mounts::new(
            Arc::clone(log),
            Arc::clone(clock),
            Arc::clone(ids),
            limits.clone(),
        ));
        let composed = Arc::new(Composed {
            actions: Arc::clone(&actions),
            auth: Arc::clone(auth),
            live: Arc::clone(live),
            work: Arc::clone(&work),
        });
        let registry = Registry::default();
        for registrations in [
            sessions.handlers(),
            content.handlers(),
            actions.handlers(),
            mounts.handlers(),
            discovery.handlers(),
            live.handlers(),
            composed.handlers(),
        ] {
            registry.register(registrations);
        }
        let answers = Arc::new(MemoryAnswers::new(limits.idempotency.clone()));
        Dispatch {
            registry,
            replay: Replay::new(Arc::clone(clock), limits.idempotency.clone(), answers),
            limits: CallLimits::new(&limits.rates),
            policy: Box::new(AllowAll),
            budget: machine::budget(limits),
            over_budget: Seldom::default(),
            work,
            credentials: Arc::clone(auth) as Arc<dyn Credentials>,
            content,
            actions,
            mounts,
            live: Arc::clone(live),
        }
    }
}

/// Serves the address on which a conformance suite asks for its sessions.
#[cfg(feature = "conformance")]
async fn serve_control(
    given: &str,
    reception: Reception,
) -> Result<Option<SocketAddr>, StartError> {
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
    let tasks = reception.tasks.clone();
    tasks.spawn(serve(vec![listener], reception));
    Ok(Some(address))
}

//! The composition root: builds adapters, services and transports from the configuration.

use std::sync::Arc;
use std::time::Duration;

use governor::clock::DefaultClock;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::binding::bind;
#[cfg(feature = "conformance")]
use super::control::serve_control;
#[cfg(not(feature = "gate"))]
use super::dispatch::Conscience;
use super::dispatch::Foundations;
use super::error::StartError;
#[cfg(feature = "gate")]
use super::gate::{GateFile, conscience_of};
use super::issuer::issuer;
#[cfg(feature = "model")]
use super::model;
use super::reload::Reloads;
use super::running::Running;
use super::stores::Stores;
use super::upkeep::{keep_fresh, recorder, reread_keys, sweep};
use super::{machine, pages};
use crate::adapters::keys_file;
use crate::adapters::system::{SystemClock, SystemIds};
use crate::config::{Config, InvalidArguments};
use crate::domain::brain::{Journal, Memory};
use crate::domain::clock::{Clock, Ids};
use crate::domain::credentials::Credentials;
use crate::domain::limits::Limits;
use crate::domain::links::Links;
use crate::domain::places::Places;
use crate::services::auth::{Admission, Auth};
use crate::services::book::{Blueprints, Book};
use crate::services::brain::{Feeds, Queue};
use crate::services::content::{ModelOfServer, Stock};
use crate::services::live::Live;
#[cfg(feature = "gate")]
use crate::transports::Exchanges;
#[cfg(feature = "demo")]
use crate::transports::Offer;
use crate::transports::{
    Access, Channel, Edge, Front, Held, Lists, Mcp, Proxies, Reception, RequestLimiter, Routes,
    Site, Slices, Stage, Suite, router, serve,
};
#[cfg(feature = "conformance")]
use crate::transports::{Profile, control};
use crate::wire::fault::Endpoint;

/// A server that can be started.
pub struct App {
    config: Config,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    #[cfg(test)]
    stores: Option<Stores>,
}

impl App {
    /// A server with the system's clock and randomness.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            clock: Arc::new(SystemClock::new()),
            ids: Arc::new(SystemIds),
            #[cfg(test)]
            stores: None,
        }
    }

    /// Replaces the clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// The same above other stores.
    #[cfg(test)]
    pub(super) fn with_stores(mut self, stores: Stores) -> Self {
        self.stores = Some(stores);
        self
    }

    /// Binds the address and serves.
    ///
    /// # Errors
    /// The configuration or the keys are invalid, or the address cannot be bound.
    pub async fn start(self) -> Result<Running, StartError> {
        let checked = self.config.check()?;
        let keys_file = self.config.server.keys_file.clone();
        #[cfg(feature = "gate")]
        let gate = GateFile::load(&self.config.server.gate_file)?;
        let known_keys = keys_file::load_some(&keys_file)?;
        let themes = self.config.themes.load()?;
        #[cfg(feature = "model")]
        let generator = model::generator(&self.config.model, &self.config.limits.generation)?;
        #[cfg(not(feature = "model"))]
        let generator = None;
        let mut limits = self.config.limits.clone();
        if self.config.server.unlimited {
            limits = limits.unlimited();
        }
        let stores = self.stores(&limits).await?;
        let metrics = recorder();
        let address = checked.listen;
        let cannot = |error: std::io::Error| StartError::Listen {
            address,
            reason: error.to_string(),
        };
        let bound = bind(address).await.map_err(cannot)?;
        let address = bound.address;
        stores.introduce(address)?;
        let public_url = checked.public_url.as_ref();
        let site = Site::new(address, bound.has_both(), public_url, checked.embedders);
        let mut notes = stores.notes.clone();
        notes.extend(bound.note(&site));
        notes.extend(machine::make_room_for_connections(&limits));
        let issuer = issuer(&self.config.jwt, site.mcp_url(), &self.clock)?;
        let (tokens, issuer_keys) = issuer.unzip();
        let admission = Admission {
            is_dev: self.config.is_open(),
            keys: known_keys,
            tokens,
        };

        let drain = CancellationToken::new();
        let tasks = TaskTracker::new();
        let (queue, clicks) = Queue::new(self.config.brain.journal, limits.pages.clone());
        let queue = Arc::new(queue);
        let journal: Arc<dyn Journal> = Arc::clone(&queue) as _;
        let feeds = Arc::new(Feeds::new(&limits));
        let book = Book::new(
            stores.sessions_without_questions(),
            Arc::clone(&stores.activity),
            Arc::clone(&journal),
            Arc::clone(&self.clock),
            Arc::clone(&self.ids),
            limits.clone(),
        );
        tasks.spawn(Arc::clone(&book).follow(drain.clone()));
        tasks.spawn(Arc::clone(&book).write_activity(drain.clone()));
        let (clock, ids) = (Arc::clone(&self.clock), Arc::clone(&self.ids));
        let auth = Arc::new(Auth::new(admission, &stores.signing_key, clock, ids));
        let live = Arc::new(Live::new(
            Arc::clone(&book),
            Arc::clone(&self.clock),
            &limits,
            drain.clone(),
            Arc::clone(&feeds) as _,
        ));
        let blueprints = Blueprints::new(
            Arc::clone(&stores.blueprints),
            Arc::clone(book.contracts()),
            limits.blueprints.clone(),
        );
        let model = generator.map(|generator| ModelOfServer {
            generator,
            settings: self.config.model.clone(),
            drain: drain.clone(),
            tasks: tasks.clone(),
        });
        let stock = Stock {
            contracts: Arc::clone(book.contracts()),
            blueprints: Arc::new(blueprints),
            themes,
            links: Links::below(site.base()),
            model,
            journal: Arc::clone(&journal),
        };
        let (clock, ids) = (&self.clock, &self.ids);
        let collections = checked.collections;
        let brain = pages::brain(&self.config, &stores, collections, &book, clock, ids)?;
        let budget = Arc::new(machine::budget(&limits));
        let foundations = Foundations {
            book: &book,
            stores: &stores,
            limits: &limits,
            drain: &drain,
            live: &live,
            auth: &auth,
            clock,
            ids,
            memory: &(Arc::clone(&brain) as Arc<dyn Memory>),
            budget: &budget,
        };
        #[cfg(feature = "gate")]
        let gate = match gate {
            Some(file) => {
                let gate = file.open(&foundations, &journal, site.base(), &tasks)?;
                Some((file, gate))
            }
            None => None,
        };
        #[cfg(not(feature = "gate"))]
        let conscience = Conscience::default();
        #[cfg(feature = "gate")]
        let conscience = gate
            .as_ref()
            .map(|(_, gate)| conscience_of(gate))
            .unwrap_or_default();
        let dispatch = Arc::new(foundations.dispatch(stock, conscience));
        dispatch
            .registry
            .register(pages::registrations(&brain, &self.config));
        pages::spawn(&brain, clicks, queue, feeds, &tasks, &drain);
        #[cfg(feature = "gate")]
        let has_gate = gate.is_some();
        #[cfg(not(feature = "gate"))]
        let has_gate = false;
        #[cfg(feature = "gate")]
        let gate_changes = gate
            .as_ref()
            .map_or_else(|| watch::channel(()).1, |(file, _)| file.changes());
        #[cfg(feature = "gate")]
        if let Some((file, gate)) = gate {
            dispatch.registry.register(gate.handlers());
            tasks.spawn(file.follow(gate, limits.gate.reread_s, drain.clone()));
        }
        // In dev mode, callers on this machine are not limited.
        let request_limiter = (!auth.is_dev() && !self.config.server.unlimited)
            .then(|| RequestLimiter::new(&limits.rates))
            .flatten();
        #[cfg(not(feature = "conformance"))]
        let suite = Suite;
        #[cfg(feature = "conformance")]
        let suite = Suite((!self.config.server.control.is_empty()).then(|| {
            let (clock, ids) = (Arc::clone(&self.clock), Arc::clone(&self.ids));
            Profile::new(Arc::clone(&book), clock, ids)
        }));
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
        #[cfg(feature = "gate")]
        let ports = (&self.clock, &self.ids);
        #[cfg(feature = "gate")]
        let mcp_tools = self.config.server.mcp_tools;
        let mcp_at = |endpoint, held| Mcp {
            endpoint,
            access: access.clone(),
            live: Arc::clone(&live),
            slices: Arc::clone(&slices),
            site: site.clone(),
            http: limits.http.clone(),
            edge: Arc::clone(&edge),
            drain: drain.clone(),
            lists: Lists::default(),
            held,
            #[cfg(feature = "gate")]
            exchanges: Exchanges::new(endpoint, &limits.gate, ports, &drain, &gate_changes),
            #[cfg(feature = "gate")]
            has_gate: has_gate
                && match endpoint {
                    Endpoint::Gate => true,
                    Endpoint::Mcp => mcp_tools.have_gate(),
                    Endpoint::Brain | Endpoint::Ggui => false,
                },
            listeners: Arc::new(Places::new(limits.http.listen_streams_per_app_max)),
            unfit_is_result: self.config.mcp.invalid_arguments == InvalidArguments::Result,
        };
        let mcp = Arc::new(mcp_at(Endpoint::Mcp, front.held.clone()));
        let brain_endpoint = Arc::new(mcp_at(Endpoint::Brain, Held::default()));
        #[cfg(feature = "gate")]
        let gate_endpoint = has_gate.then(|| Arc::new(mcp_at(Endpoint::Gate, Held::default())));
        let channel = Arc::new(Channel {
            rate_clock: DefaultClock::default(),
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
            suite,
        });
        let stage = Arc::new(Stage {
            access,
            live,
            slices,
            site,
            ids: Arc::clone(&self.ids),
            watching: Arc::default(),
            has_model: self.config.model.is_on(),
            has_gate,
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
            brain: Arc::clone(&brain_endpoint),
            #[cfg(feature = "gate")]
            gate: gate_endpoint,
            channel,
            stage,
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
            Arc::clone(&book),
            Arc::clone(&auth),
            dispatch,
            request_limiter,
            metrics,
            drain.clone(),
        ));
        Ok(Running {
            address,
            auth,
            mcp,
            brain: brain_endpoint,
            stage: routes.stage,
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
            folder: stores.folder,
            is_shared: stores.is_shared,
            #[cfg(feature = "gate")]
            has_gate,
            book,
            #[cfg(feature = "conformance")]
            control,
        })
    }

    async fn stores(&self, limits: &Limits) -> Result<Stores, StartError> {
        #[cfg(test)]
        if let Some(stores) = &self.stores {
            return Ok(stores.clone());
        }
        #[cfg(feature = "redis")]
        if !self.config.store.url.is_empty() {
            let (clock, ids) = (Arc::clone(&self.clock), Arc::clone(&self.ids));
            let shared = Stores::shared(&self.config.store, limits, clock, ids);
            // On the heap: the future of a start would nest deeper than the compiler follows.
            return Box::pin(shared).await;
        }
        Stores::open(&self.config.store, &limits.idempotency, &*self.ids).await
    }
}

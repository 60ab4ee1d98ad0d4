//! The services, registered behind the one path of all operations.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::stores::Stores;
use crate::domain::ahead::Ahead;
use crate::domain::brain::Memory;
use crate::domain::clock::{Clock, Ids};
use crate::domain::credentials::Credentials;
use crate::domain::limits::Limits;
use crate::domain::operation::table;
use crate::services::actions::Actions;
use crate::services::auth::Auth;
use crate::services::book::Book;
use crate::services::budget::Budget;
use crate::services::content::{Content, Stock};
use crate::services::discovery::Discovery;
use crate::services::dispatch::{AllowAll, Composed, Dispatch, DispatchParts, Policy, Registry};
use crate::services::limits::CallLimits;
use crate::services::live::Live;
use crate::services::mounts::Mounts;
use crate::services::replay::Replay;
use crate::services::sessions::Sessions;
use crate::services::work::Work;

/// What was built before the services, and is used by them.
#[derive(Clone, Copy)]
pub(super) struct Foundations<'a> {
    pub(super) book: &'a Arc<Book>,
    pub(super) stores: &'a Stores,
    pub(super) limits: &'a Limits,
    pub(super) drain: &'a CancellationToken,
    pub(super) live: &'a Arc<Live>,
    pub(super) auth: &'a Arc<Auth>,
    pub(super) clock: &'a Arc<dyn Clock>,
    pub(super) ids: &'a Arc<dyn Ids>,
    pub(super) memory: &'a Arc<dyn Memory>,
    pub(super) budget: &'a Arc<Budget>,
}

/// What decides over operations, and looks ahead at tools.
pub(super) struct Conscience {
    pub(super) policy: Box<dyn Policy>,
    pub(super) ahead: Option<Arc<dyn Ahead>>,
}

impl Default for Conscience {
    fn default() -> Self {
        Self {
            policy: Box::new(AllowAll),
            ahead: None,
        }
    }
}

impl Foundations<'_> {
    /// The path of all operations, with the services that exist in every server.
    pub(super) fn dispatch(self, stock: Stock, conscience: Conscience) -> Dispatch {
        let Self {
            book,
            stores,
            limits,
            drain,
            live,
            auth,
            clock,
            ids,
            memory,
            budget,
        } = self;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let work = Arc::new(Work::new(&limits.work, cores));
        let sessions = Arc::new(Sessions {
            book: Arc::clone(book),
            clock: Arc::clone(clock),
            ids: Arc::clone(ids),
            contracts: Arc::clone(&stock.contracts),
            blueprints: Arc::clone(&stock.blueprints),
            memory: Arc::clone(memory),
            journal: Arc::clone(&stock.journal),
            ahead: conscience.ahead,
            has_model: stock.model.is_some(),
            limits: limits.clone(),
        });
        let discovery = Arc::new(Discovery {
            book: Arc::clone(book),
            contracts: Arc::clone(&stock.contracts),
            blueprints: Arc::clone(&stock.blueprints),
            themes: stock.themes.clone(),
            limits: limits.sessions.clone(),
            credentials: Arc::clone(auth) as Arc<dyn Credentials>,
        });
        let content = Arc::new(Content::new(
            Arc::clone(book),
            Arc::clone(clock),
            Arc::clone(ids),
            stock,
            limits.clone(),
            table::input_schemas().into_iter().collect(),
        ));
        let actions = Arc::new(Actions::new(
            Arc::clone(book),
            Arc::clone(&stores.presence),
            Arc::clone(clock),
            limits.clone(),
            drain.clone(),
        ));
        let mounts = Arc::new(Mounts::new(
            Arc::clone(book),
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
        let answers = Arc::clone(&stores.answers);
        let parts = DispatchParts {
            replay: Replay::new(Arc::clone(clock), limits.idempotency.clone(), answers),
            limits: CallLimits::new(&limits.rates),
            policy: conscience.policy,
            budget: Arc::clone(budget),
            work,
            credentials: Arc::clone(auth) as Arc<dyn Credentials>,
            content,
            actions,
            mounts,
            live: Arc::clone(live),
        };
        Dispatch::new(registry, parts)
    }
}

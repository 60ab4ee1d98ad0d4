//! The model that draws views of this server, and what it is asked for.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::super::book::{Blueprints, Book};
use super::spending::Spending;
use crate::domain::blueprint::OpenBlueprint;
use crate::domain::clock::{Clock, Ids};
use crate::domain::contract::CompiledContract;
use crate::domain::generation::{Own, Usage, ViewGenerator};
use crate::domain::limits::GenerationLimits;
use crate::domain::model_settings::ModelSettings;
use crate::domain::store_error::StoreError;
use crate::domain::view::View;
use crate::wire::ids::{AppId, SessionKey};
use crate::wire::observe::GenerationOutcome;
use crate::wire::tools::Variance;

/// A model, and what it is asked on behalf of.
pub(crate) struct ModelOfServer {
    /// The model.
    pub(crate) generator: Arc<dyn ViewGenerator>,
    /// Which one, and what it costs.
    pub(crate) settings: ModelSettings,
    /// Cancelled when the server ends.
    pub(crate) drain: CancellationToken,
    /// The tasks it waits for then.
    pub(crate) tasks: TaskTracker,
}

/// Has a model draw views.
pub(super) struct Generation {
    pub(super) spending: Spending,
    pub(super) settings: ModelSettings,
    pub(super) drain: CancellationToken,
    pub(super) tasks: TaskTracker,
    pub(super) book: Arc<Book>,
    pub(super) blueprints: Arc<Blueprints>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn Ids>,
    pub(super) limits: GenerationLimits,
    /// Sessions that wait for a view of a blueprint, by its id.
    pub(super) running: Mutex<HashMap<Arc<str>, Vec<SessionKey>>>,
}

/// What a view is to be drawn of.
#[derive(Clone)]
pub(super) struct Wanted {
    pub(super) app: AppId,
    pub(super) contract: Arc<CompiledContract>,
    pub(super) intent: Arc<str>,
    pub(super) variance: Variance,
    pub(super) variant_key: String,
    pub(super) props: Option<Arc<Value>>,
    /// The model.
    pub(super) model: Arc<str>,
    /// Whether what is stored must not be used.
    pub(super) is_fresh: bool,
}

/// A view of a model, and how it was come by.
pub(super) struct Obtained {
    pub(super) view: Arc<View>,
    /// Under which it is stored.
    pub(super) kept: Result<Arc<OpenBlueprint>, StoreError>,
    pub(super) outcome: GenerationOutcome,
    /// What came of a view of the model's own.
    pub(super) own: Own,
    pub(super) rounds: usize,
    pub(super) usage: Usage,
}

impl Obtained {
    /// One that took no answer.
    pub(super) fn stored(view: Arc<View>, kept: Result<Arc<OpenBlueprint>, StoreError>) -> Self {
        Self {
            view,
            kept,
            outcome: GenerationOutcome::Stored,
            own: Own::None,
            rounds: 0,
            usage: Usage::default(),
        }
    }
}

impl Generation {
    pub(super) fn new(
        model: ModelOfServer,
        book: Arc<Book>,
        blueprints: Arc<Blueprints>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        limits: GenerationLimits,
    ) -> Self {
        let ModelOfServer {
            generator,
            settings,
            drain,
            tasks,
        } = model;
        let prices = settings.prices();
        let spending = Spending::new(generator, Arc::clone(&clock), prices, limits.clone());
        Self {
            spending,
            settings,
            drain,
            tasks,
            book,
            blueprints,
            clock,
            ids,
            limits,
            running: Mutex::default(),
        }
    }

    /// The model that draws where a render names one, or none; the models there are, where that is not
    /// one of them.
    pub(super) fn model(&self, named: Option<&str>) -> Result<Arc<str>, Vec<String>> {
        let found = match named {
            None => Some(self.settings.name.as_str()),
            Some(name) => self.settings.named(name),
        };
        let known = || {
            self.settings
                .names()
                .into_iter()
                .map(str::to_owned)
                .collect()
        };
        found.map(Arc::from).ok_or_else(known)
    }

    /// Forgets what was used before today.
    pub(super) fn sweep(&self) {
        self.spending.sweep();
    }
}

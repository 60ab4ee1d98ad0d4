//! The model that draws views of this server, and what it is asked for.

use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::super::book::{Blueprints, Book};
use super::jobs::Jobs;
use super::spending::Spending;
use crate::domain::blueprint::{Blueprint, Cost, OpenBlueprint};
use crate::domain::clock::{Clock, Ids};
use crate::domain::contract::CompiledContract;
use crate::domain::generation::{Own, Usage, ViewGenerator};
use crate::domain::limits::GenerationLimits;
use crate::domain::model_settings::ModelSettings;
use crate::domain::store_error::StoreError;
use crate::domain::view::View;
use crate::wire::ids::AppId;
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
    pub(super) jobs: Jobs,
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
    /// What it was taken over from, where no model was asked.
    pub(super) reuse: Option<Reuse>,
    /// What came of a view of the model's own.
    pub(super) own: Own,
    pub(super) rounds: usize,
    pub(super) usage: Usage,
}

/// A blueprint that is shown again, or was taken over for a contract that is alike.
#[derive(Clone)]
pub(super) struct Reuse {
    /// How alike the two are; 1 is the same.
    pub(super) similarity: f64,
    /// Its id.
    pub(super) blueprint: Arc<str>,
    /// What need not be taken again.
    pub(super) saved: Cost,
}

impl Reuse {
    /// Of a blueprint that is so much alike.
    pub(super) fn of(blueprint: &Blueprint, similarity: f64) -> Self {
        Self {
            similarity,
            blueprint: Arc::clone(&blueprint.id),
            saved: blueprint.saves(),
        }
    }

    /// Whether it is the same.
    pub(super) fn is_exact(&self) -> bool {
        self.similarity >= 1.0
    }
}

impl Obtained {
    /// One that took no answer.
    pub(super) fn stored(
        view: Arc<View>,
        reuse: Reuse,
        kept: Result<Arc<OpenBlueprint>, StoreError>,
    ) -> Self {
        Self {
            view,
            kept,
            reuse: Some(reuse),
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
            jobs: Jobs::default(),
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

    /// The model that draws a page anew: the one that drew it, as long as it may.
    pub(super) fn model_of(&self, blueprint: &Blueprint) -> Arc<str> {
        let before = blueprint.generated_by.as_deref();
        let before = before.and_then(|name| self.settings.named(name));
        before.unwrap_or(&self.settings.name).into()
    }

    /// Forgets what was used before today.
    pub(super) fn sweep(&self) {
        self.spending.sweep();
    }
}

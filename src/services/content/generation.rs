//! Views that a model draws: while a composed one is shown already, or before anything is.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

use super::super::book::{Blueprints, Book, BookError, Decision, NewBlueprint, Waited};
use super::spending::{OfApp, Spending};
use crate::domain::blueprint::OpenBlueprint;
use crate::domain::clock::{Clock, Ids};
use crate::domain::contract::CompiledContract;
use crate::domain::document::DocumentHash;
use crate::domain::event::{Awaited, Event, Fact};
use crate::domain::generation::{
    Drawn, Page, Reason, Trouble, Undrawn, Usage, ViewGenerator, draw,
};
use crate::domain::limits::GenerationLimits;
use crate::domain::model_settings::ModelSettings;
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::store_error::StoreError;
use crate::domain::view::View;
use crate::wire::ids::{AppId, SessionKey};
use crate::wire::observe::{GenerationOutcome, ObservedEvent};
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
    spending: Spending,
    settings: ModelSettings,
    drain: CancellationToken,
    tasks: TaskTracker,
    book: Arc<Book>,
    blueprints: Arc<Blueprints>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    limits: GenerationLimits,
    /// Sessions that wait for a view of a blueprint, by its id.
    running: Mutex<HashMap<Arc<str>, Vec<SessionKey>>>,
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

    /// A view that the model has drawn.
    pub(super) async fn draw(&self, wanted: &Wanted) -> Result<Drawn, Undrawn> {
        let variance = serde_json::to_value(&wanted.variance).unwrap_or_default();
        let is_plain = wanted.variance == Variance::default();
        let values = wanted
            .props
            .as_deref()
            .filter(|_| self.settings.sends_values);
        let page = Page {
            contract: &wanted.contract,
            intent: &wanted.intent,
            variance: (!is_plain).then_some(&variance),
            values,
        };
        let generator = OfApp {
            spending: &self.spending,
            app: &wanted.app,
        };
        let drawing = draw(&generator, &wanted.model, &page, &self.limits);
        let span = tracing::info_span!(
            "services.content.draw",
            app.id = %wanted.app,
            model = &*wanted.model,
            contract.hash = wanted.contract.hash(),
        );
        let drawn = timeout(self.limits.view(), drawing.instrument(span.clone())).await;
        let drawn = drawn.unwrap_or_else(|_| {
            Err(Undrawn {
                reason: Reason::Trouble(Trouble::TimedOut),
                rounds: 0,
                usage: Usage::default(),
            })
        });
        let _entered = span.entered();
        match &drawn {
            Ok(Drawn { rounds, usage, .. }) => tracing::info!(
                rounds,
                tokens = usage.tokens(),
                microdollars = self.spending.cost(*usage),
                "a model has drawn a view"
            ),
            Err(Undrawn {
                reason,
                rounds,
                usage,
            }) => tracing::warn!(
                reason = reason.word(),
                rounds,
                tokens = usage.tokens(),
                microdollars = self.spending.cost(*usage),
                "a model has drawn no view that holds; the composed one is shown"
            ),
        }
        drawn
    }

    /// Has the view of a session drawn while the composed one is shown.
    pub(super) fn begin(
        self: &Arc<Self>,
        wanted: Wanted,
        blueprint: &Arc<OpenBlueprint>,
        session: &Session,
    ) {
        let id = Arc::clone(&blueprint.id);
        let shown = session.view().document().hash;
        {
            let mut running = self.running.lock();
            if let Some(waiting) = running.get_mut(&id) {
                waiting.push(session.key.clone());
                return;
            }
            running.insert(Arc::clone(&id), vec![session.key.clone()]);
        }
        let this = Arc::clone(self);
        self.tasks.spawn(async move {
            let outcome = tokio::select! {
                () = this.drain.cancelled() => None,
                () = this.left_alone(&id) => None,
                outcome = this.replacement(&wanted) => Some(outcome),
            };
            let waiting = this.running.lock().remove(&id).unwrap_or_default();
            let Some((view, told)) = outcome else {
                return;
            };
            for key in waiting {
                this.finish(&key, shown, view.as_deref(), &told).await;
            }
        });
    }

    /// The view that is to be shown from now on, if there is one, and what those who watch are told.
    async fn replacement(&self, wanted: &Wanted) -> (Option<Arc<View>>, Value) {
        let Wanted { app, contract, .. } = wanted;
        let stored = self
            .blueprints
            .find(app, contract.hash(), &wanted.variant_key);
        if let Ok(Some(stored)) = stored.await
            && let Some(view) = &stored.view
        {
            let told = self.told(wanted, GenerationOutcome::Stored, 0, Usage::default(), None);
            return (Some(Arc::clone(view)), told);
        }
        match self.draw(wanted).await {
            Ok(Drawn {
                view,
                rounds,
                usage,
            }) => {
                let view = Arc::new(view);
                let told = self.told(wanted, GenerationOutcome::Drawn, rounds, usage, None);
                match self.keep(wanted, Arc::clone(&view)).await {
                    Ok(_) => {}
                    // It is shown all the same.
                    Err(error) => tracing::warn!(%error, "a drawn view was not kept"),
                }
                (Some(view), told)
            }
            Err(Undrawn {
                reason,
                rounds,
                usage,
            }) => {
                let (outcome, why) = (GenerationOutcome::Composed, Some(reason.to_string()));
                (None, self.told(wanted, outcome, rounds, usage, why))
            }
        }
    }

    fn told(
        &self,
        wanted: &Wanted,
        outcome: GenerationOutcome,
        rounds: usize,
        usage: Usage,
        reason: Option<String>,
    ) -> Value {
        let model = wanted.model.to_string();
        let said = match (outcome, &reason) {
            (GenerationOutcome::Drawn, _) => format!("{model} has drawn the view"),
            (GenerationOutcome::Stored, _) => format!("{model} had drawn the view before"),
            (GenerationOutcome::Composed, Some(why)) => format!("The composed view stays: {why}"),
            (GenerationOutcome::Composed, None) => "The composed view stays".to_owned(),
        };
        let event = ObservedEvent::GenerationEnded {
            message: said,
            outcome,
            reason,
            model,
            rounds,
            prompt_tokens: usage.prompt_tokens,
            answer_tokens: usage.answer_tokens,
            microdollars: self.spending.cost(usage),
        };
        serde_json::to_value(event).unwrap_or_default()
    }

    /// Keeps a drawn view, so that the next time costs nothing.
    pub(super) async fn keep(
        &self,
        wanted: &Wanted,
        view: Arc<View>,
    ) -> Result<Arc<OpenBlueprint>, StoreError> {
        let blueprint = NewBlueprint {
            id: format!("bp_{}", self.ids.uuid()).into(),
            contract: Arc::clone(&wanted.contract),
            variance: wanted.variance.clone(),
            variant_key: wanted.variant_key.clone(),
            intent: Arc::clone(&wanted.intent),
            view: Some(view),
            generated_by: Some(Arc::clone(&wanted.model)),
            created_at: self.clock.now(),
        };
        self.blueprints
            .register(&wanted.app, blueprint, false)
            .await
    }

    /// Shows a session its drawn view, where it still shows the composed one, and tells those who
    /// watch.
    async fn finish(
        &self,
        key: &SessionKey,
        shown: DocumentHash,
        view: Option<&View>,
        told: &Value,
    ) {
        let caller = Caller::server(key.app.clone());
        let now = self.clock.now();
        let decide = |session: &Session| -> Result<Decision<()>, BookError> {
            let is_as_it_was = session.view().document().hash == shown;
            let drawn = view.filter(|view| is_as_it_was && view.document().hash != shown);
            let drawn = drawn.map(|view| Event::Redrawn(view.clone()));
            let events = drawn.into_iter().chain([Event::Observed(told.clone())]);
            Ok(Decision::of(
                events.map(|event| Fact::by(&caller, now, event)),
            ))
        };
        match self.book.decide(&caller, key, decide).await {
            Ok(_) | Err(BookError::SessionNotFound { .. }) => {}
            Err(BookError::Store(error)) => {
                tracing::warn!(session.id = %key.session, %error, "a drawn view is not shown");
            }
        }
    }

    /// Returns once all sessions are gone that wait for a view of a blueprint.
    async fn left_alone(&self, blueprint: &str) {
        for at in 0.. {
            let waiting = {
                let running = self.running.lock();
                running.get(blueprint).and_then(|all| all.get(at).cloned())
            };
            match waiting {
                Some(key) => self.gone(&key).await,
                None => return,
            }
        }
    }

    /// Returns once a session is gone.
    async fn gone(&self, key: &SessionKey) {
        loop {
            let head = match self.book.live(key).await {
                Ok(session) => session.seq,
                Err(StoreError::Missing) => return,
                // Nobody knows: the view is drawn.
                Err(_) => return std::future::pending().await,
            };
            match self.book.wait(key, head, Awaited::Frame).await {
                Ok(Waited::Moved) => {}
                Ok(Waited::Gone) => return,
                Err(_) => return std::future::pending().await,
            }
        }
    }
}

//! Views that a model draws while the composed one is shown.

use std::sync::Arc;

use serde_json::Value;

use super::super::book::{BookError, Decision, Waited};
use super::generation::{Generation, Obtained, Wanted};
use crate::domain::blueprint::OpenBlueprint;
use crate::domain::document::DocumentHash;
use crate::domain::event::{Awaited, Event, Fact};
use crate::domain::generation::{Own, Undrawn, Usage};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::store_error::StoreError;
use crate::domain::view::View;
use crate::wire::ids::SessionKey;
use crate::wire::observe::{GenerationOutcome, ObservedEvent};

impl Generation {
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
        match self.obtain(wanted).await {
            Ok(obtained) => {
                // It is shown all the same.
                if let Err(error) = &obtained.kept {
                    tracing::warn!(%error, "a drawn view was not kept");
                }
                let Obtained {
                    view,
                    outcome,
                    own,
                    rounds,
                    usage,
                    ..
                } = obtained;
                (
                    Some(view),
                    self.report(wanted, outcome, &own, rounds, usage, None),
                )
            }
            Err(Undrawn {
                reason,
                rounds,
                usage,
            }) => {
                let (outcome, why) = (GenerationOutcome::Composed, Some(reason.to_string()));
                let told = self.report(wanted, outcome, &Own::None, rounds, usage, why);
                (None, told)
            }
        }
    }

    fn report(
        &self,
        wanted: &Wanted,
        outcome: GenerationOutcome,
        own: &Own,
        rounds: usize,
        usage: Usage,
        reason: Option<String>,
    ) -> Value {
        let model = wanted.model.to_string();
        let reason = reason.or_else(|| own.why_left_out());
        let said = match (outcome, own, &reason) {
            (GenerationOutcome::Drawn, Own::Shown, _) => {
                format!("{model} has drawn the view of components of its own choice")
            }
            (GenerationOutcome::Drawn, _, None) => format!("{model} has drawn the view"),
            (GenerationOutcome::Drawn, _, Some(why)) => {
                format!("{model} has drawn the view; {why}")
            }
            (GenerationOutcome::Stored, ..) => format!("{model} had drawn the view before"),
            (GenerationOutcome::Composed, _, Some(why)) => {
                format!("The composed view stays: {why}")
            }
            (GenerationOutcome::Composed, _, None) => "The composed view stays".to_owned(),
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

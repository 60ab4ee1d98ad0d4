//! Views that a model draws while the composed one is shown.

use std::sync::Arc;

use serde_json::Value;
use tracing::Instrument as _;

use super::super::book::{BookError, Decision, Waited};
use super::generation::{Generation, Wanted};
use super::jobs::{Ticket, Waiting};
use super::preview::preview_end;
use crate::domain::blueprint::{Cost, OpenBlueprint};
use crate::domain::event::{Awaited, Event, Fact};
use crate::domain::generation::{Own, Usage};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::store_error::StoreError;
use crate::domain::view::View;
use crate::wire::ids::SessionKey;
use crate::wire::observe::{GenerationOutcome, ObservedEvent};

/// What has come of a view.
struct GenerationReport<'a> {
    outcome: GenerationOutcome,
    own: &'a Own,
    reason: Option<String>,
    rounds: usize,
    usage: Usage,
    /// What was not needed again.
    saved: Option<Cost>,
}

impl Generation {
    /// Has the view of a session drawn while the composed one is shown.
    pub(super) fn begin(
        self: &Arc<Self>,
        wanted: Wanted,
        blueprint: &OpenBlueprint,
        key: &SessionKey,
    ) {
        let joined = self
            .jobs
            .join(blueprint, &wanted.model, wanted.is_fresh, key);
        let Some(ticket) = joined else {
            return;
        };
        let this = Arc::clone(self);
        let job = async move { this.job(&wanted, &ticket).await };
        // It belongs to the request that asked for it, however long that one is answered.
        self.tasks.spawn(job.in_current_span());
    }

    async fn job(&self, wanted: &Wanted, ticket: &Ticket) {
        let outcome = tokio::select! {
            () = self.drain.cancelled() => None,
            () = ticket.over.cancelled() => None,
            () = self.left_alone(ticket) => None,
            () = self.preview(wanted, ticket) => None,
            outcome = self.replacement(wanted) => Some(outcome),
        };
        for waiting in self.jobs.end(ticket) {
            self.finish(&waiting, outcome.as_ref()).await;
        }
    }

    /// The view that is to be shown from now on, if there is one, and what those who watch are told.
    async fn replacement(&self, wanted: &Wanted) -> (Option<Arc<View>>, Value) {
        match self.obtain(wanted).await {
            Ok(obtained) => {
                // It is shown all the same.
                if let Err(error) = &obtained.kept {
                    tracing::warn!(%error, "a drawn view was not kept");
                }
                let event = self.report(
                    wanted,
                    GenerationReport {
                        outcome: match &obtained.reuse {
                            None => GenerationOutcome::Drawn,
                            Some(_) => GenerationOutcome::Stored,
                        },
                        own: &obtained.own,
                        reason: obtained.own.why_left_out(),
                        rounds: obtained.rounds,
                        usage: obtained.usage,
                        saved: obtained.reuse.map(|reuse| reuse.saved),
                    },
                );
                (Some(obtained.view), event)
            }
            Err(undrawn) => {
                let event = self.report(
                    wanted,
                    GenerationReport {
                        outcome: GenerationOutcome::Composed,
                        own: &Own::None,
                        reason: Some(undrawn.reason.to_string()),
                        rounds: undrawn.rounds,
                        usage: undrawn.usage,
                        saved: None,
                    },
                );
                (None, event)
            }
        }
    }

    fn report(&self, wanted: &Wanted, report: GenerationReport<'_>) -> Value {
        let GenerationReport {
            outcome,
            own,
            reason,
            rounds,
            usage,
            saved,
        } = report;
        let model = wanted.model.to_string();
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
            llm_calls_avoided: saved.map(|saved| saved.rounds),
            tokens_avoided: saved.map(|saved| saved.tokens),
            microdollars_avoided: saved.map(|saved| saved.microdollars),
        };
        serde_json::to_value(event).unwrap_or_default()
    }

    /// Shows a session its drawn view, and tells those who watch what has come of it; nothing where
    /// the server ends before.
    async fn finish(&self, waiting: &Waiting, outcome: Option<&(Option<Arc<View>>, Value)>) {
        let key = &waiting.key;
        let caller = Caller::server(key.app.clone());
        let now = self.clock.now();
        let decide = |session: &Session| -> Result<Decision<()>, BookError> {
            let shown = session.view().document().hash;
            let drawn = outcome.and_then(|(view, _)| view.as_ref());
            let drawn = drawn.filter(|view| view.document().hash != shown);
            let drawn = drawn.map(|view| Event::Redrawn(View::clone(view)));
            let observed = outcome.map(|(_, event)| Event::Observed(event.clone()));
            let facts = drawn.into_iter().chain(observed);
            let facts = facts.map(|event| Fact::by(&caller, now, event));
            let end = waiting
                .is_announced
                .then(|| preview_end(&caller, now, session));
            Ok(Decision::of(facts.chain(end)))
        };
        match self.book.decide(&caller, key, decide).await {
            Ok(_) | Err(BookError::SessionNotFound { .. }) => {}
            Err(BookError::Store(error)) => {
                tracing::warn!(session.id = %key.session, %error, "a drawn view is not shown");
            }
        }
    }

    /// Returns once all sessions are gone that wait for a job.
    async fn left_alone(&self, ticket: &Ticket) {
        for at in 0.. {
            match self.jobs.session(ticket, at) {
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

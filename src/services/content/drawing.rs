//! A model draws a view for an app, unless it has chosen one before that holds.

use std::sync::Arc;

use serde_json::Value;
use tokio::time::sleep;
use tracing::Instrument as _;

use super::super::book::NewBlueprint;
use super::generation::{Generation, Obtained, Reuse, Wanted};
use super::spending::OfApp;
use crate::domain::blueprint::{Cost, OpenBlueprint};
use crate::domain::compose::{Choice, chosen};
use crate::domain::generation::{Drawn, Page, Undrawn, draw, is_alike, likeness};
use crate::domain::store_error::StoreError;
use crate::domain::view::View;
use crate::wire::remark::Remark;

/// How alike another contract is at most.
const LIKENESS_MAX: f64 = 0.99;

impl Generation {
    /// A view that the model has drawn: one that is stored for this contract, one that it has chosen for
    /// a contract like it, or one that it draws now.
    pub(super) async fn obtain(&self, wanted: &Wanted) -> Result<Obtained, Undrawn> {
        let (app, hash) = (&wanted.app, wanted.contract.hash());
        let stored = self.blueprints.find(app, hash, &wanted.variant_key).await;
        let stored = stored.unwrap_or_default();
        let remarks = stored.as_ref().map(|stored| stored.remarks.clone());
        if !wanted.is_fresh {
            if let Some(stored) = stored
                && let Some(view) = stored.view.clone()
            {
                let reuse = Reuse::of(&stored, 1.0);
                return Ok(Obtained::stored(view, reuse, Ok(stored)));
            }
            if let Some((view, choice, reuse)) = self.near(wanted).await {
                let cost = Some(reuse.saved);
                let kept = self.keep(wanted, Arc::clone(&view), Some(choice), cost);
                let kept = kept.await;
                return Ok(Obtained::stored(view, reuse, kept));
            }
        }
        let Drawn {
            view,
            choice,
            own,
            rounds,
            usage,
        } = self.draw(wanted, &remarks.unwrap_or_default()).await?;
        let view = Arc::new(view);
        let choice = serde_json::to_value(choice).ok();
        let cost = Cost {
            rounds: u32::try_from(rounds).unwrap_or(u32::MAX),
            tokens: usage.tokens(),
            microdollars: self.spending.cost(usage),
        };
        let kept = self.keep(wanted, Arc::clone(&view), choice, Some(cost));
        let kept = kept.await;
        Ok(Obtained {
            view,
            kept,
            reuse: None,
            own,
            rounds,
            usage,
        })
    }

    /// What the model has chosen for a contract that is alike, drawn for this one, if it holds.
    async fn near(&self, wanted: &Wanted) -> Option<(Arc<View>, Value, Reuse)> {
        let all = self.blueprints.list(&wanted.app).await.ok()?;
        let alike = all.iter().map(|row| &row.blueprint).filter(|blueprint| {
            blueprint.variant_key == wanted.variant_key
                && is_alike(&blueprint.contract, &wanted.contract)
        });
        let alike = alike.filter_map(|blueprint| {
            let likeness = likeness(&blueprint.intent, &wanted.intent)?;
            Some((likeness, blueprint, blueprint.choice.as_ref()?))
        });
        let (likeness, blueprint, stored) =
            alike.max_by(|(one, ..), (other, ..)| one.total_cmp(other))?;
        let choice: Choice = serde_json::from_value(stored.clone()).ok()?;
        let view = chosen(&wanted.contract, &wanted.intent, &choice).ok()?;
        // Of another contract: never the same.
        let reuse = Reuse::of(blueprint, likeness.min(LIKENESS_MAX));
        Some((Arc::new(view), stored.clone(), reuse))
    }

    /// A view that the model has drawn.
    async fn draw(&self, wanted: &Wanted, remarks: &[Remark]) -> Result<Drawn, Undrawn> {
        let variance = serde_json::to_value(&wanted.variance).unwrap_or_default();
        let values = wanted
            .props
            .as_deref()
            .filter(|_| self.settings.sends_values);
        let page = Page {
            contract: &wanted.contract,
            intent: &wanted.intent,
            remarks,
            variance: (!wanted.variance.is_plain()).then_some(&variance),
            values,
        };
        let generator = OfApp {
            spending: &self.spending,
            app: &wanted.app,
        };
        let drawing = draw(
            &generator,
            &wanted.model,
            &page,
            &self.limits,
            self.settings.free_views,
            sleep(self.limits.view()),
        );
        let span = tracing::info_span!(
            "services.content.draw",
            app.id = %wanted.app,
            model = &*wanted.model,
            contract.hash = wanted.contract.hash(),
        );
        let drawn = drawing.instrument(span.clone()).await;
        let _entered = span.entered();
        match &drawn {
            Ok(Drawn {
                own, rounds, usage, ..
            }) => tracing::info!(
                own = own.word(),
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

    /// Keeps a drawn view, so that the next time costs nothing.
    async fn keep(
        &self,
        wanted: &Wanted,
        view: Arc<View>,
        choice: Option<Value>,
        cost: Option<Cost>,
    ) -> Result<Arc<OpenBlueprint>, StoreError> {
        let blueprint = NewBlueprint {
            id: format!("bp_{}", self.ids.uuid()).into(),
            contract: Arc::clone(&wanted.contract),
            variance: wanted.variance.clone(),
            variant_key: wanted.variant_key.clone(),
            intent: Arc::clone(&wanted.intent),
            view: Some(view),
            generated_by: Some(Arc::clone(&wanted.model)),
            choice,
            cost,
            created_at: self.clock.now(),
        };
        self.blueprints
            .register(&wanted.app, blueprint, false)
            .await
    }
}

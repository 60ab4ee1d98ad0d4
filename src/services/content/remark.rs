//! A person says how a page is drawn, and a model draws it anew.

use std::sync::Arc;

use super::super::book::NewBlueprint;
use super::error::ContentError;
use super::generation::Wanted;
use super::render::key_of;
use super::service::Content;
use crate::domain::blueprint::OpenBlueprint;
use crate::domain::operation::Caller;
use crate::domain::principal::SERVER;
use crate::domain::session::Session;
use crate::wire::contract::Violation;
use crate::wire::remark::{Rating, Remark, RemarkParams, RemarkResult};

impl Content {
    /// Keeps a remark beside the blueprint of what a session shows. What is not praised is drawn anew,
    /// where a model may.
    pub(super) async fn remark(
        &self,
        caller: &Caller,
        params: RemarkParams,
    ) -> Result<RemarkResult, ContentError> {
        let remark = params.body;
        if remark == Remark::default() {
            return Err(refused("body.text", "say what is wrong, or rate the page"));
        }
        let session = self
            .book
            .find(&caller.principal, &params.session_id)
            .await?;
        if *session.creation.owner == *SERVER {
            // What people decide by is drawn by nobody else.
            let why = "the server's own page stays as it is";
            return Err(refused("sessionId", why));
        }
        let blueprint = self.blueprint_of(caller, &session).await?;
        let app = &caller.principal.app;
        let is_praise = remark.rating == Some(Rating::Good);
        let blueprint = self.blueprints.remark(app, &blueprint.id, remark).await?;
        let is_own = blueprint.view.is_some() && blueprint.generated_by.is_none();
        let generation = self.generation.as_ref();
        let generation = generation.filter(|_| !is_praise && !is_own);
        if let Some(generation) = generation {
            let wanted = Wanted {
                app: app.clone(),
                contract: Arc::clone(&blueprint.contract),
                intent: Arc::clone(&session.creation.intent),
                variance: blueprint.variance.clone(),
                variant_key: blueprint.variant_key.clone(),
                props: session.props.clone(),
                model: generation.model_of(&blueprint),
                is_fresh: true,
            };
            generation.begin(wanted, &blueprint, &session.key);
        }
        Ok(RemarkResult {
            blueprint_id: blueprint.id.to_string(),
            remarks: blueprint.remarks.len(),
            is_drawn_anew: generation.is_some(),
        })
    }

    /// The blueprint of what a session shows; one that was forgotten meanwhile is kept again.
    async fn blueprint_of(
        &self,
        caller: &Caller,
        session: &Session,
    ) -> Result<Arc<OpenBlueprint>, ContentError> {
        let creation = &session.creation;
        let blueprint = NewBlueprint {
            id: format!("bp_{}", self.ids.uuid()).into(),
            contract: Arc::clone(&session.contract),
            variant_key: key_of(&creation.variance),
            variance: creation.variance.clone(),
            intent: Arc::clone(&creation.intent),
            view: None,
            generated_by: None,
            choice: None,
            cost: None,
            created_at: self.clock.now(),
        };
        let app = &caller.principal.app;
        Ok(self.blueprints.register(app, blueprint, false).await?)
    }
}

fn refused(place: &str, why: &str) -> ContentError {
    ContentError::Violations {
        violations: vec![Violation::new(place, why.to_owned())],
        props_schema_hash: None,
    }
}

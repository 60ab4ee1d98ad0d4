//! A UI is put in front of a person.

use std::sync::Arc;

use serde_json::Value;

use super::super::book::NewBlueprint;
use super::emit::check_feeds;
use super::error::{ContentError, Mismatch};
use super::generation::{Reuse, Wanted};
use super::opening::opening;
use super::service::Content;
use crate::domain::blueprint::OpenBlueprint;
use crate::domain::brain::Rendering;
use crate::domain::clock::Time;
use crate::domain::contract::{Comparison, CompiledContract, Misfit, check_gadgets, variant_key};
use crate::domain::event::Creation;
use crate::domain::handshake::{Artist, OpenHandshake};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::store_error::StoreError;
use crate::domain::view::View;
use crate::wire::contract::Violation;
use crate::wire::ids::{AppId, HandshakeId, ShortCode};
use crate::wire::object::Object;
use crate::wire::tools::{RenderParams, Variance};

/// What came of a render.
pub(super) struct Rendered {
    pub(super) session: Arc<Session>,
    /// Under which it is stored.
    pub(super) blueprint: Arc<OpenBlueprint>,
    /// What is shown again, if it is.
    pub(super) reuse: Option<Reuse>,
    /// Whether a model draws another view, which will take its place.
    pub(super) is_drawn_anew: bool,
}

impl Content {
    /// `ggui_render`: everything is judged before the handshake is claimed, so that whatever is
    /// refused here can be mended and tried again on the same handshake.
    pub(super) async fn render(
        &self,
        caller: &Caller,
        params: RenderParams,
    ) -> Result<Rendered, ContentError> {
        let theme = match params.theme_id {
            None => None,
            Some(id) => Some(self.themes.get(&id).ok_or_else(|| {
                let known = self.themes.ids().into_iter().map(str::to_owned).collect();
                ContentError::ThemeUnknown { id, known }
            })?),
        };
        if let Some(rendered) = self.rendered_before(caller).await? {
            return Ok(rendered);
        }
        let now = self.clock.now();
        let gone = || ContentError::HandshakeNotFound {
            id: params.handshake_id.clone(),
        };
        let id = HandshakeId::from(params.handshake_id.as_str());
        let handshake = match self.book.handshake(&caller.principal.app, &id).await {
            Ok(handshake) if handshake.is_live(now) && caller.principal.sees(&handshake.owner) => {
                handshake
            }
            Ok(_) | Err(StoreError::Missing) => return Err(gone()),
            Err(error) => return Err(error.into()),
        };
        let (contract_override, variance) = match params.override_ {
            None => (None, None),
            Some(given) => (given.contract, given.variance),
        };
        let is_overridden = contract_override.is_some();
        let contract = match contract_override {
            None => Arc::clone(&handshake.contract),
            Some(draft) => {
                let compiled = self.contracts.compile(&Value::Object(draft));
                let contract = compiled.map_err(ContentError::OverrideUnsound)?.contract;
                check_feeds(&contract)?;
                contract
            }
        };
        let request = RenderRequest {
            // Drawn for the agreed contract, and for no other.
            view: handshake.view.clone().filter(|_| !is_overridden),
            is_fresh: is_overridden || handshake.force_create,
            model: params.infra.and_then(|infra| infra.model),
            variance,
            contract,
        };
        let stored = self.stored(caller, &handshake, &request).await?;
        let contract = stored
            .as_ref()
            .map_or(&request.contract, |stored| &stored.contract);
        check_gadgets(contract.contract()).map_err(ContentError::Gadgets)?;
        self.check_next_steps(contract)?;
        let props = self.first_props(contract, params.props, is_overridden)?;
        let key = match &caller.attempt {
            // By this it is found when the call is made again.
            Some(attempt) => caller.principal.key(attempt.id.as_str()),
            None => caller.principal.key(&self.ids.uuid()),
        };
        let wanted = self.wanted(&key.app, &handshake, &request, stored.as_deref())?;
        let wanted = wanted.map(|wanted| Wanted {
            props: props.clone(),
            ..wanted
        });
        // Registered before the session is there, so that the next handshake finds it.
        let (blueprint, reuse) = match (stored, &wanted) {
            (_, Some(wanted)) if handshake.artist == Artist::Model => self.drawn(wanted).await?,
            (Some(stored), _) => {
                let reuse = Reuse::of(&stored, 1.0);
                (stored, Some(reuse))
            }
            (None, _) => {
                let new = self.register(caller, &handshake, request, now).await?;
                (new, None)
            }
        };
        let contract = Arc::clone(&blueprint.contract);
        let view = match &blueprint.view {
            Some(view) => Arc::clone(view),
            None => self.contracts.view(&contract, &handshake.intent),
        };
        let creation = Arc::new(Creation {
            owner: Arc::clone(&caller.principal.name),
            intent: Arc::clone(&handshake.intent),
            contract: contract.document().hash,
            variance: blueprint.variance.clone(),
            view: view.document().hash,
            props,
            theme,
            host: caller.host.clone(),
            short_code: ShortCode::new(self.ids.short_code()),
            is_reused: reuse.is_some(),
        });
        let facts = opening(caller, now, &handshake, &key, creation, wanted.is_some());
        match self.book.create(&key, &id, facts, contract, view).await {
            Ok(session) => {
                if reuse.as_ref().is_some_and(Reuse::is_exact) {
                    // The session is there, counted or not.
                    let _ = self.blueprints.hit(&key.app, &blueprint.id, now).await;
                }
                self.journal.rendered(&Rendering {
                    session: &session,
                    blueprint: &blueprint,
                    at: now,
                });
                let wanted = wanted.filter(|_| blueprint.view.is_none());
                let is_drawn_anew = wanted.is_some();
                if let (Some(generation), Some(wanted)) = (&self.generation, wanted) {
                    generation.begin(wanted, &blueprint, &session.key);
                }
                Ok(Rendered {
                    session,
                    blueprint,
                    reuse,
                    is_drawn_anew,
                })
            }
            // The same call at another node may have been faster.
            Err(error @ (StoreError::Missing | StoreError::Conflict)) => {
                match self.rendered_before(caller).await? {
                    Some(rendered) => Ok(rendered),
                    None if error == StoreError::Missing => Err(gone()),
                    None => Err(StoreError::unavailable("the session is being rendered").into()),
                }
            }
            Err(error) => Err(error.into()),
        }
    }

    /// What came of the same call, where it was made before under its key and its answer was lost.
    async fn rendered_before(&self, caller: &Caller) -> Result<Option<Rendered>, StoreError> {
        let Some(attempt) = &caller.attempt else {
            return Ok(None);
        };
        let key = caller.principal.key(attempt.id.as_str());
        let session = match self.book.seen(&key, &caller.principal).await {
            Ok(session) if session.created_at > attempt.since => session,
            Ok(_) | Err(StoreError::Missing) => return Ok(None),
            Err(error) => return Err(error),
        };
        let creation = &session.creation;
        let new = NewBlueprint {
            id: format!("bp_{}", self.ids.uuid()).into(),
            variant_key: key_of(&creation.variance),
            variance: creation.variance.clone(),
            contract: Arc::clone(&session.contract),
            intent: Arc::clone(&creation.intent),
            view: None,
            generated_by: None,
            choice: None,
            cost: None,
            created_at: session.created_at,
        };
        // The one that it is stored under, unless that was forgotten since.
        let blueprint = self.blueprints.register(&key.app, new, false).await?;
        Ok(Some(Rendered {
            reuse: creation.is_reused.then(|| Reuse::of(&blueprint, 1.0)),
            blueprint,
            session,
            is_drawn_anew: false,
        }))
    }

    /// The blueprint that is shown again, if there is one and it is wanted (tools.md §4.4).
    async fn stored(
        &self,
        caller: &Caller,
        handshake: &OpenHandshake,
        request: &RenderRequest,
    ) -> Result<Option<Arc<OpenBlueprint>>, StoreError> {
        if request.is_fresh || request.view.is_some() {
            return Ok(None);
        }
        match &request.variance {
            None => Ok(handshake.matched.clone()),
            Some(variance) => {
                let app = &caller.principal.app;
                let variant_key = key_of(variance);
                self.blueprints
                    .find(app, request.contract.hash(), &variant_key)
                    .await
            }
        }
    }

    /// What a model is to draw, if one is to; without the props.
    fn wanted(
        &self,
        app: &AppId,
        handshake: &OpenHandshake,
        request: &RenderRequest,
        stored: Option<&OpenBlueprint>,
    ) -> Result<Option<Wanted>, ContentError> {
        let has_view = request.view.is_some() || stored.is_some_and(|stored| stored.view.is_some());
        let Some(generation) = &self.generation else {
            let is_needed = handshake.artist == Artist::Model && !has_view;
            return is_needed.then_some(Err(ContentError::NoModel)).transpose();
        };
        let model = generation.model(request.model.as_deref());
        let model = model.map_err(|known| {
            let message = "this model draws no views on this server".to_owned();
            let mut violation = Violation::new("infra.model", message);
            violation.expected = Some(known.join("|"));
            violation.received.clone_from(&request.model);
            ContentError::Violations {
                violations: vec![violation],
                props_schema_hash: None,
            }
        })?;
        if has_view || handshake.artist == Artist::Composer {
            return Ok(None);
        }
        let variance = request.variance.as_ref().unwrap_or(&handshake.variance);
        let contract = stored.map_or(&request.contract, |stored| &stored.contract);
        Ok(Some(Wanted {
            app: app.clone(),
            contract: Arc::clone(contract),
            intent: Arc::clone(&handshake.intent),
            variance: variance.clone(),
            variant_key: key_of(variance),
            props: None,
            model,
            is_fresh: request.is_fresh,
        }))
    }

    /// The blueprint of a view that a model has drawn, for this very render or before.
    async fn drawn(
        &self,
        wanted: &Wanted,
    ) -> Result<(Arc<OpenBlueprint>, Option<Reuse>), ContentError> {
        let generation = self.generation.as_ref().ok_or(ContentError::NoModel)?;
        let obtained = generation.obtain(wanted).await;
        let obtained = obtained.map_err(|undrawn| ContentError::Undrawn(undrawn.reason))?;
        Ok((obtained.kept?, obtained.reuse))
    }

    async fn register(
        &self,
        caller: &Caller,
        handshake: &OpenHandshake,
        request: RenderRequest,
        now: Time,
    ) -> Result<Arc<OpenBlueprint>, StoreError> {
        let variance = request
            .variance
            .unwrap_or_else(|| handshake.variance.clone());
        let blueprint = NewBlueprint {
            id: format!("bp_{}", self.ids.uuid()).into(),
            variant_key: key_of(&variance),
            variance,
            contract: request.contract,
            intent: Arc::clone(&handshake.intent),
            view: request.view,
            generated_by: None,
            choice: None,
            cost: None,
            created_at: now,
        };
        self.blueprints
            .register(&caller.principal.app, blueprint, request.is_fresh)
            .await
    }

    /// The props a session starts with; an agreed contract without a propsSpec takes none, and one
    /// that came with the props must declare them (contract.md §8).
    fn first_props(
        &self,
        contract: &CompiledContract,
        props: Object,
        is_overridden: bool,
    ) -> Result<Option<Arc<Value>>, ContentError> {
        if !contract.has_props_spec() {
            if is_overridden && !props.is_empty() {
                let mut violation = Violation::new(
                    "props",
                    "must be empty: the overriding contract declares no propsSpec",
                );
                violation.expected = Some("{}".to_owned());
                violation.received = Some("object".to_owned());
                return Err(ContentError::Violations {
                    violations: vec![violation],
                    props_schema_hash: None,
                });
            }
            return Ok(None);
        }
        let props = Value::Object(props);
        self.check_props(contract, &props)?;
        Ok(Some(Arc::new(props)))
    }

    /// Actions that lead to a tool of this server must fit what the tool really takes, whatever
    /// the contract says about it (contract.md §5).
    fn check_next_steps(&self, contract: &CompiledContract) -> Result<(), ContentError> {
        let mut comparison = Comparison::default();
        let mut mismatches = Vec::new();
        for (name, action) in contract.contract().action_spec.iter().flatten() {
            let Some(tool) = &action.next_step else {
                continue;
            };
            let Some(input) = self.own_tools.get(tool.as_str()) else {
                continue;
            };
            let misfits = match contract.action_schema(name) {
                Value::Null => comparison.void_misfits(input),
                schema => comparison.misfits(schema, input),
            };
            if !misfits.is_empty() {
                mismatches.push(Mismatch {
                    action: name.clone(),
                    tool: tool.clone(),
                    problem: Misfit::describe(&misfits),
                });
            }
        }
        if mismatches.is_empty() {
            return Ok(());
        }
        mismatches.sort_by(|a, b| a.action.cmp(&b.action));
        Err(ContentError::SchemaMismatch(mismatches))
    }
}

/// What the agent wants rendered.
struct RenderRequest {
    contract: Arc<CompiledContract>,
    /// Its own, drawn for this contract.
    view: Option<Arc<View>>,
    /// Where it is not the one of the handshake.
    variance: Option<Variance>,
    /// Where it names the model that is to draw.
    model: Option<String>,
    /// Whether what is stored must not be used.
    is_fresh: bool,
}

/// Under which a variance is found again.
pub(super) fn key_of(variance: &Variance) -> String {
    variant_key(&serde_json::to_value(variance).unwrap_or_default())
}

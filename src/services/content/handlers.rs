//! What agents ask of what is shown, registered by name.

use std::sync::Arc;

use serde_json::Value;

use super::error::ContentError;
use super::generation::Reuse;
use super::render::Rendered;
use super::service::Content;
use super::update::Changed;
use crate::domain::blueprint::OpenBlueprint;
use crate::domain::next_step::consume_step;
use crate::domain::operation::{
    Caller, Handlers, Hint, Mount, Registration, Reply, resource_uri, table,
};
use crate::domain::size::value_bytes;
use crate::wire::ids::HandshakeId;
use crate::wire::tools::{CacheOutcome, HandshakeAction, RenderResult, UpdateParams, UpdateResult};

impl Content {
    /// What this service does.
    pub(crate) fn handlers<F>(self: &Arc<Self>) -> Vec<Registration<F>>
    where
        F: From<serde_json::Error> + From<ContentError> + Send + 'static,
    {
        Handlers::<_, ContentError, F>::of(self)
            .on_held::<table::Render>(
                |content, caller, given| Box::pin(content.contract_bytes(caller, given)),
                |content, caller, params| {
                    Box::pin(
                        async move { Ok(content.reply(content.render(caller, params).await?)) },
                    )
                },
            )
            .on_held::<table::Update>(
                |content, caller, given| Box::pin(content.props_bytes(caller, given)),
                |content, caller, params| Box::pin(content.change(caller, params, true)),
            )
            .on_held::<table::Amend>(
                |content, caller, given| Box::pin(content.props_bytes(caller, given)),
                |content, caller, params| Box::pin(content.change(caller, params, false)),
            )
            .on::<table::Emit>(|content, caller, params| {
                Box::pin(async move { Ok(content.emit(caller, params).await?.into()) })
            })
            .on::<table::RemarkOnView>(|content, caller, params| {
                Box::pin(async move { Ok(content.remark(caller, params).await?.into()) })
            })
            .into_registrations()
    }

    /// Bytes of the contract that a render fills.
    async fn contract_bytes(&self, caller: &Caller, given: &Value) -> usize {
        let id = given.get("handshakeId").and_then(Value::as_str);
        let id = HandshakeId::from(id.unwrap_or_default());
        let handshake = self.book.handshake(&caller.principal.app, &id).await;
        handshake.map_or(0, |handshake| value_bytes(handshake.contract.source()))
    }

    /// Bytes of the props that are changed.
    async fn props_bytes(&self, caller: &Caller, given: &Value) -> usize {
        let id = given.get("sessionId").and_then(Value::as_str);
        let key = caller.principal.key(id.unwrap_or_default());
        let session = self.book.session(&key).await.ok();
        let props = session.and_then(|session| session.props.clone());
        props.as_deref().map_or(0, value_bytes)
    }

    async fn change(
        &self,
        caller: &Caller,
        params: UpdateParams,
        remint: bool,
    ) -> Result<Reply<UpdateResult>, ContentError> {
        let Changed { result, reminted } = self.update(caller, params, remint).await?;
        Ok(Reply {
            mounts: reminted.map(|epoch| Mount {
                key: caller.principal.key(&result.session_id),
                epoch: Some(epoch),
            }),
            ..Reply::from(result)
        })
    }

    /// What an agent reads of a render, and the session that its host shows.
    fn reply(&self, rendered: Rendered) -> Reply<RenderResult> {
        let Rendered {
            session,
            blueprint,
            reuse,
            is_drawn_anew,
        } = rendered;
        let creation = &session.creation;
        let session_id = session.key.session.to_string();
        let viewer_url = self.links.viewer(&creation.short_code);
        let next_step = session.contract.has_actions().then(|| {
            let why = "Wait for what the person does; repeat while status is active.";
            consume_step(&session_id, "", why)
        });
        let hint = Hint {
            link: Some(viewer_url.clone()),
            then: match &next_step {
                Some(step) => format!(
                    "Then wait for the person: {}. Repeat while status is active; after is the \
                     actionId of the last event you have handled.",
                    step.example
                ),
                None => "It has no actions: there is nothing to wait for.".to_owned(),
            },
            // Where nothing has to be called next, the structure stands first, as the protocol
            // has it.
            comes_first: next_step.is_some(),
        };
        let result = RenderResult {
            session_id,
            resource_uri: resource_uri(&session.key.session, session.contract.hash(), None),
            viewer_url,
            action: HandshakeAction::Create,
            contract_hash: session.contract.hash().to_owned(),
            blueprint_id: blueprint.id.to_string(),
            variant_key: blueprint.variant_key.clone(),
            cache: cache(&blueprint, reuse.as_ref(), is_drawn_anew),
            next_step,
        };
        Reply {
            result,
            mounts: Some(Mount {
                key: session.key.clone(),
                epoch: None,
            }),
            hint: Some(hint),
        }
    }
}

/// What was saved by what is shown again.
fn cache(blueprint: &OpenBlueprint, reuse: Option<&Reuse>, is_drawn_anew: bool) -> CacheOutcome {
    let saved = reuse.map(|reuse| reuse.saved);
    let of_a_model = saved.filter(|saved| saved.rounds > 0);
    CacheOutcome {
        hit: reuse.is_some(),
        similarity: reuse.map(|reuse| reuse.similarity),
        cached_blueprint_id: reuse.map(|reuse| reuse.blueprint.to_string()),
        llm_calls_avoided: saved.map_or(0, |saved| saved.rounds.max(1)),
        tokens_avoided: of_a_model.map(|saved| saved.tokens),
        microdollars_avoided: of_a_model.map(|saved| saved.microdollars),
        kind: match reuse {
            Some(_) => "full-template",
            None => "cold",
        },
        reason: reason(blueprint, reuse, is_drawn_anew),
    }
}

/// Why a render shows what it shows.
fn reason(blueprint: &OpenBlueprint, reuse: Option<&Reuse>, is_drawn_anew: bool) -> String {
    let is_exact = reuse.map(Reuse::is_exact);
    let shown = match (is_exact, &blueprint.view, &blueprint.generated_by) {
        (Some(true), ..) => "match-exact: the same contract and variance were rendered before",
        (Some(false), ..) => "match-near: a model had chosen this for a contract that is alike",
        (None, Some(_), Some(model)) => return format!("cold: drawn by {model}"),
        (None, Some(_), None) => "cold: a view of the agent's own",
        (None, None, _) => "cold: composed from the contract",
    };
    if is_drawn_anew {
        format!("{shown}; a model draws a view that takes its place")
    } else {
        shown.to_owned()
    }
}

//! A UI is put in front of a person.

use std::sync::Arc;

use serde_json::{Value, json};

use super::error::{ContentError, Mismatch};
use super::service::Content;
use crate::domain::clock::Time;
use crate::domain::contract::{Comparison, CompiledContract, Misfit, variant_key};
use crate::domain::event::{Creation, Emission, Event, Fact, LIFECYCLE_CHANNEL};
use crate::domain::handshake::Handshake;
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::store::StoreError;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::{Epoch, HandshakeId, SessionId, SessionKey, ShortCode};
use crate::wire::tools::{Object, RenderParams};

/// What came of a render.
#[derive(Debug, Clone)]
pub(crate) struct Rendered {
    /// The session.
    pub(crate) session: Arc<Session>,
    /// Key of its variance.
    pub(crate) variant_key: String,
}

impl Content {
    /// `ggui_render`: everything is judged before the handshake is claimed, so that whatever is
    /// refused here can be mended and tried again on the same handshake.
    pub(crate) async fn render(
        &self,
        caller: &Caller,
        params: RenderParams,
    ) -> Result<Rendered, ContentError> {
        let now = self.clock.now();
        let gone = || ContentError::HandshakeNotFound {
            id: params.handshake_id.clone(),
        };
        let id = HandshakeId::from(params.handshake_id.as_str());
        let handshake = match self.log.handshake(&caller.principal.app, &id).await {
            Ok(handshake) if handshake.is_live(now) => handshake,
            Ok(_) | Err(StoreError::Missing) => return Err(gone()),
            Err(error) => return Err(error.into()),
        };
        let (contract_override, variance) = match params.override_ {
            None => (None, None),
            Some(given) => (given.contract, given.variance),
        };
        let contract = match contract_override {
            None => Arc::clone(&handshake.contract),
            Some(draft) => {
                let compiled = self.shelf.compile(&Value::Object(draft));
                compiled.map_err(ContentError::OverrideUnsound)?.contract
            }
        };
        self.check_next_steps(&contract)?;
        let variance = variance.as_ref().unwrap_or(&handshake.variance);
        let variant_key = variant_key(&serde_json::to_value(variance).unwrap_or_default());
        let props = self.first_props(&contract, params.props)?;
        let key = caller.principal.key(&self.ids.uuid());
        let view = match &handshake.view {
            // Drawn for the agreed contract, and for no other.
            Some(view) if Arc::ptr_eq(&contract, &handshake.contract) => Arc::clone(view),
            _ => self.shelf.view(&contract, &handshake.intent),
        };
        let creation = Arc::new(Creation {
            owner: Arc::clone(&caller.principal.name),
            intent: Arc::clone(&handshake.intent),
            contract,
            view,
            props,
            short_code: ShortCode::new(self.ids.short_code()),
        });
        let facts = opening(caller, now, &handshake, &key, creation);
        match self.log.create(&key, &id, now, facts).await {
            Ok(session) => Ok(Rendered {
                session,
                variant_key,
            }),
            Err(StoreError::Missing) => Err(gone()),
            Err(error) => Err(error.into()),
        }
    }

    /// The props a session starts with; a contract without a propsSpec takes none (§3.8).
    fn first_props(
        &self,
        contract: &CompiledContract,
        props: Object,
    ) -> Result<Option<Arc<Value>>, ContentError> {
        if !contract.has_props_spec() {
            return Ok(None);
        }
        let props = Value::Object(props);
        self.check_props(contract, &props)?;
        Ok(Some(Arc::new(props)))
    }

    /// Actions that lead to a tool of this server must fit what the tool really takes, whatever
    /// the contract says about it (§3.8).
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
                    told: Misfit::told(&misfits),
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

/// Where hosts read a render; `#N` pins an epoch (§2.4).
pub(crate) fn resource_uri(session: &SessionId, contract: &str, epoch: Option<Epoch>) -> String {
    match epoch {
        None => format!("ui://ggui/render/{session}/{contract}"),
        Some(epoch) => format!("ui://ggui/render/{session}/{contract}#{epoch}"),
    }
}

/// How a session begins: its creation, and the three steps that led to it (ruling 30).
fn opening(
    caller: &Caller,
    now: Time,
    handshake: &Handshake,
    key: &SessionKey,
    creation: Arc<Creation>,
) -> Vec<Fact> {
    let steps = [
        (
            handshake.created_at,
            json!({
                "kind": "handshake_started",
                "handshakeId": handshake.id.as_str(),
                "intent": &*handshake.intent,
            }),
        ),
        (
            handshake.created_at,
            json!({
                "kind": "handshake_completed",
                "handshakeId": handshake.id.as_str(),
                "outcome": "accepted",
                "genExpected": true,
            }),
        ),
        (
            now,
            json!({
                "kind": "render_started",
                "sessionId": key.session.as_str(),
                "intent": &*handshake.intent,
            }),
        ),
    ];
    let mut facts = vec![Fact::by(caller, now, Event::Created(creation))];
    let channel: Arc<str> = LIFECYCLE_CHANNEL.into();
    for (stream_seq, (at, payload)) in (1..).zip(steps) {
        let emission = Emission {
            channel: Arc::clone(&channel),
            mode: StreamMode::Append,
            payload,
            complete: false,
            stream_seq,
            replay: StreamReplay::All,
        };
        facts.push(Fact::by(caller, at, Event::Emitted(emission)));
    }
    facts
}

//! What agents put in front of people: render, update and amend, emit.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::Clock as _;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde_json::{Map, Value, json};

use crate::domain::clock::{Clock, Ids, Time};
use crate::domain::contract::{Comparison, CompiledContract, Misfit, variant_key};
use crate::domain::event::{Creation, Emission, Event, Fact, LIFECYCLE_CHANNEL};
use crate::domain::handshake::Handshake;
use crate::domain::limits::Limits;
use crate::domain::log::{Decision, SessionLog};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::shelf::Shelf;
use crate::domain::size::value_bytes;
use crate::domain::store::StoreError;
use crate::wire::contract::{Finding, StreamMode, StreamReplay, Violation};
use crate::wire::ids::{Epoch, HandshakeId, SessionId, SessionKey, ShortCode};
use crate::wire::tools::{
    EmitParams, EmitResult, Object, RenderParams, UpdateKind, UpdateParams, UpdateResult,
};

/// Why nothing was put in front of anyone.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ContentError {
    /// The channel was declared without an end.
    #[error("channel {channel} has no end")]
    ChannelNotCompletable {
        /// The channel.
        channel: String,
    },
    /// The channel is not in the contract.
    #[error("channel {channel} is not declared")]
    ChannelNotDeclared {
        /// The channel.
        channel: String,
        /// Those that are.
        declared: Vec<String>,
    },
    /// The handshake is unknown, expired, consumed or another app's.
    #[error("no handshake {id}")]
    HandshakeNotFound {
        /// As it was asked for.
        id: String,
    },
    /// The contract given instead of the agreed one is not sound.
    #[error("the override is not sound")]
    OverrideUnsound(Vec<Finding>),
    /// Actions that do not fit the tool of this server they are meant for.
    #[error("actions do not fit the tools they name")]
    SchemaMismatch(Vec<Mismatch>),
    /// The session is unknown, expired or another app's.
    #[error("no session {id}")]
    SessionNotFound {
        /// As it was asked for.
        id: String,
    },
    /// The app has as many sessions as it may.
    #[error("{max} sessions are open")]
    SessionsFull {
        /// The bound.
        max: usize,
    },
    /// The store does not answer.
    #[error("the session store failed")]
    Store(#[source] StoreError),
    /// More than a screen can show.
    #[error("too many emits")]
    TooFast {
        /// How long to wait.
        wait: Duration,
    },
    /// Values that do not fit the contract.
    #[error("the values do not fit the contract")]
    Violations {
        /// All of them.
        violations: Vec<Violation>,
        /// Hash of the schema that props must fit, where props were judged.
        props_schema_hash: Option<String>,
    },
}

impl From<StoreError> for ContentError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full { max, .. } => Self::SessionsFull { max },
            error => Self::Store(error),
        }
    }
}

/// An action that does not fit the tool it names.
#[derive(Debug)]
pub(crate) struct Mismatch {
    /// The action.
    pub(crate) action: String,
    /// The tool.
    pub(crate) tool: String,
    /// The first violation, and how many more there are.
    pub(crate) told: String,
}

/// What came of a render.
#[derive(Debug)]
pub(crate) struct Rendered {
    /// The session.
    pub(crate) session: Arc<Session>,
    /// Key of its variance.
    pub(crate) variant_key: String,
}

/// What came of an update.
#[derive(Debug)]
pub(crate) struct Changed {
    /// What the agent is told; its address is the pinned or bare one.
    pub(crate) result: UpdateResult,
    /// The session, when a new card has to be mounted for the new epoch.
    pub(crate) reminted: Option<Arc<Session>>,
}

/// Renders, updates, emits.
pub(crate) struct Content {
    log: Arc<dyn SessionLog>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    shelf: Arc<Shelf>,
    limits: Limits,
    /// Input schemas of the tools of this server, by name.
    own_tools: HashMap<&'static str, Value>,
    emit_rate: DefaultKeyedRateLimiter<SessionKey>,
}

impl Content {
    /// The use cases over a log.
    pub(crate) fn new(
        log: Arc<dyn SessionLog>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        shelf: Arc<Shelf>,
        limits: Limits,
        own_tools: HashMap<&'static str, Value>,
    ) -> Self {
        let quota = crate::domain::limits::quota(limits.emits.per_second, limits.emits.burst);
        let quota = Quota::per_second(quota.0).allow_burst(quota.1);
        Self {
            log,
            clock,
            ids,
            shelf,
            limits,
            own_tools,
            emit_rate: RateLimiter::keyed(quota),
        }
    }

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

    fn check_props(&self, contract: &CompiledContract, props: &Value) -> Result<(), ContentError> {
        let max = self.limits.sessions.props_bytes_max;
        let judged = if value_bytes(props) > max {
            Err(vec![too_large("props", max)])
        } else if contract.has_props_spec() {
            contract.check_props(props)
        } else {
            Ok(())
        };
        judged.map_err(|violations| ContentError::Violations {
            violations,
            props_schema_hash: Some(contract.props_schema_hash().to_owned()),
        })
    }

    /// `ggui_update` opens a new epoch, `ggui_amend` changes in place (§2.4).
    pub(crate) async fn update(
        &self,
        caller: &Caller,
        params: UpdateParams,
        remint: bool,
    ) -> Result<Changed, ContentError> {
        let change = Change::of(params.kind, params.props, params.patch)?;
        let now = self.clock.now();
        let key = caller.principal.key(&params.session_id);
        let decide = |session: &Session| {
            let contract = &session.creation.contract;
            let empty = Value::Object(Map::new());
            let current = session.props.as_deref().unwrap_or(&empty);
            let props = change.apply(current);
            self.check_props(contract, &props)?;
            let updated = props != *current;
            let epoch = if updated && remint {
                session.epoch.next()
            } else {
                session.epoch
            };
            let mut facts = Vec::new();
            if updated {
                let event = Event::Updated {
                    props: Arc::new(props),
                    epoch,
                    reminted: remint,
                };
                facts.push(Fact::by(caller, now, event));
            }
            Ok(Decision {
                facts,
                answer: (updated, epoch, Arc::clone(contract)),
            })
        };
        let done = self
            .log
            .transact(&key, &caller.principal, now, &self.limits.sessions, decide)
            .await;
        let ((updated, epoch, contract), _) =
            done.map_err(|error| named(error, &params.session_id))?;
        let new_epoch = (updated && remint).then_some(epoch);
        let reminted = match new_epoch {
            None => None,
            Some(_) => self.log.session(&key).await.ok(),
        };
        let has_props = contract.has_props_spec();
        let result = UpdateResult {
            resource_uri: resource_uri(&key.session, contract.hash(), new_epoch),
            session_id: params.session_id,
            updated,
            epoch: new_epoch.map(|epoch| epoch.0),
            warning: (!updated).then(|| {
                "NO-OP: the props are what they already were; nothing was changed.".to_owned()
            }),
            props_schema_hash: has_props.then(|| contract.props_schema_hash().to_owned()),
            props_schema_profile: has_props.then(|| contract.props_schema_profile()),
        };
        Ok(Changed { result, reminted })
    }

    /// `ggui_emit`: one item on a declared channel (§2.6).
    pub(crate) async fn emit(
        &self,
        caller: &Caller,
        params: EmitParams,
    ) -> Result<EmitResult, ContentError> {
        let now = self.clock.now();
        let key = caller.principal.key(&params.session_id);
        let complete = params.complete.unwrap_or(false);
        let decide = |session: &Session| {
            let contract = &session.creation.contract;
            let streams = contract.contract().stream_spec.as_ref();
            let Some(channel) = streams.and_then(|streams| streams.get(&params.channel)) else {
                let declared = contract.channels().map(str::to_owned).collect();
                let channel = params.channel.clone();
                return Err(ContentError::ChannelNotDeclared { channel, declared });
            };
            let max = self.limits.emits.payload_bytes_max;
            let judged = if value_bytes(&params.payload) > max {
                let field = format!("{}.payload", params.channel);
                Err(vec![too_large(&field, max)])
            } else {
                contract.check_emit(&params.channel, &params.payload)
            };
            judged.map_err(|violations| ContentError::Violations {
                violations,
                props_schema_hash: None,
            })?;
            if complete && channel.complete != Some(true) {
                let channel = params.channel.clone();
                return Err(ContentError::ChannelNotCompletable { channel });
            }
            if let Err(wait) = self.emit_rate.check_key(&key) {
                let wait = wait.wait_time_from(self.emit_rate.clock().now());
                return Err(ContentError::TooFast { wait });
            }
            let payload = params.payload.clone();
            let emission = session.emission(
                params.channel.as_str().into(),
                channel.mode.unwrap_or_default(),
                channel.replay.unwrap_or_default(),
                payload,
                complete,
            );
            Ok(Decision {
                facts: vec![Fact::by(caller, now, Event::Emitted(emission))],
                answer: (),
            })
        };
        let done = self
            .log
            .transact(&key, &caller.principal, now, &self.limits.sessions, decide)
            .await;
        done.map_err(|error| named(error, &params.session_id))?;
        Ok(EmitResult { accepted: true })
    }

    /// Frees what rates remember of sessions that no longer emit.
    pub(crate) fn sweep(&self) {
        self.emit_rate.retain_recent();
    }
}

/// A missing session by the name it was asked for.
fn named(error: ContentError, id: &str) -> ContentError {
    match error {
        ContentError::Store(StoreError::Missing) => {
            ContentError::SessionNotFound { id: id.to_owned() }
        }
        error => error,
    }
}

fn too_large(field: &str, bytes_max: usize) -> Violation {
    Violation::new(field, format!("must take at most {bytes_max} bytes"))
}

/// What an update does to props.
enum Change {
    Merge(Value),
    Replace(Value),
}

impl Change {
    /// The change its fields describe; all that does not belong together at once.
    fn of(
        kind: UpdateKind,
        props: Option<Object>,
        patch: Option<Object>,
    ) -> Result<Self, ContentError> {
        let violations = match (kind, props, patch) {
            (UpdateKind::Replace, Some(props), None) => return Ok(Self::Replace(props.into())),
            (UpdateKind::Merge, None, Some(patch)) => return Ok(Self::Merge(patch.into())),
            (UpdateKind::Replace, props, patch) => [
                props
                    .is_none()
                    .then(|| Violation::new("props", "kind replace needs props")),
                patch
                    .is_some()
                    .then(|| Violation::new("patch", "kind replace takes no patch")),
            ],
            (UpdateKind::Merge, props, patch) => [
                patch
                    .is_none()
                    .then(|| Violation::new("patch", "kind merge needs a patch")),
                props
                    .is_some()
                    .then(|| Violation::new("props", "kind merge takes no props")),
            ],
        };
        let violations = violations.into_iter().flatten().collect();
        Err(ContentError::Violations {
            violations,
            props_schema_hash: None,
        })
    }

    fn apply(&self, current: &Value) -> Value {
        match self {
            Self::Replace(props) => props.clone(),
            Self::Merge(patch) => {
                let mut merged = current.clone();
                merge(&mut merged, patch);
                merged
            }
        }
    }
}

/// RFC 7396: null deletes, objects merge, everything else replaces.
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    if let Value::Object(target) = target {
        for (key, value) in patch {
            if value.is_null() {
                // Shifted, so that the others keep their order.
                target.shift_remove(key);
            } else {
                merge(target.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merge_patch_behaves_as_rfc_7396_says() {
        // The examples of its appendix A.
        let cases = [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (
                json!({"a": "b"}),
                json!({"b": "c"}),
                json!({"a": "b", "b": "c"}),
            ),
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (
                json!({"a": {"b": "c"}}),
                json!({"a": {"b": "d", "c": null}}),
                json!({"a": {"b": "d"}}),
            ),
            (
                json!({"a": [{"b": "c"}]}),
                json!({"a": [1]}),
                json!({"a": [1]}),
            ),
            (
                json!({"e": null}),
                json!({"a": 1}),
                json!({"e": null, "a": 1}),
            ),
            (
                json!([1, 2]),
                json!({"a": "b", "c": null}),
                json!({"a": "b"}),
            ),
            (
                json!({}),
                json!({"a": {"bb": {"ccc": null}}}),
                json!({"a": {"bb": {}}}),
            ),
        ];
        for (mut target, patch, expected) in cases {
            merge(&mut target, &patch);
            assert_eq!(target, expected);
        }
    }
}

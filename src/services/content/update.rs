//! What a person is shown changes: as a new version, or in place.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::super::book::Decision;
use super::error::ContentError;
use super::service::Content;
use crate::domain::attempt::CameTo;
use crate::domain::event::{Event, Fact};
use crate::domain::merge_patch::merge;
use crate::domain::operation::{Caller, resource_uri};
use crate::domain::session::Session;
use crate::wire::contract::Violation;
use crate::wire::ids::Epoch;
use crate::wire::object::Object;
use crate::wire::tools::{UpdateKind, UpdateParams, UpdateResult};

/// What came of an update.
pub(super) struct Changed {
    /// What the agent is told; its address is the pinned or bare one.
    pub(super) result: UpdateResult,
    /// The new epoch, when a new card has to be mounted for it.
    pub(super) reminted: Option<Epoch>,
}

impl Content {
    /// `ggui_update` opens a new epoch, `ggui_amend` changes in place (tools.md §5).
    pub(super) async fn update(
        &self,
        caller: &Caller,
        params: UpdateParams,
        remint: bool,
    ) -> Result<Changed, ContentError> {
        let change = Change::of(params.kind, params.props, params.patch)?;
        let now = self.clock.now();
        let key = caller.principal.key(&params.session_id);
        let decide = |session: &Session| {
            if let Some(CameTo::Updated { version, epoch }) =
                session.attempts.find(caller.attempt.as_ref())
            {
                return Ok(Decision {
                    facts: Vec::new(),
                    answer: (true, *version, *epoch, Arc::clone(&session.contract)),
                });
            }
            if let Some(expected) = params.expected_version
                && expected != session.version
            {
                let current = session.version;
                return Err(ContentError::VersionConflict { current, expected });
            }
            let contract = &session.contract;
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
                facts.push(Fact::once_by(caller, now, event));
            }
            Ok(Decision {
                facts,
                answer: (
                    updated,
                    session.version + u64::from(updated),
                    epoch,
                    Arc::clone(contract),
                ),
            })
        };
        let ((updated, version, epoch, contract), _) =
            self.book.decide(caller, &key, decide).await?;
        let new_epoch = (updated && remint).then_some(epoch);
        let has_props = contract.has_props_spec();
        let result = UpdateResult {
            resource_uri: resource_uri(&key.session, contract.hash(), new_epoch),
            session_id: params.session_id,
            updated,
            version,
            epoch: new_epoch.map(|epoch| epoch.0),
            warning: (!updated).then(|| {
                "NO-OP: the props are what they already were; nothing was changed.".to_owned()
            }),
            props_schema_hash: has_props.then(|| contract.props_schema_hash().to_owned()),
            props_schema_profile: has_props.then(|| contract.props_schema_profile()),
        };
        Ok(Changed {
            result,
            reminted: new_epoch,
        })
    }
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

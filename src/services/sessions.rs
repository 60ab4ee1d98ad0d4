//! Handshakes and the reading of sessions.

use std::sync::Arc;

use serde_json::Value;

use crate::domain::clock::{Clock, Ids};
use crate::domain::contract::{CompiledContract, changes, contract_hash, props_of, summary};
use crate::domain::handshake::Handshake;
use crate::domain::limits::Limits;
use crate::domain::log::SessionLog;
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::shelf::{Shelf, Shelved};
use crate::domain::store::StoreError;
use crate::domain::view::{View, check};
use crate::wire::contract::{Contract, Finding, Severity};
use crate::wire::ids::HandshakeId;
use crate::wire::tools::{
    Amendments, BlueprintMeta, GetSessionParams, GetSessionResult, HandshakeAction,
    HandshakeNextStep, HandshakeParams, HandshakeResult, Origin, SessionStatus, Suggestion,
    Variance, ViewDraft,
};

/// The largest props schema that is shown; larger ones are known by their hash (§2.2).
const PROPS_SCHEMA_BYTES_MAX: usize = 256 * 1024;

/// Why a handshake or a read failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SessionError {
    /// The session is unknown, expired or another app's.
    #[error("no session {id}")]
    NotFound {
        /// As it was asked for.
        id: String,
    },
    /// Too many handshakes wait to be rendered.
    #[error("{max} handshakes are open")]
    HandshakesFull {
        /// The bound.
        max: usize,
    },
    /// The store does not answer.
    #[error("the session store failed")]
    Store(#[source] StoreError),
}

/// Negotiates and reads.
pub(crate) struct Sessions {
    pub(crate) log: Arc<dyn SessionLog>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) limits: Limits,
}

impl Sessions {
    /// `ggui_handshake`: judges a draft and keeps what can be rendered once.
    pub(crate) async fn handshake(
        &self,
        caller: &Caller,
        params: HandshakeParams,
    ) -> Result<HandshakeResult, SessionError> {
        let id = self.ids.uuid();
        let variance = params.blueprint_draft.variance.unwrap_or_default();
        let draft = Value::Object(params.blueprint_draft.contract);
        let (contract, mut result) = match self.shelf.compile(&draft) {
            Ok(Shelved { contract, warnings }) => {
                let result = agreed(&id, &contract, variance.clone(), &warnings);
                (contract, result)
            }
            Err(findings) => match self.shelf.salvage(&draft) {
                Some((Shelved { contract, .. }, dropped)) => {
                    let mut result = agreed(&id, &contract, variance.clone(), &[]);
                    self.amend(&mut result, &draft, &contract, findings, dropped);
                    (contract, result)
                }
                None => return Ok(declined(id, contract_hash(&draft), variance, findings)),
            },
        };
        let view = params
            .blueprint_draft
            .view
            .and_then(|view| drawn(view, &contract, &mut result.suggestion));
        let now = self.clock.now();
        let handshake = Handshake {
            app: caller.principal.app.clone(),
            id: HandshakeId::new(id),
            intent: params.intent.into(),
            contract,
            view,
            variance,
            created_at: now,
            expires_at: now.plus(self.limits.handshakes.ttl()),
        };
        self.log
            .offer(handshake)
            .await
            .map_err(|error| match error {
                StoreError::Full { max, .. } => SessionError::HandshakesFull { max },
                error => SessionError::Store(error),
            })?;
        Ok(result)
    }

    /// Says what became of a draft of which only a part could be used (§4.1, §4.3).
    fn amend(
        &self,
        result: &mut HandshakeResult,
        draft: &Value,
        contract: &CompiledContract,
        mut findings: Vec<Finding>,
        dropped: Vec<Finding>,
    ) {
        let suggestion = &mut result.suggestion;
        suggestion.origin = Origin::Synth;
        suggestion.rationale = "The draft is not sound; what is sound of it is used. Render that, \
            or mend every finding and negotiate again."
            .to_owned();
        suggestion.proposed_contract_summary = Some(format!("PARTIAL — {}", contract.summary()));
        findings.retain(|finding| finding.severity == Severity::Error);
        suggestion.amendments = Some(Amendments {
            contract_diff: changes(draft, contract.source()),
            reasoning: format!(
                "{} problem(s) of the draft; {} place(s) were left out.",
                findings.len(),
                dropped.len()
            ),
        });
        findings.extend(dropped);
        suggestion.validation_findings = findings;
        // The agent knows its own schema; any other it has to be shown.
        let meant = self.shelf.compile(&props_of(draft)).ok();
        if meant
            .is_none_or(|meant| meant.contract.props_schema_hash() != contract.props_schema_hash())
            && let Value::Object(schema) = contract.props_schema()
            && serde_json::to_string(&schema).is_ok_and(|text| text.len() <= PROPS_SCHEMA_BYTES_MAX)
        {
            result.props_schema = Some(schema);
        }
    }

    /// A live session of the caller's app.
    pub(crate) async fn find(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<Arc<Session>, SessionError> {
        let key = caller.principal.key(id);
        let found = self
            .log
            .seen(
                &key,
                &caller.principal,
                self.clock.now(),
                &self.limits.sessions,
            )
            .await;
        found.map_err(|error| match error {
            StoreError::Missing => SessionError::NotFound { id: id.to_owned() },
            error => SessionError::Store(error),
        })
    }

    /// Ends a session: who watches it is told so, and nothing of it is kept.
    pub(crate) async fn delete(
        &self,
        caller: &Caller,
        params: GetSessionParams,
    ) -> Result<(), SessionError> {
        let session = self.find(caller, &params.session_id).await?;
        let removed = self.log.remove(&session.key).await;
        removed.map_err(|error| match error {
            StoreError::Missing => SessionError::NotFound {
                id: params.session_id,
            },
            error => SessionError::Store(error),
        })
    }

    /// `ggui_get_session`: the whole state.
    pub(crate) async fn get(
        &self,
        caller: &Caller,
        params: GetSessionParams,
    ) -> Result<GetSessionResult, SessionError> {
        let session = self.find(caller, &params.session_id).await?;
        Ok(GetSessionResult {
            id: session.key.session.to_string(),
            app_id: session.key.app.to_string(),
            event_sequence: session.seq.0,
            epoch: session.epoch.0,
            status: SessionStatus::Active,
            intent: session.creation.intent.to_string(),
            contract_hash: session.creation.contract.hash().to_owned(),
            props: session
                .props
                .clone()
                .unwrap_or_else(|| Arc::new(serde_json::json!({}))),
            pending_actions: session.inbox.pending().len() as u64,
            created_at: session.created_at.0,
            last_activity_at: session.last_activity_at.0,
            expires_at: session.expires_at(&self.limits.sessions).0,
        })
    }
}

/// The agent's own view, if it is sound; else all that is wrong with it is told, and the composed
/// one will be shown.
fn drawn(
    draft: ViewDraft,
    contract: &CompiledContract,
    suggestion: &mut Suggestion,
) -> Option<Arc<View>> {
    let components = draft.components.into_iter().map(Value::Object).collect();
    match check(View::new(components).value(), contract) {
        Ok(view) => Some(Arc::new(view)),
        Err(findings) => {
            suggestion
                .rationale
                .push_str(" The view is not sound: a composed one will be shown instead.");
            suggestion.validation_findings.extend(findings);
            None
        }
    }
}

fn agreed(
    id: &str,
    contract: &CompiledContract,
    variance: Variance,
    warnings: &[Finding],
) -> HandshakeResult {
    HandshakeResult {
        handshake_id: id.to_owned(),
        action: HandshakeAction::Create,
        suggestion: Suggestion {
            origin: Origin::Agent,
            rationale: "The draft is sound and is used as written.".to_owned(),
            blueprint_meta: BlueprintMeta {
                contract_hash: contract.hash().to_owned(),
                variance,
            },
            proposed_contract_summary: Some(contract.summary()),
            amendments: None,
            validation_findings: warnings.to_vec(),
        },
        props_schema: None,
        props_schema_hash: Some(contract.props_schema_hash().to_owned()),
        props_schema_profile: Some(contract.props_schema_profile()),
        next_step: Some(HandshakeNextStep {
            tool: "ggui_render".to_owned(),
            example: contract.example_call(id),
        }),
    }
}

fn declined(
    id: String,
    contract_hash: String,
    variance: Variance,
    findings: Vec<Finding>,
) -> HandshakeResult {
    HandshakeResult {
        handshake_id: id,
        action: HandshakeAction::Declined,
        suggestion: Suggestion {
            origin: Origin::Agent,
            rationale: "The draft cannot be rendered: mend every finding and negotiate again."
                .to_owned(),
            blueprint_meta: BlueprintMeta {
                contract_hash,
                variance,
            },
            proposed_contract_summary: Some(format!(
                "DECLINED — {}",
                summary(&Contract::default())
            )),
            amendments: None,
            validation_findings: findings,
        },
        props_schema: None,
        props_schema_hash: None,
        props_schema_profile: None,
        next_step: None,
    }
}

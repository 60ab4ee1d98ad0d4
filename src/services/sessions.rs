//! Handshakes and the reading of sessions.

use std::sync::Arc;

use crate::domain::clock::{Clock, Ids};
use crate::domain::contract::{CompiledContract, contract_hash};
use crate::domain::handshake::Handshake;
use crate::domain::limits::Limits;
use crate::domain::log::SessionLog;
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::shelf::{Shelf, Shelved};
use crate::domain::store::StoreError;
use crate::wire::contract::Finding;
use crate::wire::ids::{HandshakeId, SessionId, SessionKey};
use crate::wire::tools::{
    BlueprintMeta, GetSessionParams, GetSessionResult, HandshakeAction, HandshakeNextStep,
    HandshakeParams, HandshakeResult, Origin, SessionStatus, Suggestion, Variance,
};

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
        let draft = serde_json::Value::Object(params.blueprint_draft.contract);
        match self.shelf.compile(&draft) {
            Err(findings) => Ok(declined(id, contract_hash(&draft), variance, findings)),
            Ok(Shelved { contract, warnings }) => {
                let now = self.clock.now();
                let result = agreed(&id, &contract, variance.clone(), &warnings);
                let handshake = Handshake {
                    app: caller.principal.app.clone(),
                    id: HandshakeId::new(id),
                    intent: params.intent.into(),
                    contract,
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
        }
    }

    /// A live session of the caller's app.
    pub(crate) async fn find(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<Arc<Session>, SessionError> {
        let key = SessionKey {
            app: caller.principal.app.clone(),
            session: SessionId::from(id),
        };
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
            validation_findings: warnings.to_vec(),
        },
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
            proposed_contract_summary: None,
            validation_findings: findings,
        },
        props_schema_hash: None,
        props_schema_profile: None,
        next_step: None,
    }
}

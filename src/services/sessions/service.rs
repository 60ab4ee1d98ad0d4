//! Handshakes and the reading of sessions.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::super::book::{Blueprints, Book, BookError, CachedContract, Contracts, Decision};
use super::suggestion::{agreed, artist, declined, drawn, remarks, remembered, show_props_schema};
use crate::domain::ahead::Ahead;
use crate::domain::blueprint::OpenBlueprint;
use crate::domain::brain::{Journal, Memory};
use crate::domain::clock::{Clock, Ids};
use crate::domain::contract::{CompiledContract, changes, contract_hash, props_of, variant_key};
use crate::domain::event::{Event, Fact};
use crate::domain::handshake::{Artist, Handshake, OpenHandshake};
use crate::domain::limits::Limits;
use crate::domain::operation::{Caller, Handlers, Registration, table};
use crate::domain::session::Session;
use crate::domain::store_error::StoreError;
use crate::wire::contract::{Finding, Severity};
use crate::wire::ids::HandshakeId;
use crate::wire::runtime::RuntimeResult;
use crate::wire::tools::{
    Amendments, GetSessionParams, GetSessionResult, HandshakeAction, HandshakeParams,
    HandshakeResult, Origin, SessionStatus, Variance,
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
        max: usize,
        /// How long until the oldest of them runs out.
        wait: Option<Duration>,
    },
    /// The store does not answer.
    #[error("the session store failed")]
    Store(#[source] StoreError),
}

impl From<BookError> for SessionError {
    fn from(error: BookError) -> Self {
        match error {
            BookError::SessionNotFound { id } => Self::NotFound { id },
            BookError::Store(error) => Self::Store(error),
        }
    }
}

/// Negotiates and reads.
pub(crate) struct Sessions {
    pub(crate) book: Arc<Book>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) contracts: Arc<Contracts>,
    pub(crate) blueprints: Arc<Blueprints>,
    pub(crate) memory: Arc<dyn Memory>,
    /// What nothing that is stored is like is written there.
    pub(crate) journal: Arc<dyn Journal>,
    /// Looks ahead at the tools that contracts name, where there is a gate.
    pub(crate) ahead: Option<Arc<dyn Ahead>>,
    /// Whether a model may draw views.
    pub(crate) has_model: bool,
    pub(crate) limits: Limits,
}

impl Sessions {
    /// `ggui_handshake`: judges a draft and keeps what can be rendered once.
    async fn handshake(
        &self,
        caller: &Caller,
        params: HandshakeParams,
    ) -> Result<HandshakeResult, SessionError> {
        let id = self.ids.uuid();
        let proposed = params.blueprint_draft;
        let variance = proposed.variance.unwrap_or_default();
        let draft = Value::Object(proposed.contract);
        if let Some(refusal) = self.contracts.oversized(&draft) {
            return Ok(declined(id, String::new(), variance, vec![refusal]));
        }
        let (contract, matched, mut result) = match self.contracts.compile(&draft) {
            Ok(CachedContract { contract, warnings }) => {
                let mut result = agreed(&id, &contract, variance.clone(), &warnings);
                // Whoever draws a view of their own wants that one.
                let matched = match proposed.view {
                    None => self.matching(caller, &contract, &variance).await?,
                    Some(_) => None,
                };
                match matched {
                    None => (contract, None, result),
                    Some(blueprint) => {
                        self.reuse(&mut result, &contract, &blueprint);
                        (Arc::clone(&blueprint.contract), Some(blueprint), result)
                    }
                }
            }
            Err(mut findings) => match self.contracts.salvage(&draft) {
                (Some(CachedContract { contract, .. }), dropped) => {
                    let mut result = agreed(&id, &contract, variance.clone(), &[]);
                    self.amend(&mut result, &draft, &contract, findings, dropped);
                    (contract, None, result)
                }
                (None, dropped) => {
                    // What the gate said nothing of, since an earlier phase refused the draft.
                    let is_new = |place: &Finding| findings.iter().all(|f| f.path != place.path);
                    let more: Vec<_> = dropped.into_iter().filter(is_new).collect();
                    findings.extend(more);
                    return Ok(declined(id, contract_hash(&draft), variance, findings));
                }
            },
        };
        let drafted = Arc::clone(&contract);
        let contract = self.heed(caller, &draft, contract, &mut result).await;
        // A stored UI has what was left out now.
        let matched = matched.filter(|_| Arc::ptr_eq(&drafted, &contract));
        let app = &caller.principal.app;
        let before = match &matched {
            Some(_) => None,
            None => {
                self.memory
                    .worked_before(app, &contract, &params.intent)
                    .await
            }
        };
        let is_unprecedented = before.as_ref().is_some_and(Vec::is_empty);
        let preferred = self.memory.preferences(app).await;
        let remembered = remembered(before.as_deref().unwrap_or_default(), &preferred);
        result.suggestion.rationale.push_str(&remembered);
        let view = proposed
            .view
            .and_then(|view| drawn(view, &contract, &mut result.suggestion));
        let stored = matched.as_ref().and_then(|matched| matched.view.as_ref());
        let findings = &mut result.suggestion.validation_findings;
        let (artist, unknown) = artist(proposed.generator.as_deref(), self.has_model);
        let may_draw = self.has_model && artist != Artist::Composer;
        let drawn = view.as_ref().or(stored);
        findings.extend(remarks(
            drawn,
            &contract,
            &params.intent,
            &variance,
            may_draw,
        ));
        findings.extend(unknown);
        let now = self.clock.now();
        let intent: Arc<str> = params.intent.into();
        let handshake = Handshake {
            app: caller.principal.app.clone(),
            owner: Arc::clone(&caller.principal.name),
            id: HandshakeId::new(id),
            intent: Arc::clone(&intent),
            contract: contract.document().hash,
            view: view.as_ref().map(|view| view.document().hash),
            variance,
            matched: matched
                .as_ref()
                .map(|matched| Arc::clone(&matched.blueprint)),
            force_create: params.force_create.unwrap_or(false),
            artist,
            is_amended: result.suggestion.origin == Origin::Synth,
            created_at: now,
            expires_at: now.plus(self.limits.handshakes.ttl()),
        };
        let open = OpenHandshake {
            handshake: Arc::new(handshake),
            contract,
            view,
            matched,
        };
        self.book.offer(open).await.map_err(|error| match error {
            StoreError::Full { max, free_at, .. } => SessionError::HandshakesFull {
                max,
                wait: free_at.map(|at| at.since(now)),
            },
            error => SessionError::Store(error),
        })?;
        if is_unprecedented {
            self.journal.unprecedented(app, &intent);
        }
        Ok(result)
    }

    /// What this service does.
    pub(crate) fn handlers<F>(self: &Arc<Self>) -> Vec<Registration<F>>
    where
        F: From<serde_json::Error> + From<SessionError> + Send + 'static,
    {
        Handlers::<_, SessionError, F>::of(self)
            .on::<table::Handshake>(|sessions, caller, params| {
                Box::pin(async move { Ok(sessions.handshake(caller, params).await?.into()) })
            })
            .on::<table::GetSession>(|sessions, caller, params| {
                Box::pin(async move { Ok(sessions.get(caller, params).await?.into()) })
            })
            .on::<table::DeleteSession>(|sessions, caller, params| {
                Box::pin(async move {
                    sessions.delete(caller, params).await?;
                    Ok(RuntimeResult::done().into())
                })
            })
            .into_registrations()
    }

    /// The blueprint of exactly this contract and variance.
    async fn matching(
        &self,
        caller: &Caller,
        contract: &CompiledContract,
        variance: &Variance,
    ) -> Result<Option<Arc<OpenBlueprint>>, SessionError> {
        let variant = variant_key(&serde_json::to_value(variance).unwrap_or_default());
        self.blueprints
            .find(&caller.principal.app, contract.hash(), &variant)
            .await
            .map_err(SessionError::Store)
    }

    /// Says that a stored blueprint will be shown again (tools.md §3.3).
    fn reuse(
        &self,
        result: &mut HandshakeResult,
        draft: &CompiledContract,
        stored: &OpenBlueprint,
    ) {
        result.action = HandshakeAction::Reuse;
        let suggestion = &mut result.suggestion;
        suggestion.origin = Origin::Cache;
        suggestion.rationale =
            "match-exact: the same contract and variance were rendered before.".to_owned();
        suggestion.blueprint_meta.blueprint_id = Some(stored.id.to_string());
        suggestion.blueprint_meta.variance = stored.variance.clone();
        show_props_schema(result, Some(draft), &stored.contract);
    }

    /// Says what became of a draft of which only a part could be used (tools.md §3.3).
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
        let is_error = |finding: &&Finding| finding.severity == Severity::Error;
        suggestion.amendments = Some(Amendments {
            contract_diff: changes(draft, contract.source()),
            reasoning: format!(
                "{} problem(s) of the draft; {} place(s) were left out.",
                findings.iter().filter(is_error).count(),
                dropped.len()
            ),
        });
        // What could be better about it is for later.
        findings.retain(|finding| is_error(&finding) || finding.code.starts_with("CTR_"));
        findings.extend(dropped);
        suggestion.validation_findings = findings;
        // The agent knows its own schema; any other it has to be shown.
        let meant = self.contracts.compile(&props_of(draft)).ok();
        let meant = meant.as_ref().map(|meant| &*meant.contract);
        show_props_schema(result, meant, contract);
    }

    /// A live session of the caller's app.
    async fn find(&self, caller: &Caller, id: &str) -> Result<Arc<Session>, SessionError> {
        Ok(self.book.find(&caller.principal, id).await?)
    }

    /// Ends a session: who watches it is told so, and nothing of it is kept.
    async fn delete(&self, caller: &Caller, params: GetSessionParams) -> Result<(), SessionError> {
        let key = caller.principal.key(&params.session_id);
        let now = self.clock.now();
        let decide = |_: &Session| -> Result<Decision<()>, SessionError> {
            Ok(Decision::of([Fact::by(caller, now, Event::Deleted)]))
        };
        let ((), _) = self.book.decide(caller, &key, decide).await?;
        Ok(())
    }

    /// `ggui_get_session`: the whole state.
    async fn get(
        &self,
        caller: &Caller,
        params: GetSessionParams,
    ) -> Result<GetSessionResult, SessionError> {
        let session = self.find(caller, &params.session_id).await?;
        Ok(GetSessionResult {
            id: session.key.session.to_string(),
            app_id: session.key.app.to_string(),
            event_sequence: session.seq.0,
            version: session.version,
            epoch: session.epoch.0,
            status: SessionStatus::Active,
            intent: session.creation.intent.to_string(),
            contract_hash: session.contract.hash().to_owned(),
            props: session
                .props
                .clone()
                .unwrap_or_else(|| Arc::new(serde_json::json!({}))),
            context_snapshot: session.context.clone(),
            pending_actions: session.inbox.waiting().0 as u64,
            created_at: session.created_at.0,
            last_activity_at: session.last_activity_at.0,
            expires_at: session.expires_at(&self.limits.sessions).0,
        })
    }
}

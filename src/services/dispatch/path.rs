//! The one path of every operation: decode, use case, record.

use std::sync::Arc;
use std::time::Duration;

use metrics::counter;
use serde_json::Value;
use tokio::time::Instant;
use tracing::Instrument as _;

use super::super::actions::{Actions, Submission, Submitted};
use super::super::arguments::{Arguments, ArgumentsError};
use super::super::auth::{Auth, AuthError, ChannelToken};
use super::super::budget::Budget;
use super::super::content::Content;
use super::super::discovery::Discovery;
use super::super::limits::CallLimits;
use super::super::live::{Live, Pulled};
use super::super::mounts::Mounts;
use super::super::replay::{Attempt, Replay, Turn};
use super::super::seldom::Seldom;
use super::super::sessions::{SessionError, Sessions};
use super::super::work::Work;
use super::error::DispatchError;
use super::operation_metrics::OperationMetrics;
use super::outcome::{Answered, Outcome};
use crate::domain::https::https;
use crate::domain::operation::{Caller, IdempotencyKey, OperationKind};
use crate::domain::principal::Principal;
use crate::domain::store_error::StoreError;
use crate::wire::discovery::AllParams;
use crate::wire::host::HostContext;
use crate::wire::ids::Seq;
use crate::wire::runtime::{
    PULL_ROWS_MAX, PULL_WAIT_S_MAX, PullParams, RefreshWsTokenParams, SubmitActionParams,
};
use crate::wire::tools::RequestAuthParams;

/// All use cases behind one door.
pub(crate) struct Dispatch {
    pub(crate) operation_metrics: OperationMetrics,
    pub(crate) replay: Replay<Outcome>,
    pub(crate) limits: CallLimits,
    pub(crate) budget: Budget,
    /// Refusals for want of memory.
    pub(crate) over_budget: Seldom,
    pub(crate) work: Work,
    pub(crate) arguments: Arguments,
    pub(crate) sessions: Sessions,
    pub(crate) content: Content,
    pub(crate) discovery: Discovery,
    pub(crate) actions: Actions,
    pub(crate) mounts: Mounts,
    pub(crate) live: Arc<Live>,
    pub(crate) auth: Arc<Auth>,
}

impl Dispatch {
    /// Runs an operation that came as a tool call.
    pub(crate) async fn run(
        self: &Arc<Self>,
        caller: Caller,
        kind: OperationKind,
        arguments: Value,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered, DispatchError> {
        let span = tracing::info_span!(
            "services.dispatch.run",
            operation.kind = kind.tool(),
            app.id = %caller.principal.app,
        );
        let begun = Instant::now();
        let result = self.once(&caller, kind, arguments, key).instrument(span);
        let result = result.await;
        self.operation_metrics.count(kind, begun, &result);
        result
    }

    /// Whether a caller may ask for an operation at all.
    pub(crate) fn reaches(
        &self,
        principal: &Principal,
        kind: OperationKind,
    ) -> Result<(), DispatchError> {
        check_reach(principal, kind)
    }

    /// Runs an operation, or answers as it was answered before under the same key.
    async fn once(
        &self,
        caller: &Caller,
        kind: OperationKind,
        arguments: Value,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered, DispatchError> {
        check_reach(&caller.principal, kind)?;
        let Some(key) = key.filter(|_| !kind.is_read()) else {
            let outcome = self.in_turn(caller, kind, arguments).await?;
            return Ok(Answered {
                outcome,
                is_replay: false,
            });
        };
        let attempt = Attempt::new(&caller.principal, kind, key, &arguments);
        match self.replay.enter(attempt).await? {
            Turn::Again(outcome) => {
                counter!("proscenium_replays_total", "operation" => kind.tool()).increment(1);
                let mut outcome = Outcome::clone(&outcome);
                // A host that mounts it mounts what is there now, under a token of now.
                if let Some(before) = outcome.session()
                    && let Ok(now) = self.sessions.book.session(&before.key).await
                {
                    outcome = outcome.mounting(now);
                }
                Ok(Answered {
                    outcome,
                    is_replay: true,
                })
            }
            Turn::First(claim) => {
                let outcome = self.in_turn(caller, kind, arguments).await?;
                // Kept before anything is awaited again: an answer nobody reads is kept, too.
                claim.keep(Arc::new(outcome.clone()), outcome.bytes());
                Ok(Answered {
                    outcome,
                    is_replay: false,
                })
            }
        }
    }

    /// Takes in an action that came as a frame.
    pub(crate) async fn submit(
        &self,
        caller: &Caller,
        submission: Box<Submission>,
    ) -> Result<(Submitted, bool), DispatchError> {
        let kind = OperationKind::SubmitAction;
        // Frames come by the thousand, and the span of their socket tells as much.
        let span = tracing::debug_span!(
            "services.dispatch.submit",
            session.id = %submission.key.session,
            app.id = %submission.key.app,
        );
        let begun = Instant::now();
        let submit = async {
            check_reach(&caller.principal, kind)?;
            self.afford(kind)?;
            let key = submission.key.clone();
            let submitted = self.judge(caller, submission).await?;
            Ok((submitted, self.actions.is_consumer_present(&key).await))
        };
        let result = submit.instrument(span).await;
        self.operation_metrics.count(kind, begun, &result);
        result
    }

    /// Takes in what a mount tells of its host in a frame: the agent is told of it, so it is for
    /// those who may act.
    pub(crate) async fn observe_host(
        &self,
        caller: &Caller,
        session: &str,
        host: HostContext,
    ) -> Result<(), DispatchError> {
        check_reach(&caller.principal, OperationKind::SubmitAction)?;
        Ok(self.mounts.observe_host(caller, session, host).await?)
    }

    pub(super) async fn operate(
        &self,
        caller: &Caller,
        kind: OperationKind,
        arguments: Value,
    ) -> Result<Outcome, DispatchError> {
        let decode = &self.arguments;
        let lease = caller.principal.lease;
        Ok(match kind {
            OperationKind::Amend | OperationKind::Update => {
                let remint = kind == OperationKind::Update;
                let params = decode.decode(kind, arguments)?;
                Outcome::Changed(self.content.update(caller, params, remint).await?)
            }
            OperationKind::Consume => {
                let params = decode.decode(kind, arguments)?;
                let consume = self.actions.consume(caller, params);
                Outcome::Consumed(self.auth.while_valid(lease, consume).await??)
            }
            OperationKind::DeleteBlueprint => {
                let params = decode.decode(kind, arguments)?;
                self.discovery.delete(caller, params).await?;
                Outcome::Noted
            }
            OperationKind::DeleteSession => {
                let params = decode.decode(kind, arguments)?;
                self.sessions.delete(caller, params).await?;
                Outcome::Noted
            }
            OperationKind::Emit => {
                let params = decode.decode(kind, arguments)?;
                Outcome::Emitted(self.content.emit(caller, params).await?)
            }
            OperationKind::GetBlueprint => {
                let params = decode.decode(kind, arguments)?;
                Outcome::Blueprint(Box::new(self.discovery.detail(caller, &params).await?))
            }
            OperationKind::GetRenderSource => {
                let params = decode.decode(kind, arguments)?;
                Outcome::Source(Box::new(
                    self.discovery.render_source(caller, params).await?,
                ))
            }
            OperationKind::GetSession => {
                let params = decode.decode(kind, arguments)?;
                Outcome::Got(Box::new(self.sessions.get(caller, params).await?))
            }
            OperationKind::Handshake => {
                let params = decode.decode(kind, arguments)?;
                Outcome::Negotiated(Box::new(self.sessions.handshake(caller, params).await?))
            }
            OperationKind::Note => {
                self.mounts.note(caller, &decode.decode(kind, arguments)?)?;
                Outcome::Noted
            }
            OperationKind::Pull => {
                let params = decode.decode(kind, arguments)?;
                let pull = self.pull(caller, params);
                Outcome::Pulled(self.auth.while_valid(lease, pull).await??)
            }
            OperationKind::RefreshWsToken => {
                let params = decode.decode(kind, arguments)?;
                Outcome::Refreshed(self.refresh(caller, &params).await?)
            }
            OperationKind::ListBlueprints => {
                let AllParams {} = decode.decode(kind, arguments)?;
                Outcome::Blueprints(self.discovery.stored(caller).await?)
            }
            OperationKind::ListFeaturedBlueprints => {
                let AllParams {} = decode.decode(kind, arguments)?;
                Outcome::Featured(self.discovery.featured(caller).await?)
            }
            OperationKind::ListGadgets => {
                let params = decode.decode(kind, arguments)?;
                Outcome::Gadgets(self.discovery.gadgets(caller, params)?)
            }
            OperationKind::ListSessions => {
                let params = decode.decode(kind, arguments)?;
                Outcome::Listed(self.discovery.sessions(caller, params).await?)
            }
            OperationKind::ListThemes => {
                let params = decode.decode(kind, arguments)?;
                Outcome::Themes(self.discovery.themes(caller, params)?)
            }
            OperationKind::RenderBlueprint => {
                let params = decode.decode(kind, arguments)?;
                Outcome::ShownBlueprint(self.discovery.blueprint(caller, params).await?)
            }
            OperationKind::SearchBlueprints => {
                let params = decode.decode(kind, arguments)?;
                Outcome::Searched(self.discovery.search(caller, params).await?)
            }
            OperationKind::Render => {
                let params = decode.decode(kind, arguments)?;
                Outcome::Rendered(self.content.render(caller, params).await?)
            }
            OperationKind::RequestAuth => {
                let mut params: RequestAuthParams = decode.decode(kind, arguments)?;
                params.auth_url = https(&params.auth_url).map_err(|why| ArgumentsError {
                    problems: vec![format!("authUrl: {why}")],
                })?;
                Outcome::AuthRequested(self.mounts.request_auth(caller, &params).await?)
            }
            OperationKind::SubmitAction => {
                let params: SubmitActionParams = decode.decode(kind, arguments)?;
                let consumer_present = self.relay(caller, params).await?;
                Outcome::Submitted { consumer_present }
            }
            OperationKind::SyncContext => {
                let params = decode.decode(kind, arguments)?;
                self.mounts.sync_context(caller, params).await?;
                Outcome::Noted
            }
        })
    }

    /// An action relayed by a host: the same use case as the frame, and a moment's wait for an
    /// agent; kinds other than `dispatch` are only noted (tools.md §12.1).
    async fn relay(
        &self,
        caller: &Caller,
        params: SubmitActionParams,
    ) -> Result<Option<bool>, DispatchError> {
        if params.kind != "dispatch" {
            self.sessions.find(caller, &params.session_id).await?;
            tracing::info!(session.id = %params.session_id, action.kind = %params.kind, "noted");
            return Ok(None);
        }
        let mut payload = params.payload;
        let mut missing = Vec::new();
        let intent = payload
            .remove("intent")
            .filter(|intent| intent.as_str().is_some_and(|intent| !intent.is_empty()));
        if intent.is_none() {
            missing.push("payload.intent: a text is required".to_owned());
        }
        let data = payload.remove("actionData");
        if data.is_none() {
            missing.push("payload.actionData: is required; null is a value".to_owned());
        }
        let ui_context = payload.remove("uiContext").filter(Value::is_object);
        if ui_context.is_none() {
            missing.push("payload.uiContext: an object is required".to_owned());
        }
        let (Some(intent), Some(data), Some(ui_context)) = (intent, data, ui_context) else {
            return Err(ArgumentsError { problems: missing }.into());
        };
        let key = caller.principal.key(&params.session_id);
        let submission = Box::new(Submission {
            key: key.clone(),
            value: serde_json::json!({ "action": intent, "data": data }),
            ui_context,
            id: Some(params.action_id),
            fired_at: Some(params.fired_at),
        });
        let submitted = self.judge(caller, submission).await?;
        Ok(Some(self.actions.await_consumer(&key, &submitted).await))
    }

    /// A page of a session's ledger, for a mount whose only way out is its host (tools.md §12.4).
    async fn pull(&self, caller: &Caller, params: PullParams) -> Result<Pulled, DispatchError> {
        let key = caller.principal.key(&params.session_id);
        let rows_max = params.limit.unwrap_or(PULL_ROWS_MAX).min(PULL_ROWS_MAX);
        let wait = params.wait.unwrap_or(0).min(PULL_WAIT_S_MAX);
        let pulled = self.live.page(
            &key,
            &caller.principal,
            Seq(params.since_sequence),
            rows_max as usize,
            Duration::from_secs(wait.into()),
        );
        pulled.await.map_err(|error| DispatchError::Live {
            id: params.session_id,
            error,
        })
    }

    /// A fresh token for an old one, as long as its session lives.
    async fn refresh(
        &self,
        caller: &Caller,
        params: &RefreshWsTokenParams,
    ) -> Result<ChannelToken, DispatchError> {
        let limits = &self.live.limits;
        let pass = self
            .auth
            .check_refresh(&params.envelope, limits.life_max_s)?;
        if pass.key.app != caller.principal.app {
            // Another app's token is as good as none.
            return Err(AuthError::TokenInvalid.into());
        }
        match self.live.read(&pass.key).await {
            Ok(session) => Ok(self.auth.renew(&pass, session.ends_at(limits))),
            // Chains end with their session.
            Err(StoreError::Missing) => Err(AuthError::RefreshClosed.into()),
            Err(error) => Err(SessionError::Store(error).into()),
        }
    }

    /// Sessions whose agents are remembered.
    pub(crate) fn consumers(&self) -> usize {
        self.actions.remembered()
    }

    /// Frees what the use cases no longer need.
    pub(crate) async fn sweep(&self) {
        self.limits.sweep();
        self.actions.sweep().await;
        self.content.sweep();
        self.mounts.sweep();
        self.live.sweep();
        self.replay.sweep();
    }
}

/// Whether a caller may ask for an operation at all.
fn check_reach(principal: &Principal, kind: OperationKind) -> Result<(), DispatchError> {
    let Principal { trust, scopes, .. } = principal;
    let (needed, held) = (kind.trust(), *trust);
    if held < needed {
        return Err(DispatchError::OutOfReach { needed, held });
    }
    if !kind.is_within(scopes) {
        let held = scopes.names().into_iter().flatten();
        let held = held.map(str::to_owned).collect();
        return Err(DispatchError::OutOfScope { kind, held });
    }
    Ok(())
}

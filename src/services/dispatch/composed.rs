//! What takes more than one service: actions that a host relays, and fresh tokens.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::actions::{Actions, Submission};
use super::super::arguments::{ArgumentsError, Problem};
use super::super::auth::Auth;
use super::super::live::Live;
use super::super::sessions::SessionError;
use super::super::work::Work;
use super::error::DispatchError;
use crate::domain::credentials::CredentialError;
use crate::domain::operation::{Caller, Handlers, Registration, table};
use crate::domain::size::value_bytes;
use crate::domain::store_error::StoreError;
use crate::wire::runtime::{RefreshWsTokenParams, RuntimeResult, SubmitActionParams};

/// The one kind of relayed action that reaches an agent; others are only noted.
const DISPATCH: &str = "dispatch";

/// The services that are needed together.
pub(crate) struct Composed {
    pub(crate) actions: Arc<Actions>,
    pub(crate) auth: Arc<Auth>,
    pub(crate) live: Arc<Live>,
    pub(crate) work: Arc<Work>,
}

impl Composed {
    /// What they do.
    pub(crate) fn handlers(self: &Arc<Self>) -> Vec<Registration<DispatchError>> {
        Handlers::<_, DispatchError, DispatchError>::of(self)
            .on::<table::SubmitAction>(|services, caller, params| {
                Box::pin(async move {
                    let consumer_present = services.relay(caller, params).await?;
                    Ok(RuntimeResult {
                        consumer_present,
                        ..RuntimeResult::done()
                    }
                    .into())
                })
            })
            .on::<table::RefreshWsToken>(|services, caller, params| {
                Box::pin(async move { Ok(services.refresh(caller, &params).await?.into()) })
            })
            .into_registrations()
    }

    /// An action relayed by a host: the same use case as the frame, and a moment's wait for an
    /// agent (tools.md §12.1).
    async fn relay(
        &self,
        caller: &Caller,
        params: SubmitActionParams,
    ) -> Result<Option<bool>, DispatchError> {
        if params.kind != DISPATCH {
            let read = self.live.read_as(&caller.principal, &params.session_id);
            read.await.map_err(|error| match error {
                StoreError::Missing => SessionError::NotFound {
                    id: params.session_id.clone(),
                },
                error => SessionError::Store(error),
            })?;
            tracing::info!(session.id = %params.session_id, action.kind = %params.kind, "noted");
            return Ok(None);
        }
        let mut payload = params.payload;
        let mut missing = Vec::new();
        let intent = payload
            .remove("intent")
            .filter(|intent| intent.as_str().is_some_and(|intent| !intent.is_empty()));
        if intent.is_none() {
            missing.push(Problem::new(
                "payload.intent",
                "missing",
                "a text is required",
            ));
        }
        let data = payload.remove("actionData");
        if data.is_none() {
            let why = "is required; null is a value";
            missing.push(Problem::new("payload.actionData", "missing", why));
        }
        let ui_context = payload.remove("uiContext").filter(Value::is_object);
        if ui_context.is_none() {
            let why = "an object is required";
            missing.push(Problem::new("payload.uiContext", "missing", why));
        }
        let (Some(intent), Some(data), Some(ui_context)) = (intent, data, ui_context) else {
            return Err(ArgumentsError { problems: missing }.into());
        };
        let key = caller.principal.key(&params.session_id);
        let submission = Box::new(Submission {
            key: key.clone(),
            value: json!({ "action": intent, "data": data }),
            ui_context,
            id: Some(params.action_id),
            fired_at: Some(params.fired_at),
        });
        // Only what takes long waits for its turn: the wait for an agent takes nobody's place.
        let bytes = value_bytes(&submission.value) + value_bytes(&submission.ui_context);
        let submit = self.actions.submit(caller, submission);
        let submitted = self.work.run(&caller.principal, bytes, submit).await??;
        Ok(Some(self.actions.await_consumer(&key, &submitted).await))
    }

    /// A fresh token for an old one, as long as its session lives.
    async fn refresh(
        &self,
        caller: &Caller,
        params: &RefreshWsTokenParams,
    ) -> Result<RuntimeResult, DispatchError> {
        let limits = &self.live.limits;
        let pass = self
            .auth
            .check_refresh(&params.envelope, limits.life_max_s)?;
        if pass.key.app != caller.principal.app {
            // Another app's token is as good as none.
            return Err(CredentialError::TokenInvalid.into());
        }
        let token = match self.live.read(&pass.key).await {
            Ok(session) => self.auth.renew(&pass, session.ends_at(limits)),
            // Chains end with their session.
            Err(StoreError::Missing) => return Err(CredentialError::RefreshClosed.into()),
            Err(error) => return Err(SessionError::Store(error).into()),
        };
        Ok(RuntimeResult {
            expires_at: Some(token.expires_at.to_string()),
            envelope: Some(token.text),
            ..RuntimeResult::done()
        })
    }
}

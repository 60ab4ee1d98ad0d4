//! What mounted UIs tell of themselves: what their context slots hold, and how they fare.

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::Clock as _;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde_json::{Value, json};

use super::book::{Book, BookError, Decision};
use crate::domain::clock::{Clock, Ids};
use crate::domain::event::{AuthRequest, Event, Fact};
use crate::domain::https::https;
use crate::domain::limits::{Limits, MountLimits, quota};
use crate::domain::operation::{Caller, Handlers, Registration, table};
use crate::domain::session::Session;
use crate::domain::size::shorten;
use crate::domain::store_error::StoreError;
use crate::wire::contract::Violation;
use crate::wire::frames::HostContextObserved;
use crate::wire::ids::AppId;
use crate::wire::object::Object;
use crate::wire::runtime::{RuntimeResult, SyncContextParams, TelemetryParams};
use crate::wire::tools::{RequestAuthParams, RequestAuthResult};

/// Characters of a session's name in the log.
const NAME_CHARS_MAX: usize = 64;

/// Why what a mount told was not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MountError {
    /// The app named is not the caller's.
    #[error("the app is not the caller's")]
    AppMismatch,
    /// As many consents are waited for as may be.
    #[error("{max} requests for consent are open")]
    AuthFull { max: usize },
    /// A consent is asked for at an address that is none, or not safe.
    #[error("{problem}")]
    NotHttps {
        /// The argument, and what is wrong with it.
        problem: String,
    },
    /// The session is unknown, expired or another app's.
    #[error("no session {id}")]
    SessionNotFound {
        /// As it was asked for.
        id: String,
    },
    /// The store does not answer.
    #[error("the session store failed")]
    Store(#[source] StoreError),
    /// More than a person reads.
    #[error("too many reports")]
    TooFast {
        /// How long to wait.
        wait: Duration,
    },
    /// The snapshot is larger than a mount may tell.
    #[error("the snapshot is too large")]
    TooLarge {
        /// All that is too large.
        problems: Vec<String>,
    },
    /// The snapshot does not fit the contract.
    #[error("the snapshot does not fit the contract")]
    Violations(Vec<Violation>),
}

impl From<BookError> for MountError {
    fn from(error: BookError) -> Self {
        match error {
            BookError::SessionNotFound { id } => Self::SessionNotFound { id },
            BookError::Store(error) => Self::Store(error),
        }
    }
}

/// Takes in what mounts tell.
pub(crate) struct Mounts {
    book: Arc<Book>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    limits: Limits,
    report_rate: DefaultKeyedRateLimiter<AppId>,
}

impl Mounts {
    /// The use cases over the book.
    pub(crate) fn new(
        book: Arc<Book>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        limits: Limits,
    ) -> Self {
        let (per_second, burst) = quota(limits.reports.per_second, limits.reports.burst);
        Self {
            book,
            clock,
            ids,
            limits,
            report_rate: RateLimiter::keyed(Quota::per_second(per_second).allow_burst(burst)),
        }
    }

    /// What this service does.
    pub(crate) fn handlers<F>(self: &Arc<Self>) -> Vec<Registration<F>>
    where
        F: From<serde_json::Error> + From<MountError> + Send + 'static,
    {
        Handlers::<_, MountError, F>::of(self)
            .on::<table::SyncContext>(|mounts, caller, params| {
                Box::pin(async move {
                    mounts.sync_context(caller, params).await?;
                    Ok(RuntimeResult::done().into())
                })
            })
            .on::<table::ObserveHost>(|mounts, caller, params| {
                Box::pin(async move {
                    mounts.observe_host(caller, params).await?;
                    Ok(RuntimeResult::done().into())
                })
            })
            .on::<table::RequestAuth>(|mounts, caller, params| {
                Box::pin(async move { Ok(mounts.request_auth(caller, params).await?.into()) })
            })
            .on::<table::Telemetry>(|mounts, caller, params| {
                let noted = mounts.note(caller, &params);
                Box::pin(ready(noted.map(|()| RuntimeResult::done().into())))
            })
            .into_registrations()
    }

    /// `ggui_runtime_sync_context`: what every slot holds, judged and kept; it seeds later mounts.
    async fn sync_context(
        &self,
        caller: &Caller,
        params: SyncContextParams,
    ) -> Result<(), MountError> {
        if params.app_id != caller.principal.app.as_str() {
            return Err(MountError::AppMismatch);
        }
        check_size(&params.snapshot, &self.limits.mounts)?;
        let now = self.clock.now();
        let decide = |session: &Session| {
            session
                .contract
                .check_context(&params.snapshot)
                .map_err(MountError::Violations)?;
            let snapshot = Value::Object(params.snapshot.clone());
            let is_news = session.context.as_deref() != Some(&snapshot);
            let event = Event::ContextSynced(Arc::new(snapshot));
            Ok(Decision::of(is_news.then(|| Fact::by(caller, now, event))))
        };
        self.decide(caller, &params.session_id, decide).await
    }

    /// A mount tells of the host around it: kept for the agent, and for later mounts.
    async fn observe_host(
        &self,
        caller: &Caller,
        observed: HostContextObserved,
    ) -> Result<(), MountError> {
        let now = self.clock.now();
        let host = Arc::new(observed.host_context);
        let decide = |session: &Session| {
            // Told anew with every reconnect: only news is worth an event.
            let is_news = session.host_context.as_deref() != Some(&*host);
            let event = Event::HostContextObserved(Arc::clone(&host));
            Ok(Decision::of(is_news.then(|| Fact::by(caller, now, event))))
        };
        self.decide(caller, &observed.session_id, decide).await
    }

    /// `ggui_request_auth`: those who watch are told where a consent is asked for; the person's
    /// answer comes back as an action.
    async fn request_auth(
        &self,
        caller: &Caller,
        mut params: RequestAuthParams,
    ) -> Result<RequestAuthResult, MountError> {
        params.auth_url = https(&params.auth_url).map_err(|why| MountError::NotHttps {
            problem: format!("authUrl: {why}"),
        })?;
        let now = self.clock.now();
        let id = self.ids.uuid();
        let mut event = serde_json::to_value(&params).unwrap_or_default();
        event["kind"] = "auth-required".into();
        event["authRequestId"] = json!(id);
        let request = Arc::new(AuthRequest {
            id: id.as_str().into(),
            provider: params.provider.as_str().into(),
            event,
        });
        let decide = |session: &Session| {
            let max = self.limits.mounts.consents_max;
            if session.auth_requests.len() >= max {
                return Err(MountError::AuthFull { max });
            }
            let event = Event::AuthRequested(Arc::clone(&request));
            Ok(Decision::of([Fact::by(caller, now, event)]))
        };
        self.decide(caller, &params.session_id, decide).await?;
        Ok(RequestAuthResult {
            auth_request_id: id,
        })
    }

    async fn decide(
        &self,
        caller: &Caller,
        session: &str,
        decide: impl FnMut(&Session) -> Result<Decision<()>, MountError> + Send,
    ) -> Result<(), MountError> {
        let key = caller.principal.key(session);
        let ((), _) = self.book.decide(caller, &key, decide).await?;
        Ok(())
    }

    /// `ggui_runtime_telemetry`: noted in the server's log and nowhere else. It is a stranger's
    /// text: written escaped, and only so often.
    fn note(&self, caller: &Caller, params: &TelemetryParams) -> Result<(), MountError> {
        if let Err(wait) = self.report_rate.check_key(&caller.principal.app) {
            let wait = wait.wait_time_from(self.report_rate.clock().now());
            return Err(MountError::TooFast { wait });
        }
        let session = shorten(&params.session_id, NAME_CHARS_MAX);
        for event in &params.events {
            tracing::info!(
                app.id = %caller.principal.app,
                session.id = ?session,
                telemetry.at = event.at,
                telemetry.kind = ?event.kind,
                telemetry.detail = ?event.detail,
                "a mounted UI reports"
            );
        }
        Ok(())
    }

    /// Frees what rates remember of apps that no longer report.
    pub(crate) fn sweep(&self) {
        self.report_rate.retain_recent();
    }
}

/// All that is too large about a snapshot.
fn check_size(snapshot: &Object, limits: &MountLimits) -> Result<(), MountError> {
    let (slots, each) = (limits.slots_max, limits.slot_bytes_max);
    let mut problems = Vec::new();
    if snapshot.len() > slots {
        problems.push(format!("{} slots, {slots} at most", snapshot.len()));
    }
    let mut total = 0;
    for (slot, value) in snapshot.iter().take(slots) {
        let bytes = value.to_string().len();
        total += bytes;
        if bytes > each {
            let slot = shorten(slot, NAME_CHARS_MAX);
            problems.push(format!("{slot}: {bytes} bytes, {each} at most"));
        }
    }
    let all = limits.snapshot_bytes_max;
    if total > all {
        problems.push(format!("{total} bytes in all slots, {all} at most"));
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(MountError::TooLarge { problems })
    }
}

//! One MCP server behind the gate: connected when it is needed, asked, and connected again.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::try_join_all;
use parking_lot::RwLock;
use rmcp::model::ClientRequest;
use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio::time::timeout;

use super::callers::{Callers, Slot};
use super::calls::Call;
use super::connect::{Link, Opening, connect};
use super::listener::Heard;
use super::message::{self, Answered};
use super::param_headers::ParamHeaders;
use super::sent::send;
use super::task;
use super::version::Version;
use crate::domain::gate::{
    Abilities, Connection, LOG_LEVEL_KEY, OnChange, Requester, SUBSCRIBE, UNSUBSCRIBE, Upstream,
    UpstreamError, Upstreams,
};

/// How often a server may ask something before it answers one request: ten rounds are more than any
/// that has come to a result.
const ROUNDS_MAX: usize = 10;

/// Key of the trace context in `_meta` of requests.
const TRACE_KEY: &str = "traceparent";

/// Connects MCP servers.
pub(crate) struct McpUpstreams {
    /// Requests one server may have under way on one connection.
    pub(crate) requests_max: usize,
    /// Connections of callers to one server.
    pub(crate) connections_max: usize,
    /// How long one of them stays that nobody needs.
    pub(crate) connection_idle: Duration,
    /// How long a task of theirs is waited for.
    pub(crate) task_ttl: Duration,
    /// Sent when a list of any of them may be another one.
    pub(crate) changes: watch::Sender<()>,
}

impl Upstreams for McpUpstreams {
    fn open(&self, connection: &Connection, on_change: OnChange) -> Arc<dyn Upstream> {
        Arc::new(McpUpstream {
            connection: connection.clone(),
            on_change,
            requests_max: self.requests_max,
            task_ttl: self.task_ttl,
            shared: Slot::default(),
            callers: Callers::new(self.connections_max, self.connection_idle),
            version: Version::new(self.changes.clone()),
            server: RwLock::default(),
            is_older: AtomicBool::default(),
            param_headers: ParamHeaders::default(),
        })
    }
}

struct McpUpstream {
    connection: Connection,
    /// Hears of resources that callers follow.
    on_change: OnChange,
    requests_max: usize,
    task_ttl: Duration,
    /// For what is nobody's in particular: lists and completion.
    shared: Slot,
    callers: Callers,
    version: Version,
    server: RwLock<Option<Arc<str>>>,
    /// Whether it is spoken to in the older era first.
    is_older: AtomicBool,
    param_headers: ParamHeaders,
}

impl McpUpstream {
    /// The connection, made now where there is none.
    async fn link(
        &self,
        slot: &Slot,
        opening: Opening,
        on_made: impl FnOnce(&Link),
    ) -> Result<Arc<Link>, UpstreamError> {
        let mut link = slot.link.lock().await;
        match &*link {
            Some(link) if !link.is_closed() => Ok(Arc::clone(link)),
            _ => {
                *link = None;
                let (to, max) = (&self.connection, self.requests_max);
                let made = connect(to, max, &self.version, opening, &self.is_older).await;
                let made = Arc::new(made.inspect_err(|error| {
                    tracing::warn!(gate.source = self.connection.id, %error, "a source of the gate is not connected");
                })?);
                tracing::info!(
                    gate.source = self.connection.id,
                    "a source of the gate is connected"
                );
                on_made(&made);
                *link = Some(Arc::clone(&made));
                Ok(made)
            }
        }
    }

    /// Asks for what is nobody's in particular. Servers list what they have for clients that can be
    /// asked anything, so that this one says it can be; here nobody answers.
    async fn ask(&self, request: ClientRequest) -> Result<Value, UpstreamError> {
        let on_made = |made: &Link| {
            *self.server.write() = made.server();
            self.version.grow();
            made.listen_to_lists(&self.version);
        };
        let opening = Opening {
            abilities: Abilities::UNKNOWN,
            heard: None,
        };
        let link = self.link(&self.shared, opening, on_made).await?;
        match send(&link, request, None).await? {
            Answered::Result(result) => Ok(result),
            Answered::Asks(..) | Answered::Began(_) => {
                Err(UpstreamError::Unusable("it asks nobody".to_owned()))
            }
        }
    }

    /// Asks for a caller, on its connection, and asks the caller what the server has to know.
    async fn ask_for(
        &self,
        call: &Arc<Call>,
        method: &'static str,
        mut params: Map<String, Value>,
    ) -> Result<Value, UpstreamError> {
        let used = self.callers.of(&*call.requester)?;
        let (app, name) = call.requester.caller();
        let (on_change, app, name) = (Arc::clone(&self.on_change), app.clone(), name.to_owned());
        let heard: Heard = Arc::new(move |uri| on_change(&app, &name, uri));
        let opening = Opening {
            abilities: call.requester.abilities(),
            heard: Some(Arc::clone(&heard)),
        };
        let link = self.link(&used.0, opening, |_| heard(None)).await?;
        if link.is_newer() {
            match (method, params.get("uri").and_then(Value::as_str)) {
                (SUBSCRIBE, Some(uri)) => {
                    link.listen_to_resource(uri, heard).await?;
                    return Ok(Value::Object(Map::new()));
                }
                (UNSUBSCRIBE, Some(uri)) => {
                    link.stop_listening_to(uri);
                    return Ok(Value::Object(Map::new()));
                }
                _ => {}
            }
        }
        if method == "tools/call" {
            self.param_headers.learn(&link, self.version.now()).await?;
        }
        let mut meta = Map::new();
        if let Some(trace) = call.requester.trace() {
            meta.insert(TRACE_KEY.to_owned(), trace.into());
        }
        if link.is_newer() {
            // All of them: which ones the caller wants is known further on.
            meta.insert(LOG_LEVEL_KEY.to_owned(), "debug".into());
        }
        if !meta.is_empty() {
            params.insert("_meta".to_owned(), meta.into());
        }
        for _ in 0..ROUNDS_MAX {
            let request = message::request(method, params.clone())?;
            let (questions, state) = match send(&link, request, Some(call)).await? {
                Answered::Result(result) => return Ok(result),
                Answered::Asks(questions, state) => (questions, state),
                Answered::Began(begun) => {
                    let result = task::finish(&link, call, &begun, self.connection.timeout);
                    let result = timeout(self.task_ttl, result).await;
                    return result.unwrap_or(Err(UpstreamError::Timeout));
                }
            };
            let answers = questions.into_iter().map(async |question| {
                let name = question.name.clone();
                call.ask(question).await.map(|answer| (name, answer))
            });
            let answers = try_join_all(answers).await.map_err(message::unanswered)?;
            let answers: Map<_, _> = answers.into_iter().collect();
            params.insert("inputResponses".to_owned(), answers.into());
            params.shift_remove("requestState");
            params.extend(state.map(|state| ("requestState".to_owned(), state)));
        }
        let why = format!("it asks the caller something for the {ROUNDS_MAX}th time");
        Err(UpstreamError::Unusable(why))
    }
}

#[async_trait]
impl Upstream for McpUpstream {
    async fn request(
        &self,
        method: &'static str,
        params: Map<String, Value>,
        requester: Option<Arc<dyn Requester>>,
    ) -> Result<Value, UpstreamError> {
        let time = self.connection.timeout;
        let answered = match requester {
            None => {
                let request = message::request(method, params)?;
                let answered = timeout(time, self.ask(request)).await;
                let answered = answered.unwrap_or(Err(UpstreamError::Timeout));
                answered.inspect(|result| self.param_headers.note(method, result))
            }
            Some(requester) => {
                let call = Call::of(requester);
                tokio::select! {
                    answered = self.ask_for(&call, method, params) => answered,
                    () = call.overdue(time) => Err(UpstreamError::Timeout),
                }
            }
        };
        answered.inspect_err(|error| {
            tracing::debug!(gate.source = self.connection.id, method, %error, "a source gave no result");
        })
    }

    fn server(&self) -> Option<Arc<str>> {
        self.server.read().clone()
    }

    fn version(&self) -> u64 {
        self.version.now()
    }
}

//! The methods of the protocol, in both eras.

use std::sync::Arc;

use futures_util::stream::{self, BoxStream, StreamExt as _};
use http::HeaderMap;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tracing::Instrument as _;

use super::super::tools;
use super::super::tools::Audience;
use super::answer::{Answer, reply};
use super::envelope::Request;
#[cfg(feature = "gate")]
use super::exchange::tasks;
#[cfg(feature = "gate")]
use super::gate;
use super::instructions::instructions;
use super::results::{COMPLETE, SERVER_INFO_KEY, finished, finished_now, server_info};
use super::state::Mcp;
use super::{era, listen, page_resources, prompts, resources};
#[cfg(feature = "gate")]
use crate::domain::gate::Requester;
use crate::domain::operation::Caller;
use crate::domain::size::shorten;
use crate::transports::conformance::Fixtures;
use crate::transports::faults::Fault;
use crate::transports::pages::shell;
use crate::transports::request::{Correlation, attempt_header};
use crate::transports::tools::ToolResult;
use crate::wire::fault::{Code, Endpoint, Era};
use crate::wire::trace::TraceParent;

/// The method that opens a stream of changes.
pub(super) const LISTEN: &str = "subscriptions/listen";
/// Key of the trace context in `_meta`, of requests and of their results.
const TRACE_KEY: &str = "traceparent";
/// Letters of a method's name a log line has room for.
pub(super) const METHOD_CHARS_LOGGED: usize = 64;
/// What is said of a call that was taken back before it was answered.
const TAKEN_BACK: &str = "the request was taken back";

/// A request whose headers and body agree.
pub(super) struct RpcCall {
    /// Echoed verbatim.
    pub(super) id: String,
    /// Rules of the answer.
    pub(super) era: Era,
    /// The span that answers, where the caller's `_meta` names the one that asks.
    trace: Option<TraceParent>,
    pub(super) method: String,
    pub(super) params: Map<String, Value>,
    /// The name of the attempt, where a header gives it one.
    pub(super) attempt: Option<String>,
    /// Who can be told things before the answer, and asked.
    #[cfg(feature = "gate")]
    pub(super) requester: Option<Arc<dyn Requester>>,
}

impl RpcCall {
    /// Reads the parameters and checks them against the headers.
    pub(super) fn of<'a>(
        request: Request<'a>,
        era: Era,
        headers: &HeaderMap,
    ) -> Result<Self, (&'a str, Fault)> {
        let Request { id, method, params } = request;
        let params = read(params).map_err(|fault| (id, fault))?;
        era::check(era, headers, &method, &params).map_err(|fault| (id, fault))?;
        Fixtures::check(era, headers, &params).map_err(|fault| (id, fault))?;
        Ok(Self {
            id: id.to_owned(),
            era,
            trace: traced(&params),
            method,
            params,
            attempt: attempt_header(headers),
            #[cfg(feature = "gate")]
            requester: None,
        })
    }

    /// Reads a request that came without headers.
    pub(super) fn alone(request: Request<'_>) -> Result<Self, (&str, Fault)> {
        let Request { id, method, params } = request;
        let params = read(params).map_err(|fault| (id, fault))?;
        let era = era::of_message(&params).map_err(|fault| (id, fault))?;
        Ok(Self {
            id: id.to_owned(),
            era,
            trace: traced(&params),
            method,
            params,
            attempt: None,
            #[cfg(feature = "gate")]
            requester: None,
        })
    }

    /// The headers with which the request goes over HTTP.
    pub(super) fn headers(&self) -> Vec<(&'static str, String)> {
        era::headers_of(self.era, &self.method, &self.params)
    }

    /// Whether the answer may wait for a person.
    pub(super) fn waits(&self) -> bool {
        self.listens() || self.idle().is_some()
    }

    /// What a call gives that waits for a person, and is taken back before one does anything.
    fn idle(&self) -> Option<ToolResult> {
        let is_call = self.method == "tools/call";
        is_call.then(|| tools::idle(&self.params)).flatten()
    }

    /// Whether the answer may wait for a model.
    pub(super) fn draws(&self) -> bool {
        self.method == "tools/call" && tools::draws(&self.params)
    }

    /// Whether it opens a stream that tells of changes.
    fn listens(&self) -> bool {
        self.era == Era::Modern && self.method == LISTEN
    }

    /// The answer in its envelope.
    pub(super) fn reply(&self, answer: &Result<Answer, Fault>, endpoint: Endpoint) -> String {
        reply(&self.id, self.era, answer, endpoint)
    }

    /// The notifications that precede the answer, if it has a stream: a wait for a person says so
    /// to a client that asked for progress, so that it does not give up.
    fn notices(&self) -> Option<BoxStream<'static, Value>> {
        if let Some(notices) = Fixtures::notices(self.era, &self.method, &self.params) {
            return Some(notices);
        }
        let token = self.progress_token().filter(|_| self.waits())?;
        let notice = json!({
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": {
                "progressToken": token,
                "progress": 0,
                "message": "Waiting for the person",
            },
        });
        Some(stream::iter([notice]).boxed())
    }

    /// Under which the client wants to be told how far the request has come.
    pub(super) fn progress_token(&self) -> Option<&Value> {
        self.params.get("_meta")?.get("progressToken")
    }

    /// The span that answers, as a `traceparent`: below the one that the caller names, or that of the
    /// request.
    #[cfg(feature = "gate")]
    pub(super) fn trace(&self) -> Option<String> {
        let own = || Correlation::current().map(|own| own.trace);
        self.trace.or_else(own).map(|trace| trace.to_string())
    }

    /// The result as its revision wants it.
    pub(super) fn finish(&self, result: Value) -> Answer {
        self.finish_with(result, |result| finished(self.era, &self.method, result))
    }

    /// The result with its trace, and what else belongs to it.
    pub(super) fn finish_with(
        &self,
        mut result: Value,
        and: impl FnOnce(Value) -> Value,
    ) -> Answer {
        if let Some(trace) = self.trace {
            result["_meta"][TRACE_KEY] = trace.to_string().into();
        }
        Answer(and(result).to_string().into())
    }

    /// The result of a tool as its revision wants it.
    fn finish_tool(&self, mut result: ToolResult) -> Answer {
        if let Some(trace) = self.trace {
            result.meta.add(TRACE_KEY, &trace.to_string());
        }
        if self.era == Era::Modern {
            result.result_type = Some(COMPLETE);
            result.meta.add(SERVER_INFO_KEY, &server_info());
        }
        // Keys of our own types are texts: writing them to memory cannot fail.
        Answer(serde_json::to_string(&result).unwrap_or_default().into())
    }

    fn text(&self, name: &str) -> Result<&str, Fault> {
        self.params
            .get(name)
            .and_then(Value::as_str)
            .ok_or_else(|| {
                let why = format!("Invalid params:\n- params.{name}: a text is required");
                Fault::saying(Code::InvalidParams, why)
            })
    }
}

/// The span that answers, if the request names the one that asks.
fn traced(params: &Map<String, Value>) -> Option<TraceParent> {
    let asking = params.get("_meta")?.get(TRACE_KEY)?.as_str()?;
    let asking = TraceParent::parse(asking)?;
    let span = Correlation::current().map_or(asking.span, |own| own.trace.span);
    Some(TraceParent { span, ..asking })
}

fn read(params: Option<&RawValue>) -> Result<Map<String, Value>, Fault> {
    match params {
        None => Ok(Map::new()),
        Some(raw) => serde_json::from_str(raw.get()).map_err(|_| {
            let why = "Invalid params:\n- params: must be object";
            Fault::saying(Code::InvalidParams, why)
        }),
    }
}

/// Answers a request; a tool takes its parameters.
pub(super) async fn answer(
    mcp: &Mcp,
    caller: &Caller,
    asked: &mut RpcCall,
) -> Result<Answer, Fault> {
    #[cfg(feature = "gate")]
    {
        let (method, params) = (&asked.method, &asked.params);
        if asked.era == Era::Modern
            && (mcp.has_gate || Fixtures::HAVE_TASKS)
            && let Some(task) = tasks::answer(&mcp.exchanges, &caller.principal, method, params)
        {
            return task.map(|task| asked.finish(task));
        }
        if gate::is_its(mcp, asked) {
            return gate::answer(mcp, caller, asked).await;
        }
    }
    let span = tracing::info_span!(
        "transports.mcp.answer",
        // Anyone's text: quoted, and not all of it.
        rpc.method = ?shorten(&asked.method, METHOD_CHARS_LOGGED),
        trace.id = asked.trace.map(|trace| trace.trace_id()),
    );
    let idle = asked.idle();
    if idle.is_none() && !asked.draws() {
        return dispatch(mcp, caller, asked).instrument(span).await;
    }
    let held = mcp.held.hold(&caller.principal, &asked.id);
    tokio::select! {
        // First: who has taken a call back is not there to be handed anything.
        biased;
        () = held.taken_back() => match idle {
            Some(idle) => Ok(asked.finish_tool(idle)),
            None => Err(Fault::saying(Code::InvalidRequest, TAKEN_BACK)),
        },
        answer = dispatch(mcp, caller, asked).instrument(span) => answer,
    }
}

/// The notifications that precede the answer, if it has a stream.
pub(super) async fn notices(
    mcp: &Arc<Mcp>,
    caller: &Caller,
    asked: &RpcCall,
) -> Result<Option<BoxStream<'static, Value>>, Fault> {
    if !asked.listens() {
        let is_gate = mcp.endpoint == Endpoint::Gate;
        return Ok(if is_gate { None } else { asked.notices() });
    }
    let held = mcp.held.hold(&caller.principal, &asked.id);
    let notices = listen::notices(mcp, caller, &asked.id, &asked.params).await?;
    let taken_back = async move { held.taken_back().await };
    Ok(Some(notices.take_until(taken_back).boxed()))
}

async fn dispatch(mcp: &Mcp, caller: &Caller, asked: &mut RpcCall) -> Result<Answer, Fault> {
    #[cfg(feature = "gate")]
    if let Some(requester) = &asked.requester
        && let Some(result) = Fixtures::ask(requester, &asked.method, &asked.params)
    {
        return result.await.map(|result| asked.finish(result));
    }
    if let Some(result) = Fixtures::answer(asked.era, &asked.method, &asked.params) {
        return result.map(|result| asked.finish(result));
    }
    match asked.method.as_str() {
        "tools/call" => {
            let params = std::mem::take(&mut asked.params);
            let attempt = asked.attempt.as_deref();
            let called = tools::call(mcp, caller, asked.era, params, attempt);
            return called.await.map(|result| asked.finish_tool(result));
        }
        // The list a model's client asks for most is the longest: it is written once.
        "tools/list" => {
            #[cfg(feature = "gate")]
            if mcp.has_gate {
                return Ok(gate::listed(mcp, caller, asked).await);
            }
            let audience = Audience::of(era::shows_ui(asked.era, &asked.params));
            return Ok(listed(mcp, caller, asked.era, audience));
        }
        _ => {}
    }
    let result = match (asked.era, asked.method.as_str()) {
        (Era::Legacy, "initialize") => initialize(mcp, &asked.params),
        (Era::Legacy, "ping") => json!({}),
        (Era::Modern, "server/discover") => discover(mcp),
        // Answered when its stream has ended.
        (Era::Modern, LISTEN) => listen::listened(&asked.id),
        (_, method) if mcp.endpoint == Endpoint::Brain => {
            let read = page_resources::answer(mcp, caller, method, &asked.params).await;
            let result = read.unwrap_or_else(|| Err(unknown_method(method)))?;
            return Ok(asked.finish_with(result, |result| {
                finished_now(asked.era, &asked.method, result)
            }));
        }
        (_, "prompts/list") => prompts::list(),
        (_, "prompts/get") => prompts::get(&asked.params)?,
        (_, "completion/complete") => prompts::complete(&asked.params)?,
        (_, "resources/list") => resources::list(),
        (_, "resources/templates/list") => resources::templates(),
        (_, "resources/read") => resources::read(mcp, caller, asked.text("uri")?).await?,
        (_, method) => return Err(unknown_method(method)),
    };
    Ok(asked.finish(Fixtures::mix_in(&asked.method, result)))
}

fn unknown_method(method: &str) -> Fault {
    Fault::saying(Code::MethodNotFound, format!("Method not found: {method}"))
}

/// `tools/list`, written once for each who gets another, until the list changes; for each caller where
/// rules are about our own tools.
fn listed(mcp: &Mcp, caller: &Caller, era: Era, audience: Audience) -> Answer {
    let dispatch = &mcp.access.dispatch;
    let is_whole = audience == Audience::Whole;
    let write = || {
        let list = json!({ "tools": tools::list(dispatch, mcp.endpoint, caller, audience) });
        let list = Fixtures::mix_in("tools/list", list);
        match dispatch.shows_all() {
            true => finished(era, "tools/list", list).to_string(),
            false => finished_now(era, "tools/list", list).to_string(),
        }
    };
    if !dispatch.shows_all() {
        return Answer(write().into());
    }
    let version = dispatch.registry.version();
    Answer(mcp.lists.get(version, era, is_whole, write))
}

fn capabilities(mcp: &Mcp) -> Value {
    if mcp.endpoint == Endpoint::Brain {
        return json!({ "tools": {}, "resources": {} });
    }
    let ui = json!({ era::UI_EXTENSION: { "mimeTypes": [shell::MEDIA_TYPE] } });
    #[cfg_attr(
        not(feature = "gate"),
        expect(unused_mut, reason = "the gate adds to it")
    )]
    let mut capabilities = json!({
        "tools": {},
        "resources": {},
        "prompts": {},
        "completions": {},
        "extensions": ui,
        "experimental": ui,
    });
    #[cfg(feature = "gate")]
    if mcp.has_gate {
        capabilities["logging"] = json!({});
    }
    capabilities
}

/// A known revision is echoed; anything else is answered with the newest of the era.
pub(super) fn revision(params: &Map<String, Value>) -> &'static str {
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let mut known = era::LEGACY.into_iter();
    known
        .find(|known| Some(*known) == asked)
        .unwrap_or(era::LEGACY[0])
}

fn initialize(mcp: &Mcp, params: &Map<String, Value>) -> Value {
    json!({
        "protocolVersion": revision(params),
        "capabilities": capabilities(mcp),
        "serverInfo": server_info(),
        "instructions": instructions(mcp),
    })
}

fn discover(mcp: &Mcp) -> Value {
    let mut capabilities = capabilities(mcp);
    #[cfg(feature = "gate")]
    if mcp.has_gate {
        capabilities["extensions"][tasks::EXTENSION] = json!({});
    }
    capabilities["resources"]["subscribe"] = true.into();
    capabilities["tools"]["listChanged"] = true.into();
    json!({
        "supportedVersions": era::supported(),
        "capabilities": capabilities,
        "serverInfo": server_info(),
        "instructions": instructions(mcp),
    })
}

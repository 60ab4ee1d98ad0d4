//! One request of the protocol: what it asks for, and how its answer is finished.

#[cfg(feature = "gate")]
use std::sync::Arc;

use futures_util::stream::{self, BoxStream, StreamExt as _};
use http::HeaderMap;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::super::tools;
use super::answer::{Answer, reply};
use super::envelope::Request;
use super::era;
use super::results::{COMPLETE, SERVER_INFO_KEY, finished, server_info};
#[cfg(feature = "gate")]
use crate::domain::gate::Requester;
use crate::transports::conformance::Fixtures;
use crate::transports::faults::Fault;
use crate::transports::request::{Correlation, attempt_header};
use crate::transports::tools::ToolResult;
use crate::wire::fault::{Code, Endpoint, Era};
use crate::wire::trace::TraceParent;

/// The method that opens a stream of changes.
pub(super) const LISTEN: &str = "subscriptions/listen";
/// The method with which clients of the older era follow one resource.
pub(super) const SUBSCRIBE: &str = "resources/subscribe";
/// Key of the trace context in `_meta`, of requests and of their results.
const TRACE_KEY: &str = "traceparent";
/// Letters of a method's name a log line has room for.
pub(super) const METHOD_CHARS_LOGGED: usize = 64;

/// A request whose headers and body agree.
pub(super) struct RpcCall {
    /// Echoed verbatim.
    pub(super) id: String,
    /// Rules of the answer.
    pub(super) era: Era,
    /// The span that answers, where the caller's `_meta` names the one that asks.
    pub(super) trace: Option<TraceParent>,
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
        self.listens() || self.subscribes() || self.idle().is_some()
    }

    /// What a call gives that waits for a person, and is taken back before one does anything.
    pub(super) fn idle(&self) -> Option<ToolResult> {
        let is_call = self.method == "tools/call";
        is_call.then(|| tools::idle(&self.params)).flatten()
    }

    /// Whether the answer may wait for a model.
    pub(super) fn draws(&self) -> bool {
        self.method == "tools/call" && tools::draws(&self.params)
    }

    /// Whether it opens a stream that tells of changes.
    pub(super) fn listens(&self) -> bool {
        self.era == Era::Modern && self.method == LISTEN
    }

    /// Whether its answer goes on with what is told of one resource.
    pub(super) fn subscribes(&self) -> bool {
        self.era == Era::Legacy && self.method == SUBSCRIBE
    }

    /// The same caller's request to read a resource.
    pub(super) fn reading(&self, uri: &str) -> Self {
        Self {
            id: self.id.clone(),
            era: self.era,
            trace: None,
            method: "resources/read".to_owned(),
            params: [("uri".to_owned(), uri.into())].into_iter().collect(),
            attempt: None,
            #[cfg(feature = "gate")]
            requester: None,
        }
    }

    /// The answer in its envelope.
    pub(super) fn reply(&self, answer: &Result<Answer, Fault>, endpoint: Endpoint) -> String {
        reply(&self.id, self.era, answer, endpoint)
    }

    /// The notifications that precede the answer, if it has a stream: a wait for a person says so
    /// to a client that asked for progress, so that it does not give up.
    pub(super) fn notices(&self) -> Option<BoxStream<'static, Value>> {
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
    pub(super) fn finish_tool(&self, mut result: ToolResult) -> Answer {
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

    pub(super) fn text(&self, name: &str) -> Result<&str, Fault> {
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

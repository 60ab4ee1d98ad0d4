//! Messages that come as lines: read without headers, and answered by the same methods.

use std::borrow::Cow;
use std::sync::Arc;

use futures_util::future::{FutureExt as _, ready};
use futures_util::stream::{self, StreamExt as _};
use serde_json::Value;
use tokio::sync::mpsc;

use super::answer::reply;
use super::drawn;
use super::envelope::{self, Body, Message, NO_ID, Refused};
#[cfg(feature = "gate")]
use super::exchange::{self, Step};
use super::methods;
use super::rpc_call::RpcCall;
use super::state::Mcp;
use super::subscribe;
use crate::domain::operation::Caller;
use crate::transports::faults::Fault;
use crate::wire::fault::{Code, Endpoint, Era};

/// What a line says.
pub(in super::super) struct Read {
    /// Ids of requests that are taken back.
    pub(in super::super) taken_back: Vec<String>,
    /// The rest of it.
    pub(in super::super) line: Line,
}

/// What a line says besides taking requests back.
pub(in super::super) enum Line {
    /// Something that is refused as it stands: the answer.
    Refused(String),
    /// The answer to a question of ours.
    #[cfg(feature = "gate")]
    Reply,
    /// Nothing that wants an answer.
    Silent,
    /// Something that wants an answer.
    Request(Question),
}

impl Line {
    /// A line that takes nothing back.
    fn alone(self) -> Read {
        Read {
            taken_back: Vec::new(),
            line: self,
        }
    }
}

/// One request, or the requests of a batch with the answers of those that are refused.
pub(in super::super) struct Question {
    parts: Vec<Result<RpcCall, String>>,
    is_batch: bool,
}

impl Question {
    /// The id of a single request, as it came.
    pub(in super::super) fn id(&self) -> &str {
        match self.parts.as_slice() {
            [Ok(asked)] if !self.is_batch => &asked.id,
            _ => NO_ID,
        }
    }

    /// A single request.
    fn of(asked: RpcCall) -> Self {
        Self {
            parts: vec![Ok(asked)],
            is_batch: false,
        }
    }

    /// The single request, where it is one.
    fn alone(mut self) -> Result<RpcCall, Self> {
        match self.parts.pop() {
            Some(Ok(asked)) if !self.is_batch => Ok(asked),
            last => {
                self.parts.extend(last);
                Err(self)
            }
        }
    }

    /// Whether the answer may wait for a person.
    pub(in super::super) fn waits(&self) -> bool {
        self.parts.iter().flatten().any(RpcCall::waits)
    }

    /// The headers with which it goes over HTTP.
    pub(in super::super) fn headers(&self) -> Vec<(&'static str, String)> {
        match self.parts.as_slice() {
            [Ok(asked)] if !self.is_batch => asked.headers(),
            _ => Vec::new(),
        }
    }

    /// The answer when there is none.
    pub(in super::super) fn refuse(&self, fault: &Fault) -> String {
        let era = match self.parts.as_slice() {
            [Ok(asked)] => asked.era,
            _ => Era::Legacy,
        };
        fault.to_jsonrpc(self.id(), era, Endpoint::Mcp)
    }
}

/// Reads a line.
pub(in super::super) fn read(line: &[u8]) -> Read {
    let refuse = |fault: &Fault, id| fault.to_jsonrpc(id, Era::Legacy, Endpoint::Mcp);
    let messages = match envelope::read(line) {
        Err(fault) => return Line::Refused(refuse(&fault, NO_ID)).alone(),
        Ok(Body::Batch(messages)) => messages,
        Ok(Body::One(Err(Refused { id, fault }))) => {
            return Line::Refused(refuse(&fault, id)).alone();
        }
        #[cfg(feature = "gate")]
        Ok(Body::One(Ok(Message::Reply(_)))) => return Line::Reply.alone(),
        Ok(Body::One(Ok(Message::Silent))) => return Line::Silent.alone(),
        Ok(Body::One(Ok(Message::Cancelled(id)))) => {
            return Read {
                taken_back: vec![id.get().to_owned()],
                line: Line::Silent,
            };
        }
        Ok(Body::One(Ok(Message::Request(request)))) => {
            let line = match RpcCall::alone(request) {
                Err((id, fault)) => Line::Refused(refuse(&fault, id)),
                Ok(asked) => Line::Request(Question::of(asked)),
            };
            return line.alone();
        }
    };
    let mut taken_back = Vec::new();
    let mut parts = Vec::new();
    for message in messages {
        match message {
            Err(Refused { id, fault }) => parts.push(Err(refuse(&fault, id))),
            Ok(Message::Cancelled(id)) => taken_back.push(id.get().to_owned()),
            #[cfg(feature = "gate")]
            Ok(Message::Reply(_)) => {}
            Ok(Message::Silent) => {}
            Ok(Message::Request(request)) => parts.push(in_batch(request)),
        }
    }
    let line = if parts.is_empty() {
        Line::Silent
    } else {
        Line::Request(Question {
            parts,
            is_batch: true,
        })
    };
    Read { taken_back, line }
}

/// A request of a batch: the newer revision has none, and nothing begins in one.
fn in_batch(request: envelope::Request<'_>) -> Result<RpcCall, String> {
    let invalid = |id: &str, era, why: &'static str| {
        let fault = Fault::saying(Code::InvalidRequest, Cow::from(why));
        fault.to_jsonrpc(id, era, Endpoint::Mcp)
    };
    if request.method == "initialize" {
        let why = "Invalid Request: Only one initialization request is allowed";
        return Err(invalid(request.id, Era::Legacy, why));
    }
    let asked = RpcCall::alone(request)
        .map_err(|(id, fault)| fault.to_jsonrpc(id, Era::Legacy, Endpoint::Mcp))?;
    match asked.era {
        Era::Legacy => Ok(asked),
        Era::Modern => {
            let why = "Invalid Request: this revision has no batches";
            Err(invalid(&asked.id, asked.era, why))
        }
    }
}

/// Takes what a line answers to a question of ours.
#[cfg(feature = "gate")]
pub(in super::super) fn hear(mcp: &Mcp, caller: &Caller, line: &[u8]) {
    if let Ok(Body::One(Ok(Message::Reply(reply)))) = envelope::read(line) {
        mcp.exchanges.questions.hear(&caller.principal, &reply);
    }
}

/// Answers a question: notifications first, then the one line of the answer.
pub(in super::super) async fn answer(
    mcp: &Arc<Mcp>,
    caller: &Caller,
    question: Question,
    out: &mpsc::Sender<String>,
) {
    let question = match question.alone() {
        Ok(asked) if asked.subscribes() => return subscribed(mcp, caller, asked, out).await,
        #[cfg(feature = "gate")]
        Ok(asked) if exchange::is_one(mcp, &asked) => {
            return exchanged(mcp, caller, asked, out).await;
        }
        Ok(asked) => match drawn::wanted_by(&asked) {
            Some(token) => return drawn(mcp, caller, asked, token, out).await,
            None => Question::of(asked),
        },
        Err(question) => question,
    };
    if !question.is_batch
        && let Some(Ok(asked)) = question.parts.first()
    {
        match methods::notices(mcp, caller, asked).await {
            Ok(None) => {}
            Ok(Some(mut notices)) => {
                while let Some(notice) = notices.next().await {
                    let _ = out.send(notice.to_string()).await;
                }
            }
            Err(fault) => {
                let _ = out.send(asked.reply(&Err(fault), mcp.endpoint)).await;
                return;
            }
        }
    }
    let is_batch = question.is_batch;
    let answers = question.parts.into_iter().map(async |part| match part {
        Err(refusal) => refusal,
        Ok(mut asked) => {
            let answer = methods::answer(mcp, caller, &mut asked).await;
            asked.reply(&answer, mcp.endpoint)
        }
    });
    let answers = futures_util::future::join_all(answers).await.join(",");
    let line = if is_batch {
        format!("[{answers}]")
    } else {
        answers
    };
    // A reader that is gone ends the connection elsewhere.
    let _ = out.send(line).await;
}

/// Answers a subscription, and goes on with what is told of its resource.
async fn subscribed(mcp: &Arc<Mcp>, caller: &Caller, asked: RpcCall, out: &mpsc::Sender<String>) {
    let mut messages = match subscribe::messages(mcp, caller, &asked).await {
        Ok(messages) => messages,
        Err(fault) => stream::once(ready(asked.reply(&Err(fault), mcp.endpoint))).boxed(),
    };
    while let Some(message) = messages.next().await {
        // A reader that is gone ends the connection elsewhere.
        let _ = out.send(message).await;
    }
}

/// Answers a call that may wait for a model.
async fn drawn(
    mcp: &Arc<Mcp>,
    caller: &Caller,
    mut asked: RpcCall,
    token: Value,
    out: &mpsc::Sender<String>,
) {
    let (id, era, endpoint) = (asked.id.clone(), asked.era, mcp.endpoint);
    let (this, by) = (Arc::clone(mcp), caller.clone());
    let answer = async move { methods::answer(&this, &by, &mut asked).await };
    let mut steps = drawn::course(token, answer.boxed());
    while let Some(step) = steps.next().await {
        let line = match step {
            drawn::Step::Notice(notice) => notice.to_string(),
            drawn::Step::Answer(answer) => reply(&id, era, &answer, endpoint),
        };
        // A reader that is gone ends the connection elsewhere.
        let _ = out.send(line).await;
    }
}

/// Answers a request whose caller may be told or asked something before.
#[cfg(feature = "gate")]
async fn exchanged(mcp: &Arc<Mcp>, caller: &Caller, asked: RpcCall, out: &mpsc::Sender<String>) {
    let (id, era) = (asked.id.clone(), asked.era);
    let (this, by) = (Arc::clone(mcp), caller.clone());
    let answer = |mut asked| {
        let answer = async move { methods::answer(&this, &by, &mut asked).await };
        answer.boxed()
    };
    let mut following = match exchange::begin(mcp, caller, asked, true, answer) {
        Ok(exchange) => Some(exchange),
        Err(fault) => {
            let _ = out.send(fault.to_jsonrpc(&id, era, mcp.endpoint)).await;
            None
        }
    };
    while let Some(exchange) = following.take() {
        let (step, rest) = exchange::next(&mcp.exchanges, exchange).await;
        let line = match step {
            Step::Message(message) => message.to_string(),
            Step::End(answer) => reply(&id, era, &answer, mcp.endpoint),
        };
        // A reader that is gone ends the connection elsewhere.
        let _ = out.send(line).await;
        following = rest;
    }
}

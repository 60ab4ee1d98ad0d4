//! The course of a request: what its caller is told and asked, one after the other, and the answer.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt as _};
use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use super::super::endpoint;
use super::super::era::declared;
use super::super::held::Hold;
use super::super::methods::{Answer, RpcCall};
use super::super::state::Mcp;
use super::conversation::{Conversation, Said};
use super::levels::{Level, Levels};
use super::rounds;
use crate::domain::gate::{Abilities, PROGRESS, Question};
use crate::domain::operation::Caller;
use crate::domain::principal::Principal;
use crate::transports::conformance::Fixtures;
use crate::transports::faults::Fault;
use crate::transports::request::Correlation;
use crate::wire::fault::{Code, Endpoint, Era};

/// What is said to a slow reader and waits; how far a request has come meanwhile is left out.
const SAID_WAITING: usize = 64;
/// Requests during which servers may ask something, as the newer revision names them.
const ASKING: [&str; 3] = ["prompts/get", "resources/read", "tools/call"];
/// Log messages, as a method of the protocol.
const LOG: &str = "notifications/message";
/// Where a request of the newer revision says which log messages it wants.
const LOG_LEVEL_KEY: &str = "io.modelcontextprotocol/logLevel";
/// What comes next.
pub(in super::super) enum Step {
    /// A message before the answer.
    Message(Value),
    /// The answer, or in the newer era what has to be answered first.
    End(Result<Answer, Fault>),
}

/// An answer that is waited for, and one that is there.
enum Answering {
    Coming(BoxFuture<'static, Result<Answer, Fault>>),
    Here(Result<Answer, Fault>),
}

/// A request and its caller.
pub(in super::super) struct Exchange {
    pub(in super::super) id: String,
    pub(in super::super) era: Era,
    /// Who may go on with it.
    pub(super) caller: Principal,
    /// What is asked for, without what differs between rounds, where there may be some.
    pub(super) request: Option<Rounded>,
    /// Whether the client reads messages before the answer.
    hears: bool,
    meta: Map<String, Value>,
    /// How far it had come when the caller was told last.
    progress: f64,
    said: mpsc::Receiver<Said>,
    answering: Answering,
    /// What has to be answered in the next round, by the ids of the questions.
    pub(super) open: Vec<(String, Question)>,
    /// By which a later round is taken back; the first one is by what answers it.
    pub(super) hold: Option<Hold>,
}

/// A method, and its parameters that are the same in every round.
#[derive(PartialEq)]
pub(super) struct Rounded(String, Map<String, Value>);

impl Rounded {
    pub(super) fn of(asked: &RpcCall) -> Self {
        let mut params = asked.params.clone();
        for name in ["_meta", rounds::RESPONSES, rounds::STATE] {
            params.shift_remove(name);
        }
        Self(asked.method.clone(), params)
    }
}

impl Exchange {
    /// Whether the caller may be told or asked something before the answer.
    pub(in super::super) fn is_one(mcp: &Mcp, asked: &RpcCall) -> bool {
        let is_gate = mcp.endpoint == Endpoint::Gate && ASKING.contains(&asked.method.as_str());
        is_gate || Fixtures::asks(&asked.method, &asked.params)
    }

    /// Begins a request, or goes on with one that waits for what the caller has answered now.
    pub(in super::super) fn begin(
        mcp: &Arc<Mcp>,
        caller: &Caller,
        mut asked: RpcCall,
        hears: bool,
    ) -> Result<Self, (RpcCall, Fault)> {
        let abilities = match (asked.era, hears) {
            (Era::Legacy, true) => Abilities::UNKNOWN,
            (Era::Legacy, false) => Abilities::NONE,
            (Era::Modern, _) => declared(&asked.params).map_or(Abilities::NONE, Abilities::of),
        };
        let meta = asked.params.get("_meta").and_then(Value::as_object);
        let meta = meta.cloned().unwrap_or_default();
        if asked.era == Era::Modern {
            match rounds::resumed(mcp, caller, &asked) {
                Err(fault) => return Err((asked, fault)),
                Ok(Some(mut exchange)) => {
                    exchange.hold = Some(mcp.held.hold(&caller.principal, &asked.id));
                    exchange.id = asked.id;
                    (exchange.hears, exchange.meta) = (hears, meta);
                    exchange.progress = f64::NEG_INFINITY;
                    return Ok(exchange);
                }
                Ok(None) => {}
            }
        }
        let (send, said) = mpsc::channel(SAID_WAITING);
        asked.requester = Some(Arc::new(Conversation {
            questions: Arc::clone(&mcp.exchanges.questions),
            caller: caller.principal.clone(),
            abilities,
            said: send,
        }));
        let (id, era) = (asked.id.clone(), asked.era);
        let has_rounds = era == Era::Modern && abilities != Abilities::NONE;
        let request = has_rounds.then(|| Rounded::of(&asked));
        let answering = answer(Arc::clone(mcp), caller.clone(), asked);
        Ok(Self {
            id,
            era,
            caller: caller.principal.clone(),
            request,
            hears,
            meta,
            progress: f64::NEG_INFINITY,
            said,
            answering: Answering::Coming(answering),
            open: Vec::new(),
            hold: None,
        })
    }

    /// Whether the client wants to know how far it has come.
    pub(in super::super) fn tells_progress(&self) -> bool {
        self.hears && self.meta.contains_key("progressToken")
    }

    /// What comes next, and what follows unless it was the answer.
    pub(in super::super) async fn next(mut self, mcp: &Arc<Mcp>) -> (Step, Option<Self>) {
        loop {
            let said = match self.answering {
                Answering::Here(answer) => match self.said.try_recv() {
                    Ok(said) => {
                        self.answering = Answering::Here(answer);
                        said
                    }
                    Err(_) => return (Step::End(answer), None),
                },
                // All that is asked at once is one round.
                Answering::Coming(_) if !self.open.is_empty() => match self.said.try_recv() {
                    Ok(said) => said,
                    Err(_) => return (Step::End(Ok(rounds::suspend(mcp, self))), None),
                },
                Answering::Coming(ref mut answer) => tokio::select! {
                    biased;
                    () = taken_back(self.hold.as_ref()) => {
                        let why = "the request was taken back";
                        let fault = Fault::saying(Code::InvalidRequest, why);
                        return (Step::End(Err(fault)), None);
                    }
                    Some(said) = self.said.recv() => said,
                    answer = answer => {
                        self.answering = Answering::Here(answer);
                        continue;
                    }
                },
            };
            if let Some(message) = self.message(said, &mcp.exchanges.levels) {
                return (Step::Message(message), Some(self));
            }
        }
    }

    /// Goes on with the work while nobody waits for the answer.
    pub(super) fn detach(&mut self) {
        let here = || Answering::Here(Err(Fault::of(Code::Internal)));
        self.answering = match std::mem::replace(&mut self.answering, here()) {
            Answering::Coming(answer) => {
                let working = tokio_util::task::AbortOnDropHandle::new(tokio::spawn(answer));
                let answer = async move {
                    let answer = working.await;
                    answer.unwrap_or_else(|_| Err(Fault::of(Code::Internal)))
                };
                Answering::Coming(answer.boxed())
            }
            here => here,
        };
    }

    /// What is said, as a message to the client; nothing where it cannot read one, or wants none.
    fn message(&mut self, said: Said, levels: &Levels) -> Option<Value> {
        match (said, self.era) {
            (Said::Told { method, params }, _) => self.notice(method, params, levels),
            (Said::Asked { id, question }, Era::Legacy) => Some(json!({
                "jsonrpc": "2.0",
                "id": id,
                "method": question.method,
                "params": question.params,
            })),
            (Said::Asked { id, mut question }, Era::Modern) => {
                let wanted = question.name.clone();
                let mut number = 1;
                while self.open.iter().any(|(_, open)| open.name == question.name) {
                    number += 1;
                    question.name = format!("{wanted}-{number}");
                }
                self.open.push((id, question));
                None
            }
            (Said::Withdrawn(id), Era::Legacy) => {
                let mut params = Map::new();
                params.insert("requestId".to_owned(), id.into());
                self.notice("notifications/cancelled", params, levels)
            }
            (Said::Withdrawn(id), Era::Modern) => {
                self.open.retain(|(open, _)| *open != id);
                None
            }
        }
    }

    fn notice(
        &mut self,
        method: &'static str,
        mut params: Map<String, Value>,
        levels: &Levels,
    ) -> Option<Value> {
        if !self.hears {
            return None;
        }
        if method == PROGRESS {
            let token = self.meta.get("progressToken")?.clone();
            // It grows, as the protocol says, whatever a server says.
            let now = params.get("progress").and_then(Value::as_f64);
            self.progress = now.filter(|now| *now > self.progress)?;
            params.insert("progressToken".to_owned(), token);
        }
        if method == LOG {
            let level = params.get("level").and_then(Level::of)?;
            let least = match self.era {
                Era::Legacy => levels.of(&self.caller).unwrap_or(level),
                Era::Modern => self.meta.get(LOG_LEVEL_KEY).and_then(Level::of)?,
            };
            if level < least {
                return None;
            }
        }
        Some(json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }
}

/// Whether a client reads messages before the answer: it says so, or does not say what it reads.
pub(in super::super) fn hears(headers: &HeaderMap) -> bool {
    let streams = ["text/event-stream", "text/*", "*/*"];
    let names_one = |value: &HeaderValue| {
        let value = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
        streams.iter().any(|name| value.contains(name))
    };
    !headers.contains_key(ACCEPT) || headers.get_all(ACCEPT).iter().any(names_one)
}

/// The work, which may go on after this request's layers are through with it.
fn answer(
    mcp: Arc<Mcp>,
    caller: Caller,
    mut asked: RpcCall,
) -> BoxFuture<'static, Result<Answer, Fault>> {
    let answer = async move { endpoint::answer(&mcp, &caller, &mut asked).await };
    match Correlation::current() {
        Some(correlation) => correlation.scope(answer).boxed(),
        None => answer.boxed(),
    }
}

async fn taken_back(hold: Option<&Hold>) {
    match hold {
        Some(hold) => hold.taken_back().await,
        None => std::future::pending().await,
    }
}

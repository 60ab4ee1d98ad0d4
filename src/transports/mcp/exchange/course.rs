//! The course of a request: what its caller is told and asked, one after the other, and the answer.

use futures_util::future::{BoxFuture, FutureExt as _};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use super::super::answer::Answer;
use super::super::held::Hold;
use super::conversation::Said;
use super::levels::{Level, Levels};
use crate::domain::gate::{LOG, LOG_LEVEL_KEY, PROGRESS, Question};
use crate::domain::places::Place;
use crate::domain::principal::Principal;
use crate::transports::faults::Fault;
use crate::wire::fault::{Code, Era};
use crate::wire::ids::AppId;

/// A method, and its parameters that are the same in every round.
pub(super) type Rounded = (String, Map<String, Value>);

/// What comes next for a caller that waits.
pub(super) enum Next {
    /// A message before the answer.
    Message(Value),
    /// What is open has to be answered first.
    Round,
    /// The answer takes long, and the caller need not wait.
    Deferred(Place<AppId>),
    Ended(Result<Answer, Fault>),
}

/// What happens to a request that nobody waits for.
pub(super) enum Happened {
    /// Something that its caller need not know.
    Nothing,
    /// How far it has come, in words.
    Progress(Value),
    /// It is asked what is open now.
    Asked,
    /// The question of this id needs no answer any more.
    Withdrawn(String),
    Ended(Result<Answer, Fault>),
}

/// A request and its caller.
pub(in super::super) struct Exchange {
    pub(in super::super) id: String,
    pub(in super::super) era: Era,
    /// Who may go on with it.
    pub(super) caller: Principal,
    /// What is asked for, where there may be several rounds.
    pub(super) request: Option<Rounded>,
    /// Whether the client reads messages before the answer.
    pub(super) hears: bool,
    pub(super) meta: Map<String, Value>,
    /// How far it had come when the caller was told last.
    pub(super) progress: f64,
    pub(super) said: mpsc::Receiver<Said>,
    pub(super) answering: BoxFuture<'static, Result<Answer, Fault>>,
    /// The answer, once it is there.
    pub(super) answer: Option<Result<Answer, Fault>>,
    /// What has to be answered in the next round, by the ids of the questions.
    pub(super) open: Vec<(String, Question)>,
    /// By which a later round is taken back; the first one is by what answers it.
    pub(super) hold: Option<Hold>,
}

impl Exchange {
    /// Whether the client wants to know how far it has come.
    pub(in super::super) fn wants_progress(&self) -> bool {
        self.hears && self.meta.contains_key("progressToken")
    }

    /// What comes next.
    pub(super) async fn next(&mut self, levels: &Levels) -> Next {
        loop {
            let said = if self.answer.is_some() {
                self.said.try_recv().ok()
            } else if !self.open.is_empty() {
                // All that is asked at once is one round.
                match self.said.try_recv() {
                    Ok(said) => Some(said),
                    Err(_) => return Next::Round,
                }
            } else {
                tokio::select! {
                    biased;
                    () = taken_back(self.hold.as_ref()) => {
                        let why = "the request was taken back";
                        return Next::Ended(Err(Fault::saying(Code::InvalidRequest, why)));
                    }
                    Some(said) = self.said.recv() => Some(said),
                    answer = &mut self.answering => {
                        self.answer = Some(answer);
                        continue;
                    }
                }
            };
            match said {
                None => {
                    let answer = self.answer.take();
                    return Next::Ended(answer.unwrap_or_else(|| Err(Fault::of(Code::Internal))));
                }
                Some(Said::Deferred(place)) => return Next::Deferred(place),
                Some(said) => {
                    if let Some(message) = self.message(said, levels) {
                        return Next::Message(message);
                    }
                }
            }
        }
    }

    /// What happens next, to be told later.
    pub(super) async fn settle(&mut self, levels: &Levels) -> Happened {
        if let Some(answer) = self.answer.take() {
            return Happened::Ended(answer);
        }
        let said = tokio::select! {
            biased;
            Some(said) = self.said.recv() => said,
            answer = &mut self.answering => return Happened::Ended(answer),
        };
        match said {
            Said::Notification { method, params } if method == PROGRESS => {
                let message = params.get("message").cloned();
                message.map_or(Happened::Nothing, Happened::Progress)
            }
            Said::Withdrawn(id) => Happened::Withdrawn(id),
            said => {
                // Nobody reads a notification.
                let _ = self.message(said, levels);
                match self.open.is_empty() {
                    true => Happened::Nothing,
                    false => Happened::Asked,
                }
            }
        }
    }

    /// Goes on with the work while nobody waits for the answer.
    pub(super) fn detach(mut self) -> Self {
        let working = AbortOnDropHandle::new(tokio::spawn(self.answering));
        let answering = async move {
            let answer = working.await;
            answer.unwrap_or_else(|_| Err(Fault::of(Code::Internal)))
        };
        self.answering = answering.boxed();
        self.hold = None;
        self
    }

    /// What is said, as a message to the client; nothing where it cannot read one, or wants none.
    fn message(&mut self, said: Said, levels: &Levels) -> Option<Value> {
        match (said, self.era) {
            (Said::Notification { method, params }, _) => self.notice(method, params, levels),
            // It is a task already.
            (Said::Deferred(_), _) => None,
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

async fn taken_back(hold: Option<&Hold>) {
    match hold {
        Some(hold) => hold.taken_back().await,
        None => std::future::pending().await,
    }
}

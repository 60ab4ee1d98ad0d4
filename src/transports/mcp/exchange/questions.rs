//! Questions that callers have not answered yet.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::super::envelope::Reply;
use crate::domain::clock::Ids;
use crate::domain::gate::AskError;
use crate::domain::limits::GateLimits;
use crate::domain::places::{Place, Places};
use crate::domain::principal::Principal;
use crate::wire::fault::Code;
use crate::wire::ids::AppId;

/// The number of an error that says nothing of itself.
const NO_CODE: Option<i32> = Code::Internal.row().legacy;

type Answer = Result<Value, AskError>;

/// What a client says of itself when it does not answer.
#[derive(Deserialize)]
struct RpcError {
    code: i32,
    #[serde(default)]
    message: String,
}

/// A question that waits for its answer.
struct Waiting {
    app: AppId,
    name: Arc<str>,
    reply: oneshot::Sender<Answer>,
}

/// Every question that waits now, by an id that nobody can guess.
pub(in super::super) struct Questions {
    pub(super) ids: Arc<dyn Ids>,
    /// How long a question waits.
    pub(super) wait: Duration,
    /// Cancelled when the shutdown begins: then nobody waits any more.
    pub(super) drain: CancellationToken,
    places: Arc<Places<AppId>>,
    waiting: Mutex<HashMap<String, Waiting>>,
}

impl Questions {
    /// None yet.
    pub(super) fn new(
        limits: &GateLimits,
        ids: Arc<dyn Ids>,
        drain: CancellationToken,
    ) -> Arc<Self> {
        Arc::new(Self {
            ids,
            wait: limits.question_wait(),
            drain,
            places: Arc::new(Places::new(limits.questions_per_app_max)),
            waiting: Mutex::default(),
        })
    }

    /// Begins to wait for what a caller answers.
    pub(super) fn open(self: &Arc<Self>, to: &Principal) -> Result<Open, AskError> {
        let place = self.places.enter(&to.app);
        let place = place.map_err(|full| AskError::Full(full.max()))?;
        let (reply, answer) = oneshot::channel();
        let id = self.ids.uuid();
        let waiting = Waiting {
            app: to.app.clone(),
            name: Arc::clone(&to.name),
            reply,
        };
        self.waiting.lock().insert(id.clone(), waiting);
        Ok(Open {
            questions: Arc::clone(self),
            id,
            answer,
            _place: place,
        })
    }

    /// Takes what a client answers by the id of a question.
    pub(in super::super) fn hear(&self, by: &Principal, reply: &Reply<'_>) {
        let Ok(id) = serde_json::from_str::<String>(reply.id) else {
            return;
        };
        let answer = match (reply.result, reply.error) {
            (Some(result), _) => serde_json::from_str(result.get()).map_err(|_| AskError::Gone),
            (None, error) => Err(refused(error)),
        };
        self.answer(by, &id, answer);
    }

    /// Takes an answer. One to a question of somebody else's is ignored like one to no question.
    pub(super) fn answer(&self, by: &Principal, id: &str, answer: Answer) {
        let mut waiting = self.waiting.lock();
        let is_theirs = |waiting: &Waiting| waiting.app == by.app && waiting.name == by.name;
        if waiting.get(id).is_some_and(is_theirs)
            && let Some(asked) = waiting.remove(id)
        {
            // Whoever asked may have given up this moment.
            let _ = asked.reply.send(answer);
        }
    }
}

/// Why a client does not answer, in its own words.
fn refused(error: Option<&RawValue>) -> AskError {
    let read = error.and_then(|error| serde_json::from_str::<RpcError>(error.get()).ok());
    let RpcError { code, message } = read.unwrap_or(RpcError {
        code: NO_CODE.unwrap_or_default(),
        message: String::new(),
    });
    AskError::Refused { code, message }
}

/// A question that waits; dropped, it waits no longer.
pub(super) struct Open {
    questions: Arc<Questions>,
    pub(super) id: String,
    pub(super) answer: oneshot::Receiver<Answer>,
    _place: Place<AppId>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.questions.waiting.lock().remove(&self.id);
    }
}

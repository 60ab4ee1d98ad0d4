//! Whoever made a request, as those who answer it know them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::questions::Questions;
use crate::domain::gate::{Abilities, AskError, Question, Requester};
use crate::domain::places::{Place, Places};
use crate::domain::principal::Principal;
use crate::wire::ids::AppId;

/// What is said to a caller before the answer.
pub(super) enum Said {
    Notification {
        method: &'static str,
        params: Map<String, Value>,
    },
    /// A question, by its id.
    Asked { id: String, question: Question },
    /// The question of this id needs no answer any more.
    Withdrawn(String),
    /// The answer takes long, and the caller need not wait for it.
    Deferred(Place<AppId>),
}

/// Whoever made a request.
pub(super) struct Conversation {
    pub(super) questions: Arc<Questions>,
    pub(super) caller: Principal,
    pub(super) abilities: Abilities,
    pub(super) said: mpsc::Sender<Said>,
    /// The span that answers, as a `traceparent`.
    pub(super) trace: Option<String>,
    /// Places for tasks, where it may become one.
    pub(super) tasks: Option<Arc<Places<AppId>>>,
    /// Whether it is one.
    pub(super) is_deferred: AtomicBool,
}

/// Says that a question needs no answer any more, unless it had one.
struct Withdrawing<'a> {
    said: &'a mpsc::Sender<Said>,
    id: Option<String>,
}

impl Drop for Withdrawing<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            // A reader that is slow or gone answers in vain.
            let _ = self.said.try_send(Said::Withdrawn(id));
        }
    }
}

#[async_trait]
impl Requester for Conversation {
    fn caller(&self) -> (&AppId, &str) {
        (&self.caller.app, &self.caller.name)
    }

    fn abilities(&self) -> Abilities {
        self.abilities
    }

    fn defer(&self) -> bool {
        let Some(places) = &self.tasks else {
            return false;
        };
        if self.is_deferred.load(Ordering::Acquire) {
            return true;
        }
        let place = places.enter(&self.caller.app);
        let is_deferred =
            place.is_ok_and(|place| self.said.try_send(Said::Deferred(place)).is_ok());
        self.is_deferred.store(is_deferred, Ordering::Release);
        is_deferred
    }

    fn trace(&self) -> Option<String> {
        self.trace.clone()
    }

    fn notify(&self, method: &'static str, params: Map<String, Value>) {
        let _ = self.said.try_send(Said::Notification { method, params });
    }

    async fn ask(&self, question: Question) -> Result<Value, AskError> {
        if !self.abilities.allow(question.method, &question.params) {
            return Err(AskError::Unable);
        }
        let mut open = self.questions.open(&self.caller)?;
        let id = open.id.clone();
        let asked = Said::Asked { id, question };
        self.said.send(asked).await.map_err(|_| AskError::Gone)?;
        let mut withdrawing = Withdrawing {
            said: &self.said,
            id: Some(open.id.clone()),
        };
        let answered = tokio::select! {
            biased;
            () = self.questions.drain.cancelled() => return Err(AskError::Gone),
            answered = timeout(self.questions.wait, &mut open.answer) => answered,
        };
        match answered {
            Ok(Ok(answer)) => {
                withdrawing.id = None;
                answer
            }
            Ok(Err(_)) => Err(AskError::Gone),
            Err(_) => Err(AskError::Timeout),
        }
    }
}

//! Somebody who follows a resource: whoever asks on their connection meanwhile has no answer.

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::super::era::declared;
use crate::domain::gate::{Abilities, AskError, Question, Requester};
use crate::domain::principal::Principal;
use crate::wire::ids::AppId;

/// Somebody who follows a resource.
pub(in super::super) struct Follower {
    caller: Principal,
    abilities: Abilities,
}

impl Follower {
    /// Who follows with a request of these parameters, so that they have the connection of their calls.
    pub(in super::super) fn of(caller: &Principal, params: &Map<String, Value>) -> Self {
        Self {
            caller: caller.clone(),
            abilities: declared(params).map_or(Abilities::UNKNOWN, Abilities::of),
        }
    }
}

#[async_trait]
impl Requester for Follower {
    fn caller(&self) -> (&AppId, &str) {
        (&self.caller.app, &self.caller.name)
    }

    fn abilities(&self) -> Abilities {
        self.abilities
    }

    fn defer(&self) -> bool {
        false
    }

    fn notify(&self, _: &'static str, _: Map<String, Value>) {}

    async fn ask(&self, _: Question) -> Result<Value, AskError> {
        Err(AskError::Unable)
    }
}

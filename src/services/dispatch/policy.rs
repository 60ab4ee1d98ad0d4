//! Whether an operation may be run at all, whoever is allowed to ask for it.

#[cfg(feature = "gate")]
use std::sync::Arc;

use async_trait::async_trait;
#[cfg(feature = "gate")]
use serde_json::{Map, Value, json};

#[cfg(feature = "gate")]
use super::super::gate::{Agreement, Gate, GateError, Pass};
use super::error::DispatchError;
use super::registry::Entry;
#[cfg(feature = "gate")]
use crate::domain::gate::Definition;
#[cfg(feature = "gate")]
use crate::domain::operation::Answer;
use crate::domain::operation::{Caller, Operation};

/// How an operation may be run.
pub(crate) enum Passage {
    /// At once.
    Open,
    /// Once, because a person has agreed; what comes of it is reported.
    #[cfg(feature = "gate")]
    Agreed(Agreement),
    /// It was run, for another who asked for the same.
    #[cfg(feature = "gate")]
    Made(Answer),
}

/// Decides over operations as plain data: what it sees can be stored, shown to a person, and run
/// later.
#[async_trait]
pub(crate) trait Policy: Send + Sync {
    /// Lets an operation pass, once a person has agreed where that is needed, or refuses it.
    async fn decide(&self, entry: &Entry, operation: &Operation) -> Result<Passage, DispatchError>;

    /// Whether a caller sees a tool of ours.
    fn shows(&self, caller: &Caller, tool: &str) -> bool;

    /// Whether everybody sees all of them.
    fn shows_all(&self) -> bool;
}

/// The policy of a server without rules: everything passes.
pub(crate) struct AllowAll;

#[async_trait]
impl Policy for AllowAll {
    async fn decide(&self, _: &Entry, _: &Operation) -> Result<Passage, DispatchError> {
        Ok(Passage::Open)
    }

    fn shows(&self, _: &Caller, _: &str) -> bool {
        true
    }

    fn shows_all(&self) -> bool {
        true
    }
}

/// The rules of a gate file about this server's own tools.
#[cfg(feature = "gate")]
#[async_trait]
impl Policy for Arc<Gate> {
    async fn decide(&self, entry: &Entry, operation: &Operation) -> Result<Passage, DispatchError> {
        let (Some(name), Value::Object(arguments)) =
            (entry.governed(&operation.caller), &operation.arguments)
        else {
            return Ok(Passage::Open);
        };
        let definition = || definition(name, entry);
        match self
            .pass(&operation.caller, name, arguments, definition)
            .await?
        {
            Pass::Open => Ok(Passage::Open),
            Pass::Agreed(agreement) => Ok(Passage::Agreed(agreement)),
            Pass::Made(made) => {
                let answer = serde_json::from_str(&made[ANSWER].to_string());
                let name = name.to_owned();
                let answer = answer.map_err(|_| GateError::OutcomeUnknown { name })?;
                Ok(Passage::Made(answer))
            }
        }
    }

    fn shows(&self, caller: &Caller, tool: &str) -> bool {
        self.shows_own(caller, tool)
    }

    fn shows_all(&self) -> bool {
        !self.governs_own()
    }
}

/// Where the answer stands in what is kept for others who asked for the same.
#[cfg(feature = "gate")]
const ANSWER: &str = "answer";

/// What comes of an operation, for the card and for others who asked for the same.
#[cfg(feature = "gate")]
pub(super) fn outcome(done: &Result<Answer, DispatchError>) -> Value {
    match done {
        Ok(answer) => json!({ ANSWER: answer }),
        Err(_) => json!({ "isError": true }),
    }
}

/// What a tool of ours says of itself.
#[cfg(feature = "gate")]
fn definition(name: &str, entry: &Entry) -> Definition {
    let said = [
        ("name", Value::from(name)),
        ("title", Value::from(&*entry.title)),
        ("description", Value::from(&*entry.description)),
        ("inputSchema", entry.input.schema().clone()),
    ];
    let said: Map<String, Value> = said
        .into_iter()
        .map(|(member, value)| (member.to_owned(), value))
        .collect();
    Definition::of(None, &said)
}

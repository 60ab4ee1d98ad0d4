//! One step of a request for a caller that waits: a message, or an end.

use std::sync::Arc;

use serde_json::Value;

use super::super::answer::Answer;
use super::course::{Exchange, Next};
use super::exchanges::Exchanges;
use super::{rounds, tasks};
use crate::transports::faults::Fault;

/// What comes next.
pub(in super::super) enum Step {
    /// A message before the answer.
    Message(Value),
    /// The answer, or in the newer era what stands for it: questions, or a task.
    End(Result<Answer, Fault>),
}

/// What comes next, and what follows unless it was the end.
pub(in super::super) async fn next(
    exchanges: &Arc<Exchanges>,
    mut exchange: Exchange,
) -> (Step, Option<Exchange>) {
    let end = match exchange.next(&exchanges.levels).await {
        Next::Message(message) => return (Step::Message(message), Some(exchange)),
        Next::Round => Ok(rounds::suspend(exchanges, exchange)),
        Next::Deferred(place) => Ok(tasks::begin(exchanges, exchange, place)),
        Next::Ended(answer) => answer,
    };
    (Step::End(end), None)
}

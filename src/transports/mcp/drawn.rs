//! Calls that may wait for a model: clients that want to know are told that they are under way.

use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::answer::Answer;
use super::rpc_call::RpcCall;
use crate::transports::faults::Fault;

/// A call that is answered within this time needs no word before: people see no wait in it.
const SOON: Duration = Duration::from_millis(200);
/// How often a client hears of its call: often enough for those that give up after half a minute
/// without a word.
const EACH: Duration = Duration::from_secs(10);

/// What a client is sent of such a call.
pub(super) enum Step {
    /// A notification.
    Notice(Value),
    /// The answer, which is the last.
    Answer(Result<Answer, Fault>),
}

/// Under which name a client wants to know how far such a call has come; none where it is no such
/// call, or the client does not want to know.
pub(super) fn wanted_by(asked: &RpcCall) -> Option<Value> {
    asked.progress_token().filter(|_| asked.draws()).cloned()
}

/// The course of a call, step by step.
pub(super) fn course(
    token: Value,
    answer: BoxFuture<'static, Result<Answer, Fault>>,
) -> BoxStream<'static, Step> {
    let begun = Some((answer, 0));
    let steps = stream::unfold(begun, move |going| {
        let token = token.clone();
        async move {
            let (mut answer, sent) = going?;
            let wait = if sent == 0 { SOON } else { EACH };
            Some(match timeout(wait, &mut answer).await {
                Ok(answer) => (Step::Answer(answer), None),
                Err(_) => {
                    let sent = sent + 1;
                    (Step::Notice(notice(&token, sent)), Some((answer, sent)))
                }
            })
        }
    });
    steps.boxed()
}

fn notice(token: &Value, sent: u32) -> Value {
    json!({
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {
            "progressToken": token,
            "progress": sent,
            "message": "A model draws the page",
        },
    })
}

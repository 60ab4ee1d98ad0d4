//! Requests that a server of the newer era goes on with as tasks, as the extension
//! `io.modelcontextprotocol/tasks` has it: looked at until they end.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{AbortHandle, Aborted, BoxFuture, FutureExt as _, abortable};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use serde_json::{Map, Value, json};
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};

use super::calls::Call;
use super::connect::Link;
use super::message::{self, Answered};
use super::sent::send;
use crate::domain::gate::{AskError, PROGRESS, UpstreamError};

/// How often a task is looked at whose server does not say how often.
const LOOK: Duration = Duration::from_secs(1);
/// The least and the most that a server may ask for: more often is a burden, and more seldom keeps
/// callers waiting for what is there.
const LOOK_RANGE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(60));
/// Looks in a row that may fail before the task is given up: a server that starts anew is back by then.
const FAILED_LOOKS_MAX: usize = 5;

/// A task of a server; dropped before it has ended, it is cancelled there.
struct Task<'a> {
    link: &'a Arc<Link>,
    id: String,
    has_ended: bool,
}

impl Task<'_> {
    async fn ask(&self, method: &str, more: Option<(&str, Value)>) -> Result<Value, UpstreamError> {
        ask(self.link, method, &self.id, more).await
    }
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let (link, id) = (Arc::clone(self.link), std::mem::take(&mut self.id));
        // At the end of the process nobody is left to send it.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move { ask(&link, "tasks/cancel", &id, None).await });
        }
    }
}

async fn ask(
    link: &Link,
    method: &str,
    id: &str,
    more: Option<(&str, Value)>,
) -> Result<Value, UpstreamError> {
    let mut params = Map::new();
    params.insert("taskId".to_owned(), id.into());
    params.extend(more.map(|(name, value)| (name.to_owned(), value)));
    match send(link, message::request(method, params)?, None).await? {
        Answered::Result(result) => Ok(result),
        Answered::Asks(..) | Answered::Began(_) => {
            Err(UpstreamError::Unusable(format!("{method} has no result")))
        }
    }
}

/// Waits for the result of a task that was begun for a call, and asks its caller what the server has
/// to know meanwhile. A caller that knows tasks goes on with something else. Each look has so much time.
pub(super) async fn finish(
    link: &Arc<Link>,
    call: &Arc<Call>,
    begun: &Value,
    time: Duration,
) -> Result<Value, UpstreamError> {
    let id = begun["taskId"].as_str().unwrap_or_default().to_owned();
    let mut task = Task {
        link,
        id,
        has_ended: false,
    };
    // Whoever does not wait has all the time that a task has.
    let _untimed = call.requester.defer().then(|| call.untimed());
    let mut look_every = look_every(begun);
    let mut asked: HashMap<String, AbortHandle> = HashMap::new();
    let mut answers = FuturesUnordered::<BoxFuture<'_, _>>::new();
    let (mut looks, mut failed) = (0_u64, 0);
    loop {
        tokio::select! {
            Some(answered) = answers.next() => {
                // Aborted: the server no longer asks.
                let answered: Result<(String, Result<Value, AskError>), Aborted> = answered;
                if let Ok((name, answer)) = answered {
                    let answer = answer.map_err(message::unanswered)?;
                    let answers = json!({ name: answer });
                    task.ask("tasks/update", Some(("inputResponses", answers))).await?;
                }
            }
            () = sleep(look_every) => {}
        }
        let looked = timeout(time, task.ask("tasks/get", None)).await;
        let mut now = match looked.unwrap_or(Err(UpstreamError::Timeout)) {
            Ok(now) => now,
            Err(error @ UpstreamError::Answered { .. }) => {
                task.has_ended = true;
                return Err(error);
            }
            Err(error) => {
                failed += 1;
                if failed >= FAILED_LOOKS_MAX {
                    return Err(error);
                }
                continue;
            }
        };
        failed = 0;
        looks += 1;
        look_every = self::look_every(&now);
        if let Value::String(message) = now["statusMessage"].take() {
            let progress = json!({ "progress": looks, "message": message });
            if let Value::Object(progress) = progress {
                call.requester.notify(PROGRESS, progress);
            }
        }
        let open = match now["inputRequests"].take() {
            Value::Object(open) if now["status"] == "input_required" => open,
            _ => Map::new(),
        };
        asked
            .iter()
            .filter(|(name, _)| !open.contains_key(*name))
            .for_each(|(_, ask)| ask.abort());
        // What was asked once keeps its name.
        let new = open.iter().filter(|(name, _)| !asked.contains_key(*name));
        for question in message::questions(new).ok_or_else(message::unknown_question)? {
            let (name, call) = (question.name.clone(), Arc::clone(call));
            let asking = async move { (question.name.clone(), call.ask(question).await) };
            let (asking, abort) = abortable(asking);
            asked.insert(name, abort);
            answers.push(asking.boxed());
        }
        let ended = match now["status"].as_str() {
            Some("completed") => message::complete(now["result"].take()),
            Some("failed") => Err(message::answered(&now["error"])),
            Some("cancelled") => Err(UpstreamError::Unusable("its task was cancelled".to_owned())),
            _ => continue,
        };
        task.has_ended = true;
        return ended;
    }
}

/// How long to wait before a task is looked at again.
fn look_every(task: &Value) -> Duration {
    let wanted = task["pollIntervalMs"].as_u64();
    let (least, most) = LOOK_RANGE;
    wanted
        .map_or(LOOK, Duration::from_millis)
        .clamp(least, most)
}

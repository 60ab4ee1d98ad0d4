//! Requests whose callers go on with something else and look at them now and then: the extension
//! `io.modelcontextprotocol/tasks` of the newer era.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use tokio_util::task::AbortOnDropHandle;

use super::super::answer::{Answer, reply};
use super::super::era::declared;
use super::super::results::created;
use super::course::{Exchange, Happened};
use super::exchanges::{Ended, Exchanges, Known, Task};
use super::rounds::{requests, responses, take};
use crate::domain::gate::TASKS;
use crate::domain::places::Place;
use crate::domain::principal::Principal;
use crate::transports::faults::Fault;
use crate::wire::fault::{Code, Era};
use crate::wire::ids::AppId;

/// How often a client looks at a task: so often that it hears of the end at most a quarter of the whole
/// time late, within these bounds.
const POLL_RANGE: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(5));
/// Letters of an id after its prefix: too many to guess.
const ID_CHARS: usize = 21;

/// Goes on with a request as a task: what its caller is told of it.
pub(super) fn begin(exchanges: &Arc<Exchanges>, exchange: Exchange, place: Place<AppId>) -> Answer {
    let now = exchanges.clock.wall();
    let known = Arc::new(Mutex::new(Known {
        created: now,
        updated: now,
        message: None,
        open: Vec::new(),
        ended: None,
    }));
    let random = exchanges.questions.ids.uuid();
    let random = random.chars().filter(char::is_ascii_hexdigit);
    let id = format!("tg_{}", random.take(ID_CHARS).collect::<String>());
    let task = described(&id, &known.lock(), exchanges);
    let caller = exchange.caller.clone();
    let work = work(Arc::clone(exchanges), exchange, Arc::clone(&known));
    let mut tasks = exchanges.tasks.lock();
    let _end = {
        let id = id.clone();
        exchanges.after(exchanges.task_ttl, move |exchanges| {
            let over = exchanges.tasks.lock().remove(&id);
            drop(over);
        })
    };
    let kept = Task {
        caller,
        known,
        work: Some(AbortOnDropHandle::new(tokio::spawn(work))),
        _end,
        _place: place,
    };
    tasks.insert(id, kept);
    Answer(created(task).to_string().into())
}

/// Does the work of a task, and notes what happens.
async fn work(exchanges: Arc<Exchanges>, mut exchange: Exchange, task: Arc<Mutex<Known>>) {
    loop {
        let happened = exchange.settle(&exchanges.levels).await;
        let mut known = task.lock();
        known.updated = exchanges.clock.wall();
        match happened {
            Happened::Nothing => {}
            Happened::Progress(message) => known.message = Some(message),
            Happened::Asked => {
                for (id, mut question) in exchange.open.drain(..) {
                    if known
                        .open
                        .iter()
                        .any(|(_, open)| open.name == question.name)
                    {
                        question.name = format!("{}-{id}", question.name);
                    }
                    known.open.push((id, question));
                }
            }
            Happened::Withdrawn(id) => known.open.retain(|(open, _)| *open != id),
            Happened::Ended(answer) => {
                let envelope = reply("0", Era::Modern, &answer, exchanges.endpoint);
                let mut envelope: Value = serde_json::from_str(&envelope).unwrap_or_default();
                known.open.clear();
                known.message = None;
                known.ended = Some(match answer {
                    Ok(_) => Ended::Result(envelope["result"].take()),
                    Err(_) => Ended::Error(envelope["error"].take()),
                });
                return;
            }
        }
    }
}

/// Answers a method of the extension; none where it is another one.
pub(in super::super) fn answer(
    exchanges: &Exchanges,
    by: &Principal,
    method: &str,
    params: &Map<String, Value>,
) -> Option<Result<Value, Fault>> {
    if !["tasks/get", "tasks/update", "tasks/cancel"].contains(&method) {
        return None;
    }
    if !declares(params) {
        let needed = json!({ "extensions": { TASKS: {} } });
        let needed = json!({ "requiredCapabilities": needed });
        return Some(Err(Fault::of(Code::MissingCapability).with(needed)));
    }
    Some(look(exchanges, by, method, params))
}

fn look(
    exchanges: &Exchanges,
    by: &Principal,
    method: &str,
    params: &Map<String, Value>,
) -> Result<Value, Fault> {
    let id = params.get("taskId").and_then(Value::as_str);
    let id = id.unwrap_or_default();
    let mut tasks = exchanges.tasks.lock();
    let is_theirs = |task: &&mut Task| task.caller.app == by.app && task.caller.name == by.name;
    let Some(task) = tasks.get_mut(id).filter(is_theirs) else {
        let why = "Invalid params:\n- params.taskId: names no task of yours";
        return Err(Fault::saying(Code::InvalidParams, why));
    };
    let mut known = task.known.lock();
    match method {
        "tasks/get" => return Ok(described(id, &known, exchanges)),
        "tasks/update" => {
            take(exchanges, by, &mut known.open, responses(params)?);
            known.updated = exchanges.clock.wall();
        }
        // One that has ended stays as it is.
        _ if known.ended.is_some() => {}
        _ => {
            known.ended = Some(Ended::Cancelled);
            known.message = None;
            known.open.clear();
            known.updated = exchanges.clock.wall();
            drop(known);
            drop(task.work.take());
        }
    }
    Ok(json!({}))
}

/// A task as the protocol has it.
fn described(id: &str, known: &Known, exchanges: &Exchanges) -> Value {
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let age = exchanges.clock.wall().since(known.created);
    let (least, most) = POLL_RANGE;
    let mut task = json!({
        "taskId": id,
        "status": "working",
        "createdAt": known.created.to_string(),
        "lastUpdatedAt": known.updated.to_string(),
        "ttlMs": millis(exchanges.task_ttl),
        "pollIntervalMs": millis((age / 4).clamp(least, most)),
    });
    if let Some(message) = &known.message {
        task["statusMessage"] = message.clone();
    }
    let (status, more) = match &known.ended {
        None if known.open.is_empty() => return task,
        None => {
            let requests = requests(&known.open).into();
            ("input_required", Some(("inputRequests", requests)))
        }
        Some(Ended::Cancelled) => ("cancelled", None),
        Some(Ended::Result(result)) => ("completed", Some(("result", result.clone()))),
        Some(Ended::Error(error)) => ("failed", Some(("error", error.clone()))),
    };
    task["status"] = status.into();
    if let Some((name, value)) = more {
        task[name] = value;
    }
    task
}

/// Whether a client has the extension.
fn declares(params: &Map<String, Value>) -> bool {
    let extensions = declared(params).and_then(|declared| declared.get("extensions"));
    extensions.is_some_and(|extensions| extensions[TASKS].is_object())
}

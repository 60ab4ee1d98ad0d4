//! What an endpoint keeps of requests whose callers are told and asked things.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::course::Exchange;
use super::levels::Levels;
use super::questions::Questions;
use crate::domain::clock::{Clock, Ids, Time};
use crate::domain::gate::Question;
use crate::domain::limits::GateLimits;
use crate::domain::places::{Place, Places};
use crate::domain::principal::Principal;
use crate::wire::fault::Endpoint;
use crate::wire::ids::AppId;

/// A request between two rounds; dropped, it is taken back.
pub(super) struct Suspended {
    pub(super) exchange: Exchange,
    /// Takes it back when nobody comes.
    pub(super) _end: AbortOnDropHandle<()>,
}

/// How a task ended.
pub(super) enum Ended {
    Cancelled,
    Result(Value),
    Error(Value),
}

/// What is known of a task.
pub(super) struct Known {
    pub(super) created: Time,
    pub(super) updated: Time,
    /// What it waits for, in words.
    pub(super) message: Option<Value>,
    /// What has to be answered, by the ids of the questions.
    pub(super) open: Vec<(String, Question)>,
    pub(super) ended: Option<Ended>,
}

/// A request whose caller looks at it now and then; dropped, it is taken back.
pub(super) struct Task {
    pub(super) caller: Principal,
    pub(super) known: Arc<Mutex<Known>>,
    /// The work; none once it was cancelled.
    pub(super) work: Option<AbortOnDropHandle<()>>,
    /// Forgets it at its time.
    pub(super) _end: AbortOnDropHandle<()>,
    pub(super) _place: Place<AppId>,
}

/// What an endpoint keeps of requests whose callers are told and asked things.
pub(crate) struct Exchanges {
    pub(super) endpoint: Endpoint,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) drain: CancellationToken,
    /// What callers are asked.
    pub(in super::super) questions: Arc<Questions>,
    /// Which log messages callers want.
    pub(in super::super) levels: Levels,
    /// Requests that wait for the next round, by names that nobody can guess.
    pub(super) rounds: Mutex<HashMap<String, Suspended>>,
    /// Requests that their callers look at now and then, by their ids.
    pub(super) tasks: Mutex<HashMap<String, Task>>,
    pub(super) task_places: Arc<Places<AppId>>,
    /// How long a task is known.
    pub(super) task_ttl: Duration,
    /// Tells each time that a list of the gate may be another one.
    pub(in super::super) changes: watch::Receiver<()>,
}

impl Exchanges {
    /// Nothing yet.
    pub(crate) fn new(
        endpoint: Endpoint,
        limits: &GateLimits,
        (clock, ids): (&Arc<dyn Clock>, &Arc<dyn Ids>),
        drain: &CancellationToken,
        changes: &watch::Receiver<()>,
    ) -> Arc<Self> {
        Arc::new(Self {
            endpoint,
            clock: Arc::clone(clock),
            drain: drain.clone(),
            questions: Questions::new(limits, Arc::clone(ids), drain.clone()),
            levels: Levels::default(),
            rounds: Mutex::default(),
            tasks: Mutex::default(),
            task_places: Arc::new(Places::new(limits.tasks_per_app_max)),
            task_ttl: limits.task_ttl(),
            changes: changes.clone(),
        })
    }

    /// Does something after a time, or when the server ends.
    pub(super) fn after(
        self: &Arc<Self>,
        time: Duration,
        work: impl FnOnce(&Self) + Send + 'static,
    ) -> AbortOnDropHandle<()> {
        let exchanges = Arc::clone(self);
        let waiting = async move {
            tokio::select! {
                () = exchanges.drain.cancelled() => {}
                () = tokio::time::sleep(time) => {}
            }
            work(&exchanges);
        };
        AbortOnDropHandle::new(tokio::spawn(waiting))
    }
}

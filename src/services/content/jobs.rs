//! Views that are being drawn, and the sessions that wait for each.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::domain::blueprint::OpenBlueprint;
use crate::wire::ids::SessionKey;
use crate::wire::remark::Remark;

/// Views that are being drawn.
#[derive(Default)]
pub(super) struct Jobs(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// How many there have been.
    count: u64,
    /// By the ids of their blueprints.
    jobs: HashMap<Arc<str>, Vec<Job>>,
}

struct Job {
    number: u64,
    model: Arc<str>,
    /// What the model is told that people have said.
    remarks: Vec<Remark>,
    waiting: Vec<Waiting>,
    over: CancellationToken,
}

/// A session that waits for its view.
pub(super) struct Waiting {
    pub(super) key: SessionKey,
    /// Whether those who watch it see that a view is being drawn.
    pub(super) is_announced: bool,
}

/// Names a job to who does it.
pub(super) struct Ticket {
    blueprint: Arc<str>,
    number: u64,
    /// Cancelled once another job does it instead.
    pub(super) over: CancellationToken,
}

impl Jobs {
    /// Has a session wait for a view of a blueprint. A job that goes on for it is joined; otherwise
    /// there is a ticket for a new one.
    ///
    /// Where more has been said of the page meanwhile, what is drawn now comes too late: whoever waits
    /// for it waits for the new one.
    pub(super) fn join(
        &self,
        blueprint: &OpenBlueprint,
        model: &Arc<str>,
        is_fresh: bool,
        key: &SessionKey,
    ) -> Option<Ticket> {
        let mut known = self.0.lock();
        let Known { count, jobs } = &mut *known;
        let jobs = jobs.entry(Arc::clone(&blueprint.id)).or_default();
        let mut waiting = Vec::new();
        let is_late = |job: &mut Job| is_fresh && job.remarks != blueprint.remarks;
        for late in jobs.extract_if(.., is_late) {
            late.over.cancel();
            waiting.extend(late.waiting);
        }
        let mut same = jobs.iter_mut().filter(|job| job.model == *model);
        let joined = same.next();
        let is_joined = joined.is_some();
        let mut new = Vec::new();
        let all = joined.map_or(&mut new, |job| &mut job.waiting);
        waiting.push(Waiting {
            key: key.clone(),
            is_announced: false,
        });
        for one in waiting {
            if all.iter().all(|known| known.key != one.key) {
                all.push(one);
            }
        }
        if is_joined {
            return None;
        }
        *count += 1;
        let ticket = Ticket {
            blueprint: Arc::clone(&blueprint.id),
            number: *count,
            over: CancellationToken::new(),
        };
        jobs.push(Job {
            number: ticket.number,
            model: Arc::clone(model),
            remarks: blueprint.remarks.clone(),
            waiting: new,
            over: ticket.over.clone(),
        });
        Some(ticket)
    }

    /// Forgets a job, and gives those who wait for it: none, where another one does it instead.
    pub(super) fn end(&self, ticket: &Ticket) -> Vec<Waiting> {
        let mut known = self.0.lock();
        let Some(jobs) = known.jobs.get_mut(&ticket.blueprint) else {
            return Vec::new();
        };
        let at = jobs.iter().position(|job| job.number == ticket.number);
        let ended = at.map(|at| jobs.swap_remove(at));
        if jobs.is_empty() {
            known.jobs.remove(&ticket.blueprint);
        }
        ended.map(|job| job.waiting).unwrap_or_default()
    }

    /// The session that is the so manieth to wait.
    pub(super) fn session(&self, ticket: &Ticket, at: usize) -> Option<SessionKey> {
        let look = |waiting: &mut Vec<Waiting>| waiting.get(at).map(|one| one.key.clone());
        self.with(ticket, look).flatten()
    }

    /// Sessions whose watchers do not know of the job, from now on as those that do.
    pub(super) fn take_unannounced(&self, ticket: &Ticket) -> Vec<SessionKey> {
        let mark = |waiting: &mut Vec<Waiting>| {
            let unannounced = waiting.iter_mut();
            let unannounced = unannounced.filter_map(|one| {
                (!mem::replace(&mut one.is_announced, true)).then(|| one.key.clone())
            });
            unannounced.collect()
        };
        self.with(ticket, mark).unwrap_or_default()
    }

    fn with<T>(&self, ticket: &Ticket, look: impl FnOnce(&mut Vec<Waiting>) -> T) -> Option<T> {
        let mut known = self.0.lock();
        let jobs = known.jobs.get_mut(&ticket.blueprint)?;
        let job = jobs.iter_mut().find(|job| job.number == ticket.number)?;
        Some(look(&mut job.waiting))
    }
}

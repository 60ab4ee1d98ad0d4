//! Long work: only so much at a time, never all of it for one caller, and never on the threads that
//! answer everybody.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Semaphore;
use tokio::task::block_in_place;

use crate::domain::limits::WorkLimits;
use crate::domain::principal::Principal;
use crate::wire::ids::AppId;

/// How long a caller waits whose queue is full: what it has sent takes about as long.
const WAIT: Duration = Duration::from_secs(1);

/// As much work of a caller waits as may.
#[derive(Debug, thiserror::Error)]
#[error("{queued} requests of this caller wait for their turn")]
pub(crate) struct TooMuchWork {
    pub(crate) queued: usize,
    /// When to try again.
    pub(crate) wait: Duration,
}

/// Whose work it is.
type Name = (AppId, Arc<str>);

/// Places for long work.
pub(crate) struct Work {
    limits: WorkLimits,
    places: Semaphore,
    /// How many of them one caller may hold.
    each_max: usize,
    queues: Mutex<HashMap<Name, Arc<Semaphore>>>,
}

impl Work {
    /// As many places as were configured, or as there are cores.
    pub(crate) fn new(limits: &WorkLimits, cores: usize) -> Self {
        let max = match limits.places_max {
            0 => cores,
            max => max,
        };
        let max = max.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            limits: limits.clone(),
            places: Semaphore::new(max),
            each_max: max.div_ceil(2),
            queues: Mutex::default(),
        }
    }

    /// Does what is short at once. What is long waits for its turn, behind what the same caller
    /// asked for before, and then leaves this thread's other tasks to another thread.
    ///
    /// # Errors
    ///
    /// As much work of the caller waits as may.
    pub(crate) async fn run<T>(
        &self,
        caller: &Principal,
        bytes: usize,
        work: impl Future<Output = T>,
    ) -> Result<T, TooMuchWork> {
        if bytes <= self.limits.inline_bytes_max {
            return Ok(work.await);
        }
        let queued = self.queue(caller)?;
        // Neither is ever closed.
        let _own = queued.places.acquire().await;
        let _place = self.places.acquire().await;
        let handle = Handle::current();
        Ok(match handle.runtime_flavor() {
            // There is one thread: nothing is gained by leaving it.
            RuntimeFlavor::CurrentThread => work.await,
            _ => block_in_place(|| handle.block_on(work)),
        })
    }

    fn queue(&self, caller: &Principal) -> Result<Queued<'_>, TooMuchWork> {
        let name = (caller.app.clone(), Arc::clone(&caller.name));
        let mut queues = self.queues.lock();
        let places = queues
            .entry(name.clone())
            .or_insert_with(|| Arc::new(Semaphore::new(self.each_max)));
        // Each of those who wait or work holds one beside the one that is kept here.
        let queued = Arc::strong_count(places) - 1;
        if queued
            >= self
                .limits
                .queue_per_caller_max
                .saturating_add(self.each_max)
        {
            return Err(TooMuchWork { queued, wait: WAIT });
        }
        Ok(Queued {
            work: self,
            places: Arc::clone(places),
            name,
        })
    }
}

/// A place in the queue of a caller.
struct Queued<'a> {
    work: &'a Work,
    places: Arc<Semaphore>,
    name: Name,
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        /// The one that is kept, and the one that ends here.
        const LAST: usize = 2;
        let mut queues = self.work.queues.lock();
        if Arc::strong_count(&self.places) <= LAST {
            queues.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt as _;
    use tokio::sync::oneshot;

    use super::*;
    use crate::domain::principal::Scopes;

    fn caller(name: &str) -> Principal {
        let mut caller = Principal::viewer(AppId::from("app"), Scopes::all());
        caller.name = name.into();
        caller
    }

    #[tokio::test]
    async fn one_caller_waits_behind_itself_and_holds_nobody_up() {
        let limits = WorkLimits {
            inline_bytes_max: 0,
            places_max: 2,
            queue_per_caller_max: 1,
        };
        let work = Work::new(&limits, 8);
        let (greedy, other) = (caller("greedy"), caller("other"));
        let (end, ended) = oneshot::channel::<()>();
        let mut first = pin!(work.run(&greedy, 1, ended));
        assert!(first.as_mut().now_or_never().is_none());
        let mut second = pin!(work.run(&greedy, 1, async {}));
        assert!(second.as_mut().now_or_never().is_none());
        let third = work.run(&greedy, 1, async {}).await;
        assert_eq!(third.err().map(|full| full.queued), Some(2));
        assert!(work.run(&other, 1, async {}).await.is_ok());
        assert!(work.run(&greedy, 0, async {}).await.is_ok(), "short work");
        drop(end);
        assert!(first.await.is_ok());
        assert!(second.await.is_ok());
        assert!(work.queues.lock().is_empty());
    }
}

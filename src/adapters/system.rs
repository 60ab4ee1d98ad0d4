//! The machine's own clock and randomness, and what it has of memory and of open files.

use std::time::Instant;

use parking_lot::Mutex;
use sysinfo::{MemoryRefreshKind, Pid, Process, ProcessRefreshKind, ProcessesToUpdate, System};

use crate::domain::clock::{Clock, Ids, Time};
use crate::domain::footprint::Footprint;

/// The system clock, read once at the start; from then on the time is measured monotonically.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemClock {
    began: Time,
    since: Instant,
}

impl SystemClock {
    /// A clock that starts at the current wall-clock time.
    pub(crate) fn new() -> Self {
        Self::beginning_at(shown())
    }

    #[expect(clippy::disallowed_methods, reason = "this is the adapter of the port")]
    fn beginning_at(began: Time) -> Self {
        Self {
            began,
            since: Instant::now(),
        }
    }
}

/// The current wall-clock time.
#[expect(clippy::disallowed_methods, reason = "this is the adapter of the port")]
fn shown() -> Time {
    let millis = jiff::Timestamp::now().as_millisecond();
    Time(u64::try_from(millis).unwrap_or(0))
}

impl Clock for SystemClock {
    fn now(&self) -> Time {
        self.began.plus(self.since.elapsed())
    }

    fn wall(&self) -> Time {
        shown()
    }
}

/// The operating system's randomness.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemIds;

impl Ids for SystemIds {
    #[expect(clippy::disallowed_methods, reason = "this is the adapter of the port")]
    #[expect(
        clippy::expect_used,
        reason = "without randomness no secret could be made: end at once"
    )]
    fn fill(&self, bytes: &mut [u8]) {
        // Asked directly: the generator of aws-lc spends 40 ms on its own seed at start.
        getrandom::fill(bytes).expect("the operating system gives randomness");
    }
}

/// The machine's memory, and how much of it this process takes.
pub(crate) struct SystemMemory(Option<(Mutex<System>, Pid)>);

impl SystemMemory {
    /// Measures this machine; every figure is `None` on systems that do not report it.
    pub(crate) fn new() -> Self {
        let system = System::new().ok();
        let process = sysinfo::get_current_pid().ok();
        Self(system.map(Mutex::new).zip(process))
    }

    /// Memory in bytes available to this process: the limit of its control group or the memory of
    /// the machine, whichever is smaller.
    pub(crate) fn total(&self) -> Option<u64> {
        let (system, process) = self.0.as_ref()?;
        let mut system = system.lock();
        system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
        let group = measured(&mut system, *process)?.cgroup_limits();
        let group = group.map(|group| group.total_memory);
        let bounds = group.into_iter().chain([system.total_memory()]);
        bounds.filter(|bytes| *bytes > 0).min()
    }
}

impl Footprint for SystemMemory {
    fn bytes(&self) -> Option<u64> {
        let (system, process) = self.0.as_ref()?;
        measured(&mut system.lock(), *process).map(Process::memory)
    }
}

/// The process with its memory as it is now, without its threads.
fn measured(system: &mut System, process: Pid) -> Option<&Process> {
    let memory = ProcessRefreshKind::nothing().with_memory().without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), false, memory);
    system.process(process)
}

/// Raises the soft limit of open files to `wanted`, at most to the hard limit, and returns what
/// holds now. Most systems start a process with a soft limit of about a thousand.
pub(crate) fn open_files(wanted: u64) -> std::io::Result<u64> {
    rlimit::increase_nofile_limit(wanted)
}
#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_machine_whose_clock_is_set_measures_life_times_as_before() {
        // As if somebody had moved the machine's clock by a day, either way, since the start.
        let day = Duration::from_secs(86_400);
        for began in [shown().plus(day), Time(shown().0 - 86_400_000)] {
            let clock = SystemClock::beginning_at(began);
            let passed = clock.now().since(began);
            assert!(clock.now() >= began && passed < day / 2, "{passed:?}");
            assert!(clock.wall().0.abs_diff(began.0) > 43_200_000);
        }
    }
}

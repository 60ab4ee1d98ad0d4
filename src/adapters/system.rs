//! The machine's own clock and randomness, and what it has of memory and of open files.

use parking_lot::Mutex;
use sysinfo::{MemoryRefreshKind, Pid, ProcessRefreshKind, ProcessesToUpdate, System};

use crate::domain::clock::{Clock, Ids, Time};
use crate::domain::footprint::Footprint;

/// The machine's wall clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the adapter of the port")]
    fn now(&self) -> Time {
        let millis = jiff::Timestamp::now().as_millisecond();
        Time(u64::try_from(millis).unwrap_or(0))
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
    /// A look at this machine; it tells nothing where nothing can be known.
    pub(crate) fn new() -> Self {
        let system = System::new().ok();
        let process = sysinfo::get_current_pid().ok();
        Self(system.map(Mutex::new).zip(process))
    }

    /// Bytes this process may have at most: what its control group has, or else the machine.
    pub(crate) fn total(&self) -> Option<u64> {
        let (system, process) = self.0.as_ref()?;
        let mut system = system.lock();
        system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
        let memory = ProcessRefreshKind::nothing().with_memory();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[*process]), false, memory);
        let group = system.process(*process)?.cgroup_limits();
        let group = group.map(|group| group.total_memory);
        let bounds = group.into_iter().chain([system.total_memory()]);
        bounds.filter(|bytes| *bytes > 0).min()
    }
}

impl Footprint for SystemMemory {
    fn bytes(&self) -> Option<u64> {
        let (system, process) = self.0.as_ref()?;
        let mut system = system.lock();
        let memory = ProcessRefreshKind::nothing().with_memory();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[*process]), false, memory);
        system.process(*process).map(sysinfo::Process::memory)
    }
}

/// Has the system let this process open so many files, as far as it may; how many it may open now.
/// Most systems let a process open a thousand until it asks.
pub(crate) fn open_files(wanted: u64) -> std::io::Result<u64> {
    rlimit::increase_nofile_limit(wanted)
}

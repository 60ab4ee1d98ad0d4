//! The two servers of a run, and the table row that compares them.

use std::time::Duration;

use tokio::time::Instant;

use crate::Failure;
use crate::server::Server;

/// The head of the table.
pub(crate) const HEADINGS: &str =
    "                              server         bare    ratio    core time of one: server, bare";

/// What is measured, against what, and for how long.
pub(crate) struct Bench {
    pub(crate) server: Server,
    pub(crate) bare: Server,
    pub(crate) span: Duration,
    pub(crate) only: Option<String>,
}

/// The result for one server.
pub(crate) struct Rate {
    per_second: f64,
    /// Processor time of one operation, if the server is a process on this machine.
    core: Option<Duration>,
}

impl Bench {
    /// Whether a row is wanted.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.only
            .as_ref()
            .is_none_or(|only| name.contains(only.as_str()))
    }

    /// A row that compares both servers.
    pub(crate) fn row(&self, name: &str, ours: &Rate, bare: &Rate) {
        let core = |rate: &Rate| {
            rate.core.map_or_else(
                || "–".to_owned(),
                |core| format!("{:.1} µs", core.as_secs_f64() * 1e6),
            )
        };
        println!(
            "{name:<24} {:>8.0} /s  {:>8.0} /s  {:>5.0} %    {:>9}  {:>9}",
            ours.per_second,
            bare.per_second,
            100.0 * ours.per_second / bare.per_second,
            core(ours),
            core(bare),
        );
    }
}

impl Rate {
    /// Measures how often an operation was done while it ran; the operation returns its count.
    pub(crate) async fn of(
        server: &Server,
        work: impl Future<Output = Result<u64, Failure>>,
    ) -> Result<Self, Failure> {
        let (begun, core_before) = (Instant::now(), server.core_time());
        let count = work.await?.max(1);
        let seconds = begun.elapsed().as_secs_f64();
        let core = server.core_time().zip(core_before);
        Ok(Self {
            per_second: count as f64 / seconds,
            core: core.map(|(after, before)| {
                Duration::from_secs_f64((after - before).as_secs_f64() / count as f64)
            }),
        })
    }

    /// The rate of something that consists of several of these operations.
    pub(crate) fn for_each(self, several: u32) -> Self {
        Self {
            per_second: self.per_second / f64::from(several),
            core: self.core.map(|core| core * several),
        }
    }
}

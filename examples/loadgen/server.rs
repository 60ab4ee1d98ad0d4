//! A server as a process: its start, its memory, its processor time, its end.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::Failure;

/// Clock ticks per second in which Linux counts the time of processes.
const TICKS: f64 = 100.0;

/// A server under measurement; if it was started here, dropping this stops it.
pub(crate) struct Server {
    pub(crate) mcp: String,
    process: Option<Child>,
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Server {
    /// A server that is already running.
    pub(crate) fn at(mcp: String) -> Self {
        Self { mcp, process: None }
    }

    /// Starts a program on a core of its own and reads its address from its output.
    pub(crate) fn start(program: PathBuf, arguments: &[&str], mark: &str) -> Result<Self, Failure> {
        let mut command = if has_taskset() {
            let mut command = Command::new("taskset");
            command.args(["-c", "0"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        let mut process = command
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let output = process.stdout.take().ok_or("no output")?;
        for line in BufReader::new(output).lines() {
            if let Some(url) = line?.trim().strip_prefix(mark) {
                return Ok(Self {
                    mcp: url.trim().to_owned(),
                    process: Some(process),
                });
            }
        }
        Err("the server printed no address; is it built? cargo build --profile dist".into())
    }

    /// Address of the live channel.
    pub(crate) fn socket(&self) -> String {
        self.mcp.replacen("http", "ws", 1).replace("/mcp", "/ws")
    }

    /// Resident memory in bytes; `None` where it is unknown.
    pub(crate) fn memory(&self) -> Option<u64> {
        let status = self.proc("status")?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kib * 1024)
    }

    /// Processor time so far; `None` where it is unknown.
    pub(crate) fn core_time(&self) -> Option<Duration> {
        let stat = self.proc("stat")?;
        // After the name, which may contain anything, the 12th and 13th fields are user and system
        // time.
        let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
        Some(Duration::from_secs_f64((ticks(11)? + ticks(12)?) / TICKS))
    }

    fn proc(&self, file: &str) -> Option<String> {
        let id = self.process.as_ref()?.id();
        std::fs::read_to_string(format!("/proc/{id}/{file}")).ok()
    }
}

/// Moves this process off the core of the servers, if there is another one.
pub(crate) fn leave_first_core() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores > 1 && has_taskset() {
        let _ = Command::new("taskset")
            .args(["-a", "-p", "-c", &format!("1-{}", cores - 1)])
            .arg(std::process::id().to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }
}

fn has_taskset() -> bool {
    let asked = Command::new("taskset")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    asked.is_ok_and(|status| status.success())
}

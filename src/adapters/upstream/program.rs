//! Programs that are MCP servers: started with few variables, and ended with everything they
//! started, even when this process is killed.

use std::collections::BTreeMap;
use std::io;
use std::process::Stdio;

use futures_util::StreamExt as _;
use tokio::io::AsyncRead;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio_util::codec::{FramedRead, LinesCodec};
use tokio_util::sync::{CancellationToken, DropGuard};

/// Variables that programs need to find their files; others may be secrets of this server.
const VARIABLES: [&str; 12] = [
    "APPDATA",
    "HOME",
    "LANG",
    "LOGNAME",
    "PATH",
    "SHELL",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMPDIR",
    "USER",
    "USERPROFILE",
];
/// Bytes of a line that a program writes to its log; the rest of a longer one is dropped.
const LOG_LINE_BYTES_MAX: usize = 4 << 10;

/// Waits until its input ends, which is when this process has ended, in whatever way, or has dropped
/// the program: then it ends the program's group, which has a second to do so in order.
#[cfg(unix)]
const GUARD: &str = "read -r _; kill -s TERM -- \"-$1\"; sleep 1; kill -s KILL -- \"-$1\"";

/// A running program; dropping it ends the program and everything it started.
pub(super) struct Program {
    /// What it reads.
    pub(super) input: ChildStdin,
    /// What it writes.
    pub(super) output: ChildStdout,
    /// Ends it when it is dropped.
    pub(super) life: DropGuard,
}

impl Program {
    /// Starts a program in a group of its own.
    pub(super) fn start(
        id: &str,
        command: &[String],
        env: &BTreeMap<String, String>,
    ) -> io::Result<Self> {
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| io::Error::other("no program is given"))?;
        let kept = VARIABLES.iter().filter_map(|name| {
            let value = std::env::var_os(name)?;
            Some((*name, value))
        });
        let mut starting = Command::new(program);
        starting
            .args(arguments)
            .env_clear()
            .envs(kept)
            .envs(env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        starting.process_group(0);
        let mut child = starting.spawn()?;
        #[cfg(unix)]
        let guard = guard(&child)?;
        #[cfg(not(unix))]
        let guard = None;
        let missing = || io::Error::other("the program has no pipes");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        if let Some(log) = child.stderr.take() {
            tokio::spawn(write_log(id.to_owned(), log));
        }
        let life = CancellationToken::new();
        tokio::spawn(watch(child, guard, life.clone()));
        let life = life.drop_guard();
        Ok(Self {
            input,
            output,
            life,
        })
    }
}

/// Starts the process that outlives this one and ends the program's group.
#[cfg(unix)]
fn guard(child: &Child) -> io::Result<Option<Child>> {
    let group = child.id();
    let group = group.ok_or_else(|| io::Error::other("the program ended at once"))?;
    let mut guard = Command::new("/bin/sh");
    guard
        .args(["-c", GUARD, "guard", &group.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // A signal from the terminal is for this process, which then ends its programs in order.
        .process_group(0);
    guard.spawn().map(Some)
}

/// Waits until a program ends or is dropped, then ends what is left of its group.
async fn watch(mut child: Child, guard: Option<Child>, life: CancellationToken) {
    tokio::select! {
        _ = child.wait() => {}
        () = life.cancelled() => {}
    }
    match guard {
        Some(mut guard) => {
            drop(guard.stdin.take());
            let _ = guard.wait().await;
        }
        None => {
            let _ = child.start_kill();
        }
    }
    let _ = child.wait().await;
}

/// Hands on what a program writes to its log.
async fn write_log(id: String, log: impl AsyncRead + Unpin) {
    let codec = LinesCodec::new_with_max_length(LOG_LINE_BYTES_MAX);
    let mut lines = FramedRead::new(log, codec);
    while let Some(line) = lines.next().await {
        match line {
            Ok(line) => tracing::debug!(gate.source = id, line, "a gate's program writes"),
            Err(_) => tracing::debug!(gate.source = id, "a gate's program writes a long line"),
        }
    }
}

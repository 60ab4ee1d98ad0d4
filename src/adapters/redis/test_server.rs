//! A Redis server of a test's own, in a folder that goes with it.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};

use tempfile::TempDir;

use super::address::Address;
use super::node::Node;
use crate::adapters::system::{SystemClock, SystemIds};

/// A server that ends with the test.
pub(super) struct Server {
    folder: TempDir,
    process: Child,
}

impl Server {
    /// Starts a server that listens on a socket in a folder of its own.
    pub(super) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let process = run(&folder);
        Self { folder, process }
    }

    /// Ends the server, and starts another with what it has written.
    pub(super) fn restart(&mut self) {
        self.end();
        self.process = run(&self.folder);
    }

    /// Where it is.
    pub(super) fn url(&self) -> String {
        format!("redis+unix://{}", socket(&self.folder).display())
    }

    fn end(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

fn socket(folder: &TempDir) -> PathBuf {
    folder.path().join("redis.sock")
}

/// Installs Debian's packages where there is no Redis: on a new machine, these are the first tests that
/// need it.
fn install() -> Result<(), String> {
    if Path::new("/usr/bin/redis-server").exists() {
        return Ok(());
    }
    const LOCK: &str = "DPkg::Lock::Timeout=300";
    let packages = ["redis-server", "redis-tools"];
    let install = ["install", "--yes", "--no-install-recommends"];
    for arguments in [vec!["update"], [&install[..], &packages].concat()] {
        let mut command = Command::new("apt-get");
        command.args(["-o", LOCK]).args(&arguments);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
        if !status.as_ref().is_ok_and(ExitStatus::success) {
            let line = arguments.join(" ");
            return Err(format!(
                "there is no Redis: run `apt-get {line}` ({status:?})"
            ));
        }
    }
    Ok(())
}

fn run(folder: &TempDir) -> Child {
    static IS_THERE: OnceLock<Result<(), String>> = OnceLock::new();
    if let Err(why) = IS_THERE.get_or_init(install) {
        panic!("{why}");
    }
    let started = Command::new("redis-server")
        .current_dir(folder.path())
        .args(["--port", "0", "--save", "", "--appendonly", "yes"])
        .args(["--appendfsync", "always", "--unixsocket"])
        .arg(socket(folder))
        .stdout(Stdio::piped())
        .spawn();
    let mut process = started.expect("redis-server, from Debian's package of that name");
    let output = BufReader::new(process.stdout.take().unwrap());
    let mut lines = output.lines();
    let is_ready = lines.any(|line| line.unwrap().contains("eady to accept connections"));
    assert!(is_ready, "redis-server does not start");
    // It writes on, and must not end because nobody reads.
    std::thread::spawn(move || lines.for_each(drop));
    process
}

/// A node above a server.
pub(super) async fn node(server: &Server) -> Arc<Node> {
    let address = Address::parse(&server.url()).unwrap();
    let clock = Arc::new(SystemClock::new());
    let joined = Node::join(address, "test", clock, Arc::new(SystemIds)).await;
    joined.unwrap()
}

//! A Redis server of a test's own, and nodes above it.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use crate::installed::Needed;
use crate::node::Node;
use crate::process::proscenium;
use crate::world::PATIENCE;

/// A server that ends with the test.
pub(crate) struct RedisServer {
    folder: TempDir,
    process: Child,
    arguments: &'static [&'static str],
}

impl RedisServer {
    /// A server that loses nothing it has acknowledged.
    pub(crate) async fn start() -> Self {
        Self::start_with(&["--appendonly", "yes", "--appendfsync", "always"]).await
    }

    /// A server with other settings.
    pub(crate) async fn start_with(arguments: &'static [&'static str]) -> Self {
        let folder = TempDir::new().expect("a folder");
        let process = run(&folder, arguments).await;
        Self {
            folder,
            process,
            arguments,
        }
    }

    /// Its address: a socket in a folder of its own.
    pub(crate) fn url(&self) -> String {
        format!("redis+unix://{}", socket(&self.folder).display())
    }

    /// A node above it.
    pub(crate) async fn node(&self) -> Node {
        self.node_with(&[]).await
    }

    /// The same with settings of its own.
    pub(crate) async fn node_with(&self, settings: &[(&str, &str)]) -> Node {
        let url = self.url();
        let mut command = proscenium(&["serve", "--listen", "127.0.0.1:0", "--store", &url]);
        command.env_remove("PROSCENIUM_STORE_EPHEMERAL");
        command.envs(settings.iter().copied());
        Node::run(command).await
    }

    /// What is on its disk now, to be taken back to.
    pub(crate) async fn copy(&self) -> TempDir {
        let copy = TempDir::new().expect("a folder");
        self.signal("STOP").await;
        copy_folder(&log(&self.folder), &log(&copy));
        self.signal("CONT").await;
        copy
    }

    /// Takes its place with what an earlier copy holds, as a replica does that was behind.
    pub(crate) async fn go_back_to(&mut self, copy: &TempDir) {
        self.process.kill().await.expect("an end");
        std::fs::remove_dir_all(log(&self.folder)).expect("its log");
        copy_folder(&log(copy), &log(&self.folder));
        self.process = run(&self.folder, self.arguments).await;
    }

    /// Ends it as a crash would, and starts it with what it has written.
    pub(crate) async fn restart(&mut self) {
        self.process.kill().await.expect("an end");
        self.process = run(&self.folder, self.arguments).await;
    }

    /// Stops the process, or lets it go on.
    pub(crate) async fn signal(&self, name: &str) {
        signal(&self.process, name).await;
    }

    /// What a command answers.
    pub(crate) async fn ask(&self, command: &[&str]) -> String {
        let asked = Command::new("redis-cli")
            .arg("-s")
            .arg(socket(&self.folder))
            .args(command)
            .output();
        let output = asked
            .await
            .expect("redis-cli, from Debian's package redis-tools");
        String::from_utf8(output.stdout).expect("text")
    }
}

/// Sends a signal to a process.
pub(crate) async fn signal(process: &Child, name: &str) {
    let id = process.id().expect("a process").to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status().await;
    assert!(sent.expect("kill").success());
}

/// Where Redis keeps what it has acknowledged.
fn log(folder: &TempDir) -> PathBuf {
    folder.path().join("appendonlydir")
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir(to).expect("a folder");
    for file in std::fs::read_dir(from).expect("a folder") {
        let file = file.expect("a file");
        std::fs::copy(file.path(), to.join(file.file_name())).expect("a copy");
    }
}

fn socket(folder: &TempDir) -> PathBuf {
    folder.path().join("redis.sock")
}

/// Redis and the program that asks it.
const NEEDED: Needed = Needed {
    path: "/usr/bin/redis-server",
    commands: &[
        &["apt-get", "update"],
        &[
            "apt-get",
            "install",
            "--yes",
            "--no-install-recommends",
            "redis-server",
            "redis-tools",
        ],
    ],
};

async fn run(folder: &TempDir, arguments: &[&str]) -> Child {
    NEEDED.install().unwrap_or_else(|why| panic!("{why}"));
    let mut command = Command::new("redis-server");
    command
        .current_dir(folder.path())
        .args(["--port", "0", "--save", "", "--unixsocket"])
        .arg(socket(folder))
        .args(arguments);
    ready(command, "eady to accept connections").await.0
}

/// A Redis process that has said something, and whatever it says from then on.
pub(crate) async fn ready(mut command: Command, word: &str) -> (Child, UnboundedReceiver<String>) {
    let mut process = command
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("redis-server, from Debian's package of that name");
    let mut lines = BufReader::new(process.stdout.take().expect("its output")).lines();
    let (said, mut heard) = unbounded_channel();
    // It writes on, and must not end because nobody reads.
    tokio::spawn(async move {
        while let Ok(Some(line)) = lines.next_line().await {
            // Nobody may listen.
            let _ = said.send(line);
        }
    });
    hears(&mut heard, word).await;
    (process, heard)
}

/// Waits until a process says something.
pub(crate) async fn hears(heard: &mut UnboundedReceiver<String>, word: &str) {
    let is_said = timeout(PATIENCE, async {
        while let Some(line) = heard.recv().await {
            if line.contains(word) {
                return true;
            }
        }
        false
    });
    assert!(is_said.await.expect("a line in time"), "{word} is said");
}

//! The key of a provider in the system's keyring: GNOME's, on a message bus of its own.

use std::process::Stdio;

use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::{KEY, Provider, Reply, chores};
use crate::contracts::todo_list;
use crate::process::proscenium;
use crate::world::PATIENCE;

/// A keyring that is unlocked, and the message bus on which it is found.
struct Keyring {
    folder: TempDir,
    _bus: Child,
    _daemon: Child,
}

impl Keyring {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut bus = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address=1"])
            .arg(format!("--address={}", address(&folder)))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("dbus-daemon, from Debian's package dbus");
        let mut lines = BufReader::new(bus.stdout.take().expect("its output")).lines();
        let is_ready = timeout(PATIENCE, lines.next_line()).await;
        is_ready.expect("a start").expect("its address");
        let mut daemon = on_bus("gnome-keyring-daemon", &folder)
            .args(["--foreground", "--unlock", "--components=secrets"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("gnome-keyring-daemon, from Debian's package gnome-keyring");
        let mut password = daemon.stdin.take().expect("its input");
        password.write_all(b"a password").await.expect("a reader");
        drop(password);
        let keyring = Self {
            folder,
            _bus: bus,
            _daemon: daemon,
        };
        keyring
            .gdbus(&["wait", "--session", "org.freedesktop.secrets"])
            .await;
        keyring
    }

    async fn lock(&self) {
        self.gdbus(&[
            "call",
            "--session",
            "--dest=org.freedesktop.secrets",
            "--object-path=/org/freedesktop/secrets",
            "--method=org.freedesktop.Secret.Service.Lock",
            "['/org/freedesktop/secrets/collection/login']",
        ])
        .await;
    }

    async fn gdbus(&self, arguments: &[&str]) {
        let done = on_bus("gdbus", &self.folder).args(arguments).output();
        let done = timeout(PATIENCE, done).await.expect("an end");
        let done = done.expect("gdbus, from Debian's package libglib2.0-bin");
        assert!(done.status.success(), "{done:?}");
    }

    /// Runs the program beside the keyring: its exit code, and all that it has printed.
    async fn run(&self, provider: &Provider, arguments: &[&str], input: &str) -> (i32, String) {
        let mut command = proscenium(arguments);
        command
            .env("DBUS_SESSION_BUS_ADDRESS", address(&self.folder))
            .env("PROSCENIUM_MODEL_PROVIDER", "openai")
            .env("PROSCENIUM_MODEL_URL", provider.url())
            .env("PROSCENIUM_MODEL_NAME", "quick")
            .env("PROSCENIUM_MODEL_KEYRING", "proscenium/a test")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = command.spawn().expect("a process");
        let mut written = process.stdin.take().expect("its input");
        // Most commands read nothing.
        let _ = written.write_all(input.as_bytes()).await;
        drop(written);
        let ended = timeout(PATIENCE, process.wait_with_output()).await;
        let ended = ended.expect("an end").expect("a process");
        let printed = [ended.stdout, ended.stderr].concat();
        let printed = String::from_utf8(printed).expect("text");
        (ended.status.code().expect("a code"), printed)
    }
}

fn address(folder: &TempDir) -> String {
    format!("unix:path={}", folder.path().join("bus").display())
}

/// A program that finds the bus, and keeps what it keeps in the folder.
fn on_bus(program: &str, folder: &TempDir) -> Command {
    let mut command = Command::new(program);
    command
        .env("DBUS_SESSION_BUS_ADDRESS", address(folder))
        .env("HOME", folder.path())
        .env("XDG_DATA_HOME", folder.path())
        .env("XDG_RUNTIME_DIR", folder.path())
        .kill_on_drop(true);
    command
}

#[tokio::test]
async fn a_key_is_put_into_the_keyring_and_sent_from_there_and_shown_nowhere() {
    let keyring = Keyring::start().await;
    let provider = Provider::start([Reply::Says(chores())]).await;
    let file = keyring.folder.path().join("todo.json");
    let entry = json!({"intent": "Keep track", "contract": todo_list()});
    std::fs::write(&file, entry.to_string()).expect("a file");
    let generate = ["generate", file.to_str().expect("a path")];

    let (code, printed) = keyring.run(&provider, &generate, "").await;
    let expected = "proscenium: model.keyring: proscenium/a test: the keyring holds no such key; \
                    put it there with: proscenium config keep-key\n";
    assert_eq!((code, printed.as_str()), (66, expected));

    // The second takes the place of the first.
    for key in ["sk-an-older-one", KEY] {
        let keep = ["config", "keep-key"];
        let (code, printed) = keyring.run(&provider, &keep, &format!("{key}\n")).await;
        let expected = "the key is in the keyring, as proscenium/a test\n";
        assert_eq!((code, printed.as_str()), (0, expected));
    }
    for arguments in [["config", "check"], ["config", "print"], generate] {
        let (code, printed) = keyring.run(&provider, &arguments, "").await;
        assert_eq!(code, 0, "{arguments:?}: {printed}");
        assert!(!printed.contains(KEY), "{arguments:?}: {printed}");
    }
    let sent = &provider.asked()[0].headers["authorization"];
    assert_eq!(sent, format!("Bearer {KEY}").as_str());

    let (code, printed) = keyring
        .run(&provider, &["config", "keep-key"], "two words")
        .await;
    assert_eq!(code, 78, "{printed}");
    assert!(
        printed.contains("standard input: holds no key"),
        "{printed}"
    );
}

#[tokio::test]
async fn a_keyring_that_is_locked_or_gone_keeps_the_server_from_starting_and_says_what_to_do() {
    let keyring = Keyring::start().await;
    let provider = Provider::start([Reply::Says(chores())]).await;
    let (code, printed) = keyring.run(&provider, &["config", "keep-key"], KEY).await;
    assert_eq!(code, 0, "{printed}");
    keyring.lock().await;
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let (code, printed) = keyring.run(&provider, &serve, "").await;
    let expected = "proscenium: model.keyring: proscenium/a test: the keyring is locked; unlock \
                    it, or set model.key_file instead\n";
    assert_eq!((code, printed.as_str()), (66, expected));

    std::fs::remove_file(keyring.folder.path().join("bus")).expect("a socket");
    let (code, printed) = keyring.run(&provider, &serve, "").await;
    assert_eq!((code, printed.lines().count()), (66, 1), "{printed}");
    for part in [
        "proscenium: model.keyring: proscenium/a test: there is no keyring to be used (",
        "); set model.key_file instead",
    ] {
        assert!(printed.contains(part), "{printed}");
    }
}

//! Disks that are full and files that are damaged: reads go on, writes say when to come back, and
//! nothing is lost without a word.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;
use tokio::time::timeout;

use crate::node::{Node, parts, stored};
use crate::world::{Answer, PATIENCE};

/// Exit code and standard error of a program that is to fail.
async fn refused(mut command: Command) -> (i32, String) {
    let output = timeout(PATIENCE, command.output()).await.expect("an end");
    let output = output.expect("a process");
    let text = String::from_utf8(output.stderr).expect("text");
    (output.status.code().expect("a code"), text)
}

fn serve(folder: &Path) -> Command {
    stored(folder, &["serve", "--listen", "127.0.0.1:0"])
}

fn assert_retry_later(answer: &Answer) {
    assert_eq!(answer.body["error"]["code"], -32013, "{}", answer.body);
    assert_eq!(answer.headers["retry-after"], "1", "{}", answer.body);
}

#[tokio::test]
async fn a_folder_belongs_to_one_server_and_a_second_one_is_told_which() {
    let folder = TempDir::new().expect("a folder");
    let node = Node::start(folder.path()).await;
    let backup = folder.path().join("none.db");
    let restore = stored(
        folder.path(),
        &["data", "restore", backup.to_str().unwrap()],
    );
    for command in [serve(folder.path()), restore] {
        let (code, text) = refused(command).await;
        assert_eq!(code, 69, "{text}");
        assert!(
            text.contains(&format!("process {}", node.process())),
            "{text}"
        );
        assert!(
            text.contains(node.client.mcp.trim_end_matches("mcp")),
            "{text}"
        );
    }
    node.kill().await;
    // Nobody has to clean up after one that was killed.
    Node::start(folder.path()).await.stop().await;
}

#[tokio::test]
async fn a_client_over_stdio_joins_the_server_that_owns_the_data() {
    let folder = TempDir::new().expect("a folder");
    let node = Node::start(folder.path()).await;
    let (id, _) = parts(&node.client.show().await);
    // Nothing listens on port 1: it has to look into the folder.
    let mut command = stored(folder.path(), &["stdio", "--listen", "127.0.0.1:1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().expect("a process");
    let params = json!({"name": "ggui_get_session", "arguments": {"sessionId": id}});
    let line = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let mut input = child.stdin.take().expect("an input");
    input
        .write_all(format!("{line}\n").as_bytes())
        .await
        .expect("a line");
    let mut lines = BufReader::new(child.stdout.take().expect("an output")).lines();
    let line = timeout(PATIENCE, lines.next_line())
        .await
        .expect("a line in time");
    let answer: Value = serde_json::from_str(&line.unwrap().unwrap()).expect("JSON");
    assert_eq!(
        answer["result"]["structuredContent"]["id"],
        json!(id),
        "{answer}"
    );
    drop(input);
    child.wait().await.expect("an end");
    node.stop().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn while_the_disk_is_full_reads_go_on_and_writes_say_when_to_come_back() {
    let folder = TempDir::new().expect("a folder");
    // No file may grow beyond a limit; the signal that goes with it is ignored, as by a full disk.
    let mut command = Command::new("sh");
    let server = serve(folder.path());
    let server = server.as_std();
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
    command
        .arg(server.get_program())
        .args(server.get_args())
        .kill_on_drop(true);
    crate::process::remove_settings(&mut command);
    let node = Node::run(command).await;
    let (id, token) = parts(&node.client.show().await);
    let mut browser = node.client.knock(&id, &token).await;
    browser.subscribe(json!({})).await;
    let process = node.process();
    let limit = async |bytes: &str| {
        let limit = format!("--fsize={bytes}:unlimited");
        let set = Command::new("prlimit")
            .args(["--pid", &process, &limit])
            .status();
        assert!(set.await.expect("prlimit").success());
    };
    limit("4096").await;
    let change = |note: &str| json!({"sessionId": id, "kind": "merge", "patch": {"note": note}});
    let click = json!({"sku": "A1", "qty": 3});
    for _ in 0..3 {
        let refused = node
            .client
            .keyed(None, "ggui_update", &change("lost"))
            .await;
        assert_retry_later(&refused);
        let request = browser
            .act_as("setQuantity", click.clone(), Some("gesture-1"))
            .await;
        let answer = browser.answer_to(&request).await;
        assert_eq!(answer["payload"]["code"], "RATE_LIMITED", "{answer}");
        let read = node
            .client
            .tool("ggui_get_session", json!({"sessionId": id}))
            .await;
        assert!(!read.to_string().contains("lost"), "{read}");
    }
    limit("unlimited").await;
    node.client.tool("ggui_update", change("kept")).await;
    let request = browser
        .act_as("setQuantity", click, Some("gesture-1"))
        .await;
    assert_eq!(browser.answer_to(&request).await["type"], "ack");
    node.kill().await;
    let node = Node::start(folder.path()).await;
    let read = node
        .client
        .tool("ggui_get_session", json!({"sessionId": id}))
        .await;
    assert!(read.to_string().contains("kept"), "{read}");
    let given = node
        .client
        .tool("ggui_consume", json!({"sessionId": id, "timeout": 0}));
    assert_eq!(given.await["events"].as_array().map(Vec::len), Some(1));
    node.stop().await;
}

#[tokio::test]
async fn a_file_that_cannot_be_used_is_named_with_what_to_do() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("proscenium.db");
    Node::start(folder.path()).await.stop().await;
    let mut bytes = fs::read(&file).expect("a database");
    bytes[..16].fill(0xff);
    fs::write(&file, bytes).expect("a damaged one");
    let log = folder.path().join("proscenium.db-wal");
    let _ = fs::remove_file(log);
    let (code, text) = refused(serve(folder.path())).await;
    let name = file.to_str().unwrap();
    assert_eq!(code, 66, "{text}");
    assert!(
        text.contains(&format!("{name} is damaged")) && text.contains("restore"),
        "{text}"
    );
    let nowhere = Path::new("/dev/null/data");
    let (code, text) = refused(serve(nowhere)).await;
    assert_eq!(code, 66, "{text}");
    assert!(
        text.contains("/dev/null/data cannot be used") && text.contains("--data"),
        "{text}"
    );
}

#[tokio::test]
async fn a_damaged_session_is_refused_and_found_by_a_check_while_the_others_go_on() {
    const MARK: &[u8] = b"here it will be damaged";
    let folder = TempDir::new().expect("a folder");
    let node = Node::start(folder.path()).await;
    let (sound, _) = parts(&node.client.show().await);
    let (damaged, _) = parts(&node.client.show().await);
    let note = String::from_utf8_lossy(MARK);
    let patch = json!({"sessionId": damaged, "kind": "merge", "patch": {"note": note}});
    node.client.tool("ggui_update", patch).await;
    node.stop().await;
    // Put together with its log first, or an undamaged copy may stand there.
    let copy = folder.path().join("copy.db");
    let data = |arguments: &[&str]| stored(folder.path(), &[&["data"], arguments].concat());
    let made = data(&["backup", copy.to_str().unwrap()]).output().await;
    assert!(made.expect("a process").status.success());
    let mut bytes = fs::read(&copy).expect("a database");
    let places: Vec<_> = (0..bytes.len())
        .filter(|at| bytes[*at..].starts_with(MARK))
        .collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + MARK.len()].fill(b'"');
    }
    fs::write(&copy, bytes).expect("a damaged one");
    let restored = data(&["restore", copy.to_str().unwrap()]).output().await;
    let restored = restored.expect("a process");
    assert!(
        restored.status.success(),
        "{}",
        String::from_utf8_lossy(&restored.stderr)
    );

    // It stops in order, although its folder is not sound.
    let node = Node::run(serve(folder.path())).await;
    node.client
        .tool("ggui_get_session", json!({"sessionId": sound}))
        .await;
    let arguments = json!({"sessionId": damaged});
    let refusal = node
        .client
        .keyed(None, "ggui_get_session", &arguments)
        .await;
    assert_retry_later(&refusal);
    let (code, text) = refused(data(&["check"])).await;
    assert_eq!(code, 66, "{text}");
    assert!(text.contains(&damaged) && !text.contains(&sound), "{text}");
    node.stop().await;
}

/// Who has no rights of its own, where the tests run as somebody who may write everywhere.
#[cfg(unix)]
const NOBODY: u32 = 65_534;

#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_cannot_be_written_is_named_and_nothing_in_it_changes() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
    let folder = TempDir::new().expect("a folder");
    let data = folder.path().join("data");
    Node::start(&data).await.stop().await;
    let is_root = fs::metadata(folder.path()).expect("a folder").uid() == 0;
    let files = || {
        let files = fs::read_dir(&data).expect("a folder");
        files.map(|file| file.expect("a file").path())
    };
    let contents = || -> Vec<_> {
        let mut all: Vec<_> = files().map(|file| (fs::read(&file).ok(), file)).collect();
        all.sort();
        all
    };
    let before = contents();
    for path in files().chain([folder.path().to_owned(), data.clone()]) {
        if is_root {
            chown(&path, Some(NOBODY), Some(NOBODY)).expect("an owner");
        }
        let mode = if path.is_dir() { 0o500 } else { 0o400 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
    }
    let mut command = serve(&data);
    if is_root {
        // Somebody else may be kept from where the program lies.
        let program = folder.path().join("proscenium");
        let built = env!("CARGO_BIN_EXE_proscenium");
        fs::hard_link(built, &program)
            .or_else(|_| fs::copy(built, &program).map(drop))
            .expect("a copy");
        command = moved(&command, &program);
        command.uid(NOBODY).gid(NOBODY);
    }
    let (code, text) = refused(command).await;
    assert_eq!(code, 66, "{text}");
    let name = data.to_str().expect("a path");
    assert!(text.contains(name) && text.contains("--data"), "{text}");
    assert!(contents() == before, "nothing is written");
    fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).expect("a mode");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("a mode");
}

/// The same command of another program.
#[cfg(unix)]
fn moved(command: &Command, program: &Path) -> Command {
    let command = command.as_std();
    let mut moved = Command::new(program);
    moved.args(command.get_args()).kill_on_drop(true);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => moved.env(name, value),
            None => moved.env_remove(name),
        };
    }
    moved
}

#[tokio::test]
async fn damage_of_a_log_is_told_and_what_is_sound_is_served() {
    let folder = TempDir::new().expect("a folder");
    let node = Node::start(folder.path()).await;
    let (first, _) = parts(&node.client.show().await);
    for number in 0..20 {
        let patch = json!({"note": format!("note {number}")});
        let update = json!({"sessionId": first, "kind": "merge", "patch": patch});
        node.client.tool("ggui_update", update).await;
    }
    node.kill().await;
    let log = folder.path().join("proscenium.db-wal");
    let mut bytes = fs::read(&log).expect("a log");
    let late = bytes.len() * 3 / 4;
    bytes[late] ^= 1;
    fs::write(&log, bytes).expect("a damaged one");
    let (code, text) = refused(stored(folder.path(), &["data", "check"])).await;
    assert_eq!(code, 66, "{text}");
    assert!(text.contains("proscenium.db-wal is damaged"), "{text}");
    let node = Node::start(folder.path()).await;
    assert!(folder.path().join("proscenium.db-wal.damaged-1").exists());
    let read = node
        .client
        .tool("ggui_get_session", json!({"sessionId": first}));
    let version = read.await["version"].as_u64().expect("a version");
    assert!((2..21).contains(&version), "{version}");
    let (second, _) = parts(&node.client.show().await);
    node.kill().await;
    let node = Node::start(folder.path()).await;
    let read = node
        .client
        .tool("ggui_get_session", json!({"sessionId": second}));
    assert_eq!(read.await["version"], 1);
    node.stop().await;
}

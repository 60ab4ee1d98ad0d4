//! The command line as a person uses it: exit codes, one line on stderr, and Ctrl-C.

use std::net::TcpListener;
use std::process::Stdio;

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::world::PATIENCE;

/// The real program, without the settings of the environment, and with nothing kept on disk.
pub(crate) fn proscenium(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proscenium"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    remove_settings(&mut command);
    command.env("PROSCENIUM_STORE_EPHEMERAL", "true");
    // Whoever runs the tests wants no browser of them.
    command.env("PROSCENIUM_STAGE_OPEN", "never");
    command
}

/// Removes the settings of whoever runs the tests from the environment of a process.
pub(crate) fn remove_settings(command: &mut Command) {
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PROSCENIUM_")) {
        command.env_remove(name);
    }
}

/// Exit code and the lines on stderr.
pub(crate) async fn failed(arguments: &[&str]) -> (i32, Vec<String>) {
    let output = timeout(PATIENCE, proscenium(arguments).output())
        .await
        .expect("an end");
    let output = output.expect("a process");
    let text = String::from_utf8(output.stderr).expect("text");
    (
        output.status.code().expect("a code"),
        text.lines().map(str::to_owned).collect(),
    )
}

#[tokio::test]
async fn a_wrong_command_line_is_answered_with_what_is_missing_and_what_is_possible() {
    for (arguments, words) in [
        (vec!["--colour"], vec!["--colour", "Usage:", "--help"]),
        (vec!["confg"], vec!["'confg'", "'config'", "Usage:"]),
        (vec!["keys"], vec!["create", "list", "revoke"]),
        (vec!["keys", "create"], vec!["--app <APP>", "Usage:"]),
        (vec!["keys", "revoke"], vec!["<ID>", "Usage:"]),
        (
            vec!["completions", "cmd"],
            vec!["'cmd'", "bash", "fish", "zsh"],
        ),
        (
            vec!["keys", "create", "--app", "a", "--trust", "high"],
            vec!["'high'", "--trust"],
        ),
    ] {
        let (exit, lines) = failed(&arguments).await;
        assert_eq!(exit, 64, "{arguments:?}: {lines:?}");
        let text = lines.join("\n");
        for word in words {
            assert!(text.contains(word), "{arguments:?}: no {word} in {text}");
        }
    }
}

#[tokio::test]
async fn each_way_not_to_start_has_its_exit_code_and_one_line() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = taken.local_addr().expect("its address").to_string();
    for (arguments, code, word) in [
        (
            vec!["serve", "--config", "/nowhere/proscenium.toml"],
            66,
            "/nowhere",
        ),
        (vec!["gallery", "--from", "/nowhere"], 66, "--from DIR"),
        (
            vec!["gallery", "--only", "no such entry"],
            66,
            "examples/gallery",
        ),
        (
            vec!["serve", "--keys-file", "/nowhere/keys.toml"],
            66,
            "keys create --app NAME --keys-file /nowhere/keys.toml",
        ),
        (
            vec!["keys", "list", "--keys-file", "/nowhere/keys.toml"],
            66,
            "keys create",
        ),
        (vec!["serve", "--listen", &taken], 69, &taken),
        (
            vec!["serve", "--listen", &taken],
            69,
            "--listen 127.0.0.1:0",
        ),
        (vec!["serve", "--listen", "0.0.0.0:0"], 78, "keys"),
        (
            vec!["serve", "--listen", "here"],
            78,
            "--listen: server.listen: \"here\"",
        ),
        (vec!["serve", "--listen", "localhost:99999"], 78, "99999"),
        (vec!["serve", "--public-url", "ftp://x"], 78, "ftp://x"),
    ] {
        let (exit, lines) = failed(&arguments).await;
        assert_eq!(exit, code, "{arguments:?}: {lines:?}");
        assert_eq!(lines.len(), 1, "{arguments:?}: {lines:?}");
        assert!(lines[0].contains(word), "{arguments:?}: {lines:?}");
    }
}

#[tokio::test]
async fn a_gallery_without_a_browser_says_what_to_install() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("a path");
    let arguments = ["gallery", "--only", "everyday-todo", "--out", out];
    let output = proscenium(&arguments).env("PATH", out).output();
    let output = timeout(PATIENCE, output).await.expect("an end");
    let output = output.expect("a process");
    assert_eq!(output.status.code(), Some(69));
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(text.contains("apt-get install chromium"), "{text}");
}

#[tokio::test]
async fn help_shows_examples_and_the_printed_configuration_is_sound() {
    for arguments in [["--help"].as_slice(), &["serve", "--help"]] {
        let output = proscenium(arguments).output().await.expect("a process");
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(
            text.contains("Examples:") && text.contains("--public-url"),
            "{text}"
        );
    }
    let printed = proscenium(&["config", "print"])
        .output()
        .await
        .expect("a process");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("proscenium.toml");
    std::fs::write(&file, printed.stdout).expect("a file");
    let file = file.to_str().expect("a path");
    let checked = proscenium(&["config", "check", "--config", file])
        .output()
        .await;
    assert!(checked.expect("a process").status.success());
}

/// A running server and the address of its MCP endpoint, from its banner.
pub(crate) async fn serving(arguments: &[&str]) -> (Child, String) {
    serving_as(&[&["serve", "--listen", "127.0.0.1:0"], arguments].concat()).await
}

/// The same with other arguments.
pub(crate) async fn serving_as(arguments: &[&str]) -> (Child, String) {
    announced(proscenium(arguments)).await
}

/// The same with a command that starts the server.
pub(crate) async fn announced(mut command: Command) -> (Child, String) {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a server");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let found = timeout(PATIENCE, async {
        while let Ok(Some(line)) = lines.next_line().await {
            if let Some(url) = line.trim().strip_prefix("mcp ") {
                return url.trim().to_owned();
            }
        }
        panic!("no address in the banner")
    });
    (child, found.await.expect("a banner"))
}

#[tokio::test]
async fn ctrl_c_closes_sockets_with_1012_and_ends_well() {
    let (mut child, mcp) = serving(&[]).await;
    let http = reqwest::Client::new();
    let call = async |tool: &str, arguments: Value| -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let answer = http.post(&mcp).json(&body).send().await.expect("an answer");
        answer.json::<Value>().await.expect("JSON")["result"].clone()
    };
    let draft = json!({"intent": "A test", "blueprintDraft": {"contract": {}}});
    let agreed = call("ggui_handshake", draft).await;
    let id = &agreed["structuredContent"]["handshakeId"];
    let shown = call("ggui_render", json!({"handshakeId": id, "props": {}})).await;
    let slice = &shown["_meta"]["ai.ggui/render"];
    let (url, token) = (
        slice["wsUrl"].as_str().unwrap(),
        slice["wsToken"].as_str().unwrap(),
    );
    let (mut socket, _) = connect_async(format!("{url}?wsToken={token}"))
        .await
        .expect("a socket");

    let process = child.id().expect("a process").to_string();
    let sent = Command::new("kill").args(["-INT", &process]).status().await;
    assert!(sent.expect("kill").success());
    let close = timeout(PATIENCE, async {
        loop {
            match socket.next().await {
                Some(Ok(Message::Close(Some(frame)))) => return frame,
                Some(Ok(_)) => {}
                other => panic!("no close frame: {other:?}"),
            }
        }
    });
    let close = close.await.expect("a close frame in time");
    assert_eq!(
        (u16::from(close.code), close.reason.as_str()),
        (1012, "service_restart")
    );
    let status = timeout(PATIENCE, child.wait())
        .await
        .expect("an end")
        .expect("a status");
    assert!(status.success(), "{status}");
}

/// Reads a child's standard error until it contains a text.
async fn said(arguments: &[&str], word: &str) -> String {
    let mut child = proscenium(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a server");
    let mut lines = BufReader::new(child.stderr.take().expect("its log")).lines();
    let found = timeout(PATIENCE, async {
        let mut all = String::new();
        while let Ok(Some(line)) = lines.next_line().await {
            if line.contains(word) {
                return line;
            }
            all += &line;
        }
        panic!("no {word} in {all}")
    });
    found.await.expect("a line in time")
}

#[tokio::test]
async fn the_server_can_listen_on_a_host_name() {
    let (_server, mcp) = serving_as(&["serve", "--listen", "localhost:0"]).await;
    let live = mcp.replace("/mcp", "/health/live");
    assert_eq!(reqwest::get(live).await.expect("an answer").status(), 200);
}

#[tokio::test]
async fn the_banner_s_command_carries_a_key_where_one_is_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let keys = folder.path().join("keys.toml");
    let keys = keys.to_str().expect("a path");
    let make = proscenium(&["keys", "create", "--app", "demo", "--keys-file", keys]);
    assert!({ make }.output().await.expect("a key").status.success());
    let left = std::fs::read_dir(folder.path()).expect("a folder");
    let left: Vec<_> = left.map(|file| file.expect("a file").file_name()).collect();
    assert_eq!(left, ["keys.toml"], "nothing else is left behind");
    for (more, header) in [(vec!["--keys-file", keys], true), (vec![], false)] {
        let arguments = [vec!["serve", "--listen", "127.0.0.1:0"], more].concat();
        let mut child = proscenium(&arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("a server");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let connect = timeout(PATIENCE, async {
            while let Ok(Some(line)) = lines.next_line().await {
                if line.contains("connect") {
                    return line;
                }
            }
            panic!("no command in the banner")
        });
        let connect = connect.await.expect("a banner");
        let carries = connect.ends_with("/mcp --header \"Authorization: Bearer YOUR_KEY\"");
        assert_eq!(carries, header, "{connect}");
    }
    // `0.0.0.0` is not an address clients can use.
    let arguments = ["serve", "--listen", "0.0.0.0:0", "--keys-file", keys];
    let warned = said(&arguments, "--public-url").await;
    assert!(
        warned.contains("WARN") && warned.contains("http://0.0.0.0:"),
        "{warned}"
    );
}

#[tokio::test]
async fn every_problem_of_a_configuration_is_a_line_with_its_file_and_its_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("a path")
            .to_owned()
    };
    let file = path("proscenium.toml");
    let text = format!(
        "[server]\nlisten = \"here\"\npublic_urls = \"x\"\nkeys_file = \"{}\"\n\
         [logging]\nformat = \"xml\"\nlevel = \"lo=ud=est\"\n\
         [handshakes]\nttl_s = -1\nopen_max = \"many\"\n[colours]\n\
         [themes]\nfile = \"{}\"\n",
        path("no-keys.toml"),
        path("no-themes.toml"),
    );
    std::fs::write(&file, text).expect("a file");
    let output = proscenium(&["config", "check", "--config", &file])
        .env("PROSCENIUM_EMITS_PER_SECOND", "fast")
        .env("PROSCENIUM_SERVER_PUBLIC_URL", "ftp://x")
        .output();
    let output = timeout(PATIENCE, output)
        .await
        .expect("an end")
        .expect("a process");
    assert_eq!(output.status.code(), Some(78));
    let message = String::from_utf8(output.stderr).expect("text");
    let lines: Vec<_> = message.lines().collect();
    for (place, key, word) in [
        (&*file, "server.listen", "here"),
        (&file, "server.public_urls", "unknown key"),
        (&file, "server.keys_file", "no-keys.toml"),
        (&file, "logging.format", "xml"),
        (&file, "logging.level", "level"),
        (&file, "handshakes.ttl_s", "-1"),
        (&file, "handshakes.open_max", "must be integer"),
        (&file, "colours", "unknown key"),
        (&file, "themes.file", "no-themes.toml"),
        (
            "PROSCENIUM_EMITS_PER_SECOND",
            "emits.per_second",
            "must be integer",
        ),
        (
            "PROSCENIUM_SERVER_PUBLIC_URL",
            "server.public_url",
            "ftp://x",
        ),
    ] {
        let begins = format!("proscenium: {place}: {key}: ");
        let mut of = lines.iter().filter(|line| line.starts_with(&begins));
        assert!(
            of.any(|line| line.contains(word)),
            "{begins}{word} in {message}"
        );
    }
    assert_eq!(lines.len(), 11, "{message}");
    std::fs::write(&file, "[server]\nlisten = \"x\nport = 1\n").expect("a file");
    let (code, lines) = failed(&["config", "check", "--config", &file]).await;
    assert_eq!((code, lines.len()), (78, 1), "{lines:?}");
    assert!(lines[0].contains(&format!("{file}:2: ")), "{lines:?}");
}

#[tokio::test]
async fn the_error_for_an_unknown_host_names_the_setting() {
    let (_server, mcp) = serving(&[]).await;
    let request = reqwest::Client::new()
        .post(&mcp)
        .header("host", "ui.example");
    let refused = request
        .send()
        .await
        .expect("an answer")
        .text()
        .await
        .expect("text");
    assert!(
        refused.contains("Invalid Host header: ui.example")
            && refused.contains("server.public_url"),
        "{refused}"
    );
}

//! Programs behind the gate end with the server, however it ends, and see none of its secrets.

use std::path::Path;

use tokio::process::Command;
use tokio::time::timeout;

use super::site::{Folder, Site};
use crate::process::serving;
use crate::world::PATIENCE;

const GATE: &str = "schema: 1\nsources:\n  - { id: script, kind: mcp, SCRIPT }\n";

/// Processes that the program has noted: itself, and what it started.
fn noted(folder: &Folder) -> Vec<String> {
    let notes = folder.notes();
    let pids = notes.lines().filter_map(|line| line.strip_prefix("pid "));
    pids.map(str::to_owned).collect()
}

/// Whether a process runs: one that has ended may wait to be collected.
fn runs(pid: &str) -> bool {
    let state = std::fs::read_to_string(Path::new("/proc").join(pid).join("stat"));
    state.is_ok_and(|state| {
        !state
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .starts_with(" Z")
    })
}

async fn all_end(pids: &[String]) {
    let ended = async {
        while pids.iter().any(|pid| runs(pid)) {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, ended).await.expect("all of them end");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn programs_and_what_they_started_end_with_a_server_that_is_killed() {
    for signal in ["-KILL", "-TERM"] {
        let folder = Folder::new();
        let file = folder.write(GATE);
        let gate = std::fs::read_to_string(&file).expect("a file");
        let gate = gate.replace("env: {", "env: { CHILD: \"yes\",");
        std::fs::write(&file, gate).expect("a file");
        let (mut server, _) = serving(&["--gate", file.to_str().expect("a path")]).await;
        folder.noted("tools/list").await;
        let pids = noted(&folder);
        assert_eq!(pids.len(), 2, "{pids:?}");
        assert!(pids.iter().all(|pid| runs(pid)));
        let server_pid = server.id().expect("a process").to_string();
        let killed = Command::new("kill")
            .args([signal, &server_pid])
            .status()
            .await;
        assert!(killed.expect("kill").success());
        server.wait().await.expect("its end");
        all_end(&pids).await;
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_that_leaves_the_file_ends() {
    let site = Site::start(GATE).await;
    site.names("tools").await;
    let pids = noted(&site.folder);
    site.folder
        .write("schema: 1\nsources:\n  - { id: other, kind: mcp, SCRIPT, prefix: other_ }\n");
    all_end(&pids).await;
    assert_eq!(site.names("tools").await[0], "other_get_weather");
}

#[tokio::test]
async fn a_program_gets_the_variables_it_is_given_and_no_secrets_of_the_server() {
    let site = Site::start(GATE).await;
    site.names("tools").await;
    let notes = site.folder.notes();
    let names: Vec<_> = notes
        .lines()
        .filter_map(|line| line.strip_prefix("env ")?.split_once('='))
        .map(|(name, _)| name)
        .collect();
    assert!(
        names.contains(&"PATH") && names.contains(&"TOOLS"),
        "{names:?}"
    );
    // Cargo sets this for every test.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    assert!(!names.contains(&"CARGO_MANIFEST_DIR"), "{names:?}");
}

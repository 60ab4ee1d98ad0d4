//! A folder with a few files, and the gate file of the demo: through that gate alone can they be
//! deleted, and only when a person agrees.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;

/// The hidden verb of this program that serves the files of a folder.
const DESK_VERB: &str = "demo-desk";
/// What stands in front of the names of its tools.
pub(super) const PREFIX: &str = "desk_";
/// The files, and what is in them.
const FILES: [(&str, &str); 4] = [
    (DISPENSABLE, "10:02 started\n10:03 nothing happened\n"),
    ("invoice.txt", "October: 1,204.00\n"),
    ("notes.txt", "Ask before deleting anything.\n"),
    ("plan.txt", "1. Ship it.\n2. Rest.\n"),
];
/// The one that the agent thinks nobody needs.
pub(super) const DISPENSABLE: &str = "debug.log";
/// How long a person has to decide: a demo is left open while people do something else.
const TIMEOUT: &str = "1h";

/// The folder; dropping it removes it with everything in it.
#[derive(Debug)]
pub struct Desk(TempDir);

impl Desk {
    /// Makes the folder, and the gate file in it.
    ///
    /// # Errors
    /// A file cannot be written, or this program does not know where it lies itself.
    pub fn new() -> io::Result<Self> {
        let desk = Self(
            tempfile::Builder::new()
                .prefix("proscenium-demo-")
                .tempdir()?,
        );
        std::fs::create_dir(desk.files())?;
        put_back(&desk.files())?;
        let program = [std::env::current_exe()?, DESK_VERB.into(), desk.files()];
        let command = program.map(|part| part.to_string_lossy().into_owned());
        let why = "Deleting cannot be undone.";
        // JSON is YAML.
        let gate = json!({
            "schema": 1,
            "sources": [
                { "id": "desk", "kind": "mcp", "prefix": PREFIX, "command": command },
            ],
            "governance": {
                "rules": [{ "match": "delete_*", "action": "approve", "description": why }],
            },
            "approval": { "person": { "timeout": TIMEOUT, "allow": ["edit", "session"] } },
        });
        std::fs::write(desk.gate_file(), gate.to_string())?;
        Ok(desk)
    }

    /// The gate file.
    pub fn gate_file(&self) -> PathBuf {
        self.0.path().join("gate.yaml")
    }

    /// Where the files lie.
    fn files(&self) -> PathBuf {
        self.0.path().join("files")
    }
}

/// Writes the files of the beginning where they are missing.
pub(super) fn put_back(folder: &Path) -> io::Result<()> {
    FILES
        .iter()
        .try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
}

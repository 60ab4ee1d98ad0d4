//! A server with a gate, and the programs behind it.

use std::path::PathBuf;

use proscenium::config::Config;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::world::{PATIENCE, World};

/// The tools of the program, besides the one on its second page.
pub(crate) const TOOLS: [&str; 9] = [
    "get_weather",
    "delete_file",
    "admin_console",
    "debug_dump",
    "forge",
    "unfit",
    "hang",
    "die",
    "wipe_disk",
];

/// The files of a gate.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        folder.list_tools(&TOOLS);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Changes what the program lists.
    pub(crate) fn list_tools(&self, names: &[&str]) {
        let tools = names.iter().map(|name| {
            json!({
                "name": name,
                "title": "A tool",
                "description": format!("Does {name}"),
                "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}},
                "annotations": {"readOnlyHint": true},
            })
        });
        let tools: Vec<_> = tools.collect();
        let list = json!({"tools": tools, "nextCursor": "2"}).to_string();
        std::fs::write(self.path("tools.json"), list).expect("a file");
    }

    /// Writes a file in one step, so that nobody reads half of it.
    pub(crate) fn put(&self, name: &str, text: &str) -> PathBuf {
        let (file, whole) = (self.path(name), self.path(&format!("{name}.new")));
        std::fs::write(&whole, text).expect("a file");
        std::fs::rename(&whole, &file).expect("a file");
        file
    }

    /// Writes the gate file; `SCRIPT` stands for how the program is started.
    pub(crate) fn write(&self, text: &str) -> PathBuf {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/gate/upstream.sh");
        let (tools, notes) = (self.path("tools.json"), self.path("notes"));
        let started = format!(
            "command: [/bin/sh, \"{script}\"], env: {{ TOOLS: \"{}\", NOTES: \"{}\" }}",
            tools.display(),
            notes.display()
        );
        self.put("gate.yaml", &text.replace("SCRIPT", &started))
    }

    /// What the program has noted.
    pub(crate) fn notes(&self) -> String {
        std::fs::read_to_string(self.path("notes")).unwrap_or_default()
    }

    /// Waits until the program has noted something.
    pub(crate) async fn noted(&self, what: &str) {
        self.until(|notes| notes.contains(what)).await;
    }

    pub(crate) async fn until(&self, holds: impl Fn(&str) -> bool) {
        let noted = async {
            while !holds(&self.notes()) {
                tokio::task::yield_now().await;
            }
        };
        timeout(PATIENCE, noted).await.expect("a note in time");
    }

    /// How many calls of a tool have reached the program.
    pub(crate) fn calls(&self, tool: &str) -> usize {
        let named = format!("\"name\":\"{tool}\"");
        let notes = self.notes();
        let calls = notes.lines().filter(|line| line.contains("\"tools/call\""));
        calls.filter(|line| line.contains(&named)).count()
    }
}

/// A server with a gate.
pub(crate) struct Site {
    pub(crate) folder: Folder,
    pub(crate) world: World,
}

impl Site {
    pub(crate) async fn start(gate: &str) -> Self {
        Self::start_with(gate, |_| {}).await
    }

    pub(crate) async fn start_with(gate: &str, change: impl FnOnce(&mut Config)) -> Self {
        Self::start_in(Folder::new(), gate, change).await
    }

    /// With files that stand in a folder already.
    pub(crate) async fn start_in(
        folder: Folder,
        gate: &str,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let file = folder.write(gate);
        let world = World::start_with(|config| {
            config.server.gate_file = file;
            config.limits.gate.list_ttl_s = 0;
            // However slow the machine is, every program gets to list what it has.
            config.limits.gate.list_wait_ms = 60_000;
            change(config);
        });
        Self {
            world: world.await,
            folder,
        }
    }

    pub(crate) fn post(&self) -> reqwest::RequestBuilder {
        self.world.post("/mcp/gate")
    }

    /// A request to the gate, and the whole answer.
    pub(crate) async fn rpc(&self, method: &str, params: Value) -> Value {
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let answer = self
            .post()
            .body(body.to_string())
            .timeout(PATIENCE * 2)
            .send();
        let answer = answer.await.expect("an answer");
        assert_eq!(answer.status(), 200);
        answer.json().await.expect("JSON")
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.rpc("tools/call", json!({"name": tool, "arguments": arguments}))
            .await
    }

    /// The names of a list.
    pub(crate) async fn names(&self, kind: &str) -> Vec<String> {
        let (member, key) = match kind {
            "resources" => ("resources", "uri"),
            "resources/templates" => ("resourceTemplates", "uriTemplate"),
            kind => (kind, "name"),
        };
        let answer = self.rpc(&format!("{kind}/list"), json!({})).await;
        let list = answer["result"][member].as_array();
        let list = list.unwrap_or_else(|| panic!("{answer}"));
        let names = list
            .iter()
            .map(|entry| entry[key].as_str().expect("a name"));
        names.map(str::to_owned).collect()
    }
}

//! Five processes above one file of pages: a server, and four that exchange messages as lines.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::node::{Client, Node, stored};
use crate::process::proscenium;
use crate::stdio::{OWN, Peer};

/// Writes of all together by default, which takes seconds.
const WRITES: usize = 200;
const WRITES_VARIABLE: &str = "PROSCENIUM_PAGE_WRITES";
/// Processes beside the server.
const PEERS: usize = 4;
/// Every so many writes each looks for what it wrote, in its own process and at the server.
const LOOKS: usize = 5;
/// A page that all of them write.
const SHARED: &str = "shared/count";

/// One that writes.
enum Writer {
    Server(Client),
    Lines(Box<Peer>),
}

impl Writer {
    /// The answer to a call.
    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        match self {
            Self::Server(client) => client.keyed(None, tool, &arguments).await.body,
            Self::Lines(peer) => {
                let params = json!({"name": tool, "arguments": arguments});
                peer.ask(7, "tools/call", params).await
            }
        }
    }

    /// The structured result of a call that must succeed.
    async fn tool(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments).await;
        let result = &answer["result"];
        let is_ok = answer["error"].is_null() && result["isError"] != true;
        assert!(is_ok, "{tool}: {answer}");
        result["structuredContent"].clone()
    }

    async fn put(&mut self, slug: &str, content: &str, version: Option<usize>) {
        let arguments = json!({"slug": slug, "content": content, "expected_version": version});
        let written = self.tool("brain_put", arguments).await;
        assert_eq!(
            written["version"],
            version.unwrap_or_default() + 1,
            "{written}"
        );
    }

    /// The pages that a search gives.
    async fn found(&mut self, word: &str) -> Vec<String> {
        let found = self.tool("brain_search", json!({"query": word})).await;
        let rows = found["results"].as_array().expect("rows").iter();
        rows.map(|row| row["slug"].as_str().expect("a slug").to_owned())
            .collect()
    }
}

/// Puts one more on the shared page, on top of whatever the others put there.
async fn count(writer: &mut Writer) {
    loop {
        let page = writer.tool("brain_get", json!({"slug": SHARED})).await;
        let version = &page["version"];
        let content = format!("Version {version} is over.");
        let change = json!({"slug": SHARED, "content": content, "expected_version": version});
        let answer = writer.call("brain_put", change).await;
        if answer["error"].is_null() {
            assert_ne!(answer["result"]["isError"], true, "{answer}");
            return;
        }
        assert_eq!(
            answer["error"]["code"], -32009,
            "only another version refuses: {answer}"
        );
    }
}

/// Creates and changes pages of its own, and looks for them.
async fn write(mut writer: Writer, server: Client, number: usize, writes: usize) {
    let mut server = Writer::Server(server);
    for at in 0..writes {
        let slug = format!("own/{number}/{}", at / 2);
        let (word, old) = (
            format!("w{number}x{at}"),
            format!("w{number}x{}", at.max(1) - 1),
        );
        let is_new = at.is_multiple_of(2);
        writer
            .put(&slug, &format!("It says {word}."), (!is_new).then_some(1))
            .await;
        if at.is_multiple_of(LOOKS) {
            let wanted = [format!("default::{slug}")];
            for reader in [&mut writer, &mut server] {
                assert_eq!(
                    reader.found(&word).await,
                    wanted,
                    "what was written is found"
                );
                if !is_new {
                    assert!(
                        reader.found(&old).await.is_empty(),
                        "what was replaced is not"
                    );
                }
            }
            count(&mut writer).await;
        }
    }
    if let Writer::Lines(peer) = writer {
        peer.end().await;
    }
}

/// Settings of the limits, which these writers would soon reach.
const FAST: [(&str, &str); 3] = [
    ("PROSCENIUM_SERVER_MCP_TOOLS", "ggui+brain"),
    ("PROSCENIUM_LIMITS_USING_PER_SECOND", "1000000"),
    ("PROSCENIUM_LIMITS_USING_BURST", "1000000"),
];

/// Writes as a server and as all these processes, and compares at the server what has become of it.
async fn write_all(node: Node, peers: Vec<Peer>) {
    let writes = std::env::var(WRITES_VARIABLE).ok();
    let writes = writes.map_or(WRITES, |text| text.parse().expect("a number"));
    let each = writes / (PEERS + 1);
    let mut first = Writer::Server(node.client.clone());
    first.put(SHARED, "Nobody has counted yet.", None).await;
    let mut writers = vec![first];
    writers.extend(peers.into_iter().map(|peer| Writer::Lines(Box::new(peer))));
    assert_eq!(writers.len(), PEERS + 1);
    let all = writers
        .into_iter()
        .enumerate()
        .map(|(number, writer)| tokio::spawn(write(writer, node.client.clone(), number, each)));
    for done in futures_util::future::join_all(all).await {
        done.expect("a writer that is content");
    }
    let page = node.client.tool("brain_get", json!({"slug": SHARED})).await;
    let counted = (PEERS + 1) * each.div_ceil(LOOKS);
    assert_eq!(page["version"], counted + 1, "successes are versions");
    let stats = node.client.tool("brain_stats", json!({})).await;
    assert_eq!(stats["page_count"], (PEERS + 1) * each.div_ceil(2) + 1);
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_and_four_processes_write_into_one_file_and_find_what_each_other_wrote() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("pages.db");
    let file = ("PROSCENIUM_BRAIN_PATH", file.to_str().expect("a path"));
    let settings = [&[file][..], &FAST].concat();
    let mut command = proscenium(&["serve", "--listen", "127.0.0.1:0"]);
    command.envs(settings.iter().copied());
    let node = Node::run(command).await;
    let mut peers = Vec::new();
    for _ in 0..PEERS {
        peers.push(Peer::start(&OWN, &settings).await);
    }
    write_all(node, peers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_and_four_processes_that_join_it_write_and_find_what_each_other_wrote() {
    let folder = TempDir::new().expect("a folder");
    let mut command = stored(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    command.envs(FAST);
    let node = Node::run(command).await;
    let data = folder.path().to_str().expect("a path");
    let settings = [&[("PROSCENIUM_STORE_EPHEMERAL", "false")][..], &FAST].concat();
    let mut peers = Vec::new();
    for _ in 0..PEERS {
        peers.push(Peer::run(&["brain", "--stdio", "--data", data], &settings).await);
    }
    write_all(node, peers).await;
}

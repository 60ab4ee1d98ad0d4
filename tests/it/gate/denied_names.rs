//! What is denied is named on no path, whatever the names and the rules are.

use std::fmt::Write as _;

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any};
use proptest::prop_oneof;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::site::{Folder, Site};

/// Each starts a server and a program.
const CASES: usize = 8;

/// What becomes of a tool.
#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    /// A rule denies its name.
    Denied,
    /// A rule denies how its name begins.
    DeniedByPattern,
    /// Its source does not show it.
    Hidden,
    /// Anybody may call it.
    Open,
}

#[derive(Debug)]
struct Case {
    tools: Vec<(String, How)>,
    is_searched: bool,
    is_prefixed: bool,
}

fn cases() -> impl Strategy<Value = Case> {
    let how = prop_oneof![
        Just(How::Denied),
        Just(How::DeniedByPattern),
        Just(How::Hidden),
        Just(How::Open),
    ];
    let tools = vec(("[a-z]{4,9}", how), 3..9);
    (tools, any::<bool>(), any::<bool>()).prop_map(|(tools, is_searched, is_prefixed)| Case {
        // No name is a part of another.
        tools: tools
            .into_iter()
            .enumerate()
            .map(|(at, (word, how))| (format!("{word}_{at}"), how))
            .collect(),
        is_searched,
        is_prefixed,
    })
}

impl Case {
    fn gate(&self) -> String {
        let named = |how| {
            let tools = self.tools.iter().filter(move |(_, is)| *is == how);
            tools.map(|(name, _)| name.as_str())
        };
        let hidden: Vec<_> = named(How::Hidden).collect();
        let hidden = json!(hidden);
        let prefix = if self.is_prefixed { "p_" } else { "\"\"" };
        let mut gate = format!(
            "schema: 1\nsearch: {}\nsources:\n  - {{ id: script, kind: mcp, SCRIPT, prefix: {prefix}, \
             expose: {{ mode: blocklist, tools: {hidden} }} }}\ngovernance:\n  rules:\n    \
             - {{ match: never, action: deny }}\n",
            self.is_searched
        );
        let patterns =
            named(How::DeniedByPattern).map(|name| format!("{}?", &name[..name.len() - 1]));
        let names = named(How::Denied).map(str::to_owned);
        for pattern in names.chain(patterns) {
            writeln!(gate, "    - {{ match: \"{pattern}\", action: deny }}").expect("a text");
        }
        gate
    }

    fn denied(&self) -> Vec<&str> {
        let denied = self.tools.iter().filter(|(_, how)| *how != How::Open);
        denied.map(|(name, _)| name.as_str()).collect()
    }
}

/// A request, in the older era or the newer one.
async fn ask(site: &Site, path: &str, is_modern: bool, method: &str, mut params: Value) -> String {
    let mut request = site.world.post(path);
    if is_modern {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        request = request
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method);
        if let Some(name) = params["name"].as_str() {
            request = request.header("mcp-name", name);
        }
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let answer = request.body(body.to_string()).send().await;
    answer.expect("an answer").text().await.expect("a text")
}

#[tokio::test]
async fn no_answer_names_what_is_denied() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..CASES {
        let case = cases().new_tree(&mut runner).expect("a case").current();
        let folder = Folder::new();
        let names: Vec<_> = case.tools.iter().map(|(name, _)| name.as_str()).collect();
        folder.list_tools(&names);
        let site = Site::start_in(folder, &case.gate(), |_| {}).await;
        let query = case.denied().join(" ");
        let reference = json!({"type": "ref/prompt", "name": "nothing"});
        let complete = json!({"ref": reference, "argument": {"name": "a", "value": ""}});
        for path in ["/mcp/gate", "/mcp"] {
            for is_modern in [false, true] {
                let begin = if is_modern {
                    "server/discover"
                } else {
                    "initialize"
                };
                let mut answers = Vec::new();
                for (method, params) in [
                    (begin, json!({})),
                    ("tools/list", json!({})),
                    ("prompts/list", json!({})),
                    ("resources/list", json!({})),
                    ("resources/templates/list", json!({})),
                    ("tools/call", json!({"name": "nothing"})),
                    ("tools/call", json!({"name": "p_nothing", "arguments": {}})),
                    (
                        "tools/call",
                        json!({"name": "find_tools", "arguments": {"query": query, "limit": 20}}),
                    ),
                    (
                        "tools/call",
                        json!({"name": "call_tool", "arguments": {"name": "nothing"}}),
                    ),
                    ("prompts/get", json!({"name": "nothing"})),
                    ("completion/complete", complete.clone()),
                ] {
                    answers.push(ask(&site, path, is_modern, method, params).await);
                }
                let text = answers.join("\n");
                assert!(text.contains("tools"), "{text}");
                for denied in case.denied() {
                    assert!(
                        !text.contains(denied),
                        "{denied} at {path} in {case:?}: {text}"
                    );
                }
                let open = case.tools.iter().filter(|(_, how)| *how == How::Open);
                for (name, _) in open {
                    // With a search they are found by their words.
                    let is_seen = text.contains(name.as_str()) || case.is_searched;
                    assert!(is_seen, "{name} at {path} in {case:?}: {text}");
                }
            }
        }
        site.world.stop().await;
    }
}

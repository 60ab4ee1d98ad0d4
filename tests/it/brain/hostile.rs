//! Queries and pages of every kind, made by chance: nothing breaks the page store, and whatever it
//! refuses it refuses in the words of its table.

use std::io::Write as _;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::Pages;
use super::memories::{MEMORIES, send};
use crate::chance::Chance;

/// Requests by default, which takes seconds.
const REQUESTS: usize = 3_000;
const REQUESTS_VARIABLE: &str = "PROSCENIUM_PAGE_MUTANTS";
const SEED_VARIABLE: &str = "PROSCENIUM_MUTANTS_SEED";
/// Requests that are under way at once.
const AT_ONCE: usize = 16;
/// Texts put together for one at most.
const PIECES: usize = 8;

/// Syntax of queries, of frontmatter, of markdown, of SQL and of addresses; letters that are folded,
/// joined, turned around or refused; and ordinary words, so that some of it means something.
const TEXTS: &[&str] = &[
    "tea",
    "garden",
    "people/ida",
    "people/bo",
    "preferences/tea",
    "notes/1",
    "Ida",
    "default::people/ida",
    "work::x",
    "AND",
    "OR",
    "NOT",
    "NEAR(",
    "\"",
    "\"\"",
    "*",
    "^",
    ":",
    "title:",
    "-",
    "+",
    "(",
    ")",
    "{",
    "}",
    "[[people/ida]]",
    "[[",
    "]]",
    "[[a|b]]",
    "[[::]]",
    "\\",
    "%",
    "_",
    "'",
    "';--",
    "?1",
    "$x",
    "---",
    "---\n",
    "\n---\n",
    "\n\n",
    "\r\n",
    "\t",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "é",
    "ﬁ",
    "ß",
    "İ",
    "\u{1f469}\u{200d}\u{1f469}",
    "漢字",
    "مرحبا",
    "title: x\n",
    "tags: [a, b]\n",
    "type: \n",
    "gbrain_id: x\n",
    "gbrain_id: 00000000-0000-4000-8000-000000000000\n",
    "version: 9\n",
    "## Assertions\nIda works at Acme.\n",
    "works_at: Acme\n",
    "- 2026-04-01 met\n",
    "2026-02-30",
    "2026-04",
    "9999-99-99T99:99:99Z",
];

/// The tools with their arguments; of the second of a pair it is told what it is like.
const TOOLS: [(&str, &[&str]); 17] = [
    ("brain_get", &["slug"]),
    ("brain_put", &["slug", "content", "expected_version"]),
    (
        "brain_query",
        &["query", "collection", "wing", "limit", "depth"],
    ),
    ("brain_search", &["query", "collection", "wing", "limit"]),
    ("brain_list", &["collection", "wing", "page_type", "limit"]),
    (
        "brain_link",
        &[
            "from_slug",
            "to_slug",
            "relationship",
            "valid_from",
            "valid_until",
        ],
    ),
    ("brain_link_close", &["link_id", "valid_until"]),
    ("brain_backlinks", &["slug", "limit", "temporal"]),
    ("brain_graph", &["slug", "depth", "temporal"]),
    ("brain_check", &["slug"]),
    ("brain_timeline", &["slug", "limit"]),
    ("brain_tags", &["slug", "add", "remove"]),
    ("brain_gap", &["query", "slug", "context", "share"]),
    ("brain_gaps", &["resolved", "limit"]),
    ("brain_stats", &[]),
    ("brain_collections", &[]),
    ("brain_raw", &["slug", "source", "data", "overwrite"]),
];

fn text(chance: &mut Chance) -> String {
    let pieces = 1 + chance.below(PIECES);
    let text: String = (0..pieces).map(|_| *chance.pick(TEXTS)).collect();
    if chance.one_in(200) {
        text.repeat(20_000)
    } else {
        text
    }
}

fn any(chance: &mut Chance) -> Value {
    match chance.below(12) {
        0 => Value::Null,
        1 => true.into(),
        2 => json!(*chance.pick(&[0_i64, 1, -1, 10, i64::MAX, i64::MIN])),
        3 => json!(*chance.pick(&[0.5_f64, -0.0, 1e300, 4_294_967_296.0])),
        4 => json!(u64::MAX),
        5 => json!([text(chance), text(chance)]),
        6 => json!({text(chance): text(chance)}),
        _ => text(chance).into(),
    }
}

/// A value that its argument may have, or any other.
fn value(chance: &mut Chance, name: &str) -> Value {
    if chance.one_in(6) {
        return any(chance);
    }
    match name {
        "slug" | "from_slug" | "to_slug" if !chance.one_in(3) => {
            let slugs = [
                "people/ida",
                "people/bo",
                "notes/1",
                "default::people/ida",
                "notes/2",
                "preferences/tea",
                "preferences/rows",
            ];
            json!(chance.pick(&slugs))
        }
        "limit" | "depth" if chance.one_in(2) => json!(chance.below(1_000_000)),
        "depth" => "auto".into(),
        "expected_version" | "link_id" => json!(chance.below(20)),
        "temporal" => json!(chance.pick(&["current", "all", "never"])),
        "relationship" => json!(chance.pick(&["knows", "works_at", "No!"])),
        "valid_from" | "valid_until" => {
            json!(chance.pick(&[
                "2026-04",
                "2026-04-15",
                "2026-04-15T08:00:00Z",
                "2026-02-30"
            ]))
        }
        "add" | "remove" => json!([chance.pick(&["a", "b", "V I P"]), text(chance)]),
        "data" => json!({"a": any(chance)}),
        "cursor" => json!(chance.pick(&["", "x", "YnJhaW46Ly9kZWZhdWx0L2E"])),
        "uri" => json!(chance.pick(&[
            "brain://default/people/ida",
            "brain://default/preferences/tea",
            "brain://default/",
            "brain://nope/people/ida",
            "brain://default/People",
            "ui://ggui/render",
            "brain:",
        ])),
        "resolved" | "overwrite" | "share" => chance.one_in(2).into(),
        _ => text(chance).into(),
    }
}

fn object(chance: &mut Chance, names: &[&str]) -> Value {
    let mut given = Map::new();
    for name in names {
        if !chance.one_in(5) {
            given.insert((*name).to_owned(), value(chance, name));
        }
    }
    if chance.one_in(20) {
        given.insert(text(chance), any(chance));
    }
    given.into()
}

/// One request to the tools or to the memories, as a value that can be shown.
fn request(chance: &mut Chance) -> Value {
    match chance.below(5) {
        0 => {
            let names = [
                "content",
                "title",
                "memory_type",
                "agent_id",
                "source_uri",
                "metadata",
            ];
            json!({"method": "POST", "path": MEMORIES, "body": object(chance, &names)})
        }
        1 => {
            let slug = *chance.pick(&[
                "people%2Fida",
                "notes%2F1",
                "x",
                "%00",
                "%2F",
                "..%2F",
                "::",
            ]);
            let (method, end) = *chance.pick(&[
                ("GET", ""),
                ("PATCH", ""),
                ("DELETE", ""),
                ("GET", "/versions"),
                ("GET", "/versions/1"),
                ("GET", "/versions/99999999999999999999"),
            ]);
            let names = [
                "content",
                "title",
                "memory_type",
                "metadata",
                "expected_version",
            ];
            let body = object(chance, &names);
            json!({"method": method, "path": format!("{MEMORIES}/{slug}{end}"), "body": body})
        }
        3 if chance.one_in(3) => {
            let (method, names) = *chance.pick(&[
                ("resources/list", &["cursor"][..]),
                ("resources/read", &["uri"][..]),
                ("resources/templates/list", &["cursor"][..]),
            ]);
            json!({"rpc": method, "params": object(chance, names)})
        }
        2 if chance.one_in(3) => {
            let body = object(chance, &["query", "collection", "limit"]);
            json!({"method": "POST", "path": "/api/v1/search", "body": body})
        }
        _ => {
            let (tool, names) = *chance.pick(&TOOLS);
            json!({"tool": tool, "arguments": object(chance, names)})
        }
    }
}

/// Makes a request; what is wrong with its answer, if anything is.
async fn problem(pages: &Pages, request: &Value) -> Option<String> {
    let answer = match (request["tool"].as_str(), request["rpc"].as_str()) {
        (_, Some(method)) => pages.rpc(method, request["params"].clone()).await,
        (Some(tool), _) => {
            let params = json!({"name": tool, "arguments": request["arguments"]});
            pages.rpc("tools/call", params).await
        }
        _ => {
            let method = request["method"].as_str().unwrap_or_default();
            let method = Method::from_bytes(method.as_bytes()).expect("a method");
            let path = request["path"].as_str().expect("a path");
            send(&pages.0, method, path, &request["body"]).await
        }
    };
    let error = &answer.body["error"];
    let is_broken = answer.status >= 500
        || error["code"] == -32003
        || error["code"] == -32603
        || ["INTERNAL_ERROR", "UNAVAILABLE"].iter().any(|code| {
            let result = &answer.body["result"]["structuredContent"]["error"]["code"];
            error["code"] == *code || result == code
        });
    is_broken.then(|| format!("{request}\nis answered {} {}", answer.status, answer.body))
}

#[tokio::test]
async fn no_query_and_no_page_makes_the_page_store_fail() {
    let number = |variable: &str, default: usize| {
        let text = std::env::var(variable).ok();
        text.map_or(default, |text| text.parse().expect("a number"))
    };
    let seed = number(SEED_VARIABLE, std::process::id() as usize);
    let _ = writeln!(std::io::stdout(), "PROSCENIUM_MUTANTS_SEED={seed}");
    let mut chance = Chance(seed as u64);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pages.db");
    let pages = Pages::start_with(|config| {
        config.brain.path = file;
        config.limits.rates.using_per_second = 1_000_000;
        config.limits.rates.using_burst = 1_000_000;
        // Few, so that there is room for other questions again and again.
        config.limits.pages.cards_per_app_max = 3;
    })
    .await;
    pages
        .put("people/ida", "Ida has tea with [[people/bo]].")
        .await;
    pages.put("people/bo", "Bo has a garden.").await;
    let mut left = number(REQUESTS_VARIABLE, REQUESTS);
    while left > 0 {
        let requests: Vec<_> = (0..AT_ONCE.min(left))
            .map(|_| request(&mut chance))
            .collect();
        left -= requests.len();
        let problems = join_all(requests.iter().map(|request| problem(&pages, request))).await;
        let problems: Vec<_> = problems.into_iter().flatten().collect();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
    // What is left is a sound store that still answers.
    pages.call("brain_stats", json!({})).await;
    let stored = rusqlite::Connection::open(folder.path().join("pages.db")).expect("the database");
    let words = "INSERT INTO words (words) VALUES ('integrity-check')";
    stored
        .execute(words, [])
        .expect("an index that agrees with its pages");
}

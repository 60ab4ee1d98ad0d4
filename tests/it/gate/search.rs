//! Many tools: found by words, with few tokens, and through the same filter as all else.

use serde_json::{Value, json};

use super::site::{Folder, Site};

/// Two hundred tools as servers list them.
const TOOLS: &str = include_str!("search_tools.txt");
/// What agents look for, and the tool that does it.
const QUERIES: &str = include_str!("search_queries.txt");
/// Of so many queries the right tool is among the first five.
const HITS_MIN: f64 = 0.9;
/// The part of the whole list that may be left of it.
const LEFT_MAX: f64 = 0.1;

const GATE: &str = "schema: 1\nsearch: true\nsources:\n  - { id: script, kind: mcp, SCRIPT }\n\
    governance: { rules: [{ match: \"stripe_*\", action: deny, description: closed }] }\n";

/// The columns of a file, line by line.
fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('|').map(str::trim).collect())
}

fn folder() -> Folder {
    let folder = Folder::new();
    let tools = lines(TOOLS).map(|columns| {
        let arguments = columns[2].split(", ").filter(|name| !name.is_empty());
        let arguments = arguments.map(|name| (name.to_owned(), json!({"type": "string"})));
        json!({
            "name": columns[0],
            "description": columns[1],
            "inputSchema": {
                "type": "object",
                "properties": arguments.collect::<serde_json::Map<_, _>>(),
            },
        })
    });
    let tools: Vec<_> = tools.collect();
    folder.put("tools.json", &json!({ "tools": tools }).to_string());
    folder
}

async fn site(gate: &str) -> Site {
    Site::start_in(folder(), gate, |_| {}).await
}

/// The names of what is found.
async fn find(site: &Site, arguments: Value) -> Vec<String> {
    let answer = site.call("find_tools", arguments).await;
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str().expect("a text");
    let said: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(said, result["structuredContent"], "{answer}");
    let tools = said["tools"].as_array().expect("a list").iter();
    tools
        .map(|tool| tool["name"].as_str().expect("a name").to_owned())
        .collect()
}

#[tokio::test]
async fn the_right_one_of_two_hundred_tools_is_nearly_always_among_the_first_five() {
    let site = site(&GATE.replace("deny", "forward")).await;
    let (mut queries, mut missed) = (0, Vec::new());
    for columns in lines(QUERIES) {
        let [query, expected] = columns[..] else {
            panic!("{columns:?}");
        };
        queries += 1;
        let found = find(&site, json!({ "query": query })).await;
        assert!(found.len() <= 5, "{found:?}");
        if !found.iter().any(|name| name == expected) {
            missed.push((query, expected, found));
        }
    }
    assert_eq!(queries, 50);
    let hits = 1.0 - f64::from(u32::try_from(missed.len()).expect("few")) / f64::from(queries);
    assert!(hits >= HITS_MIN, "{hits}: {missed:#?}");
}

#[tokio::test]
async fn a_list_of_two_tools_and_what_is_found_take_a_tenth_of_the_whole_list() {
    let size = |answer: &Value| f64::from(u32::try_from(answer.to_string().len()).expect("few"));
    let all = site(&GATE.replace("search: true", "search: false")).await;
    let listed = all.rpc("tools/list", json!({})).await;
    let count = listed["result"]["tools"].as_array().map(Vec::len);
    assert!(count >= Some(190), "{count:?}");
    let site = site(GATE).await;
    assert_eq!(site.names("tools").await, ["find_tools", "call_tool"]);
    let short = site.rpc("tools/list", json!({})).await;
    let query = json!({"query": "send a message to a channel"});
    let found = site.call("find_tools", query).await;
    let left = (size(&short) + size(&found)) / size(&listed);
    assert!(left <= LEFT_MAX, "{left}");
}

#[tokio::test]
async fn what_is_found_is_called_and_what_is_denied_is_neither_found_nor_called() {
    let site = site(GATE).await;
    let query = json!({"query": "read a file from disk", "limit": 1.0});
    assert_eq!(find(&site, query).await, ["fs_read_file"]);
    let call = |name: &str| site.call("call_tool", json!({"name": name, "arguments": {"a": 1}}));
    for name in ["fs_read_file", "slack_send_message"] {
        let answer = call(name).await;
        assert_eq!(answer["result"]["content"][0]["text"], "Done", "{answer}");
        assert_eq!(site.folder.calls(name), 1);
    }
    // By its own name as well.
    let answer = site.call("fs_read_file", json!({})).await;
    assert!(answer["result"].is_object(), "{answer}");
    let query = json!({"query": "refund a payment to a customer with stripe", "limit": 20});
    let found = find(&site, query).await;
    assert!(!found.is_empty(), "something else has these words");
    assert!(
        !found.iter().any(|name| name.starts_with("stripe")),
        "{found:?}"
    );
    let answer = call("stripe_refund_payment").await;
    assert_eq!(answer["error"]["code"], -32003, "{answer}");
    assert_eq!(
        answer["error"]["data"]["tool_name"],
        "stripe_refund_payment"
    );
    let answer = call("nothing_like_it").await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
}

#[tokio::test]
async fn a_search_that_is_no_search_is_told_what_it_takes() {
    let site = site(GATE).await;
    for (tool, arguments) in [
        ("find_tools", json!({})),
        ("find_tools", json!({"query": 5})),
        ("find_tools", json!({"query": "x".repeat(501)})),
        ("find_tools", json!({"query": "x", "limit": 0})),
        ("find_tools", json!({"query": "x", "limit": 21})),
        ("find_tools", json!({"query": "x", "limit": 1.5})),
        ("call_tool", json!({})),
        (
            "call_tool",
            json!({"name": "fs_read_file", "arguments": []}),
        ),
    ] {
        let answer = site.call(tool, arguments.clone()).await;
        assert_eq!(answer["error"]["code"], -32602, "{arguments}: {answer}");
    }
    let wrong = json!({"query": 5, "limit": "1"});
    let answer = site.call("find_tools", wrong).await;
    let message = answer["error"]["message"].as_str().expect("a message");
    for named in [
        "arguments.query: must be string",
        "arguments.limit: must be integer",
    ] {
        assert!(message.contains(named), "{message}");
    }
    let nothing = find(&site, json!({"query": "…"})).await;
    assert!(nothing.is_empty(), "{nothing:?}");
}

#[tokio::test]
async fn what_policies_deny_to_a_caller_is_not_found_by_it() {
    let folder = folder();
    folder.put(
        "files.cedar",
        "permit(principal, action, resource) when { resource.name like \"fs_read*\" };\n\
         permit(principal, action, resource) when { principal.trust > 3 };",
    );
    let rule = "{ match: \"fs_*\", action: policy, policy_id: files }";
    let gate = format!(
        "schema: 1\nsearch: true\nsources:\n  - {{ id: script, kind: mcp, SCRIPT }}\n\
         governance: {{ rules: [{rule}] }}\ncedar: {{ policies: [files.cedar] }}\n"
    );
    let site = Site::start_in(folder, &gate, |_| {}).await;
    let found = find(&site, json!({"query": "file directory disk", "limit": 20})).await;
    let files = found.iter().filter(|name| name.starts_with("fs_"));
    assert_eq!(files.collect::<Vec<_>>(), ["fs_read_file"], "{found:?}");
    let arguments = json!({"name": "fs_delete_file", "arguments": {}});
    let answer = site.call("call_tool", arguments).await;
    assert_eq!(answer["error"]["code"], -32003, "{answer}");
}

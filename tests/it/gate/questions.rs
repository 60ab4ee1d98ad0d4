//! What a source asks in the middle of a call reaches whoever made the call, and nobody else.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::event_stream::EventStream;
use super::people::Person;
use super::site::{Folder, Site};
use crate::world::{PATIENCE, World};

const GATE: &str = "schema: 1\nsources:\n  - { id: script, kind: mcp, SCRIPT }\n";

async fn asking() -> Site {
    asking_with(|_| {}).await
}

async fn asking_with(change: impl FnOnce(&mut proscenium::config::Config)) -> Site {
    let folder = Folder::new();
    folder.list_tools(&["ask_name", "get_weather"]);
    Site::start_in(folder, GATE, change).await
}

/// A request of the newer revision, by a client that declares this.
fn modern(world: &World, tool: &str, declares: Value, more: Value) -> reqwest::RequestBuilder {
    let mut params = json!({"name": tool, "arguments": {}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": declares,
    }});
    for (name, value) in more.as_object().expect("an object") {
        params[name] = value.clone();
    }
    let body = json!({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": params});
    world
        .post("/mcp/gate")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", tool)
        .body(body.to_string())
}

async fn answer(request: reqwest::RequestBuilder) -> Value {
    let response = request.send().await.expect("an answer");
    response.json().await.expect("JSON")
}

/// Sends what wants no answer.
async fn notify(request: reqwest::RequestBuilder, message: Value) {
    let sent = request.body(message.to_string()).send().await;
    let sent = sent.expect("an answer");
    assert_eq!(sent.status(), 202);
    assert_eq!(sent.text().await.expect("no text"), "");
}

fn accepted() -> Value {
    json!({"action": "accept", "content": {"name": "Ida"}})
}

/// What the source heard, as it says.
fn heard(answer: &Value) -> &Value {
    let result = &answer["result"];
    assert_eq!(result["content"][0]["text"], "Heard", "{answer}");
    &result["structuredContent"]
}

fn assert_asked(method: &Value, params: &Value) {
    assert_eq!(method, "elicitation/create");
    assert_eq!(params["message"], "Who?", "{params}");
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    assert_eq!(params["requestedSchema"], schema);
}

#[tokio::test]
async fn a_source_asks_on_the_stream_of_the_call_and_hears_what_its_caller_answers() {
    let site = asking().await;
    let mut events = EventStream::of(&site, "ask_name", json!({})).await;
    let said = events.next().await;
    assert_eq!(said["method"], "notifications/message", "{said}");
    assert_eq!(
        said["params"],
        json!({"level": "info", "logger": "script", "data": "Asks"})
    );
    let asked = events.next().await;
    assert_asked(&asked["method"], &asked["params"]);
    let reply = json!({"jsonrpc": "2.0", "id": asked["id"], "result": accepted()});
    notify(site.post(), reply).await;
    let answer = events.next().await;
    assert_eq!(answer["id"], 7, "{answer}");
    assert_eq!(heard(&answer)["result"], accepted());
    // A call that asks nothing is answered as ever.
    let answer = site.call("get_weather", json!({})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "Sunny");
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_says_so_to_the_source() {
    let site = asking().await;
    let mut events = EventStream::of(&site, "ask_name", json!({})).await;
    events.next().await;
    let asked = events.next().await;
    let error = json!({"code": -32601, "message": "No such method"});
    let reply = json!({"jsonrpc": "2.0", "id": asked["id"], "error": error});
    notify(site.post(), reply).await;
    assert_eq!(heard(&events.next().await)["error"], error);
}

#[tokio::test]
async fn in_the_newer_era_a_call_ends_with_the_question_and_goes_on_with_the_answer() {
    let site = asking().await;
    let declares = json!({"elicitation": {}});
    let call = |more| answer(modern(&site.world, "ask_name", declares.clone(), more));
    let asked = call(json!({})).await;
    let result = &asked["result"];
    assert_eq!(result["resultType"], "input_required", "{asked}");
    let requests = result["inputRequests"].as_object().expect("questions");
    let (name, request) = requests.iter().next().expect("a question");
    assert_eq!(requests.len(), 1);
    assert_asked(&request["method"], &request["params"]);
    // What is missing is asked again, under another state.
    let again = call(json!({"inputResponses": {}, "requestState": result["requestState"]})).await;
    assert_eq!(again["result"]["inputRequests"], result["inputRequests"]);
    let state = &again["result"]["requestState"];
    assert_ne!(*state, result["requestState"]);
    let responses = json!({name: accepted(), "another": {}});
    let answered = call(json!({"inputResponses": responses, "requestState": state})).await;
    assert_eq!(answered["result"]["resultType"], "complete", "{answered}");
    assert_eq!(heard(&answered)["result"], accepted());
    assert_eq!(site.folder.calls("ask_name"), 1);
    // It is over.
    let over = call(json!({"inputResponses": responses, "requestState": state})).await;
    assert_eq!(over["error"]["code"], -32602, "{over}");
    // Log messages are for those who name a level.
    assert!(
        site.folder
            .notes()
            .contains("\"elicitation\":{\"form\":{}}")
    );
}

#[tokio::test]
async fn a_client_of_the_newer_era_is_asked_nothing_that_it_does_not_declare() {
    let site = asking().await;
    let call = modern(&site.world, "ask_name", json!({"sampling": {}}), json!({}));
    let answered = answer(call).await;
    assert_eq!(heard(&answered)["error"]["code"], -32601, "{answered}");
    let notes = site.folder.notes();
    let declared: Vec<_> = notes
        .lines()
        .filter(|line| line.contains("\"initialize\""))
        .collect();
    // The connection of this client says what the client says.
    assert!(
        declared
            .iter()
            .any(|line| line.contains("\"sampling\":{}") && !line.contains("\"elicitation\"")),
        "{declared:?}"
    );
}

#[tokio::test]
async fn malformed_answers_are_all_named_and_the_call_still_waits() {
    let site = asking().await;
    let declares = json!({"elicitation": {}});
    let call = |more| answer(modern(&site.world, "ask_name", declares.clone(), more));
    let state = call(json!({})).await["result"]["requestState"].clone();
    let malformed = json!({"inputResponses": {"a": 1, "b": null}, "requestState": state});
    let refused = call(malformed).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let message = refused["error"]["message"].as_str().expect("a text");
    for name in ["inputResponses.a", "inputResponses.b"] {
        assert!(message.contains(name), "{message}");
    }
    let null = call(json!({"inputResponses": null})).await;
    assert_eq!(null["error"]["code"], -32602, "{null}");
    let responses = json!({"elicitation": accepted()});
    let answered = call(json!({"inputResponses": responses, "requestState": state})).await;
    assert_eq!(heard(&answered)["result"], accepted());
}

#[tokio::test]
async fn nobody_else_answers_a_question_or_goes_on_with_a_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let key = |app| proscenium::keys::create(&file, app, 2).expect("a key");
    let (ours, shared, foreign) = (key("shop"), key("shop"), key("bank"));
    let mut site = asking_with(|config| config.server.keys_file = file.clone()).await;
    site.world.bearer = Some(ours.clone());
    let mut events = EventStream::of(&site, "ask_name", json!({})).await;
    events.next().await;
    let asked = events.next().await;
    let declares = json!({"elicitation": {}});
    let begun = answer(modern(&site.world, "ask_name", declares.clone(), json!({}))).await;
    let state = &begun["result"]["requestState"];
    let forged = json!({"action": "accept", "content": {"name": "Eve"}});
    let go_on =
        |state: &Value| json!({"inputResponses": {"elicitation": forged}, "requestState": state});
    for other in [shared, foreign] {
        site.world.bearer = Some(other);
        for id in [asked["id"].clone(), json!("no-such-question")] {
            let reply = json!({"jsonrpc": "2.0", "id": id, "result": forged});
            notify(site.post(), reply).await;
        }
        let call = |state| {
            answer(modern(
                &site.world,
                "ask_name",
                declares.clone(),
                go_on(state),
            ))
        };
        let unknown = json!("no-such-state");
        let missing = call(&unknown).await;
        assert_eq!(missing["error"]["code"], -32602, "{missing}");
        assert_eq!(call(state).await, missing);
    }
    site.world.bearer = Some(ours);
    // Another call than the one that was asked.
    let another = modern(&site.world, "get_weather", declares.clone(), go_on(state));
    assert_eq!(answer(another).await["error"]["code"], -32602);
    let reply = json!({"jsonrpc": "2.0", "id": asked["id"], "result": accepted()});
    notify(site.post(), reply).await;
    assert_eq!(heard(&events.next().await)["result"], accepted());
    let responses = json!({"inputResponses": {"elicitation": accepted()}, "requestState": state});
    let answered = answer(modern(&site.world, "ask_name", declares, responses)).await;
    assert_eq!(heard(&answered)["result"], accepted());
}

#[tokio::test]
async fn a_question_that_nobody_answers_is_over_and_its_source_is_told() {
    let site = asking_with(|config| config.limits.gate.question_wait_s = 0).await;
    let mut events = EventStream::of(&site, "ask_name", json!({})).await;
    events.next().await;
    let asked = events.next().await;
    let taken_back = events.next().await;
    assert_eq!(taken_back["method"], "notifications/cancelled");
    assert_eq!(taken_back["params"]["requestId"], asked["id"]);
    assert!(heard(&events.next().await)["error"].is_object());
}

#[tokio::test]
async fn when_an_app_is_asked_as_much_as_it_may_be_the_source_is_told_so() {
    let site = asking_with(|config| config.limits.gate.questions_per_app_max = 0).await;
    let mut events = EventStream::of(&site, "ask_name", json!({})).await;
    events.next().await;
    assert_eq!(heard(&events.next().await)["error"]["code"], -32603);
}

#[tokio::test]
async fn a_caller_has_a_connection_of_its_own_as_long_as_there_is_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let key = |app| proscenium::keys::create(&file, app, 2).expect("a key");
    let (one, two) = (key("shop"), key("bank"));
    let mut site = asking_with(|config| {
        config.server.keys_file = file.clone();
        config.limits.gate.connections_per_source_max = 1;
    })
    .await;
    site.world.bearer = Some(one.clone());
    let mut events = EventStream::of(&site, "ask_name", json!({})).await;
    events.next().await;
    let asked = events.next().await;
    site.world.bearer = Some(two);
    let refused = site.call("get_weather", json!({})).await;
    assert_eq!(refused["error"]["code"], -32009, "{refused}");
    let two = site.world.bearer.replace(one);
    let reply = json!({"jsonrpc": "2.0", "id": asked["id"], "result": accepted()});
    notify(site.post(), reply).await;
    events.next().await;
    // Whoever needs it next has the place of a connection that nobody needs.
    site.world.bearer = two;
    let answered = site.call("get_weather", json!({})).await;
    assert_eq!(
        answered["result"]["content"][0]["text"], "Sunny",
        "{answered}"
    );
}

#[tokio::test]
async fn a_client_that_opens_addresses_is_sent_to_the_card_and_what_is_decided_there_counts() {
    let gate = format!(
        "{GATE}governance: {{ rules: [{{ match: get_weather, action: approve }}] }}\n\
         approval: {{ people: {{}} }}\n"
    );
    let hasty = |config: &mut proscenium::config::Config| config.limits.gate.approval_hold_s = 0;
    let site = Site::start_with(&gate, hasty).await;
    let person = Person::at(&site.world.url(""));
    let declares = json!({"elicitation": {"url": {}}});
    let call = |more| answer(modern(&site.world, "get_weather", declares.clone(), more));
    let asked = call(json!({})).await;
    let result = &asked["result"];
    assert_eq!(result["resultType"], "input_required", "{asked}");
    let question = &result["inputRequests"]["approval"];
    assert_eq!(question["method"], "elicitation/create", "{asked}");
    assert_eq!(question["params"]["mode"], "url");
    let mut card = person.card().await;
    let address = question["params"]["url"].as_str().expect("an address");
    assert!(
        address.ends_with(&format!("/#s={}", card.session)),
        "{address}"
    );
    // That they were there is not that they agreed.
    let seen = json!({"approval": {"action": "accept"}});
    let again = json!({"inputResponses": seen, "requestState": result["requestState"]});
    let pending = call(again).await;
    assert_eq!(pending["error"]["code"], -32008, "{pending}");
    assert_eq!(site.folder.calls("get_weather"), 0);
    card.approve().await;
    let made = async {
        loop {
            let answer = call(json!({})).await;
            if answer["error"]["code"] != -32008 {
                return answer;
            }
        }
    };
    let done = timeout(PATIENCE, made).await.expect("the call in time");
    assert_eq!(
        done["result"]["structuredContent"]["sky"], "clear",
        "{done}"
    );
    // Who opens forms alone is not sent anywhere.
    let form = modern(
        &site.world,
        "get_weather",
        json!({"elicitation": {}}),
        json!({}),
    );
    assert_eq!(answer(form).await["error"]["code"], -32008);
}

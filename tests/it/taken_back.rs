//! Cancelled waits: `notifications/cancelled`, on every revision and transport.

use futures_util::future::join;
use proscenium::keys;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::browser::Browser;
use crate::contracts::{basket, basket_props};
use crate::event_stream::EventStream;
use crate::world::{Answer, PATIENCE, Shown, World, answer};

/// The revision and transport of a call.
#[derive(Clone, Copy, Debug)]
enum Way {
    Legacy,
    Batch,
    Progress,
    Modern,
    ModernProgress,
}

const EVERY_WAY: [Way; 5] = [
    Way::Legacy,
    Way::Batch,
    Way::Progress,
    Way::Modern,
    Way::ModernProgress,
];

/// A wait for a click.
fn wait(world: &World, way: Way, id: &Value, session: &str) -> RequestBuilder {
    let mut params = json!({
        "name": "ggui_consume",
        "arguments": {"sessionId": session, "timeout": 25},
        "_meta": {},
    });
    if matches!(way, Way::Progress | Way::ModernProgress) {
        params["_meta"]["progressToken"] = json!("p");
    }
    let mut request = world.post("/mcp");
    if matches!(way, Way::Modern | Way::ModernProgress) {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        request = request
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "ggui_consume");
    }
    let mut body = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
    if matches!(way, Way::Batch) {
        body = json!([body, {"jsonrpc": "2.0", "id": "beside", "method": "ping"}]);
    }
    request.body(body.to_string())
}

fn notice(id: &Value) -> Value {
    let params = json!({"requestId": id, "reason": "enough"});
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
}

async fn take_back(world: &World, way: Way, id: &Value) {
    let mut request = world.post("/mcp");
    let mut body = notice(id);
    match way {
        Way::Modern | Way::ModernProgress => {
            request = request
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", "notifications/cancelled");
        }
        Way::Batch => body = json!([body]),
        Way::Legacy | Way::Progress => {}
    }
    let response = world.send(request.body(body.to_string())).await;
    assert_eq!(response.status, 202, "{way:?}: {}", response.body);
}

/// Returns once the server has reported that an agent is waiting.
async fn polling(browser: &mut Browser) {
    while browser.frame("data").await["payload"]["payload"]["kind"] != "consume_polling" {}
}

async fn click(browser: &mut Browser) {
    let request = browser.act("checkout", Value::Null).await;
    assert_eq!(browser.answer_to(&request).await["type"], "ack");
}

/// The events in a response, whatever its format.
fn events(answer: &Answer, id: &Value) -> Value {
    let message = match &answer.body {
        Value::String(text) => {
            let mut data = text.lines().filter_map(|line| line.strip_prefix("data: "));
            serde_json::from_str(data.next_back().expect("a message")).expect("JSON")
        }
        Value::Array(batch) => {
            let mut of = batch.iter().filter(|message| message["id"] == *id);
            of.next().expect("its answer").clone()
        }
        message => message.clone(),
    };
    assert_eq!(message["id"], *id, "{message}");
    let given = &message["result"]["structuredContent"];
    assert_eq!(given["status"], "active", "{message}");
    given["events"].clone()
}

async fn taken(world: &World, shown: &Shown) -> Value {
    let look = json!({"sessionId": shown.session, "timeout": 25});
    world.tool("ggui_consume", look).await["events"].clone()
}

#[tokio::test]
async fn a_wait_that_is_taken_back_takes_nothing_with_it_on_every_revision() {
    let world = World::start().await;
    for way in EVERY_WAY {
        for id in [json!(7), json!("a \"name\"")] {
            let shown = world.show(basket(), basket_props()).await;
            let (mut browser, _) = world.browse(&shown).await;
            // The connection stays open: the client only sends a notification.
            let held = tokio::spawn(answer(wait(&world, way, &id, &shown.session)));
            polling(&mut browser).await;
            // Cancelling another id, or an invalid one, has no effect.
            take_back(&world, way, &json!(8)).await;
            take_back(&world, way, &json!({"id": 7})).await;
            take_back(&world, way, &id).await;
            click(&mut browser).await;
            let held = timeout(PATIENCE, held)
                .await
                .expect("an end")
                .expect("an answer");
            assert_eq!(events(&held, &id), json!([]), "{way:?} {id}");
            let given = taken(&world, &shown).await;
            assert_eq!(given[0]["intent"], "checkout", "{way:?} {id}");
        }
    }
}

#[tokio::test]
async fn a_wait_is_only_cancelled_by_its_caller_and_with_its_own_id() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    let owner = keys::create(&file, "shop", 1).unwrap();
    let others = [
        keys::create(&file, "shop", 3).unwrap(),
        keys::create(&file, "else", 3).unwrap(),
    ];
    let world = World::start_with(|config| config.server.keys_file = file.clone()).await;
    let world = world.with_bearer(&owner);
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let held = tokio::spawn(answer(wait(&world, Way::Legacy, &json!(7), &shown.session)));
    polling(&mut browser).await;
    for other in others {
        let request = reqwest::Client::new()
            .post(world.mcp_url())
            .bearer_auth(other);
        let request = request.header("content-type", "application/json");
        let response = answer(request.body(notice(&json!(7)).to_string())).await;
        assert_eq!(response.status, 202);
    }
    take_back(&world, Way::Legacy, &json!("7")).await;
    click(&mut browser).await;
    let held = timeout(PATIENCE, held)
        .await
        .expect("an end")
        .expect("an answer");
    assert_eq!(events(&held, &json!(7))[0]["intent"], "checkout");
}

#[tokio::test]
async fn if_two_clients_use_one_id_both_waits_end_and_no_click_is_lost() {
    let world = World::start().await;
    let (one, other) = (
        world.show(basket(), basket_props()).await,
        world.show(basket(), basket_props()).await,
    );
    let mut browsers = [world.browse(&one).await.0, world.browse(&other).await.0];
    let id = json!(1);
    let held = [&one, &other]
        .map(|shown| tokio::spawn(answer(wait(&world, Way::Legacy, &id, &shown.session))));
    for browser in &mut browsers {
        polling(browser).await;
    }
    take_back(&world, Way::Legacy, &id).await;
    for browser in &mut browsers {
        click(browser).await;
    }
    for held in held {
        let held = timeout(PATIENCE, held)
            .await
            .expect("an end")
            .expect("an answer");
        assert_eq!(events(&held, &id), json!([]));
    }
    for shown in [&one, &other] {
        assert_eq!(taken(&world, shown).await[0]["intent"], "checkout");
    }
}

#[tokio::test]
async fn a_stream_of_changes_and_a_pull_are_cancelled_in_the_same_way() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let uri = format!("ui://ggui/render/{}", shown.session);
    let mut stream = EventStream::listening(&world, json!([uri])).await;
    let (_, first) = stream.next().await.expect("a message");
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    take_back(&world, Way::Modern, &json!("sub-7")).await;
    let (_, last) = stream.next().await.expect("its result");
    assert_eq!(last["id"], "sub-7", "{last}");
    assert!(stream.next().await.is_none());

    assert_eq!(world.gauge("held_calls").await, 0);
    let all = json!({"sessionId": shown.session});
    let head = world.tool("ggui_runtime_pull", all).await["lastSequence"].clone();
    let arguments = json!({"sessionId": shown.session, "sinceSequence": head, "wait": 20});
    let params = json!({"name": "ggui_runtime_pull", "arguments": arguments});
    let body = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
    let held = answer(world.post("/mcp").body(body.to_string()));
    let back = async {
        while world.gauge("held_calls").await == 0 {}
        take_back(&world, Way::Legacy, &json!(3)).await;
    };
    let (held, ()) = join(held, back).await;
    let given = &held.body["result"]["structuredContent"];
    assert_eq!(
        (&given["events"], &given["lastSequence"]),
        (&json!([]), &head),
        "{}",
        held.body
    );
}

//! `resources/subscribe` of the older era: the stream of its answer goes on with what is told.

use proscenium::config::McpTools;
use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::event_stream::EventStream;
use crate::world::World;

fn updated(uri: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri},
    })
}

async fn show(world: &World) -> String {
    world.show(basket(), basket_props()).await.session
}

async fn amend(world: &World, session: &str, note: &str) {
    let patch = json!({"sessionId": session, "kind": "merge", "patch": {"note": note}});
    world.tool("ggui_amend", patch).await;
}

#[tokio::test]
async fn a_subscription_is_told_of_each_change_until_the_client_unsubscribes() {
    let world = World::start().await;
    let begun = world
        .rpc("initialize", json!({"protocolVersion": "2025-11-25"}))
        .await;
    let resources = &begun.body["result"]["capabilities"]["resources"];
    assert_eq!(*resources, json!({"subscribe": true}));
    let sessions = [show(&world).await, show(&world).await];
    let [one, other] = sessions
        .each_ref()
        .map(|session| format!("ui://ggui/render/{session}"));
    let mut first = EventStream::subscribed(&world, "/mcp", &one).await;
    let mut second = EventStream::subscribed(&world, "/mcp", &other).await;
    for note in ["a", "b"] {
        amend(&world, &sessions[0], note).await;
        assert_eq!(first.message().await, updated(&one));
    }
    let ended = world.rpc("resources/unsubscribe", json!({"uri": one}));
    assert_eq!(ended.await.body["result"], json!({}));
    assert!(first.next().await.is_none(), "it has ended");
    // The other one goes on, and ends with what it is about.
    amend(&world, &sessions[1], "c").await;
    assert_eq!(second.message().await, updated(&other));
    let gone = world.delete(&format!("/api/v1/sessions/{}", sessions[1]));
    assert_eq!(world.send(gone).await.status, 204);
    assert_eq!(second.message().await, updated(&other));
    assert!(second.next().await.is_none(), "there is nothing left");
    // Whether there was a subscription makes no difference.
    let ended = world.rpc("resources/unsubscribe", json!({"uri": "ui://nothing"}));
    assert_eq!(ended.await.body["result"], json!({}));
}

#[tokio::test]
async fn what_cannot_be_read_cannot_be_subscribed_to_and_what_never_changes_can() {
    let world = World::start().await;
    for uri in ["ui://ggui/render/gone", "nothing://"] {
        let read = world.rpc("resources/read", json!({"uri": uri})).await.body;
        let refused = world.rpc("resources/subscribe", json!({"uri": uri}));
        assert_eq!(refused.await.body["error"], read["error"], "{uri}");
    }
    let refused = world.rpc("resources/subscribe", json!({})).await.body;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let mut never = EventStream::subscribed(&world, "/mcp", "ui://ggui/render").await;
    assert!(never.next().await.is_none(), "nothing will be told");
    let subscribe = json!({
        "jsonrpc": "2.0", "id": 1, "method": "resources/subscribe",
        "params": {"uri": "ui://ggui/render"},
    });
    let batch = world.post("/mcp").body(json!([subscribe]).to_string());
    let batch = world.send(batch).await.body;
    assert_eq!(batch[0]["error"]["code"], -32600, "{batch}");
}

#[tokio::test]
async fn subscriptions_take_the_places_of_streams_and_end_with_the_server() {
    let world = World::start_with(|config| {
        config.limits.http.listen_streams_per_app_max = 1;
    });
    let world = world.await;
    let session = show(&world).await;
    let uri = format!("ui://ggui/render/{session}");
    let mut stream = EventStream::subscribed(&world, "/mcp", &uri).await;
    let refused = world.rpc("resources/subscribe", json!({"uri": uri}));
    assert_eq!(refused.await.body["error"]["code"], -32013);
    let stopped = tokio::spawn(world.stop());
    assert!(stream.next().await.is_none(), "the server has ended it");
    stopped.await.expect("an end");
}

#[tokio::test]
async fn who_subscribes_to_a_page_is_told_when_somebody_writes_it() {
    let world = World::start_with(|config| config.server.mcp_tools = McpTools::GguiAndBrain);
    let world = world.await;
    let put = json!({"slug": "people/ida", "content": "One."});
    world.tool("brain_put", put).await;
    let uri = "brain://default/people/ida";
    let mut stream = EventStream::subscribed(&world, "/mcp/brain", uri).await;
    for version in 1..3 {
        let change = json!({"slug": "people/ida", "content": "More.", "expected_version": version});
        world.tool("brain_put", change).await;
        assert_eq!(stream.message().await, updated(uri));
    }
}

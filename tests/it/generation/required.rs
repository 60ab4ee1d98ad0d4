//! Callers that want a drawn view or none.

use serde_json::{Value, json};

use super::{KEY, Provider, Reply, Studio, chores, composed, todos};
use crate::contracts::todo_list;
use crate::stdio::{OWN, Peer};
use crate::world::{World, answer};

async fn handshake(world: &World, generator: &str) -> Value {
    let draft = json!({"contract": todo_list(), "generator": generator});
    let arguments = json!({"intent": "A test", "blueprintDraft": draft});
    world.tool("ggui_handshake", arguments).await
}

async fn render(world: &World, handshake: &Value) -> Value {
    let id = &handshake["handshakeId"];
    let arguments = json!({"handshakeId": id, "props": todos()});
    world.call("ggui_render", arguments).await
}

/// The error of a render that fails.
async fn fail(world: &World, handshake: &Value) -> Value {
    let id = &handshake["handshakeId"];
    let arguments = json!({"handshakeId": id, "props": todos()});
    let answer = world.calling("ggui_render", arguments).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body["error"].clone()
}

#[tokio::test]
async fn a_required_view_is_there_when_the_render_is_answered() {
    let studio = Studio::start([Reply::Says(chores())]).await;
    let agreed = handshake(&studio.world, "required").await;
    let findings = &agreed["suggestion"]["validationFindings"];
    assert!(findings.is_null(), "{findings}");
    let shown = render(&studio.world, &agreed).await;
    let cache = &shown["structuredContent"]["cache"];
    assert_eq!(
        (&cache["hit"], &cache["reason"]),
        (&json!(false), &json!("cold: drawn by quick"))
    );
    let view = shown["_meta"]["ai.ggui/render"]["viewJson"]
        .as_str()
        .unwrap();
    assert!(view.contains("Chores of the week"), "{view}");
    // The second time it is there already.
    let agreed = handshake(&studio.world, "required").await;
    assert_eq!(agreed["action"], "reuse");
    let shown = render(&studio.world, &agreed).await;
    assert_eq!(shown["structuredContent"]["cache"]["hit"], true);
    assert_eq!(studio.provider.asked().len(), 1);
}

#[tokio::test]
async fn without_one_the_render_fails_and_the_handshake_stays_open() {
    let replies = [Reply::Status(401, None), Reply::Says(chores())];
    let studio = Studio::start(replies).await;
    let agreed = handshake(&studio.world, "required").await;
    let failed = fail(&studio.world, &agreed).await;
    assert_eq!(failed["code"], -32004, "{failed}");
    assert_eq!(failed["data"]["code"], "PRODUCTION_FAILED", "{failed}");
    let text = failed["message"].as_str().unwrap();
    assert!(
        text.contains("the provider does not take the key"),
        "{text}"
    );
    assert!(
        !failed.to_string().contains(KEY) && !failed.to_string().contains("sk-test"),
        "{failed}"
    );
    let shown = render(&studio.world, &agreed).await;
    assert_eq!(
        shown["structuredContent"]["cache"]["reason"], "cold: drawn by quick",
        "{shown}"
    );
}

#[tokio::test]
async fn a_server_without_a_model_says_so_and_composes_what_is_not_required() {
    let world = World::start().await;
    let agreed = handshake(&world, "required").await;
    let finding = &agreed["suggestion"]["validationFindings"][0];
    assert_eq!(finding["code"], "GENERATOR_UNKNOWN", "{agreed}");
    let failed = fail(&world, &agreed).await;
    assert_eq!(failed["data"]["code"], "PRODUCTION_FAILED");
    let agreed = handshake(&world, "model").await;
    assert_eq!(
        agreed["suggestion"]["validationFindings"][0]["code"],
        "GENERATOR_UNKNOWN"
    );
    let shown = render(&world, &agreed).await;
    let view = &shown["_meta"]["ai.ggui/render"]["viewJson"];
    assert_eq!(*view, composed().await.as_str());
}

#[tokio::test]
async fn a_call_that_is_taken_back_takes_its_question_back() {
    let studio = Studio::start([Reply::SaysLater(chores())]).await;
    let agreed = handshake(&studio.world, "required").await;
    let arguments = json!({"handshakeId": agreed["handshakeId"], "props": todos()});
    let call = tokio::spawn(studio.world.calling("ggui_render", arguments));
    studio.provider.came().await;
    call.abort();
    studio.provider.given_up().await;
    assert_eq!(studio.provider.asked().len(), 1);
}

/// A render of a view that is required, as a request.
fn rendering(id: Value, handshake: &Value, token: Option<&str>) -> Value {
    let mut params = json!({
        "name": "ggui_render",
        "arguments": {"handshakeId": handshake["handshakeId"], "props": todos()},
    });
    if let Some(token) = token {
        params["_meta"] = json!({"progressToken": token});
    }
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

fn cancelled(id: Value) -> Value {
    let params = json!({"requestId": id});
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
}

#[tokio::test]
async fn a_call_that_is_cancelled_stops_its_model_and_leaves_the_handshake_open() {
    for token in [None, Some("how-far")] {
        let replies = [Reply::SaysLater(chores()), Reply::Says(chores())];
        let studio = Studio::start(replies).await;
        let agreed = handshake(&studio.world, "required").await;
        let call = rendering(json!(70), &agreed, token).to_string();
        // The connection stays open: the client only sends a notification.
        let held = tokio::spawn(answer(studio.world.post("/mcp").body(call)));
        studio.provider.came().await;
        let post = |body: Value| studio.world.post("/mcp").body(body.to_string());
        studio.world.send(post(cancelled(json!(71)))).await;
        let acknowledged = studio.world.send(post(cancelled(json!(70)))).await;
        assert_eq!(acknowledged.status, 202, "{}", acknowledged.body);
        studio.provider.given_up().await;
        let held = held.await.expect("an answer");
        let text = held.body.to_string();
        assert!(text.contains("the request was taken back"), "{text}");
        let shown = render(&studio.world, &agreed).await;
        assert_ne!(shown["isError"], true, "{shown}");
    }
}

#[tokio::test]
async fn a_line_that_takes_a_call_back_stops_its_model() {
    let provider = Provider::start([Reply::SaysLater(chores())]).await;
    let settings = [
        ("PROSCENIUM_MODEL_PROVIDER", "openai"),
        ("PROSCENIUM_MODEL_URL", provider.url()),
        ("PROSCENIUM_MODEL_NAME", "quick"),
    ];
    let mut peer = Peer::start(&OWN, &settings).await;
    let draft = json!({"contract": todo_list(), "generator": "required"});
    let arguments = json!({"intent": "A test", "blueprintDraft": draft});
    let asked = json!({"name": "ggui_handshake", "arguments": arguments});
    let agreed = peer.ask(1, "tools/call", asked).await;
    let agreed = &agreed["result"]["structuredContent"];
    peer.send(rendering(json!(2), agreed, None)).await;
    provider.came().await;
    peer.send(cancelled(json!(2))).await;
    provider.given_up().await;
    // The same for one call of a batch.
    let batch =
        json!([rendering(json!(3), agreed, None), {"jsonrpc": "2.0", "id": 4, "method": "ping"}]);
    peer.send(batch).await;
    provider.came().await;
    peer.send(json!([cancelled(json!(3))])).await;
    provider.given_up().await;
    let answers = peer.next().await.to_string();
    assert!(answers.contains("the request was taken back"), "{answers}");
}

#[tokio::test]
async fn a_call_that_waits_for_a_model_has_the_time_that_a_view_may_take() {
    let studio = Studio::start_with([Reply::SaysLater(chores())], |config| {
        config.limits.http.answer_s = 1;
        config.limits.generation.view_s = 2;
    })
    .await;
    let agreed = handshake(&studio.world, "required").await;
    let failed = fail(&studio.world, &agreed).await;
    assert_eq!(failed["code"], -32004, "{failed}");
    let text = failed["message"].as_str().unwrap();
    assert!(text.contains("the model takes too long"), "{text}");
}

#[tokio::test]
async fn what_was_chosen_for_a_contract_that_is_alike_is_told_with_what_it_saves() {
    let studio = Studio::start([Reply::Says(chores())]).await;
    let agreed = handshake(&studio.world, "required").await;
    let first = render(&studio.world, &agreed).await;
    assert_eq!(first["structuredContent"]["cache"]["llmCallsAvoided"], 0);
    let mut relabelled = todo_list();
    relabelled["actionSpec"]["addTodo"]["label"] = "Put on the list".into();
    let draft = json!({"contract": relabelled, "generator": "required"});
    let arguments = json!({"intent": "A test", "blueprintDraft": draft});
    let agreed = studio.world.tool("ggui_handshake", arguments).await;
    let shown = render(&studio.world, &agreed).await;
    let result = &shown["structuredContent"];
    let cache = &result["cache"];
    let saved = json!({"llmCallsAvoided": 1, "tokensAvoided": 1200, "microdollarsAvoided": 2000});
    for (name, value) in saved.as_object().expect("members") {
        assert_eq!(cache[name], *value, "{name}: {cache}");
    }
    assert_eq!(cache["hit"], true, "{cache}");
    assert!(cache["similarity"].as_f64() < Some(1.0), "{cache}");
    let source = &first["structuredContent"]["blueprintId"];
    assert_eq!(cache["cachedBlueprintId"], *source, "{cache}");
    assert_eq!(studio.provider.asked().len(), 1);
}

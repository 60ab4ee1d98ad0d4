//! Callers that want a drawn view or none.

use serde_json::{Value, json};

use super::{KEY, Reply, Studio, chores, composed, todos};
use crate::contracts::todo_list;
use crate::world::World;

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

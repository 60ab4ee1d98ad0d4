//! What people say of how a page is drawn, and what a model makes of it.

use proscenium::config::Config;
use serde_json::{Value, json};

use super::{Reply, Studio, chores, ended, todos};
use crate::chromium::Chromium;
use crate::contracts::todo_list;
use crate::world::{Answer, Shown, World};

/// Another choice that fits the to-do list.
fn kitchen() -> String {
    json!({"headline": {"text": "In the kitchen"}}).to_string()
}

async fn remark(world: &World, session: &str, body: Value) -> Answer {
    let path = format!("/api/v1/sessions/{session}/remarks");
    world.send(world.post(&path).body(body.to_string())).await
}

async fn remarks(world: &World, shown: &Shown) -> Value {
    let id = shown.result["structuredContent"]["blueprintId"].as_str();
    let list = world.send(world.get("/api/v1/blueprints")).await;
    let stands = list.body["data"][0]["id"].as_str();
    let path = format!("/api/v1/blueprints/{}", stands.or(id).expect("an id"));
    let answer = world.send(world.get(&path)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body["remarks"].clone()
}

#[tokio::test]
async fn what_a_person_finds_wrong_is_told_to_the_model_which_draws_the_page_anew() {
    let studio = Studio::start([Reply::Says(chores()), Reply::Says(kitchen())]).await;
    let world = &studio.world;
    let (shown, mut browser) = studio.show().await;
    assert_eq!(ended(&mut browser).await["outcome"], "drawn");
    assert!(studio.view(&shown).await.contains("Chores of the week"));

    let said = json!({"rating": "bad", "text": "Name it after the kitchen"});
    let answer = remark(world, &shown.session, said.clone()).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.body["isDrawnAnew"], true, "{}", answer.body);
    assert_eq!(answer.body["remarks"], 1);
    assert_eq!(ended(&mut browser).await["outcome"], "drawn");
    let drawn = studio.view(&shown).await;
    assert!(drawn.contains("In the kitchen"), "{drawn}");
    let asked = studio.provider.asked();
    assert_eq!(asked.len(), 2);
    assert!(!asked[0].body.to_string().contains("remarks\\\":["));
    let prompt = asked[1].body.to_string();
    assert!(prompt.contains("Name it after the kitchen"), "{prompt}");

    // The page that was drawn for it is the one that is stored, and the remark stays beside it.
    assert_eq!(remarks(world, &shown).await, json!([said]));
    let again = world.show(todo_list(), todos()).await;
    assert_eq!(again.slice()["viewJson"], drawn.as_str());

    // What is praised stays as it is.
    let answer = remark(world, &again.session, json!({"rating": "good"})).await;
    assert_eq!(answer.body["isDrawnAnew"], false, "{}", answer.body);
    let both = json!([said, {"rating": "good"}]);
    assert_eq!(remarks(world, &shown).await, both);
    assert_eq!(studio.provider.asked().len(), 2);
}

#[tokio::test]
async fn remarks_are_kept_without_a_model_and_the_oldest_go_first() {
    let world = World::start_with(|config: &mut Config| {
        config.limits.blueprints.remarks_max = 2;
    })
    .await;
    let shown = world.show(todo_list(), todos()).await;
    for text in ["one", "two", "three"] {
        let answer = remark(&world, &shown.session, json!({ "text": text })).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.body["isDrawnAnew"], false);
    }
    let kept = json!([{"text": "two"}, {"text": "three"}]);
    assert_eq!(remarks(&world, &shown).await, kept);
}

#[tokio::test]
async fn a_view_of_the_agent_s_own_is_not_drawn_anew() {
    let studio = Studio::start([Reply::Says(chores())]).await;
    let world = &studio.world;
    let own = json!([{"id": "root", "component": "Divider"}]);
    let draft = json!({"contract": todo_list(), "view": {"components": own}});
    let draft = json!({"intent": "A test", "blueprintDraft": draft});
    let agreed = world.tool("ggui_handshake", draft).await;
    let render = json!({"handshakeId": agreed["handshakeId"], "props": todos()});
    let rendered = world.tool("ggui_render", render).await;
    let session = rendered["sessionId"].as_str().expect("a session");
    let answer = remark(world, session, json!({"text": "Show more"})).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.body["isDrawnAnew"], false);
    assert!(studio.provider.asked().is_empty());
}

#[tokio::test]
async fn a_remark_says_something_of_a_session_that_is_there() {
    let world = World::start().await;
    let shown = world.show(todo_list(), todos()).await;
    for (body, expected) in [
        (json!({}), "say what is wrong, or rate the page"),
        (json!({"text": ""}), r#"["body","text"]"#),
        (json!({"text": "x".repeat(501)}), r#"["body","text"]"#),
        (json!({"rating": "fine"}), r#"["body","rating"]"#),
        (json!({"text": "x", "stars": 3}), "stars"),
    ] {
        let answer = remark(&world, &shown.session, body).await;
        assert_eq!(answer.status, 422, "{}", answer.body);
        assert!(
            answer.body.to_string().contains(expected),
            "{}",
            answer.body
        );
    }
    let nobody = remark(&world, "no-session", json!({"rating": "good"})).await;
    assert_eq!(nobody.status, 404, "{}", nobody.body);
    assert_eq!(remarks(&world, &shown).await, Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_says_on_the_stage_what_is_wrong_and_sees_the_page_drawn_anew() {
    const FRAME: Option<&str> = Some("iframe");
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let studio = Studio::start([Reply::Says(chores()), Reply::Says(kitchen())]).await;
    let (_, mut socket) = studio.show().await;
    assert_eq!(ended(&mut socket).await["outcome"], "drawn");
    browser.open(&studio.world.stage_url()).await;
    browser.see(FRAME, "h1", "Chores of the week").await;
    browser.click(None, ".s-menu summary").await;
    browser.click(None, "[data-remark]").await;
    browser.see(None, "dialog h2", "How is this drawn?").await;
    let words = "Name it after the kitchen";
    browser.fill(None, "dialog textarea", words).await;
    assert_eq!(browser.inaccessible().await, json!([]));
    browser.click(None, "dialog button[type=submit]").await;
    browser
        .see(None, "dialog [role=status]", "drawn anew")
        .await;
    browser.click(None, "dialog .g-dialog-buttons button").await;
    browser.see(FRAME, "h1", "In the kitchen").await;
    let prompt = studio.provider.asked()[1].body.to_string();
    assert!(prompt.contains(words), "{prompt}");
    assert_eq!(browser.problems().await, json!([]));
}

//! What people see while a model draws, and what stays of it.

use serde_json::json;

use super::{Reply, Studio, chores, composed, ended, todos};
use crate::chromium::{Chromium, next_event};
use crate::contracts::todo_list;

#[tokio::test]
async fn the_composed_view_is_shown_at_once_and_the_drawn_one_takes_its_place() {
    let studio = Studio::start([Reply::SaysLater(chores())]).await;
    let (shown, mut browser) = studio.show().await;
    assert_eq!(shown.slice()["viewJson"], composed().await.as_str());
    let cache = &shown.result["structuredContent"]["cache"];
    assert_eq!(
        cache["reason"],
        "cold: composed from the contract; a model draws a view that takes its place"
    );
    studio.provider.came().await;
    studio.provider.go_on();

    let frame = browser.frame("view_update").await;
    assert_eq!(frame["payload"]["sessionId"], shown.session.as_str());
    let drawn = frame["payload"]["view"].to_string();
    for text in ["Chores of the week", "\"Open\"", "\"Ready\""] {
        assert!(drawn.contains(text), "{text}: {drawn}");
    }
    let event = ended(&mut browser).await;
    assert_eq!(
        event,
        json!({
            "kind": "generation-ended",
            "message": "quick has drawn the view",
            "outcome": "drawn",
            "model": "quick",
            "rounds": 1,
            "promptTokens": 1000,
            "answerTokens": 200,
            "microdollars": 2000,
        })
    );
    assert_eq!(studio.view(&shown).await, drawn);
    // Whoever comes later sees it, and the session goes on as it was.
    let (mut late, ack) = studio.world.browse(&shown).await;
    assert_eq!(ack["payload"]["session"]["view"].to_string(), drawn);
    let request = late.act("toggleTodo", json!({"id": "t1"})).await;
    assert_eq!(late.answer_to(&request).await["type"], "ack");
    assert_eq!(
        next_event(&studio.world, &shown.session).await["intent"],
        "toggleTodo"
    );
}

#[tokio::test]
async fn the_composed_view_is_answered_before_anything_is_known_of_the_provider() {
    let composed = composed().await;
    // Connections come in, and nobody takes them on: whoever waits for an answer waits for ever.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = silent.local_addr().expect("its address");
    let studio = Studio::start_with([Reply::Refuses], |config| {
        config.model.url = format!("http://{address}");
    })
    .await;
    let (shown, _browser) = studio.show().await;
    assert_eq!(shown.slice()["viewJson"], composed.as_str());
    assert_eq!(studio.view(&shown).await, composed);
}

#[tokio::test]
async fn what_was_drawn_once_is_shown_again_without_a_model() {
    let studio = Studio::start([Reply::Says(chores())]).await;
    let (first, mut browser) = studio.show().await;
    assert_eq!(ended(&mut browser).await["outcome"], "drawn");
    let drawn = studio.view(&first).await;

    let again = studio.world.show(todo_list(), todos()).await;
    assert_eq!(again.slice()["viewJson"], drawn.as_str());
    let cache = &again.result["structuredContent"]["cache"];
    assert_eq!(
        (&cache["hit"], &cache["llmCallsAvoided"]),
        (&json!(true), &json!(1))
    );
    assert_eq!(
        (&cache["tokensAvoided"], &cache["microdollarsAvoided"]),
        (&json!(1200), &json!(2000))
    );
    assert_eq!(studio.provider.asked().len(), 1);
    let query = json!({"query": "A test"});
    let found = studio.world.tool("ggui_search_blueprints", query).await;
    assert_eq!(found["results"][0]["category"], "llm", "{found}");
}

#[tokio::test]
async fn what_was_chosen_holds_for_a_contract_that_is_alike_in_its_own_words() {
    let studio = Studio::start([Reply::Says(chores())]).await;
    let (_, mut browser) = studio.show().await;
    assert_eq!(ended(&mut browser).await["outcome"], "drawn");
    let mut relabelled = todo_list();
    relabelled["actionSpec"]["addTodo"]["label"] = "Put on the list".into();
    let shown = studio.world.show(relabelled, todos()).await;
    let event = ended(&mut studio.watch(&shown).await).await;
    assert_eq!(
        (&event["outcome"], &event["microdollars"]),
        (&json!("stored"), &json!(0))
    );
    let avoided = ["llmCallsAvoided", "tokensAvoided", "microdollarsAvoided"];
    let avoided = avoided.map(|name| event[name].clone());
    assert_eq!(avoided, [json!(1), json!(1200), json!(2000)], "{event}");
    let view = studio.view(&shown).await;
    for text in ["Chores of the week", "Put on the list"] {
        assert!(view.contains(text), "{text}: {view}");
    }
    // Another list, for another purpose, is another page.
    let mut other = todo_list();
    other["propsSpec"]["properties"]["owner"] = json!({"schema": {"type": "string"}});
    let shown = studio.world.show(other, todos()).await;
    let event = ended(&mut studio.watch(&shown).await).await;
    assert_eq!(event["outcome"], "drawn");
    assert_eq!(studio.provider.asked().len(), 2);
}

#[tokio::test]
async fn sessions_of_one_contract_wait_for_one_answer() {
    let studio = Studio::start([Reply::SaysLater(chores())]).await;
    let (_, mut one) = studio.show().await;
    let (_, mut two) = studio.show().await;
    studio.provider.came().await;
    studio.provider.go_on();
    for browser in [&mut one, &mut two] {
        assert_eq!(ended(browser).await["outcome"], "drawn");
    }
    assert_eq!(studio.provider.asked().len(), 1);
}

#[tokio::test]
async fn a_model_is_not_asked_for_the_composer_or_for_a_view_of_the_agent_s_own() {
    let studio = Studio::start([Reply::Says(chores())]).await;
    let root = json!([{"id": "root", "component": "Text", "text": "Mine"}]);
    for more in [
        json!({"generator": "composer"}),
        json!({"view": {"components": root}}),
    ] {
        let mut draft = json!({"contract": todo_list()});
        for (name, value) in more.as_object().unwrap() {
            draft[name] = value.clone();
        }
        let handshake = json!({"intent": "A test", "blueprintDraft": draft, "forceCreate": true});
        let agreed = studio.world.tool("ggui_handshake", handshake).await;
        let render = json!({"handshakeId": agreed["handshakeId"], "props": todos()});
        let shown = studio.world.tool("ggui_render", render).await;
        let reason = shown["cache"]["reason"].as_str().unwrap();
        assert!(!reason.contains("model"), "{reason}");
    }
    assert_eq!(studio.provider.asked().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_types_while_the_view_is_drawn_loses_no_key_stroke() {
    const FRAME: Option<&str> = Some("iframe");
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let studio = Studio::start([Reply::SaysLater(chores())]).await;
    let (shown, mut socket) = studio.show().await;
    browser.open(shown.viewer_url()).await;
    browser.see(FRAME, ":is(th, td)", "Water the plants").await;
    let input = "[data-form='addTodo'] input";
    browser.click(FRAME, input).await;
    for key in ["B", "u", "y"] {
        browser.key(key).await;
    }
    studio.provider.go_on();
    assert_eq!(ended(&mut socket).await["outcome"], "drawn");
    // What comes over the same socket later was seen later.
    let amend = json!({"sessionId": shown.session, "kind": "replace", "props": {"todos": [
        {"id": "t2", "title": "Feed the cat", "done": false}]}});
    studio.world.tool("ggui_amend", amend).await;
    browser.see(FRAME, ":is(th, td)", "Feed the cat").await;
    for key in ["Space", "m", "i", "l", "k"] {
        browser.key(key).await;
    }
    let typed = format!("document.querySelector(\"{input}\").value");
    assert_eq!(browser.evaluate(FRAME, &typed).await, "Buy milk");
    let (event, ()) = tokio::join!(
        next_event(&studio.world, &shown.session),
        browser.key("Enter"),
    );
    assert_eq!(event["actionData"], json!({"title": "Buy milk"}));
    // The work is done, and the drawn view comes.
    browser
        .evaluate(FRAME, "document.activeElement.blur()")
        .await;
    browser.see(FRAME, "h1", "Chores of the week").await;
    assert_eq!(browser.problems().await, json!([]));
}

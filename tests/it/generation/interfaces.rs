//! What a provider is sent, over each interface; and a real provider, where there is a key.

use serde_json::{Value, json};

use super::{KEY, Reply, Studio, chores, ended, todos};
use crate::contracts::{basket, basket_props, todo_list};
use crate::left_out;
use crate::world::World;

/// Waits for one question and returns it.
async fn asked(studio: &Studio) -> (Value, String) {
    let shown = studio.world.show(basket(), basket_props()).await;
    let mut browser = studio.watch(&shown).await;
    ended(&mut browser).await;
    let asked = studio.provider.asked();
    (asked[0].body.clone(), asked[0].body.to_string())
}

#[tokio::test]
async fn chat_completions_are_asked_with_a_schema_and_without_anybody_s_data() {
    let studio = Studio::start([Reply::Refuses]).await;
    let (body, text) = asked(&studio).await;
    assert_eq!(studio.provider.asked()[0].path, "chat/completions");
    let headers = studio.provider.asked()[0].headers.clone();
    assert_eq!(headers["authorization"], format!("Bearer {KEY}").as_str());
    assert_eq!(body["messages"][0]["role"], "system");
    let format = &body["response_format"]["json_schema"];
    assert_eq!(
        (&format["strict"], &format["schema"]["type"]),
        (&json!(true), &json!("object"))
    );
    let page: Value =
        serde_json::from_str(body["messages"][1]["content"].as_str().unwrap()).unwrap();
    assert_eq!(page["intent"], "A test");
    assert!(page["contract"]["propsSpec"]["properties"]["items"].is_object());
    let parts = page["draft"]["parts"].as_array().unwrap();
    let is_there = parts.iter().any(|part| part["source"] == "/props/items");
    assert!(is_there, "{page}");
    for value in ["Mug", "Poster", "B2", "12.0"] {
        assert!(!text.contains(value), "{value}: {text}");
    }
}

#[tokio::test]
async fn values_are_sent_where_the_operator_says_so() {
    let studio = Studio::start_with([Reply::Refuses], |config| {
        config.model.sends_values = true;
    })
    .await;
    let (_, text) = asked(&studio).await;
    assert!(text.contains("Poster"), "{text}");
}

#[tokio::test]
async fn messages_are_asked_through_a_tool_and_read_as_they_come() {
    let provider = |config: &mut proscenium::config::Config| {
        config.model.provider = serde_json::from_value(json!("anthropic")).unwrap();
    };
    let replies = [Reply::GrammarTooLarge(chores())];
    let studio = Studio::start_with(replies, provider).await;
    let shown = studio.world.show(todo_list(), todos()).await;
    let mut browser = studio.watch(&shown).await;
    let event = ended(&mut browser).await;
    assert_eq!(event["outcome"], "drawn", "{event}");
    assert_eq!(
        (&event["promptTokens"], &event["answerTokens"]),
        (&json!(1000), &json!(200))
    );
    let asked = studio.provider.asked();
    let [strict, lenient] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    assert_eq!(strict.path, "messages");
    assert_eq!(strict.headers["x-api-key"], KEY);
    assert_eq!(strict.headers["anthropic-version"], "2023-06-01");
    assert_eq!(
        strict.body["tool_choice"]["name"],
        strict.body["tools"][0]["name"]
    );
    assert_eq!(strict.body["tools"][0]["strict"], true);
    assert!(lenient.body["tools"][0].get("strict").is_none());
}

/// The providers whose keys may stand in the environment, with a model of each.
const REAL: [(&str, &str, &str); 2] = [
    ("OPENAI_API_KEY", "openai", "gpt-5-mini"),
    ("ANTHROPIC_API_KEY", "anthropic", "claude-haiku-4-5"),
];

#[tokio::test]
async fn a_real_provider_draws_a_view_that_holds() {
    for (variable, provider, model) in REAL {
        if std::env::var(variable).is_err() {
            left_out::note(&format!("{model} is asked where there is {variable}"));
            continue;
        }
        for free_views in [false, true] {
            draws_for_real(provider, model, free_views).await;
        }
    }
}

async fn draws_for_real(provider: &str, model: &str, free_views: bool) {
    let world = World::start_with(|config| {
        config.model.provider = serde_json::from_value(json!(provider)).unwrap();
        config.model.name = model.to_owned();
        config.model.free_views = free_views;
    })
    .await;
    let draft = json!({"contract": todo_list(), "generator": "required"});
    let handshake = json!({"intent": "Keep track of chores", "blueprintDraft": draft});
    let agreed = world.tool("ggui_handshake", handshake).await;
    let render = json!({"handshakeId": agreed["handshakeId"], "props": todos()});
    let shown = world.tool("ggui_render", render).await;
    assert_eq!(
        shown["cache"]["reason"],
        format!("cold: drawn by {model}").as_str()
    );
}

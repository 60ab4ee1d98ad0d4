//! What a model may cost an app, and which models there are.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Reply, Studio, chores, ended, todos};
use crate::contracts::{basket, basket_props, build_log, todo_list};

/// What one answer of the provider costs, in tokens: what it counts.
const ANSWER_TOKENS: u64 = 1_200;
/// What is set aside for a question at most: the rules, a page of a few thousand bytes, and an answer.
const QUESTION_TOKENS: u64 = 20_000;

#[tokio::test]
async fn an_app_that_has_used_its_tokens_gets_composed_views_until_the_next_day() {
    let studio = Studio::start_with([Reply::Says(chores())], |config| {
        config.limits.generation.rounds_max = 1;
        config.limits.generation.retries_max = 0;
        config.limits.generation.answer_tokens_max = 1_000;
        config.limits.generation.tokens_per_day_max = QUESTION_TOKENS + ANSWER_TOKENS - 1;
        // Longer than the clock is moved.
        config.limits.sessions.life_max_s = 200_000;
    })
    .await;
    let (_, mut browser) = studio.show().await;
    assert_eq!(ended(&mut browser).await["outcome"], "drawn");
    // As long as a question may take more than what is left, it is not asked.
    let spend = async |contract, props| {
        let shown = studio.world.show(contract, props).await;
        let mut browser = studio.watch(&shown).await;
        ended(&mut browser).await["reason"].clone()
    };
    let asked = |studio: &Studio| studio.provider.asked().len();
    let mut before = asked(&studio);
    let mut refused = Value::Null;
    for note in 0..20 {
        let mut contract = basket();
        contract["contextSpec"]["coupon"]["default"] = format!("N{note}").into();
        refused = spend(contract, basket_props()).await;
        if asked(&studio) == before {
            break;
        }
        before = asked(&studio);
    }
    assert_eq!(refused, "the app has used what it may use today");
    studio.world.clock.advance(Duration::from_secs(86_400));
    spend(build_log(), json!({"pipeline": "web"})).await;
    assert_eq!(asked(&studio), before + 1);
}

#[tokio::test]
async fn a_required_view_beyond_the_budget_is_answered_with_the_quota() {
    let studio = Studio::start_with([Reply::Says(chores())], |config| {
        config.limits.generation.cents_per_day_max = 0;
    })
    .await;
    let draft = json!({"contract": todo_list(), "generator": "required"});
    let handshake = json!({"intent": "A test", "blueprintDraft": draft});
    let agreed = studio.world.tool("ggui_handshake", handshake).await;
    let render = json!({"handshakeId": agreed["handshakeId"], "props": todos()});
    let failed = studio.world.calling("ggui_render", render).await.body;
    assert_eq!(failed["error"]["code"], -32010, "{failed}");
    let code = &failed["error"]["data"]["code"];
    assert_eq!(code, "GENERATION_QUOTA_EXCEEDED", "{failed}");
    assert_eq!(studio.provider.asked().len(), 0);
}

#[tokio::test]
async fn only_models_that_are_configured_draw() {
    let studio = Studio::start([Reply::Says(chores())]).await;
    let render = async |model: &str| {
        let id = studio.world.handshake(todo_list()).await;
        let infra = json!({"model": model});
        let arguments = json!({"handshakeId": id, "props": todos(), "infra": infra});
        studio.world.call("ggui_render", arguments).await
    };
    let refused = render("dearest").await;
    assert_eq!(refused["isError"], true);
    let violation = &refused["structuredContent"]["error"]["details"]["violations"][0];
    assert_eq!(violation["field"], "infra.model", "{refused}");
    assert_eq!(violation["expected"], "quick|large");
    let shown = render("openai/large").await;
    assert_ne!(shown["isError"], true, "{shown}");
    studio.provider.came().await;
    assert_eq!(studio.provider.asked()[0].body["model"], "large");
}

#[tokio::test]
async fn a_contract_that_is_too_large_for_a_model_is_composed() {
    let studio = Studio::start_with([Reply::Says(chores())], |config| {
        config.limits.generation.page_bytes_max = 500;
    })
    .await;
    let (_, mut browser) = studio.show().await;
    let event = ended(&mut browser).await;
    let why = event["reason"].as_str().unwrap();
    assert!(why.contains("more than 500"), "{why}");
    assert_eq!(studio.provider.asked().len(), 0);
}

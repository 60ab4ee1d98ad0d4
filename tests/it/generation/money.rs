//! What a question costs is counted however it ends, each app by itself.

use serde_json::{Value, json};

use super::{Reply, Studio, chores, ended, todos};
use crate::contracts::{basket, basket_props, build_log, todo_list};
use crate::world::World;

/// What one answer of the provider costs, in millionths of a US dollar: what it counts, by the prices
/// of the studio.
const ANSWER_COSTS: u64 = 2_000;

/// A question that sets aside much more than it will take.
const DEAR: u32 = 100_000;

#[tokio::test]
async fn an_answer_without_its_end_is_booked_as_far_as_it_came() {
    for (reply, least, most) in [
        // "{"headline": {"text": "Half a" has 29 bytes, and a token two at least.
        (Reply::CutOff, 14, 14),
        (Reply::Unfinished, 14, 14),
        (Reply::Breaks, 14, 14),
        (Reply::Endless, 2_048, 4_096),
        // What the provider has counted holds.
        (Reply::Ends("max_tokens"), 200, 200),
        (Reply::Ends("refusal"), 200, 200),
        (Reply::Drips, 1, 4_096),
    ] {
        let case = format!("{reply:?}");
        let studio = Studio::messages([reply], |config| {
            config.limits.generation.retries_max = 0;
            config.limits.generation.answer_bytes_max = 4_096;
            config.limits.generation.answer_s = 1;
        })
        .await;
        let (_, mut browser) = studio.show().await;
        let event = ended(&mut browser).await;
        assert_eq!(event["outcome"], "composed", "{case}: {event}");
        assert_eq!(event["promptTokens"], 1000, "{case}: {event}");
        let answer = event["answerTokens"].as_u64().expect("tokens");
        assert!((least..=most).contains(&answer), "{case}: {event}");
        let costs = json!(1_000 + 5 * answer);
        assert_eq!(event["microdollars"], costs, "{case}: {event}");
    }
}

#[tokio::test]
async fn a_question_that_is_given_up_is_paid_as_far_as_it_came_and_no_further() {
    let studio = Studio::start_with([Reply::SaysLater(chores())], |config| {
        config.model.name = "given-up".to_owned();
        config.limits.generation.retries_max = 0;
        config.limits.generation.answer_tokens_max = DEAR;
        config.limits.generation.tokens_per_day_max = u64::from(DEAR) * 3 / 2;
        config.limits.generation.cents_per_day_max = 1_000;
    })
    .await;
    let (shown, _browser) = studio.show().await;
    studio.provider.came().await;
    let session = format!("/api/v1/sessions/{}", shown.session);
    let deleted = studio.world.send(studio.world.delete(&session)).await;
    assert_eq!(deleted.status / 100, 2, "{}", deleted.body);
    studio.provider.given_up().await;
    let count = async |name, labels: &[&str]| {
        let labels = [&["model=\"given-up\""], labels].concat();
        studio.metric(name, &labels).await
    };
    let given_up = ["outcome=\"given_up\""];
    let answers = count("proscenium_model_answers_total", &given_up).await;
    assert_eq!(answers, Some(1));
    let sent = count("proscenium_model_tokens_total", &["direction=\"sent\""]).await;
    let sent = sent.expect("a count");
    assert!((1_000..50_000).contains(&sent), "{sent}");
    let costs = count("proscenium_model_microdollars_total", &[]).await;
    assert_eq!(costs, Some(sent));
    let timed = count("proscenium_model_answer_seconds_count", &[]).await;
    assert_eq!(timed, Some(1));
    // What it had set aside is there again.
    let shown = studio.world.show(basket(), basket_props()).await;
    let mut browser = studio.watch(&shown).await;
    studio.provider.came().await;
    studio.provider.go_on();
    let event = ended(&mut browser).await;
    assert_ne!(
        event["reason"], "the app has used what it may use today",
        "{event}"
    );
}

#[tokio::test]
async fn the_time_of_a_view_is_over_and_what_its_question_took_is_told() {
    let studio = Studio::messages([Reply::Drips], |config| {
        config.limits.generation.view_s = 1;
    })
    .await;
    let (_, mut browser) = studio.show().await;
    let event = ended(&mut browser).await;
    assert_eq!(event["reason"], "the model takes too long", "{event}");
    assert_eq!(event["promptTokens"], 1000, "{event}");
    assert!(event["answerTokens"].as_u64() > Some(0), "{event}");
}

/// A page that no other one is alike.
fn page(number: usize) -> Value {
    let mut contract = todo_list();
    let name = format!("extra{number}");
    contract["propsSpec"]["properties"][name] = json!({"schema": {"type": "string"}});
    contract
}

/// What came of a view that must be drawn.
async fn required(world: &World, contract: Value) -> Value {
    let draft = json!({"contract": contract, "generator": "required"});
    let handshake = json!({"intent": "A test", "blueprintDraft": draft});
    let agreed = world.tool("ggui_handshake", handshake).await;
    let render = json!({"handshakeId": agreed["handshakeId"], "props": todos()});
    world.calling("ggui_render", render).await.body
}

#[tokio::test]
async fn two_apps_spend_their_own_money_to_the_last_part_of_a_cent() {
    let keys = tempfile::tempdir().expect("a folder");
    let file = keys.path().join("keys.toml");
    let secrets =
        ["ours", "theirs"].map(|app| proscenium::keys::create(&file, app, 2).expect("a key"));
    let mut studio = Studio::start_with([Reply::Says(chores())], |config| {
        config.server.keys_file = file;
        config.server.unlimited = true;
        config.model.name = "to-the-cent".to_owned();
        config.limits.generation.retries_max = 0;
        config.limits.generation.answer_tokens_max = 1_000;
        config.limits.generation.cents_per_day_max = 3;
    })
    .await;
    let spent = async |studio: &Studio| {
        let name = "proscenium_model_microdollars_total";
        let labels = ["model=\"to-the-cent\""];
        studio.metric(name, &labels).await.unwrap_or(0)
    };
    let mut drawn = 0;
    studio.world = studio.world.with_bearer(&secrets[0]);
    let refused = loop {
        let answer = required(&studio.world, page(drawn)).await;
        if answer["error"].is_object() {
            break answer;
        }
        drawn += 1;
        assert_eq!(spent(&studio).await, ANSWER_COSTS * drawn as u64);
        assert!(drawn < 16, "more than three cents are spent");
    };
    assert_eq!(refused["error"]["code"], -32010, "{refused}");
    assert!(drawn > 0, "{refused}");
    assert_eq!(studio.provider.asked().len(), drawn);
    // It was refused before it could cost anything, and counted.
    assert_eq!(spent(&studio).await, ANSWER_COSTS * drawn as u64);
    let labels = ["model=\"to-the-cent\"", "outcome=\"over_budget\""];
    let name = "proscenium_model_answers_total";
    assert_eq!(studio.metric(name, &labels).await, Some(1));
    // Another app has its own three cents.
    studio.world = studio.world.with_bearer(&secrets[1]);
    let answer = required(&studio.world, page(0)).await;
    assert!(answer["error"].is_null(), "{answer}");
    assert_eq!(spent(&studio).await, ANSWER_COSTS * (drawn as u64 + 1));
}

#[tokio::test]
async fn as_many_views_wait_as_may_and_as_many_are_drawn_at_once_as_may() {
    let studio = Studio::start_with([Reply::SaysLater(chores())], |config| {
        config.model.name = "queue".to_owned();
        config.limits.generation.at_once_max = 1;
        config.limits.generation.waiting_max = 1;
        config.limits.generation.retries_max = 0;
    })
    .await;
    let (_, mut first) = studio.show().await;
    studio.provider.came().await;
    let mut others = Vec::new();
    for (contract, props) in [
        (basket(), basket_props()),
        (build_log(), json!({"pipeline": "web"})),
    ] {
        let shown = studio.world.show(contract, props).await;
        others.push(studio.watch(&shown).await);
    }
    // Whichever of them comes last finds the queue full.
    let [second, third] = &mut others[..] else {
        unreachable!("there are two");
    };
    let full = tokio::select! {
        event = ended(second) => event,
        event = ended(third) => event,
    };
    let why = "too many views wait for the model";
    assert_eq!(full["reason"], why, "{full}");
    assert_eq!(studio.provider.asked().len(), 1, "one at once");
    let labels = ["model=\"queue\"", "outcome=\"queue_full\""];
    let name = "proscenium_model_answers_total";
    assert_eq!(studio.metric(name, &labels).await, Some(1));
    studio.provider.go_on();
    assert_eq!(ended(&mut first).await["outcome"], "drawn");
    studio.provider.came().await;
    assert_eq!(studio.provider.asked().len(), 2);
}

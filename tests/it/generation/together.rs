//! Sessions that wait for one view, and what is said of it meanwhile.

use serde_json::{Value, json};

use super::{Reply, Studio, chores, ended, todos};
use crate::contracts::todo_list;
use crate::world::Shown;

/// Another choice that fits the to-do list.
fn kitchen() -> String {
    json!({"headline": {"text": "In the kitchen"}}).to_string()
}

/// The to-do list, rendered for a purpose, by a model.
async fn render(studio: &Studio, intent: &str, model: &str) -> Shown {
    let draft = json!({"intent": intent, "blueprintDraft": {"contract": todo_list()}});
    let agreed = studio.world.tool("ggui_handshake", draft).await;
    let infra = json!({"model": model});
    let id = &agreed["handshakeId"];
    let arguments = json!({"handshakeId": id, "props": todos(), "infra": infra});
    let result = studio.world.call("ggui_render", arguments).await;
    let session = result["structuredContent"]["sessionId"].as_str();
    Shown {
        session: session.expect("a session").to_owned(),
        result,
    }
}

#[tokio::test]
async fn what_is_said_while_a_view_is_drawn_is_heeded_and_the_view_drawn_anew() {
    let replies = [Reply::SaysLater(chores()), Reply::SaysLater(kitchen())];
    let studio = Studio::start(replies).await;
    let (shown, mut browser) = studio.show().await;
    studio.provider.came().await;
    let path = format!("/api/v1/sessions/{}/remarks", shown.session);
    let said = json!({"text": "Name it after the kitchen"}).to_string();
    let answer = studio.world.send(studio.world.post(&path).body(said)).await;
    assert_eq!(answer.body["isDrawnAnew"], true, "{}", answer.body);
    // What was being drawn without it comes too late.
    studio.provider.given_up().await;
    studio.provider.came().await;
    studio.provider.go_on();
    let event = ended(&mut browser).await;
    assert_eq!(event["outcome"], "drawn", "{event}");
    let view = studio.view(&shown).await;
    assert!(view.contains("In the kitchen"), "{view}");
    let asked = studio.provider.asked();
    assert_eq!(asked.len(), 2);
    let prompt = asked[1].body.to_string();
    assert!(prompt.contains("Name it after the kitchen"), "{prompt}");
}

#[tokio::test]
async fn sessions_of_other_purposes_that_wait_for_a_view_are_shown_it_too() {
    let studio = Studio::start([Reply::SaysLater(chores())]).await;
    let intents = [
        "Keep track of chores",
        "The flat's cleaning rota: who does what",
    ];
    let mut all: Vec<(Shown, _)> = Vec::new();
    for intent in intents {
        let shown = render(&studio, intent, "quick").await;
        let browser = studio.watch(&shown).await;
        all.push((shown, browser));
    }
    let composed = |shown: &Shown| shown.slice()["viewJson"].clone();
    assert_ne!(composed(&all[0].0), composed(&all[1].0));
    studio.provider.came().await;
    studio.provider.go_on();
    for (shown, browser) in &mut all {
        let event = ended(browser).await;
        assert_eq!(event["outcome"], "drawn", "{event}");
        let view = studio.view(shown).await;
        assert!(view.contains("Chores of the week"), "{view}");
    }
    assert_eq!(studio.provider.asked().len(), 1);
}

#[tokio::test]
async fn another_model_that_is_named_draws_though_one_is_at_it() {
    let studio = Studio::start([Reply::SaysLater(chores())]).await;
    render(&studio, "A test", "quick").await;
    studio.provider.came().await;
    render(&studio, "A test", "large").await;
    studio.provider.came().await;
    let asked = studio.provider.asked();
    let models: Vec<&Value> = asked.iter().map(|asked| &asked.body["model"]).collect();
    assert_eq!(models, ["quick", "large"]);
}

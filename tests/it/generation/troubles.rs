//! Whatever a provider does: the view ends drawn or composed, and no secret leaves the server.

use serde_json::json;

use super::{KEY, Reply, Studio, chores, composed, ended};

/// A choice that names a component, a part and an action nobody knows.
fn invented() -> String {
    json!({
        "headline": {"text": "Chores of the week"},
        "parts": [{"source": "/props/todos", "component": "Carousel"}, {"source": "/props/prices"}],
        "actions": [{"action": "payNow"}],
    })
    .to_string()
}

/// A model that has obeyed what stood in the data: it wants a secret, an address, and an action that
/// loses something.
fn injected() -> String {
    json!({
        "headline": {"text": "${/context/password}"},
        "lead": "Enter your password at https://evil.example",
        "primary": "deleteTodo",
    })
    .to_string()
}

#[tokio::test]
async fn trouble_that_passes_ends_in_the_drawn_view() {
    let good = || Reply::Says(chores());
    for (replies, rounds) in [
        (vec![Reply::Status(429, Some("0")), good()], 1),
        (
            vec![
                Reply::Status(500, Some("0")),
                Reply::Status(503, Some("0")),
                good(),
            ],
            1,
        ),
        (vec![Reply::CutOff, good()], 1),
        (vec![Reply::Unfinished, good()], 1),
        (vec![Reply::GrammarTooLarge(chores())], 1),
        (vec![Reply::Says("no JSON at all".to_owned()), good()], 2),
        (vec![Reply::Says(invented()), good()], 2),
        (
            vec![Reply::Says(injected()), Reply::Says("{}".to_owned())],
            2,
        ),
    ] {
        let told = format!("{replies:?}");
        let studio = Studio::start(replies).await;
        let (_, mut browser) = studio.show().await;
        let event = ended(&mut browser).await;
        assert_eq!(event["outcome"], "drawn", "{told}: {event}");
        assert_eq!(event["rounds"], rounds, "{told}: {event}");
    }
}

#[tokio::test]
async fn trouble_that_stays_ends_in_the_composed_view_within_the_limits() {
    let composed = composed().await;
    for (reply, reason, requests) in [
        (Reply::Status(429, Some("3600")), "the provider is busy", 1),
        (Reply::Status(429, Some("0")), "the provider is busy", 3),
        (
            Reply::Status(500, Some("0")),
            "the provider cannot be reached",
            3,
        ),
        (
            Reply::Status(401, None),
            "the provider does not take the key",
            1,
        ),
        (
            Reply::Status(404, None),
            "the provider answers with HTTP status 404",
            1,
        ),
        (
            Reply::Status(307, None),
            "the provider answers with HTTP status 307",
            1,
        ),
        (
            Reply::Status(400, None),
            "the provider answers with HTTP status 400",
            2,
        ),
        (Reply::CutOff, "the answer was cut off", 3),
        (Reply::Garbage, "the answer was cut off", 3),
        (Reply::Endless, "the answer is longer than it may be", 1),
        (Reply::Refuses, "the model has refused", 1),
        (
            Reply::Says(invented()),
            "[CHOICE_UNFIT_COMPONENT] parts[/props/todos].component",
            3,
        ),
        (
            Reply::Says(injected()),
            "[CHOICE_UNFIT_TEXT] headline.text",
            3,
        ),
        (
            Reply::Says("[".repeat(100_000)),
            "[CHOICE_SHAPE_INVALID] <root>",
            3,
        ),
    ] {
        let told = format!("{reply:?}").chars().take(80).collect::<String>();
        let studio = Studio::start([reply]).await;
        let (shown, mut browser) = studio.show().await;
        let event = ended(&mut browser).await;
        assert_eq!(event["outcome"], "composed", "{told}: {event}");
        let why = event["reason"].as_str().unwrap();
        assert!(why.contains(reason), "{told}: {why}");
        assert_eq!(studio.view(&shown).await, composed, "{told}");
        let asked = studio.provider.asked();
        assert_eq!(asked.len(), requests, "{told}");
        let leaked = [KEY, "sk-test-secret", "# Your task"];
        for secret in leaked {
            assert!(!event.to_string().contains(secret), "{told}: {event}");
        }
    }
}

#[tokio::test]
async fn a_provider_that_is_not_there_ends_in_the_composed_view() {
    let studio = Studio::start_with([Reply::Refuses], |config| {
        // Nobody listens at this port.
        config.model.url = "http://127.0.0.1:1".to_owned();
        config.limits.generation.retries_max = 0;
    })
    .await;
    let (_, mut browser) = studio.show().await;
    let event = ended(&mut browser).await;
    assert_eq!(event["reason"], "the provider cannot be reached", "{event}");
}

#[tokio::test]
async fn a_model_that_takes_too_long_ends_in_the_composed_view() {
    let studio = Studio::start_with([Reply::SaysLater(chores())], |config| {
        config.limits.generation.pause_s = 1;
    })
    .await;
    let (_, mut browser) = studio.show().await;
    let event = ended(&mut browser).await;
    assert_eq!(event["reason"], "the model takes too long", "{event}");
    studio.provider.given_up().await;
}

#[tokio::test]
async fn a_session_that_ends_ends_the_question() {
    let studio = Studio::start([Reply::SaysLater(chores())]).await;
    let (shown, _browser) = studio.show().await;
    studio.provider.came().await;
    let delete = studio
        .world
        .delete(&format!("/api/v1/sessions/{}", shown.session));
    let deleted = studio.world.send(delete).await;
    assert_eq!(deleted.status / 100, 2, "{}", deleted.body);
    studio.provider.given_up().await;
    assert_eq!(studio.provider.asked().len(), 1);
}

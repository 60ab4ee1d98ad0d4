//! How far a view is that a model draws: told to those who watch, and to whoever waits for it.

use serde_json::{Value, json};

use super::{Reply, Studio, chores, ended, todos};
use crate::browser::Browser;
use crate::contracts::todo_list;
use crate::event_stream::EventStream;

/// What comes next on the channel of previews, told live or out of the log.
async fn previewed(browser: &mut Browser) -> Value {
    loop {
        let frame = browser.frame("data").await;
        let payload = &frame["payload"];
        if payload["channel"] == "_ggui:preview" {
            return payload.clone();
        }
    }
}

#[tokio::test]
async fn those_who_watch_see_that_a_view_is_being_drawn_and_that_it_no_longer_is() {
    let studio = Studio::start([Reply::SaysLater(chores())]).await;
    let (shown, mut browser) = studio.show().await;
    studio.provider.came().await;
    let created = previewed(&mut browser).await;
    let surface = json!({"surfaceId": shown.session, "catalogId": "ggui.preview.v1"});
    let expected = json!({"version": "v0.9", "createSurface": surface});
    assert_eq!(
        (&created["payload"], &created["mode"]),
        (&expected, &json!("append"))
    );
    let drawn = previewed(&mut browser).await;
    let components = &drawn["payload"]["updateComponents"]["components"];
    assert_eq!(components[0]["id"], "root", "{drawn}");
    assert!(components.to_string().contains("quick draws this page"));
    studio.provider.go_on();
    assert_eq!(ended(&mut browser).await["outcome"], "drawn");
    let end = previewed(&mut browser).await;
    assert_eq!(
        (&end["payload"], &end["complete"]),
        (&Value::Null, &json!(true)),
        "{end}"
    );
}

#[tokio::test]
async fn what_is_drawn_soon_needs_no_preview() {
    let studio = Studio::start_with([Reply::Says(chores())], |config| {
        config.limits.generation.preview_after_ms = 600_000;
    })
    .await;
    let (_, mut browser) = studio.show().await;
    loop {
        let frame = browser.next().await;
        assert_ne!(frame["payload"]["channel"], "_ggui:preview", "{frame}");
        let event = [&frame["payload"]["event"], &frame["payload"]["data"]];
        if event
            .iter()
            .any(|event| event["kind"] == "generation-ended")
        {
            return;
        }
    }
}

#[tokio::test]
async fn whoever_waits_for_a_required_view_and_wants_to_know_hears_that_it_is_under_way() {
    let studio = Studio::start([Reply::SaysLater(chores())]).await;
    let draft = json!({"contract": todo_list(), "generator": "required"});
    let arguments = json!({"intent": "A test", "blueprintDraft": draft});
    let agreed = studio.world.tool("ggui_handshake", arguments).await;
    let params = json!({
        "name": "ggui_render",
        "arguments": {"handshakeId": agreed["handshakeId"], "props": todos()},
        "_meta": {"progressToken": "how-far"},
    });
    let call = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params});
    let request = studio.world.post("/mcp").body(call.to_string());
    let mut events = EventStream::of(request.send().await.expect("an answer"));
    let (_, notice) = events.next().await.expect("a notice");
    assert_eq!(notice["method"], "notifications/progress", "{notice}");
    assert_eq!(notice["params"]["progressToken"], "how-far", "{notice}");
    studio.provider.came().await;
    studio.provider.go_on();
    let answer = loop {
        let (_, message) = events.next().await.expect("an answer");
        if message["id"] == 5 {
            break message;
        }
    };
    let reason = &answer["result"]["structuredContent"]["cache"]["reason"];
    assert_eq!(reason, "cold: drawn by quick", "{answer}");
}

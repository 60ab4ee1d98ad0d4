//! Above a store that fails now and then, what people do arrives once, in order.

use serde_json::{Value, json};

use super::world::{Faulty, click, next};
use crate::adapters::battery::Mode;

/// Clicks and consumes above a store that fails: what was acknowledged arrives once, in order.
async fn clicks_arrive_once(mode: Mode) {
    const CLICKS: usize = 30;
    let stores = Faulty::new();
    let server = stores.server().await;
    let shown = server.show().await;
    let (mut socket, _) = server.subscribe(&shown).await;
    let (mut watcher, _) = server.subscribe(&shown).await;
    stores.fail(mode);
    let (mut clicked, mut handled, mut updates) = (Vec::new(), Vec::<Value>::new(), 0);
    for number in 0..CLICKS {
        let id = format!("gesture-{number}");
        click(&mut socket, &shown, &id).await;
        clicked.push(json!(id));
        if number % 3 == 0 {
            let last = handled.last().cloned().unwrap_or_else(|| json!(""));
            let arguments = json!({"sessionId": shown.session, "after": last});
            let given = server.insist("ggui_consume", arguments).await;
            let events = given["events"].as_array().unwrap().iter();
            handled.extend(events.map(|event| event["actionId"].clone()));
        }
        if number % 5 == 0 {
            let props = json!({"note": format!("note {number}")});
            let arguments = json!({"sessionId": shown.session, "kind": "replace", "props": props});
            server.insist("ggui_update", arguments).await;
            updates += 1;
        }
    }
    stores.fail(Mode::Sound);
    let last = handled.last().cloned().unwrap_or_else(|| json!(""));
    let arguments = json!({"sessionId": shown.session, "after": last});
    let given = server.insist("ggui_consume", arguments).await;
    let events = given["events"].as_array().unwrap().iter();
    handled.extend(events.map(|event| event["actionId"].clone()));
    assert_eq!(handled, clicked, "{mode:?}");
    // Whoever watches sees each change once, in order, on the socket that it has had all along.
    let mut seen = Vec::new();
    while seen.len() < updates {
        let frame = next(&mut watcher).await;
        if frame["type"] == "props_update" {
            seen.push(frame["payload"]["epoch"].clone());
        }
    }
    let epochs: Vec<_> = (1..=updates).map(|epoch| json!(epoch)).collect();
    assert_eq!(seen, epochs, "{mode:?}");
    // Another server finds the same in the store.
    let found = stores.server().await;
    let arguments = json!({"sessionId": shown.session});
    let [mut here, mut there] = [
        server.insist("ggui_get_session", arguments.clone()).await,
        found.insist("ggui_get_session", arguments).await,
    ];
    for session in [&mut here, &mut there] {
        session["_latency_ms"].take();
    }
    assert_eq!(here, there, "{mode:?}");
    assert_eq!(server.running.fold_check()().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn above_a_store_that_fails_on_every_nth_call_each_click_arrives_once() {
    // Each attempt above every second call would meet a failure: writing, and looking what came of it.
    for every in [3, 4, 5] {
        clicks_arrive_once(Mode::Nth(every)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn above_a_store_that_fails_after_it_has_written_each_click_arrives_once() {
    for every in [1, 2, 3] {
        clicks_arrive_once(Mode::AfterWrite(every)).await;
        clicks_arrive_once(Mode::AfterWriteBlind(every + 1)).await;
    }
}

//! Calls under keys, whose answers are never kept: made again, at another server too, each takes effect
//! once and is answered as the first time.

use serde_json::{Value, json};

use super::world::{Faulty, Server, Shown, click, draft};
use crate::adapters::battery::Mode;

/// A call that is made at one server until it is answered, and then at another: two equal results.
async fn twice(at: &[Server; 2], key: &str, tool: &str, arguments: Value) -> Value {
    let [mut first, mut again] = [
        at[0].insist_under(key, tool, &arguments).await,
        at[1].insist_under(key, tool, &arguments).await,
    ];
    for result in [&mut first, &mut again] {
        result["_latency_ms"].take();
        // Each server's own.
        result["viewerUrl"].take();
    }
    assert_eq!(first, again, "{tool}");
    first
}

/// The actions of a consume.
fn ids(given: &Value) -> Vec<Value> {
    let events = given["events"].as_array().unwrap().iter();
    events.map(|event| event["actionId"].clone()).collect()
}

async fn everything_happens_once(mode: Mode) {
    let stores = Faulty::new();
    let at = [stores.server().await, stores.another().server().await];
    stores.fail(mode);
    stores.lose_answers();
    let agreed = at[0].insist("ggui_handshake", draft("A test")).await;
    let arguments = json!({"handshakeId": agreed["handshakeId"], "props": {"note": "first"}});
    let rendered = twice(&at, "render", "ggui_render", arguments).await;
    let shown = Shown {
        session: rendered["sessionId"].as_str().unwrap().to_owned(),
        result: Value::Null,
    };
    let of_app = at[0].insist("ggui_list_sessions", json!({})).await;
    assert_eq!(of_app["sessions"].as_array().unwrap().len(), 1, "{of_app}");
    let session = &shown.session;
    let (mut items, mut clicked, mut given) = (Vec::new(), Vec::new(), Vec::new());
    let (mut socket, _) = at[0].subscribe(&shown).await;
    for round in 0..5 {
        let item = format!("item {round}");
        let emit = json!({"sessionId": session, "channel": "log", "payload": item});
        twice(&at, &format!("emit {round}"), "ggui_emit", emit).await;
        items.push(item);
        for (tool, version) in [
            ("ggui_update", 2 * round + 2),
            ("ggui_amend", 2 * round + 3),
        ] {
            let change = json!({
                "sessionId": session, "kind": "merge", "patch": {"note": format!("{tool} {round}")},
                "expectedVersion": version - 1,
            });
            let changed = twice(&at, &format!("{tool} {round}"), tool, change).await;
            assert_eq!(changed["version"], version, "{mode:?}");
            assert_eq!(changed["updated"], true, "{mode:?}");
        }
        let id = format!("gesture-{round}");
        click(&mut socket, &shown, &id).await;
        clicked.push(json!(id));
        // Half of the calls say what has arrived.
        let mut arguments = json!({"sessionId": session});
        if round % 2 == 1 {
            arguments["after"] = given.last().cloned().unwrap();
        }
        let key = format!("consume {round}");
        let first = at[0].insist_under(&key, "ggui_consume", &arguments).await;
        let late = format!("late-gesture-{round}");
        click(&mut socket, &shown, &late).await;
        let again = at[1].insist_under(&key, "ggui_consume", &arguments).await;
        assert_eq!(ids(&first), ids(&again), "{mode:?}");
        given.extend(ids(&first));
        clicked.push(json!(late));
    }
    stores.fail(Mode::Sound);
    let rest = at[0]
        .insist("ggui_consume", json!({"sessionId": session}))
        .await;
    given.extend(ids(&rest));
    assert_eq!(given, clicked, "{mode:?}");
    assert_eq!(at[0].items(&shown, "the end").await, items, "{mode:?}");
    for server in &at {
        let state = server.insist("ggui_get_session", json!({"sessionId": session}));
        assert_eq!(state.await["version"], 11, "{mode:?}");
        assert_eq!(server.running.fold_check()().await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_under_a_key_takes_effect_once_even_if_its_answer_is_never_kept() {
    everything_happens_once(Mode::Sound).await;
    for every in [2, 3, 4] {
        everything_happens_once(Mode::AfterWrite(every)).await;
        everything_happens_once(Mode::AfterWriteBlind(every + 1)).await;
    }
}

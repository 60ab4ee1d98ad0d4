//! Several servers above one store.

use serde_json::json;

use super::world::{Faulty, click, next};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_servers_above_one_store_each_takes_in_what_the_other_wrote() {
    let stores = Faulty::new();
    let (one, other) = (stores.server().await, stores.server().await);
    let shown = one.show().await;
    let (mut on_one, _) = one.subscribe(&shown).await;
    let (mut on_other, ack) = other.subscribe(&shown).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    for number in 0..10 {
        click(&mut on_one, &shown, &format!("gesture-1-{number}")).await;
        click(&mut on_other, &shown, &format!("gesture-2-{number}")).await;
        // The same gesture through the other one is the same.
        click(&mut on_other, &shown, &format!("gesture-1-{number}")).await;
    }
    let arguments = json!({"sessionId": shown.session});
    let given = one.insist("ggui_consume", arguments).await;
    let events = given["events"].as_array().unwrap();
    let ids: Vec<_> = events.iter().map(|event| &event["actionId"]).collect();
    let clicked =
        (0..10).flat_map(|number| [1, 2].map(|server| json!(format!("gesture-{server}-{number}"))));
    let clicked: Vec<_> = clicked.collect();
    assert_eq!(ids, clicked.iter().collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_watches_at_one_server_sees_what_is_written_at_another() {
    let stores = Faulty::new();
    let (one, other) = (stores.server().await, stores.another().server().await);
    let shown = one.show().await;
    let (mut watcher, ack) = other.subscribe(&shown).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    for note in ["second", "third"] {
        let props = json!({"note": note});
        let arguments = json!({"sessionId": shown.session, "kind": "replace", "props": props});
        one.insist("ggui_update", arguments).await;
        // Nothing else happens at the other server: only the store can wake its reader.
        let frame = loop {
            let frame = next(&mut watcher).await;
            if frame["type"] == "props_update" {
                break frame;
            }
        };
        assert_eq!(frame["payload"]["props"]["note"], note, "{frame}");
    }
    // An agent waits at the other one while the person clicks here.
    let arguments = json!({"sessionId": shown.session, "timeout": 25});
    let waiting = other.call("ggui_consume", arguments);
    let clicking = async {
        let (mut socket, _) = one.subscribe(&shown).await;
        click(&mut socket, &shown, "gesture-1").await;
    };
    let (given, ()) = tokio::join!(waiting, clicking);
    let events = &given.body["result"]["structuredContent"]["events"];
    assert_eq!(events[0]["actionId"], "gesture-1", "{}", given.body);
}

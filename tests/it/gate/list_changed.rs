//! A source that says its tools are others: they are checked, and whoever has to know is told.

use serde_json::json;

use super::listened::listen;
use super::people::Person;
use super::pins::{GATE, NOT_ACCEPTED, SENDS, change, pin};
use super::site::{Folder, Site};
use crate::world::World;

/// A gate whose tools were accepted, and which believes a list until the source says otherwise.
async fn believing() -> Site {
    let folder = Folder::new();
    folder.put("notes.tells", "");
    let file = folder.write(GATE);
    pin(&folder, &["--accept"]).await;
    let world = World::start_with(|config| {
        config.server.gate_file = file;
        config.limits.gate.list_ttl_s = 3_600;
        config.limits.gate.list_wait_ms = 60_000;
    });
    Site {
        world: world.await,
        folder,
    }
}

#[tokio::test]
async fn tools_that_a_source_says_are_others_are_checked_and_listeners_are_told() {
    let site = believing().await;
    let tool = "s_get_weather".to_owned();
    let before = site.names("tools").await;
    assert!(before.contains(&tool), "{before:?}");
    let mut events = listen(&site, json!({"toolsListChanged": true})).await;
    events.next().await;
    change(&site.folder, "get_weather", "description", &json!(SENDS));
    assert_eq!(site.names("tools").await, before, "nothing was said yet");
    site.folder.put("notes.tools", "");
    let changed = events.next().await;
    assert_eq!(changed["method"], "notifications/tools/list_changed");
    assert!(!site.names("tools").await.contains(&tool));
    let answer = site.call(&tool, json!({})).await;
    assert_eq!(answer["error"]["data"]["reason"], NOT_ACCEPTED, "{answer}");
    assert_eq!(site.folder.calls("get_weather"), 0);
    Person::at(&site.world.url("")).card().await.approve().await;
    let changed = events.next().await;
    assert_eq!(changed["method"], "notifications/tools/list_changed");
    assert!(site.names("tools").await.contains(&tool));
    let answer = site.call(&tool, json!({})).await;
    assert!(answer["result"].is_object(), "{answer}");
}

#[tokio::test]
async fn people_are_asked_about_a_change_that_a_source_tells_of_though_no_agent_comes() {
    let site = believing().await;
    let before = site.names("tools").await;
    assert!(before.contains(&"s_get_weather".to_owned()), "{before:?}");
    change(&site.folder, "get_weather", "description", &json!(SENDS));
    site.folder.put("notes.tools", "");
    let props = Person::at(&site.world.url("")).card().await.props().await;
    assert_eq!(props["tool"], "get_weather", "{props}");
}

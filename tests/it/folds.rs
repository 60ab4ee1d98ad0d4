//! What is shown of a session, now and of its earlier epochs, is what its stored events come to, also
//! where they are kept outside the process. [`World`] compares both when it stops.

use serde_json::json;
use tempfile::TempDir;

use crate::contracts::{basket, basket_props};
use crate::redis_server::RedisServer;
use crate::world::World;

/// A session that goes through epochs, each with actions of which some are taken.
async fn several_epochs(world: World) {
    let shown = world.show(basket(), basket_props()).await;
    let session = &shown.session;
    let (mut browser, _) = world.browse(&shown).await;
    for round in 0..4 {
        for quantity in 0..=round {
            let data = json!({"sku": "A1", "qty": quantity});
            let request = browser.act("setQuantity", data).await;
            let answer = browser.answer_to(&request).await;
            assert_eq!(answer["type"], "ack", "{answer}");
        }
        if round % 2 == 1 {
            let arguments = json!({"sessionId": session, "timeout": 0});
            world.tool("ggui_consume", arguments).await;
        }
        for (tool, note) in [("ggui_amend", "amended"), ("ggui_update", "updated")] {
            let patch = json!({"note": format!("{note} {round}")});
            let change = json!({"sessionId": session, "kind": "merge", "patch": patch});
            world.tool(tool, change).await;
        }
    }
    let now = world
        .tool("ggui_get_session", json!({"sessionId": session}))
        .await;
    assert_eq!(now["epoch"], 4, "{now}");
    world.stop().await;
}

#[tokio::test]
async fn above_a_file_every_epoch_shows_what_was_stored_of_it() {
    let folder = TempDir::new().expect("a folder");
    let world = World::start_with(|config| {
        config.store.ephemeral = false;
        config.store.data = folder.path().to_owned();
    });
    several_epochs(world.await).await;
}

#[cfg(feature = "redis")]
#[tokio::test]
async fn above_redis_every_epoch_shows_what_was_stored_of_it() {
    let redis = RedisServer::start().await;
    let world = World::start_with(|config| {
        config.store.ephemeral = false;
        config.store.url = redis.url();
    });
    several_epochs(world.await).await;
}

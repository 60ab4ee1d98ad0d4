//! How many handshakes and sessions an app may have.

use std::time::Duration;

use serde_json::json;

use crate::contracts::{basket, basket_props};
use crate::world::World;

#[tokio::test]
async fn too_many_open_handshakes_are_refused_with_a_time_to_wait() {
    let world = World::start_with(|config| config.limits.handshakes.open_max = 1).await;
    let first = world.handshake(basket()).await;
    let arguments = json!({"intent": "A test", "blueprintDraft": {"contract": basket()}});
    let params = json!({"name": "ggui_handshake", "arguments": arguments});
    world.clock.advance(Duration::from_secs(100));
    let refused = world.rpc("tools/call", params.clone()).await;
    assert_eq!(refused.body["error"]["code"], -32013);
    // The oldest one expires after ten minutes.
    assert_eq!(refused.headers["retry-after"], "500");
    assert_eq!(refused.body["error"]["data"]["retry"]["after_ms"], 500_000);
    world
        .tool(
            "ggui_render",
            json!({"handshakeId": first, "props": basket_props()}),
        )
        .await;
    world.handshake(basket()).await;
    assert!(world.rpc("tools/call", params).await.body["error"].is_object());
    // An expired handshake takes no place, whether it was swept or not.
    world.clock.advance(Duration::from_secs(600));
    world.handshake(basket()).await;
}

#[tokio::test]
async fn one_session_more_than_allowed_is_refused_and_its_handshake_stays() {
    let world = World::start_with(|config| config.limits.sessions.per_app_max = 1).await;
    world.show(basket(), basket_props()).await;
    let id = world.handshake(basket()).await;
    let arguments = json!({"handshakeId": id, "props": basket_props()});
    let params = json!({"name": "ggui_render", "arguments": arguments});
    let refused = world.rpc("tools/call", params.clone()).await;
    assert_eq!(refused.body["error"]["code"], -32012);
    assert_eq!(
        refused.body["error"]["data"]["code"],
        "CONCURRENT_SESSION_LIMIT"
    );
    let again = world.rpc("tools/call", params).await;
    assert_eq!(
        again.body["error"]["code"], -32012,
        "the handshake was not lost"
    );
}

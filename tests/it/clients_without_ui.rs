//! What clients that show no UI see, compared with clients that do and clients that cannot say.

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::World;

/// The capability of a client that shows UIs.
fn shows_ui() -> Value {
    json!({"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}})
}

/// The number of tools in a list, and the names of those that only a shown UI calls.
fn names(list: &Value) -> (usize, Vec<Value>) {
    let tools = list["result"]["tools"].as_array().expect("tools");
    let is_app = |tool: &&Value| tool["_meta"]["ui"]["visibility"] == json!(["app"]);
    let app = tools.iter().filter(is_app).cloned().collect();
    (tools.len(), app)
}

#[tokio::test]
async fn tools_that_only_a_shown_ui_calls_are_not_listed_to_a_client_that_shows_none() {
    let world = World::start().await;
    let (all, legacy) = names(&world.rpc("tools/list", json!({})).await.body);
    assert!(!legacy.is_empty());
    for tool in &legacy {
        let words = tool["description"].as_str().expect("words");
        assert!(words.starts_with("For the shown UI only"), "{words}");
    }
    let listed = world.modern("tools/list", json!({})).await;
    assert_eq!(names(&listed.body), (all - legacy.len(), vec![]));
    let listed = world.modern_as("tools/list", json!({}), shows_ui()).await;
    assert_eq!(names(&listed.body), (all, legacy));
    // They are not forbidden: a host may relay for a UI it has shown before.
    let note = json!({"name": "ggui_runtime_pull", "arguments": {"sessionId": "gone"}});
    let answer = world.modern("tools/call", note).await;
    assert_eq!(
        answer.body["result"]["structuredContent"]["error"]["code"], "session_not_found",
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn a_client_without_ui_is_asked_to_pass_on_the_link_and_never_to_wait_for_nothing() {
    let world = World::start().await;
    let quiet = json!({"propsSpec": {"properties": {"note": {"schema": {"type": "string"}}}}});
    for (contract, props, waits) in [(basket(), basket_props(), true), (quiet, json!({}), false)] {
        let render = async |can: Option<Value>| {
            let id = world.handshake(contract.clone()).await;
            let arguments = json!({"handshakeId": id, "props": props});
            let call = json!({"name": "ggui_render", "arguments": arguments});
            let answer = match can {
                Some(can) => world.modern_as("tools/call", call, can).await,
                None => world.rpc("tools/call", call).await,
            };
            let result = &answer.body["result"];
            let link = result["structuredContent"]["viewerUrl"].as_str();
            let link = link.expect("a link").to_owned();
            // The structure as text follows the message.
            let texts = result["content"].as_array().expect("texts").iter();
            let mut texts = texts.map(|text| text["text"].as_str().expect("words"));
            let words = texts.find(|text| !text.starts_with('{')).expect("words");
            (words.to_owned(), link)
        };
        let (shown, link) = render(Some(shows_ui())).await;
        assert!(
            shown.starts_with("The UI is shown.") && !shown.contains(&link),
            "{shown}"
        );
        let (unshown, link) = render(Some(json!({}))).await;
        assert!(
            unshown.contains(&format!("give the person this link to it: {link}")),
            "{unshown}"
        );
        assert!(!unshown.contains("is shown"), "{unshown}");
        let (unknown, link) = render(None).await;
        assert!(
            unknown.contains("If your client") && unknown.contains(&link),
            "{unknown}"
        );
        for reported in [shown, unshown, unknown] {
            assert_eq!(reported.contains("ggui_consume"), waits, "{reported}");
            assert_eq!(
                reported.contains("nothing to wait for"),
                !waits,
                "{reported}"
            );
        }
    }
}

#[tokio::test]
async fn invalid_arguments_are_a_result_for_clients_that_stop_at_errors() {
    let world = World::start_with(|config| {
        config.mcp.invalid_arguments = proscenium::config::InvalidArguments::Result;
    })
    .await;
    let usual = World::start().await;
    let session = world.show(basket(), basket_props()).await.session;
    for arguments in [
        json!({"sessionId": 5, "timeout": 26}),
        json!({"sessionId": session, "after": "nobody"}),
    ] {
        let call = json!({"name": "ggui_consume", "arguments": arguments});
        let legacy = world.rpc("tools/call", call.clone()).await.body["result"].clone();
        let modern = world.modern("tools/call", call.clone()).await.body["result"].clone();
        assert_eq!(legacy["isError"], true, "{legacy}");
        assert_eq!(legacy["content"][0], modern["content"][0]);
        assert_eq!(
            legacy["structuredContent"]["error"]["code"],
            "invalid_arguments"
        );
        let error = usual.rpc("tools/call", call).await.body;
        assert!(
            error["result"].is_null() || error["result"]["isError"] == true,
            "{error}"
        );
    }
    // Malformed calls of a tool stay errors.
    let unknown = world
        .rpc("tools/call", json!({"name": "ggui_dance", "arguments": {}}))
        .await;
    assert_eq!(unknown.body["error"]["code"], -32601);
}

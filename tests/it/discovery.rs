//! The tools that list and search.

use std::time::Duration;

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props, build_log, todo_list};
use crate::world::World;

/// Renders for a host session.
async fn show_in(world: &World, host: Value) -> String {
    let id = world.handshake(json!({})).await;
    let arguments = json!({"handshakeId": id, "props": {}});
    let params = json!({
        "name": "ggui_render",
        "arguments": arguments,
        "_meta": {"ai.ggui/host-session": host},
    });
    let answer = world.rpc("tools/call", params).await;
    let session = &answer.body["result"]["structuredContent"]["sessionId"];
    session.as_str().expect("a session").to_owned()
}

#[tokio::test]
async fn sessions_are_listed_newest_first_and_by_the_host_that_shows_them() {
    let world = World::start().await;
    let mut shown = Vec::new();
    for (name, conversation) in [("desk", "1"), ("desk", "2"), ("phone", "1")] {
        let host = json!({"hostName": name, "hostSessionId": conversation});
        shown.push(show_in(&world, host).await);
        world.clock.advance(Duration::from_secs(1));
    }
    shown.push(world.show(json!({}), json!({})).await.session);
    let list = async |arguments: Value| -> Vec<Value> {
        let listed = world.tool("ggui_list_sessions", arguments).await;
        listed["sessions"].as_array().expect("a list").clone()
    };
    let ids = |rows: &[Value]| -> Vec<String> {
        let id = |row: &Value| row["sessionId"].as_str().expect("an id").to_owned();
        rows.iter().map(id).collect()
    };
    let all = list(json!({})).await;
    let newest: Vec<_> = shown.iter().rev().cloned().collect();
    assert_eq!(ids(&all), newest);
    assert_eq!(all[0].get("hostName"), None);
    assert_eq!(all[1]["hostName"], "phone");
    assert_eq!(all[1]["status"], "active");
    assert!(
        all[1]["createdAt"]
            .as_str()
            .is_some_and(|at| at.ends_with('Z'))
    );
    assert!(all[1]["wsToken"].is_string() && all[1]["wsTokenExpiresAt"].is_string());
    assert_eq!(ids(&list(json!({"limit": 1})).await), newest[..1]);
    let desk = list(json!({"hostName": "desk"})).await;
    assert_eq!(ids(&desk), [shown[1].clone(), shown[0].clone()]);
    let one = list(json!({"hostName": "desk", "hostSessionId": "1"})).await;
    assert_eq!(ids(&one), [shown[0].clone()]);
    world.clock.advance(Duration::from_secs(3_600));
    assert_eq!(
        list(json!({})).await,
        [] as [Value; 0],
        "what has ended is not there"
    );
}

#[tokio::test]
async fn a_malformed_host_session_is_reported_in_both_eras() {
    let world = World::start().await;
    let id = world.handshake(json!({})).await;
    let arguments = json!({"handshakeId": id, "props": {}});
    let params = json!({
        "name": "ggui_render",
        "arguments": arguments.clone(),
        "_meta": {"ai.ggui/host-session": {"hostName": 5, "colour": "red"}},
    });
    let answer = world.rpc("tools/call", params).await;
    assert_eq!(answer.body["error"]["code"], -32602);
    let message = answer.body["error"]["message"].as_str().expect("a text");
    assert_eq!(message.lines().count(), 4, "{message}");
    world.tool("ggui_render", arguments).await;
}

#[tokio::test]
async fn stored_uis_are_found_by_the_words_of_their_intent_and_contract() {
    let world = World::start().await;
    let show = async |intent: &str, contract: Value, props: Value| {
        let draft = json!({"intent": intent, "blueprintDraft": {"contract": contract}});
        let agreed = world.tool("ggui_handshake", draft).await;
        let arguments = json!({"handshakeId": agreed["handshakeId"], "props": props});
        let rendered = world.tool("ggui_render", arguments).await;
        world.clock.advance(Duration::from_secs(1));
        rendered["blueprintId"].as_str().expect("an id").to_owned()
    };
    let basket_id = show("Review the shopping basket", basket(), basket_props()).await;
    let build = show("Watch the build", build_log(), json!({"pipeline": "p"})).await;
    let todos = show("My list", todo_list(), json!({"todos": []})).await;
    let search = async |arguments: Value| -> Vec<(String, f64)> {
        let found = world
            .tool("ggui_search_blueprints", arguments.clone())
            .await;
        assert_eq!(found["query"], arguments["query"]);
        let rows = found["results"].as_array().expect("a list");
        assert!(found["total"].as_u64().expect("a number") >= rows.len() as u64);
        let row = |row: &Value| {
            assert_eq!(row["relevance"], "match");
            let score = row["score"].as_f64().expect("a score");
            (row["id"].as_str().expect("an id").to_owned(), score)
        };
        rows.iter().map(row).collect()
    };
    let id = |bare: &str| format!("c_{bare}");
    let found = search(json!({"query": "Watch the LOG"})).await;
    assert_eq!(found, [(id(&build), 1.0), (id(&basket_id), 0.333)]);
    assert_eq!(
        search(json!({"query": "quantity"})).await,
        [(id(&basket_id), 1.0)]
    );
    assert_eq!(
        search(json!({"query": "toggle"})).await,
        [(id(&todos), 1.0)]
    );
    assert_eq!(search(json!({"query": "the", "limit": 1})).await.len(), 1);
    let tool = json!({"query": "the", "tool": "cart_set_qty", "server": "cart"});
    assert_eq!(search(tool).await, [(id(&basket_id), 1.0)]);
    assert_eq!(search(json!({"query": "the", "server": "till"})).await, []);
    assert_eq!(search(json!({"query": "zebra"})).await, []);

    let featured = async || world.tool("ggui_list_featured_blueprints", json!({})).await;
    assert_eq!(featured().await, json!({"blueprints": [], "total": 0}));
    show("Another list", todo_list(), json!({"todos": []})).await;
    let proven = featured().await;
    assert_eq!(proven["total"], 1);
    let row = &proven["blueprints"][0];
    assert_eq!(row["id"], id(&todos).as_str());
    assert_eq!(row["featured"], true);
    assert_eq!(row["category"], "composed");
    assert_eq!(row["props"], json!(["todos"]));
    assert_eq!(
        row["callbacks"],
        json!(["addTodo", "toggleTodo", "deleteTodo"])
    );

    for asked in [id(&todos), todos.clone()] {
        let arguments = json!({"blueprintId": asked});
        let stored = world.tool("ggui_render_blueprint", arguments).await;
        assert_eq!(stored["blueprintId"], asked.as_str());
        assert_eq!(stored["contentType"], "application/a2ui+json");
        assert_eq!(stored["contract"], todo_list());
        let view: Value = serde_json::from_str(stored["code"].as_str().unwrap()).unwrap();
        assert_eq!(view["version"], "v0.9");
    }
    let missing = world
        .call("ggui_render_blueprint", json!({"blueprintId": "bp_none"}))
        .await;
    assert_eq!(
        missing["structuredContent"]["error"]["code"],
        "blueprint_not_found"
    );
}

#[tokio::test]
async fn the_source_of_a_render_is_its_view_its_specs_and_its_first_props() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let arguments = json!({"sessionId": shown.session});
    let source = world.tool("ggui_get_render_source", arguments).await;
    assert_eq!(source["sessionId"], shown.session.as_str());
    let blueprint = &source["blueprint"];
    assert_eq!(blueprint["source"], shown.slice()["viewJson"]);
    assert_eq!(blueprint["contract"]["actionSpec"], basket()["actionSpec"]);
    assert_eq!(blueprint["contract"].get("agentCapabilities"), None);
    assert_eq!(blueprint["fixtureProps"], basket_props());
}

#[tokio::test]
async fn a_theme_that_was_listed_reaches_the_browser_and_any_other_is_refused() {
    let world = World::start().await;
    let listed = world
        .tool("ggui_list_themes", json!({"appId": "builder"}))
        .await;
    let themes = listed["themes"].as_array().expect("a list");
    assert!(themes.len() >= 3);
    for theme in themes {
        assert!(!theme["modes"].as_array().expect("modes").is_empty());
    }
    let id = world.handshake(basket()).await;
    let render = |theme: &str| {
        let arguments = json!({"handshakeId": id, "props": basket_props(), "themeId": theme});
        world.call("ggui_render", arguments)
    };
    let refused = render("neon").await;
    let text = refused["content"][0]["text"].as_str().expect("a text");
    assert!(
        text.starts_with("Contract violation in ggui_render:\n- themeId: "),
        "{text}"
    );
    let rendered = render("terminal").await;
    assert_ne!(
        rendered["isError"], true,
        "the handshake was not lost: {rendered}"
    );
    let slice = &rendered["_meta"]["ai.ggui/render"];
    assert_eq!(slice["themeId"], "terminal");
    assert_eq!(slice["theme"]["mode"], "dark");
    assert_eq!(slice["theme"]["name"], "Terminal");
    let tokens = slice["theme"]["cssVariables"].as_object().expect("tokens");
    assert!(tokens.keys().all(|name| name.starts_with("--ggui-")));
    let plain = world.show(basket(), basket_props()).await;
    assert_eq!(plain.slice().get("theme"), None);
}

#[tokio::test]
async fn the_operator_s_themes_are_offered_and_invalid_ones_keep_the_server_from_starting() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("themes.toml");
    let sound = "[[theme]]\nid = \"ours\"\nname = \"Ours\"\nmodes = [\"light\", \"dark\"]\n\
        [theme.tokens]\n--ggui-radius = \"0px\"\n";
    std::fs::write(&file, sound).expect("a file");
    let world = World::start_with(|config| config.themes.file = file.clone()).await;
    let id = world.handshake(json!({})).await;
    let arguments = json!({"handshakeId": id, "props": {}, "themeId": "ours"});
    let rendered = world.call("ggui_render", arguments).await;
    let theme = &rendered["_meta"]["ai.ggui/render"]["theme"];
    assert_eq!(theme["cssVariables"], json!({"--ggui-radius": "0px"}));
    assert_eq!(theme.get("mode"), None, "the host's holds");

    std::fs::write(&file, sound.replace("0px", "0px; color: red")).expect("a file");
    let mut config = proscenium::config::Config::default();
    config.server.listen = "127.0.0.1:0".to_owned();
    config.themes.file = file;
    let refused = proscenium::App::new(config).start().await;
    let message = refused.err().expect("a refusal").to_string();
    assert!(
        message.contains("theme[0].tokens.--ggui-radius"),
        "{message}"
    );
}

#[tokio::test]
async fn a_contract_may_only_name_available_gadgets() {
    let world = World::start().await;
    let listed = world.tool("ggui_list_gadgets", json!({})).await;
    let package = &listed["gadgets"][0];
    assert_eq!(package["package"], "@ggui-ai/gadgets");
    let hooks = package["exports"].as_array().expect("exports");
    assert_eq!(hooks.len(), 7);
    assert_eq!(hooks[0]["hook"], "useCamera");
    assert_eq!(hooks[0]["permission"], "camera");
    let with = |gadgets: Value| json!({"clientCapabilities": {"gadgets": gadgets}});
    let cases = [
        (
            json!({"@acme/maps": {"useMap": {}}}),
            "gadget_not_registered",
        ),
        (
            json!({"@acme/maps": {"useCamera": {}}}),
            "gadget_package_mismatch",
        ),
        (
            json!({"@acme/maps": {"useCamera": {}}, "@ggui-ai/gadgets": {"useCamera": {}}}),
            "duplicate_gadget_hook",
        ),
    ];
    for (gadgets, code) in cases {
        let id = world.handshake(with(gadgets)).await;
        let arguments = json!({"handshakeId": id, "props": {}});
        let refused = world.call("ggui_render", arguments).await;
        assert_eq!(refused["structuredContent"]["error"]["code"], code);
        let text = refused["content"][0]["text"].as_str().expect("a text");
        assert!(
            text.starts_with(&format!("{code}: ")) && text.contains("\n  - "),
            "{text}"
        );
        let sound = with(json!({"@ggui-ai/gadgets": {"useCamera": {}}}));
        let arguments = json!({"handshakeId": id, "props": {}, "override": {"contract": sound}});
        world.tool("ggui_render", arguments).await;
    }
}

#[tokio::test]
async fn an_app_that_is_not_the_caller_s_is_refused_before_anything_is_looked_up() {
    let world = World::start().await;
    for tool in ["ggui_list_gadgets", "ggui_list_themes"] {
        let refused = world.call(tool, json!({"appId": "other"})).await;
        let error = &refused["structuredContent"]["error"];
        assert_eq!(error["code"], "app_access_denied");
        let text = refused["content"][0]["text"].as_str().expect("a text");
        assert!(text.starts_with("app_access_denied: "), "{text}");
    }
}

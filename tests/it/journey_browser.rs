//! The whole path in a real browser: an agent renders, a person clicks in the sandboxed frame, the
//! agent consumes the action and responds, and the view changes.

use rmcp::model::CallToolRequestParams;
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::{Value, json};

use crate::chromium::{Chromium, next_of};
use crate::contracts::{basket, basket_props, todo_list};
use crate::world::World;

/// The frame the stage shows.
const FRAME: Option<&str> = Some("iframe");

/// An agent with the official client.
struct Agent(RunningService<RoleClient, ()>);

impl Agent {
    async fn connect(world: &World) -> Self {
        let transport = StreamableHttpClientTransport::from_uri(world.mcp_url());
        Self(().serve(transport).await.expect("a client"))
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        let mut params = CallToolRequestParams::new(tool);
        params.arguments = arguments.as_object().cloned();
        let result = self.0.call_tool(params).await.expect("an answer");
        assert_ne!(result.is_error, Some(true), "{result:?}");
        result.structured_content.expect("structured content")
    }

    async fn show(&self, intent: &str, contract: Value, props: Value) -> Value {
        let draft = json!({"contract": contract});
        let agreed = self
            .call(
                "ggui_handshake",
                json!({"intent": intent, "blueprintDraft": draft}),
            )
            .await;
        let id = agreed["handshakeId"].clone();
        self.call("ggui_render", json!({"handshakeId": id, "props": props}))
            .await
    }

    async fn consume(&self, shown: &Value) -> Value {
        let session = shown["sessionId"].as_str().expect("a session");
        next_of(session, async |wait| self.call("ggui_consume", wait).await).await
    }

    async fn amend(&self, shown: &Value, patch: Value) {
        let amend = json!({"sessionId": shown["sessionId"], "kind": "merge", "patch": patch});
        self.call("ggui_amend", amend).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_in_the_sandboxed_frame_reaches_the_agent_and_its_amend_repaints_without_reload() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let agent = Agent::connect(&world).await;
    let shown = agent
        .show("Review the basket", basket(), basket_props())
        .await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    browser.see(FRAME, ":is(th, td)", "€7.50").await;
    browser.mark(FRAME).await;

    browser.fill(FRAME, "[data-row='A1'] input", "3").await;
    let (event, ()) = tokio::join!(
        agent.consume(&shown),
        browser.click(FRAME, "[data-row='A1'] [data-action='setQuantity']"),
    );
    assert_eq!(event["intent"], "setQuantity");
    assert_eq!(event["actionData"], json!({"sku": "A1", "qty": 3}));
    assert_eq!(event["uiContext"], json!({"coupon": ""}));

    let mut props = basket_props();
    props["items"][0]["qty"] = 3.into();
    agent
        .amend(
            &shown,
            json!({"items": props["items"], "note": "Saved for you"}),
        )
        .await;
    browser
        .see(FRAME, "[data-component='Notice']", "Saved for you")
        .await;
    browser.see(FRAME, "[data-row='A1'] td", "3").await;
    assert!(browser.is_kept(FRAME).await, "the frame was not reloaded");

    // An action that needs a confirmation asks first.
    browser.click(FRAME, "[data-action='checkout']").await;
    let (event, ()) = tokio::join!(
        agent.consume(&shown),
        browser.click(FRAME, "dialog[open] [data-confirm]")
    );
    assert_eq!(
        (&event["intent"], &event["actionData"]),
        (&json!("checkout"), &Value::Null)
    );
    for kind in ["rendered", "clicked", "consumed", "amended"] {
        browser
            .see(None, &format!("[data-kind='{kind}']"), "")
            .await;
    }
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_action_on_a_socket_is_a_row_of_the_stage_s_activity() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let (world, shown) = World::with_basket().await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    let (mut socket, _) = world.browse(&shown).await;
    let request = socket
        .act("setQuantity", json!({"sku": "A1", "qty": "many"}))
        .await;
    let refused = socket.answer_to(&request).await;
    assert_eq!(refused["payload"]["code"], "CONTRACT_VIOLATION");
    browser
        .see(None, "[data-kind='violation']", "setQuantity.data.qty")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_to_do_list_is_filled_in_and_ticked_off_by_hand() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let agent = Agent::connect(&world).await;
    let props = json!({"todos": [{"id": "t1", "title": "Write the report", "done": false}]});
    let shown = agent.show("To do", todo_list(), props).await;
    browser.open(shown["viewerUrl"].as_str().unwrap()).await;
    browser.see(FRAME, ":is(th, td)", "Write the report").await;

    browser
        .fill(FRAME, "[data-form='addTodo'] input", "Buy milk")
        .await;
    let (event, ()) = tokio::join!(
        agent.consume(&shown),
        browser.click(FRAME, "[data-form='addTodo'] [data-action='addTodo']"),
    );
    assert_eq!(event["actionData"], json!({"title": "Buy milk"}));
    let todos = json!([
        {"id": "t1", "title": "Write the report", "done": false},
        {"id": "t2", "title": "Buy milk", "done": false},
    ]);
    agent.amend(&shown, json!({"todos": todos})).await;
    browser.see(FRAME, ":is(th, td)", "Buy milk").await;
    let (event, ()) = tokio::join!(
        agent.consume(&shown),
        browser.click(FRAME, "[data-row='t2'] [data-action='toggleTodo']"),
    );
    assert_eq!(event["actionData"], json!({"id": "t2"}));
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn half_typed_input_survives_changes_by_the_agent() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let agent = Agent::connect(&world).await;
    let todo = |id: &str, title: &str| json!({"id": id, "title": title, "done": false});
    let props = json!({"todos": [todo("t1", "Write the report")]});
    let shown = agent.show("To do", todo_list(), props).await;
    browser.open(shown["viewerUrl"].as_str().unwrap()).await;
    browser.see(FRAME, ":is(th, td)", "Write the report").await;
    let input = "[data-form='addTodo'] input";
    browser.click(FRAME, input).await;
    for key in ["B", "u", "y"] {
        browser.key(key).await;
    }

    let todos = json!([todo("t0", "Call the plumber"), todo("t1", "Write it")]);
    agent.amend(&shown, json!({"todos": todos})).await;
    browser.see(FRAME, ":is(th, td)", "Call the plumber").await;
    let props = json!({"todos": [todo("t2", "Rest")]});
    let next = json!({"sessionId": shown["sessionId"], "kind": "replace", "props": props});
    agent.call("ggui_update", next).await;
    browser.see(FRAME, ":is(th, td)", "Rest").await;
    for key in ["Space", "m", "i", "l", "k"] {
        browser.key(key).await;
    }
    let typed = format!("document.querySelector(\"{input}\").value");
    assert_eq!(browser.evaluate(FRAME, &typed).await, "Buy milk");
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_phone_in_the_dark_nothing_has_to_be_scrolled_sideways() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let (world, shown) = World::with_basket().await;
    let viewer = shown.viewer_url().to_owned();
    for url in [world.stage_url(), viewer] {
        browser.open_on_phone(&url).await;
        browser.see(FRAME, "body", "Mug").await;
        assert!(!browser.overflows().await, "{url}");
    }
}

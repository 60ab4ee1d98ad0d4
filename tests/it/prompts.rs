//! Prompts over the wire, in both eras: listed, completed, and usable as they are.

use serde_json::{Value, json};

use crate::world::{Answer, World};

/// The same request in both eras, with the HTTP status of malformed parameters in each.
async fn both(world: &World, method: &str, params: &Value) -> [(Answer, u16); 2] {
    [
        (world.rpc(method, params.clone()).await, 200),
        (world.modern(method, params.clone()).await, 400),
    ]
}

async fn get(world: &World, name: &str, arguments: Value) -> String {
    let params = json!({"name": name, "arguments": arguments});
    let answer = world.rpc("prompts/get", params).await;
    let message = &answer.body["result"]["messages"][0];
    assert_eq!(message["role"], "user", "{}", answer.body);
    message["content"]["text"]
        .as_str()
        .expect("a text")
        .to_owned()
}

async fn complete(world: &World, prompt: &str, argument: &str, value: &str) -> Value {
    let params = json!({
        "ref": {"type": "ref/prompt", "name": prompt},
        "argument": {"name": argument, "value": value},
    });
    let [legacy, modern] = both(world, "completion/complete", &params).await;
    let values = legacy.0.body["result"]["completion"]["values"].clone();
    assert_eq!(modern.0.body["result"]["completion"]["values"], values);
    values
}

/// The blocks of JSON in a message.
fn blocks(text: &str) -> Vec<Value> {
    text.split("```json\n")
        .skip(1)
        .map(|block| {
            let (json, _) = block.split_once("```").expect("an end of the block");
            serde_json::from_str(json).expect("JSON")
        })
        .collect()
}

#[tokio::test]
async fn five_prompts_are_listed_and_announced_in_both_eras() {
    let world = World::start().await;
    for (answer, _) in both(&world, "prompts/list", &json!({})).await {
        let prompts = answer.body["result"]["prompts"].as_array().unwrap();
        let names: Vec<_> = prompts.iter().map(|prompt| &prompt["name"]).collect();
        assert_eq!(names, ["form", "choose", "review", "dashboard", "approve"]);
        for prompt in prompts {
            let arguments = prompt["arguments"].as_array().unwrap();
            assert_eq!(arguments[0]["required"], true, "{prompt}");
            for described in arguments.iter().chain([prompt]) {
                assert!(described["title"].is_string() && described["description"].is_string());
            }
        }
    }
    let modern = world.modern("prompts/list", json!({})).await;
    assert!(modern.body["result"]["ttlMs"].is_u64());
    let begun = world.rpc("initialize", json!({})).await;
    let discovered = world.modern("server/discover", json!({})).await;
    for answer in [begun, discovered] {
        let capabilities = &answer.body["result"]["capabilities"];
        assert!(capabilities["prompts"].is_object() && capabilities["completions"].is_object());
    }
}

#[tokio::test]
async fn the_contract_of_a_prompt_can_be_negotiated_and_rendered_unchanged() {
    let world = World::start().await;
    let list = world.rpc("prompts/list", json!({})).await.body["result"]["prompts"].clone();
    for (name, arguments) in [
        ("form", json!({"purpose": "Register a guest"})),
        (
            "form",
            json!({
                "purpose": "Everything",
                "fields": "Name, name, 2nd:longtext, 名前:email, a:url, b:number, c:integer, \
                           Date of birth:Date, f:boolean",
            }),
        ),
        ("choose", json!({"question": "Where to?"})),
        (
            "choose",
            json!({"question": "Which?", "options": "Red, Green, red", "pick": "several"}),
        ),
        (
            "choose",
            json!({"question": "Which?", "options": "A: yes, B", "pick": "one"}),
        ),
        ("review", json!({"subject": "the changes"})),
        (
            "review",
            json!({"subject": "x", "columns": "File, Title, id", "verdict": "mark"}),
        ),
        ("review", json!({"subject": "x", "verdict": "comment"})),
        ("dashboard", json!({"subject": "the build"})),
        (
            "dashboard",
            json!({"subject": "x", "metrics": "CPU %, at", "updates": "on-request"}),
        ),
        (
            "dashboard",
            json!({"subject": "x", "metrics": "At, B", "updates": "live"}),
        ),
        ("approve", json!({"action": "Delete \"everything\""})),
        ("approve", json!({"action": "Send", "risk": "high"})),
    ] {
        let listed = list.as_array().unwrap();
        assert!(listed.iter().any(|prompt| prompt["name"] == name));
        let text = get(&world, name, arguments.clone()).await;
        for tool in ["ggui_handshake", "ggui_render", "ggui_consume"] {
            assert!(text.contains(tool), "{text}");
        }
        let blocks = blocks(&text);
        let agreed = world.tool("ggui_handshake", blocks[0].clone()).await;
        assert_ne!(
            agreed["suggestion"]["origin"], "synth",
            "{name} {arguments}: {agreed}"
        );
        assert_ne!(agreed["action"], "declined", "{name} {arguments}: {agreed}");
        let mut render = blocks[1].clone();
        render["handshakeId"] = agreed["handshakeId"].clone();
        let rendered = world.call("ggui_render", render).await;
        assert_ne!(rendered["isError"], true, "{name} {arguments}: {rendered}");
    }
}

#[tokio::test]
async fn invalid_arguments_of_a_prompt_are_answered_with_every_problem() {
    let world = World::start().await;
    for (params, words) in [
        (json!({"name": "dance"}), vec!["dance", "form, choose"]),
        (json!({}), vec!["params.name"]),
        (
            json!({"name": "choose", "arguments": []}),
            vec!["params.arguments: must be object", "question"],
        ),
        (
            json!({"name": "form", "arguments": {"fields": "a:colour, b:text, c:shape", "x": "y"}}),
            vec!["purpose: is required", "\"a\"", "\"c\"", "\"x\""],
        ),
        (
            json!({"name": "approve", "arguments": {"action": 5, "risk": "grave"}}),
            vec![
                "action: must be string",
                "risk: must be one of: low, medium, high",
            ],
        ),
        (
            json!({"name": "review", "arguments": {"subject": " ", "columns": "c,".repeat(25)}}),
            vec!["subject: is required", "columns: 25 entries"],
        ),
    ] {
        for (answer, status) in both(&world, "prompts/get", &params).await {
            let error = &answer.body["error"];
            assert_eq!(
                (answer.status, &error["code"]),
                (status, &json!(-32602)),
                "{params}"
            );
            assert_eq!(error["data"]["code"], "INVALID_PARAMS");
            let message = error["message"].as_str().unwrap();
            for word in &words {
                assert!(message.contains(word), "{word} is not in {message}");
            }
        }
    }
}

#[tokio::test]
async fn arguments_with_a_closed_set_are_completed_and_free_ones_are_not() {
    let world = World::start().await;
    assert_eq!(
        complete(&world, "approve", "risk", "").await,
        json!(["low", "medium", "high"])
    );
    assert_eq!(
        complete(&world, "review", "verdict", "M").await,
        json!(["mark"])
    );
    assert_eq!(
        complete(&world, "form", "fields", "born:da").await,
        json!(["born:date"])
    );
    assert_eq!(complete(&world, "form", "purpose", "a").await, json!([]));
    let template = json!({
        "ref": {"type": "ref/resource", "uri": "ui://ggui/render/{sessionId}"},
        "argument": {"name": "sessionId", "value": ""},
    });
    for (answer, _) in both(&world, "completion/complete", &template).await {
        assert_eq!(answer.body["result"]["completion"]["total"], 0);
    }
    let wrong = json!({"ref": {"type": "ref/prompt", "name": "dance"}, "argument": {}});
    for (answer, status) in both(&world, "completion/complete", &wrong).await {
        let error = &answer.body["error"];
        assert_eq!((answer.status, &error["code"]), (status, &json!(-32602)));
        for word in ["dance", "params.argument.name", "params.argument.value"] {
            assert!(error["message"].as_str().unwrap().contains(word), "{error}");
        }
    }
}

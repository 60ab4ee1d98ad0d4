//! Prompts and resources that a person has to agree to: got and read once they have.

use serde_json::{Value, json};

use super::people::Person;
use super::site::Site;

const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT, prefix: s_ }
governance:
  rules:
    - { match: "greet", action: approve, description: "It greets in your name" }
    - { match: "note://*", action: approve }
approval:
  people: { timeout: 5m, allow: [session, edit] }
"#;

async fn begin() -> (Site, Person) {
    let site = Site::start(GATE).await;
    let person = Person::at(&site.world.url(""));
    (site, person)
}

fn asked(site: &Site, method: &str) -> usize {
    let notes = site.folder.notes();
    notes.lines().filter(|line| line.contains(method)).count()
}

#[tokio::test]
async fn a_prompt_that_a_person_approves_is_got_once_as_it_was_asked_for() {
    let (site, person) = begin().await;
    assert_eq!(site.names("prompts").await, ["s_greet", "s_secret_plan"]);
    let params = json!({"name": "s_greet", "arguments": {"who": "Ida"}});
    let got = site.rpc("prompts/get", params);
    let decided = async {
        let mut card = person.card().await;
        assert_eq!(asked(&site, "prompts/get"), 0, "nobody has decided");
        let props = card.props().await;
        assert_eq!(props["tool"], "s_greet", "{props}");
        assert_eq!(props["why"], "It greets in your name");
        assert_eq!(props["arguments"], json!([{"name": "who", "value": "Ida"}]));
        assert!(
            props.get("editable").is_none(),
            "it is not changed: {props}"
        );
        card.approve().await;
        card.says("done").await;
    };
    let (answer, ()) = tokio::join!(got, decided);
    let text = &answer["result"]["messages"][0]["content"]["text"];
    assert_eq!(*text, "Hello", "{answer}");
    let notes = site.folder.notes();
    let line = notes.lines().find(|line| line.contains("prompts/get"));
    let line: Value = serde_json::from_str(line.expect("a request")).expect("JSON");
    assert_eq!(line["params"]["name"], "greet", "{line}");
    assert_eq!(line["params"]["arguments"], json!({"who": "Ida"}), "{line}");
    assert_eq!(asked(&site, "prompts/get"), 1);
}

#[tokio::test]
async fn a_resource_that_a_person_refuses_is_not_read_and_one_they_allow_is_read_again() {
    let (site, person) = begin().await;
    let read = |uri: &str| site.rpc("resources/read", json!({"uri": uri}));
    let decided = async {
        let mut card = person.card().await;
        let props = card.props().await;
        assert_eq!(props["tool"], "note://a", "{props}");
        assert_eq!(props["why"], "An agent wants to read a resource.");
        card.reject("not this one").await;
    };
    let (answer, ()) = tokio::join!(read("note://a"), decided);
    assert_eq!(answer["error"]["code"], -32007, "{answer}");
    assert_eq!(answer["error"]["data"]["tool_name"], "note://a");
    assert_eq!(answer["error"]["data"]["reason"], "not this one");
    assert_eq!(asked(&site, "resources/read"), 0);
    let allowed = async {
        let mut card = person.card().await;
        card.act("approveSession", Value::Null).await;
        card.says("done").await;
    };
    let (answer, ()) = tokio::join!(read("note://5/text"), allowed);
    assert!(answer["result"]["contents"].is_array(), "{answer}");
    let again = read("note://5/text").await;
    assert_eq!(again["result"], answer["result"], "{again}");
    assert_eq!(asked(&site, "resources/read"), 2);
    // The card on which they can stop that. Another resource is another question.
    person.card().await;
    let refused = async {
        let mut card = person.card().await;
        card.reject("no").await;
    };
    let (answer, ()) = tokio::join!(read("note://6/text"), refused);
    assert_eq!(answer["error"]["code"], -32007, "{answer}");
}

#[tokio::test]
async fn what_a_person_has_to_agree_to_is_not_completed() {
    let (site, person) = begin().await;
    for reference in [
        json!({"type": "ref/prompt", "name": "s_greet"}),
        json!({"type": "ref/resource", "uri": "note://{id}/text"}),
    ] {
        let argument = json!({"name": "id", "value": "I"});
        let params = json!({"ref": reference, "argument": argument});
        let refused = site.rpc("completion/complete", params).await;
        assert_eq!(refused["error"]["code"], -32003, "{refused}");
    }
    assert_eq!(asked(&site, "completion/complete"), 0);
    assert_eq!(person.cards().await, Vec::<String>::new());
}

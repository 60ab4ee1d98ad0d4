//! Views of a model's own, as a second step behind its choice: shown where they hold, and otherwise
//! the chosen view stays.

use proscenium::config::Config;
use serde_json::{Value, json};

use super::{Reply, Studio, chores, ended, todos};
use crate::chromium::next_event;
use crate::contracts::todo_list;

/// A view of the to-do list, as a model may draw it.
fn sheet() -> Value {
    json!({"components": [
        {"id": "root", "component": "Column", "children": ["title", "halves"]},
        {"id": "title", "component": "Heading", "text": "Around the house", "level": 1},
        {"id": "halves", "component": "Row", "children": ["list", "side"]},
        {"id": "list", "component": "Table", "weight": 2, "rows": {"path": "/props/todos"}, "key": "id",
            "columns": [{"field": "title", "label": "What"}, {"field": "done", "label": "Ready", "format": "boolean"}],
            "rowActions": [
                {"action": "toggleTodo", "label": "Done", "fixed": {"id": "id"}},
                {"action": "deleteTodo", "label": "Delete", "fixed": {"id": "id"}, "confirm": true}]},
        {"id": "side", "component": "Card", "child": "add"},
        {"id": "add", "component": "Form", "submitLabel": "Add", "action": "addTodo", "schema": {
            "type": "object", "properties": {"title": {"type": "string", "minLength": 1}}, "required": ["title"]}},
    ]})
}

/// The same with another component in the place of one.
fn with(component: Value) -> Value {
    let mut sheet = sheet();
    let all = sheet["components"].as_array_mut().expect("components");
    let mut places = all.iter_mut();
    match places.find(|known| known["id"] == component["id"]) {
        Some(place) => *place = component,
        None => all.push(component),
    }
    sheet
}

/// The same with a text that says something else.
fn titled(text: Value) -> Value {
    with(json!({"id": "title", "component": "Heading", "text": text, "level": 1}))
}

fn says(answer: &Value) -> Reply {
    Reply::Says(answer.to_string())
}

async fn free(replies: impl IntoIterator<Item = Reply>) -> Studio {
    free_with(replies, |_| {}).await
}

async fn free_with(
    replies: impl IntoIterator<Item = Reply>,
    change: impl FnOnce(&mut Config),
) -> Studio {
    Studio::start_with(replies, |config| {
        config.model.free_views = true;
        change(config);
    })
    .await
}

/// The view that is chosen and not drawn freely.
async fn chosen() -> String {
    let studio = Studio::start([Reply::Says(chores())]).await;
    let (shown, mut browser) = studio.show().await;
    assert_eq!(ended(&mut browser).await["outcome"], "drawn");
    studio.view(&shown).await
}

/// What those who watch are told of a view whose own one is left out, and the view that is shown.
async fn left_out(studio: &Studio) -> (String, String) {
    let (shown, mut browser) = studio.show().await;
    let event = ended(&mut browser).await;
    assert_eq!(event["outcome"], "drawn", "{event}");
    let why = event["reason"].as_str().expect("a reason").to_owned();
    assert!(
        why.starts_with("the view of its own is left out: "),
        "{why}"
    );
    (why, studio.view(&shown).await)
}

#[tokio::test]
async fn a_view_of_the_models_own_that_holds_is_shown_and_works_and_costs_nothing_again() {
    let studio = free([Reply::Says(chores()), says(&sheet())]).await;
    let mut contract = todo_list();
    contract["propsSpec"]["properties"]["todos"]["example"] =
        json!([{"id": "t9", "title": "Of somebody", "done": true}]);
    let shown = studio.world.show(contract.clone(), todos()).await;
    let mut browser = studio.watch(&shown).await;
    let event = ended(&mut browser).await;
    assert_eq!(
        (&event["outcome"], &event["rounds"], &event["microdollars"]),
        (&json!("drawn"), &json!(2), &json!(4000)),
        "{event}"
    );
    assert_eq!(
        event["message"],
        "quick has drawn the view of components of its own choice"
    );
    assert!(event["reason"].is_null(), "{event}");
    let view: Value = serde_json::from_str(&studio.view(&shown).await).expect("JSON");
    assert_eq!(view["view"], sheet());

    // It is asked with the chosen page and the catalog, and without anybody's data.
    let asked = studio.provider.asked();
    let body = &asked[1].body;
    assert_eq!(body["response_format"], json!({"type": "json_object"}));
    let rules = body["messages"][0]["content"].as_str().expect("rules");
    assert!(rules.contains("\"Board\"") && rules.contains("Bind data"));
    let page = body["messages"][1]["content"].as_str().expect("a page");
    let page: Value = serde_json::from_str(page).expect("JSON");
    assert!(
        page["page"]["components"]
            .to_string()
            .contains("Chores of the week")
    );
    for value in ["Water the plants", "Of somebody"] {
        assert!(!body.to_string().contains(value), "{value}: {body}");
    }

    let (mut late, _) = studio.world.browse(&shown).await;
    let request = late.act("toggleTodo", json!({"id": "t1"})).await;
    assert_eq!(late.answer_to(&request).await["type"], "ack");
    let event = next_event(&studio.world, &shown.session).await;
    assert_eq!(event["intent"], "toggleTodo");
    let again = studio.world.show(contract, todos()).await;
    let stored: Value =
        serde_json::from_str(again.slice()["viewJson"].as_str().expect("a view")).expect("JSON");
    assert_eq!(stored["view"], sheet());
    assert_eq!(studio.provider.asked().len(), 2);
}

#[tokio::test]
async fn what_does_not_hold_of_it_is_told_and_whole_components_take_the_place_of_others() {
    let mut wrong = with(json!({"id": "list", "component": "Carousel"}));
    wrong["components"][5] =
        json!({"id": "add", "component": "ActionButton", "label": "Add", "action": "addTask"});
    let right = sheet();
    let mended = json!({"components": [right["components"][3], right["components"][5]]});
    let studio = free([Reply::Says(chores()), says(&wrong), says(&mended)]).await;
    let (shown, mut browser) = studio.show().await;
    let event = ended(&mut browser).await;
    assert_eq!(event["rounds"], 3, "{event}");
    assert!(event["reason"].is_null(), "{event}");
    let view: Value = serde_json::from_str(&studio.view(&shown).await).expect("JSON");
    assert_eq!(view["view"], right);
    let asked = studio.provider.asked();
    let turns = asked[2].body["messages"].as_array().expect("messages");
    let correction = turns.last().expect("a turn")["content"]
        .as_str()
        .expect("text");
    for line in [
        "[VIEW_UNKNOWN_COMPONENT] components[list].component: unknown component \"Carousel\"",
        "[VIEW_UNKNOWN_ACTION] components[add].data:",
    ] {
        assert!(correction.contains(line), "{line}: {correction}");
    }
}

#[tokio::test]
async fn choice_and_view_have_three_answers_together_and_then_the_chosen_view_stays() {
    let chosen = chosen().await;
    let wrong = || says(&with(json!({"id": "list", "component": "Carousel"})));
    let unfit = || Reply::Says(json!({"main": "/props/nothing"}).to_string());
    let good = || Reply::Says(chores());
    for (replies, finding) in [
        (
            vec![good(), wrong()],
            "[VIEW_UNKNOWN_COMPONENT] components[list].component",
        ),
        (
            vec![unfit(), good(), wrong()],
            "[VIEW_UNKNOWN_COMPONENT] components[list].component",
        ),
        (
            vec![good(), Reply::Says("no JSON".to_owned())],
            "[VIEW_SHAPE_INVALID] <root>",
        ),
    ] {
        let studio = free(replies).await;
        let (why, view) = left_out(&studio).await;
        assert!(why.contains(finding), "{why}");
        assert_eq!(view, chosen);
        assert_eq!(studio.provider.asked().len(), 3);
    }
    // Where the choice has taken all of them there is no view to ask for.
    let studio = free([unfit(), unfit(), good(), says(&sheet())]).await;
    let (shown, mut browser) = studio.show().await;
    let event = ended(&mut browser).await;
    assert_eq!(
        (&event["outcome"], &event["reason"]),
        (&json!("drawn"), &Value::Null)
    );
    assert_eq!(studio.view(&shown).await, chosen);
    assert_eq!(studio.provider.asked().len(), 3);
}

#[tokio::test]
async fn a_model_that_wants_no_view_of_its_own_leaves_the_chosen_one() {
    let none = json!({"components": []});
    let studio = free([Reply::Says(chores()), says(&none)]).await;
    let (shown, mut browser) = studio.show().await;
    let event = ended(&mut browser).await;
    assert_eq!(event["message"], "quick has drawn the view");
    assert!(event["reason"].is_null(), "{event}");
    assert_eq!(studio.view(&shown).await, chosen().await);
}

#[tokio::test]
async fn a_view_that_hides_an_action_or_holds_data_or_an_address_is_refused() {
    let chosen = chosen().await;
    let right = sheet();
    let list = |change: &dyn Fn(&mut Value)| {
        let mut list = right["components"][3].clone();
        change(&mut list);
        with(list)
    };
    let call = |text: &str| json!({"call": "formatString", "args": {"value": text}});
    let form = |example: Value| {
        let mut form = right["components"][5].clone();
        form["example"] = example;
        with(form)
    };
    let picture = |url: &str| {
        let mut sheet =
            with(json!({"id": "side", "component": "Column", "children": ["add", "seen"]}));
        let image = json!({"id": "seen", "component": "Image", "url": url});
        sheet["components"]
            .as_array_mut()
            .expect("components")
            .push(image);
        sheet
    };
    for (sheet, finding) in [
        (
            list(&|list| {
                list["rowActions"].as_array_mut().expect("actions").pop();
            }),
            "[COVERAGE_GAP] actionSpec.deleteTodo",
        ),
        (
            with(json!({"id": "halves", "component": "Row", "children": ["list"]})),
            "[COVERAGE_GAP] actionSpec.addTodo",
        ),
        (
            with(json!({"id": "halves", "component": "Row", "children": ["side"]})),
            "[COVERAGE_GAP] propsSpec.properties.todos",
        ),
        (
            titled(json!("Today: Water the plants")),
            "[VIEW_LITERAL] components[title].text: holds a value of the data",
        ),
        (
            titled(call("Water the plants and more")),
            "[VIEW_LITERAL] components[title].text: holds a value of the data",
        ),
        (
            form(json!({"title": "Water the plants"})),
            "[VIEW_LITERAL] components[add].example: holds a value of the data",
        ),
        (
            with(json!({"id": "title", "component": "Metric", "label": "Open", "value": 1})),
            "[VIEW_LITERAL] components[title].value: is written",
        ),
        (
            with(
                json!({"id": "title", "component": "KeyValue", "items": [{"label": "Open", "value": "one"}]}),
            ),
            "[VIEW_LITERAL] components[title].items: a value is written",
        ),
        (
            titled(json!("See https://evil.example/t1")),
            "[VIEW_LITERAL] components[title].text: holds an address",
        ),
        (
            titled(json!("[Pay now](//evil.example)")),
            "[VIEW_LITERAL] components[title].text: holds an address",
        ),
        (
            with(
                json!({"id": "add", "component": "Button", "child": "title", "action":
                {"functionCall": {"call": "openUrl", "args": {"url": "mailto:a@evil.example"}}}}),
            ),
            "[VIEW_LITERAL] components[add].action: holds an address",
        ),
        (
            picture("https://evil.example/seen.png"),
            "[VIEW_LITERAL] components[seen].url:",
        ),
        (
            titled(json!("word ".repeat(60))),
            "[VIEW_LITERAL] components[title].text: is longer than 240 characters",
        ),
    ] {
        let studio = free_with([Reply::Says(chores()), says(&sheet)], |config| {
            config.model.sends_values = true;
        })
        .await;
        let (why, view) = left_out(&studio).await;
        assert!(why.contains(finding), "{finding}: {why}");
        assert_eq!(view, chosen, "{finding}");
    }
}

#[tokio::test]
async fn what_ends_the_second_step_leaves_the_chosen_view() {
    let chosen = chosen().await;
    // The rules with the catalog take more than is left.
    let poor = free_with([Reply::Says(chores()), says(&sheet())], |config| {
        config.limits.generation.retries_max = 0;
        config.limits.generation.answer_tokens_max = 1_000;
        config.limits.generation.tokens_per_day_max = 25_000;
    })
    .await;
    let (why, view) = left_out(&poor).await;
    assert!(
        why.ends_with("the app has used what it may use today"),
        "{why}"
    );
    assert_eq!((view, poor.provider.asked().len()), (chosen.clone(), 1));

    let gone = free([Reply::Says(chores()), Reply::Refuses]).await;
    let (why, view) = left_out(&gone).await;
    assert!(why.ends_with("the model has refused"), "{why}");
    assert_eq!(view, chosen);

    let late = free_with(
        [Reply::Says(chores()), Reply::SaysLater(sheet().to_string())],
        |config| config.limits.generation.view_s = 2,
    )
    .await;
    let (why, view) = left_out(&late).await;
    assert!(why.ends_with("the model takes too long"), "{why}");
    assert_eq!(view, chosen);
    late.provider.given_up().await;
}

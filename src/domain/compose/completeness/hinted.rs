//! What authors say of their schemas goes before what would be concluded, and never against safety.

use serde_json::{Value, json};

use super::super::composer::planned;
use super::helpers::{compiled, complete, find, named};
use super::tasks::{list, page, record, text};

/// An action that asks for a record and is hinted at.
fn hinted(label: &str, hint: &str) -> Value {
    let mut schema = record(json!({"reason":text()}));
    schema["$comment"] = json!(hint);
    json!({"label":label,"schema":schema})
}

#[test]
fn an_action_that_loses_something_never_stands_out_whatever_its_hint_says() {
    let draft = page(
        json!({"order":record(json!({"title":text()}))}),
        json!({"deleteOrder":hinted("Delete","ui: primary"),"shipOrder":hinted("Ship","")}),
        json!({}),
    );
    complete(draft.clone());
    let plan = planned(&compiled(&draft), "Ship the order");
    assert_eq!(plan.primary.as_deref(), Some("shipOrder"));
    let draft = page(
        json!({"order":record(json!({"title":text()}))}),
        json!({"ship":hinted("Ship","ui: primary, danger"),"call":hinted("Call","ui: primary")}),
        json!({}),
    );
    complete(draft.clone());
    let plan = planned(&compiled(&draft), "Ship the order");
    assert_eq!(plan.primary.as_deref(), Some("call"));
}

#[test]
fn long_texts_are_markdown_only_where_their_schema_says_so() {
    let marked = json!({"type":"string","contentMediaType":"text/markdown"});
    let drawn = |schema: &Value| {
        let view = complete(page(json!({"description":schema}), json!({}), json!({})));
        find(&view, "Text")[0]["variant"].clone()
    };
    assert_eq!(drawn(&text()), "plain");
    assert_eq!(drawn(&marked), "body");
    let said = |schema: &Value| {
        let day = json!({"type":"string","format":"date-time"});
        let rows = list(json!({"id":text(),"author":text(),"text":schema,"sentAt":day}));
        let view = complete(page(json!({"messages":rows}), json!({}), json!({})));
        find(&view, "Chat")[0].get("textFormat").cloned()
    };
    assert_eq!(said(&text()), None);
    assert_eq!(said(&marked), Some(json!("markdown")));
}

#[test]
fn a_component_that_is_hinted_at_is_drawn_wherever_the_records_have_what_it_shows() {
    let day = json!({"type":"string","format":"date-time"});
    let shown = |component: &str| {
        let mut rows = list(
            json!({"id":text(),"title":text(),"at":day,"body":text(),"amount":{"type":"number"},
            "status":{"type":"string","enum":["open","done"]},"parentId":text()}),
        );
        rows["$comment"] = json!(format!("ui: component={component}"));
        let draft = page(json!({"rows":rows}), json!({}), json!({}));
        complete(draft.clone());
        planned(&compiled(&draft), "Show them").parts[0]
            .component
            .clone()
    };
    for component in [
        "Article", "Board", "Calendar", "Cards", "Poll", "Table", "Timeline", "Tree",
    ] {
        assert_eq!(shown(component), component);
    }
}

#[test]
fn single_values_are_shown_as_their_hints_say() {
    let hinted = |kind: &str, hint: &str| json!({"type":kind,"$comment":hint});
    let view = complete(page(
        json!({
            "load":hinted("number","ui: component=Progress"),
            "count":hinted("integer","ui: component=Metric"),
            "year":hinted("integer","ui: component=KeyValue, title=Year of birth"),
            "script":hinted("string","ui: component=Code"),
        }),
        json!({}),
        json!({}),
    ));
    assert_eq!(find(&view, "Progress")[0]["value"]["path"], "/props/load");
    assert_eq!(find(&view, "Metric")[0]["value"]["path"], "/props/count");
    assert_eq!(find(&view, "Code")[0]["value"]["path"], "/props/script");
    assert_eq!(
        named(&find(&view, "KeyValue")[0]["items"], "label"),
        ["Year of birth"]
    );
}

#[test]
fn a_share_of_all_there_can_be_is_a_bar() {
    let view = complete(page(
        json!({
            "diskPercent":{"type":"number","minimum":0,"maximum":100},
            "fillRatio":{"type":"number","minimum":0,"maximum":1},
            "growthPercent":{"type":"number"},
        }),
        json!({}),
        json!({}),
    ));
    let bars = find(&view, "Progress");
    assert_eq!(bars.len(), 2);
    assert_eq!([&bars[0]["max"], &bars[1]["max"]], [&json!(100), &json!(1)]);
}

#[test]
fn facts_and_columns_stand_in_their_order_and_facts_in_their_groups() {
    let said = |hint: &str| json!({"type":"string","$comment":hint});
    let view = complete(page(
        json!({
            "title":text(),
            "colour":said("ui: group=Looks, order=2"),
            "shape":said("ui: group=Looks, order=1"),
            "owner":text(),
            "place":said("ui: order=1"),
            "rows":list(json!({"a":text(),"b":said("ui: order=1")})),
        }),
        json!({}),
        json!({}),
    ));
    let facts = find(&view, "KeyValue");
    let labels: Vec<Vec<&str>> = facts
        .iter()
        .map(|part| named(&part["items"], "label"))
        .collect();
    assert_eq!(labels, [vec!["Place", "Owner"], vec!["Shape", "Colour"]]);
    assert_eq!(facts[1]["title"], "Looks");
    assert_eq!(
        named(&find(&view, "Table")[0]["columns"], "field"),
        ["b", "a"]
    );
}

#[test]
fn the_choice_the_search_and_the_order_of_a_list_are_written_by_the_list() {
    let rows = || list(json!({"taskId":text(),"title":text(),"owner":text()}));
    let bound = |slots: Value| {
        let view = complete(page(json!({"tasks":rows()}), json!({}), slots));
        assert!(find(&view, "Search").is_empty() && find(&view, "Select").is_empty());
        find(&view, "Table")[0].clone()
    };
    let table = bound(json!({
        "selectedTaskId":{"schema":text()},
        "searchQuery":{"schema":text()},
        "sortBy":{"schema":{"type":"string","enum":["title","owner"]}},
    }));
    assert_eq!(table["value"]["path"], "/context/selectedTaskId");
    assert_eq!(table["search"]["path"], "/context/searchQuery");
    assert_eq!(table["sort"]["path"], "/context/sortBy");
    assert!(table.get("several").is_none());
    let many = bound(json!({"selectedIds":{"schema":{"type":"array","items":text()}}}));
    assert_eq!(many["several"], true);
    // What is called after nothing on the page is no choice of it.
    let none = bound(json!({"currentTab":{"schema":text()}}));
    assert!(none.get("value").is_none());
}

#[test]
fn what_the_agent_searches_is_not_filtered_once_more() {
    let view = complete(page(
        json!({"books":list(json!({"bookId":text(),"title":text()}))}),
        json!({"searchBooks":{"label":"Search"}}),
        json!({"query":{"schema":text()}}),
    ));
    assert_eq!(find(&view, "Search").len(), 1);
    assert_eq!(find(&view, "Table")[0]["searchable"], false);
}

#[test]
fn colours_and_addresses_of_pictures_are_shown_as_what_they_are() {
    let texts = || json!({"type":"array","items":text()});
    let view = complete(page(
        json!({"palette":texts(),"photos":{"type":"array","items":{"type":"string","contentMediaType":"image/png"}},"tags":texts()}),
        json!({}),
        json!({}),
    ));
    let kinds: Vec<&Value> = find(&view, "Items")
        .iter()
        .map(|part| &part["kind"])
        .collect();
    assert_eq!(kinds, ["colours", "images", "tags"]);
}

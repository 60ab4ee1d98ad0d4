//! What records are shown as, case by case.

use serde_json::{Value, json};

use super::super::super::reading::Thing;
use super::*;

fn shape_of(name: &str, properties: Value, preferred: Option<PreferredShape>) -> String {
    let list = json!({"type":"array","items":{"type":"object","properties":properties}});
    let thing = Thing::read(format!("/props/{name}"), name, &list, None);
    let around = Around {
        preferred,
        ..Around::default()
    };
    let shape = format!("{:?}", shape(&thing, &around).0);
    shape
        .split([' ', '{'])
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn records_are_shown_as_what_they_are() {
    let text = json!({"type":"string"});
    let number = json!({"type":"number"});
    let day = json!({"type":"string","format":"date"});
    let state = json!({"type":"string","enum":["open","done"]});
    let in_turn = json!({"type":"string","enum":["complete","in_progress","pending"]});
    let url = json!({"type":"string","format":"uri"});
    for (name, properties, expect) in [
        (
            "tasks",
            json!({"id":text,"title":text,"status":state}),
            "Table",
        ),
        (
            "steps",
            json!({"title":text,"status":state,"at":day}),
            "Stepper",
        ),
        (
            "segments",
            json!({"name":text,"targetC":number,"status":in_turn}),
            "Stepper",
        ),
        (
            "history",
            json!({"eventId":text,"happenedAt":day,"what":text,"summary":text,"technician":text,"costMinor":number}),
            "Timeline",
        ),
        (
            "shifts",
            json!({"title":text,"start":day,"end":day}),
            "Calendar",
        ),
        (
            "hotels",
            json!({"name":text,"photoUrl":url,"price":number}),
            "Cards",
        ),
        ("history", json!({"date":day,"value":number}), "Chart"),
        (
            "monthly",
            json!({"month":text,"online":number,"stores":number}),
            "Chart",
        ),
        ("prices", json!({"title":text,"price":number}), "Table"),
        (
            "comments",
            json!({"author":text,"at":day,"text":text}),
            "Timeline",
        ),
        (
            "orders",
            json!({"customer":text,"at":day,"total":number}),
            "Table",
        ),
        (
            "files",
            json!({"name":text,"size":number,"children":{"type":"array","items":{"type":"object","properties":{"name":text,"size":number}}}}),
            "Tree",
        ),
    ] {
        assert_eq!(shape_of(name, properties, None), expect, "{name}");
    }
}

#[test]
fn the_words_of_the_intent_decide_where_the_data_allow_it() {
    let tasks = json!({"id":{"type":"string"},"title":{"type":"string"},"status":{"type":"string","enum":["open","done"]}});
    for (intent, expect) in [
        ("Show the tasks as a board", "Board"),
        ("Tasks on cards", "Cards"),
        ("A calendar of tasks", "Table"),
        ("All tasks", "Table"),
        ("Our role-playing table plays on a board", "Board"),
    ] {
        assert_eq!(
            shape_of("tasks", tasks.clone(), preferred_shape(intent, &[])),
            expect,
            "{intent}"
        );
    }
    let steps =
        json!({"title":{"type":"string"},"status":{"type":"string","enum":["open","done"]}});
    for (intent, expect) in [
        ("The steps as a table", "Table"),
        ("A table of the steps", "Table"),
        ("The steps before the table is laid", "Stepper"),
    ] {
        let preferred = preferred_shape(intent, &[]);
        assert_eq!(
            shape_of("steps", steps.clone(), preferred),
            expect,
            "{intent}"
        );
    }
}

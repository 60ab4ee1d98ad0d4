//! Pages whose lists say of no component outright that it suits them, so that the words of the contract decide.

use serde_json::{Value, json};

use super::helpers::{complete_for, find};
use super::tasks::{list, page, record, text};

fn action(label: &str, payload: Value) -> Value {
    json!({"label": label, "schema": record(payload)})
}

fn draft(props: Value, actions: Value) -> Value {
    page(props, actions, json!({}))
}

fn number() -> Value {
    json!({"type": "number"})
}

fn chairs(table: Value) -> Value {
    let state = json!({"type": "string", "enum": ["free", "taken"]});
    list(
        json!({"chair_id": text(), "table_id": table, "number": {"type": "integer"}, "state": state}),
    )
}

#[test]
fn chairs_stand_at_the_tables_they_name() {
    let draft = draft(
        json!({
            "tables": list(json!({"table_id": text(), "language": text()})),
            "chairs": chairs(text()),
        }),
        json!({"take_chair": action("Take this chair", json!({"chair_id": text()}))}),
    );
    let view = complete_for(draft, "Guests of the café choose a chair");
    let seats = find(&view, "Seats")[0];
    assert_eq!(seats["rowField"], "table_id");
    assert_eq!(seats["rowNames"]["titleField"], "language");
}

#[test]
fn what_may_stand_in_a_place_is_no_row_of_places() {
    let draft = draft(
        json!({
            "tables": list(json!({"table_id": text(), "language": text()})),
            "chairs": chairs(json!({"type": ["string", "null"]})),
        }),
        json!({"take_chair": action("Take this chair", json!({"chair_id": text()}))}),
    );
    let view = complete_for(draft, "Guests of the café choose a chair");
    assert!(find(&view, "Seats").is_empty());
}

#[test]
fn what_is_moved_to_another_group_stands_in_columns_of_groups() {
    let draft = draft(
        json!({
            "groups": list(json!({"group_id": text(), "name": text()})),
            "children": list(json!({"child_id": text(), "name": text(), "age": number(), "group_id": text()})),
        }),
        json!({"move_child": action("Move", json!({"child_id": text(), "to_group_id": text()}))}),
    );
    let view = complete_for(
        draft,
        "Drag-and-drop board: every child under a group, and moved when the level is wrong",
    );
    assert_eq!(find(&view, "Board")[0]["groupField"], "group_id");
}

#[test]
fn what_was_measured_of_a_bin_is_drawn_and_what_is_done_is_done_with_the_bin() {
    let day = json!({"type": "string", "format": "date"});
    let draft = draft(
        json!({
            "readings": list(json!({"bin_id": text(), "measured_on": day, "temp_c": number()})),
            "bins": list(json!({"bin_id": text(), "name": text(), "grain": text()})),
        }),
        json!({"start_fan": action("Start fan", json!({"bin_id": text()}))}),
    );
    let view = complete_for(draft, "Grain temperature per bin over the last days");
    assert_eq!(find(&view, "Chart")[0]["seriesField"], "bin_id");
    let table = find(&view, "Table")[0];
    assert_eq!(table["rowActions"][0]["action"], "start_fan");
}

#[test]
fn matches_without_a_name_are_called_by_their_round_and_stand_below_the_one_they_feed() {
    let round = json!({"type": "string", "enum": ["grandFinal", "semiFinal"]});
    let draft = draft(
        json!({"matches": list(json!({
            "matchId": text(),
            "feedsMatchId": {"type": ["string", "null"]},
            "round": round,
            "bestOf": {"type": "integer"},
        }))}),
        json!({}),
    );
    let view = complete_for(draft, "The bracket of the league");
    let tree = find(&view, "Tree")[0];
    assert_eq!(tree["titleField"], "round");
    assert_eq!(tree["titleFormat"], "choice");
}

#[test]
fn a_chart_that_would_leave_something_out_is_no_chart() {
    let day = json!({"type": "string", "format": "date"});
    let draft = draft(
        json!({"counts": list(json!({"day": day, "walkers": number(), "weather": text(), "ranger": text()}))}),
        json!({}),
    );
    let view = complete_for(draft, "Walkers over the last weeks, day by day");
    assert!(find(&view, "Chart").is_empty());
}

#[test]
fn a_record_that_is_one_text_is_an_article_with_who_wrote_it_above() {
    let time = json!({"type": "string", "format": "date-time"});
    let contract = |name: &str| {
        let mut article = record(json!({"articleId": text(), "title": text(),
            "standfirst": text(), "author": text(), "publishedAt": time}));
        article["properties"][name] = text();
        article["required"]
            .as_array_mut()
            .unwrap()
            .push(json!(name));
        draft(json!({"article": article}), json!({}))
    };
    for (name, format) in [("bodyMarkdown", json!("markdown")), ("body", Value::Null)] {
        let view = complete_for(
            contract(name),
            "A readable piece for people who gather garlic",
        );
        let article = find(&view, "Article")[0];
        assert_eq!(article["record"]["path"], "/props/article");
        assert_eq!(article["textField"], name);
        assert_eq!(article["textFormat"], format);
        assert_eq!(article["leadField"], "standfirst");
        // The title is the headline already.
        assert_eq!(article["titleField"], Value::Null);
        let columns = article["columns"].as_array().unwrap().iter();
        let columns: Vec<&str> = columns
            .filter_map(|column| column["field"].as_str())
            .collect();
        assert_eq!(columns, ["author", "publishedAt"]);
    }
}

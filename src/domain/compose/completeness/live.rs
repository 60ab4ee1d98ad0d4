//! What channels bring: talks, lines of a chart, and lists that are replaced.

use serde_json::{Value, json};

use super::helpers::{complete_for, find};
use super::tasks::{list, record, text};

fn number() -> Value {
    json!({"type": "number"})
}

/// A page of districts with one channel.
fn beside_districts(mode: &str, payload: Value) -> Value {
    let districts = list(json!({"district_id": text(), "name": text(), "chair": text()}));
    json!({
        "propsSpec": {"properties": {"districts": {"schema": districts, "required": true}}},
        "streamSpec": {"turnout": {"mode": mode, "schema": record(payload)}},
    })
}

#[test]
fn whoever_each_message_names_says_it() {
    let draft = json!({
        "propsSpec": {"properties": {
            "people": {"schema": list(json!({"pid": text(), "name": text()})), "required": true},
            "datasets": {"schema": list(json!({"dataset_id": text(), "name": text()})), "required": true},
        }},
        "streamSpec": {"message": {"mode": "append", "schema": record(json!({
            "mid": text(),
            "pid": text(),
            "sent_at": {"type": "string", "format": "date-time"},
            "body": text(),
            "dataset_id": {"type": ["string", "null"]},
        }))}},
        "actionSpec": {"ask": {"label": "Ask", "schema": {
            "type": "object",
            "required": ["text"],
            "properties": {"text": text(), "dataset_id": text()},
        }}},
    });
    let view = complete_for(draft, "A conversation about the margin");
    let chat = find(&view, "Chat")[0];
    assert_eq!(chat["pick"]["action"], "ask");
    assert_eq!(chat["authorField"], "pid");
    assert_eq!(chat["authorNames"]["titleField"], "name");
}

#[test]
fn numbers_that_go_on_are_one_line_for_each_district() {
    let time = json!({"type": "string", "format": "date-time"});
    let count = json!({"at": time, "district_id": text(), "share": number()});
    let view = complete_for(beside_districts("append", count), "Turnout through the day");
    let chart = find(&view, "Chart")[0];
    assert_eq!(chart["seriesField"], "district_id");
    assert_eq!(chart["seriesNames"]["titleField"], "name");
}

#[test]
fn readings_that_are_replaced_together_are_cards_of_what_was_measured() {
    let area = json!({"district_id": text(), "taken": number(), "fill": number()});
    let state = json!({"measured_at": text(), "areas": list(area)});
    let view = complete_for(beside_districts("replace", state), "How full is it now?");
    let cards = find(&view, "Cards")[0];
    assert_eq!(cards["rows"]["path"], "/streams/turnout/areas");
    assert_eq!(cards["titleField"], "district_id");
}

#[test]
fn lines_of_a_log_that_say_more_than_it_has_place_for_are_moments() {
    let kind = json!({"type": "string", "enum": ["host_isolated", "decision_taken"]});
    let entry = json!({"ev": text(), "ts": text(), "who": text(), "host": text(), "kind": kind, "txt": text(), "took": text()});
    let mut draft = beside_districts("append", json!({}));
    draft["streamSpec"] = json!({"entry": {"mode": "append", "schema": record(entry)}});
    let view = complete_for(draft, "Live incident log");
    assert_eq!(find(&view, "Timeline")[0]["textField"], "txt");
}

//! Records that are known by short words, by the keys of maps or by what stands beside them.

use serde_json::{Value, json};

use super::helpers::{complete, complete_for, components, find, named};
use super::tasks::{action, list, page, record, text};
use crate::domain::view::View;

fn maybe() -> Value {
    json!({"type": ["string", "null"]})
}

fn draft(props: Value, actions: Value) -> Value {
    page(props, actions, json!({}))
}

#[test]
fn a_short_word_for_an_id_is_the_id_of_its_records_and_names_them_elsewhere() {
    let moment = json!({"type": "string", "format": "date-time"});
    let view = complete(draft(
        json!({
            "people": list(json!({"pid": text(), "name": text()})),
            "bookings": list(json!({"bid": text(), "pid": text(), "starts": moment, "ends": moment, "note": maybe()})),
        }),
        json!({"cancel": action("Cancel", json!({"bid": text()}))}),
    ));
    let calendar = find(&view, "Calendar")[0];
    assert_eq!(calendar["key"], "bid");
    // A booking has no name but that of whoever made it.
    assert_eq!(calendar["titleField"], "pid");
    assert_eq!(calendar["rowActions"][0]["fixed"], json!({"bid": "bid"}));
}

#[test]
fn what_a_map_holds_is_called_by_its_name_and_its_key_names_nobody() {
    let traps = json!({"type": "object", "additionalProperties": record(json!({"place": text(), "battery": text()}))});
    let view = complete(draft(
        json!({"sightings": list(json!({"id": text(), "trap": text(), "guess": text()})), "traps": traps}),
        json!({}),
    ));
    let table = find(&view, "Table")[0];
    assert_eq!(table["titleField"], "guess");
    let trap = table["columns"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|one| one["field"] == "trap");
    let refers = trap.map(|one| one["refers"].clone());
    let expected = json!({"rows": {"path": "/props/traps"}, "key": "trap", "titleField": "place"});
    assert_eq!(refers, Some(expected));
}

#[test]
fn seats_are_taken_where_they_are_even_if_the_page_gives_something_else() {
    let state = json!({"type": "string", "enum": ["free", "sold"]});
    let show = record(json!({"showId": text(), "name": text()}));
    let ids = json!({"type": "array", "items": text()});
    let view = complete(draft(
        json!({
            "show": show,
            "seats": list(json!({"seatId": text(), "row": text(), "number": {"type": "integer"}, "state": state})),
        }),
        json!({"buySeats": action("Buy", json!({"showId": text(), "seatIds": ids, "email": text()}))}),
    ));
    let pick = &find(&view, "Seats")[0]["pick"];
    assert_eq!(pick["to"], "seatIds");
    assert_eq!(
        pick["given"],
        json!({"showId": {"path": "/props/show/showId"}})
    );
    assert_eq!(pick["inputs"]["properties"], json!({"email": text()}));
}

#[test]
fn the_beginning_of_a_word_stands_for_it_where_no_other_list_begins_so() {
    let with = |others: Value| {
        let mut props = json!({
            "technicians": list(json!({"id": text(), "name": text()})),
            "jobs": list(json!({"jobId": text(), "what": text(), "techId": text()})),
        });
        for (name, other) in others.as_object().into_iter().flatten() {
            props[name] = other.clone();
        }
        let view = complete(draft(props, json!({})));
        let jobs = find(&view, "Table")
            .into_iter()
            .find(|table| table["key"] == "jobId");
        jobs.map(|table| table["columns"].to_string().contains("technicians"))
    };
    assert_eq!(with(json!({})), Some(true));
    let techniques = list(json!({"id": text(), "name": text()}));
    assert_eq!(with(json!({"techniques": techniques})), Some(false));
}

#[test]
fn what_is_done_with_a_line_that_a_channel_brings_is_offered_with_it() {
    let mut page = draft(
        json!({"speakers": list(json!({"speakerId": text(), "name": text()}))}),
        json!({
            "correct": action("Correct", json!({"lineId": text(), "text": text()})),
            "changeSpeaker": action("Other speaker", json!({"lineId": text(), "speakerId": text()})),
        }),
    );
    let moment = json!({"type": "string", "format": "date-time"});
    let line = json!({"type": "object", "properties": {
        "lineId": text(), "speakerId": text(), "text": text(), "saidAt": moment,
    }});
    page["streamSpec"] = json!({"line": {"mode": "append", "schema": line}});
    let view = complete(page);
    let shows = |one: &&&Value| one["rows"]["path"] == "/streams/line";
    let lines = components(&view).iter().find(|one| shows(&one)).unwrap();
    assert_eq!(
        named(&lines["rowActions"], "action"),
        ["correct", "changeSpeaker"]
    );
    let change = &lines["rowActions"][1];
    assert_eq!(change["fixed"], json!({"lineId": "lineId"}));
    assert_eq!(change["choices"]["speakerId"]["titleField"], "name");
}

#[test]
fn a_plot_of_readings_leaves_what_is_worked_on_beside_them_its_names() {
    let moment = json!({"type": "string", "format": "date-time"});
    let number = json!({"type": "number"});
    let view = complete_for(
        draft(
            json!({
                "readings": list(json!({"at": moment, "heartBpm": number, "oxygen": number})),
                "drugs": list(json!({"drugId": text(), "drug": text(), "doseMg": number, "givenAt": moment})),
            }),
            json!({"logDrug": action("Log a drug", json!({"drugId": text(), "doseMg": number}))}),
        ),
        "Plot the heart rate and the oxygen, and let me log every drug I give",
    );
    let shows = |path: &str| {
        let all = components(&view).iter();
        let of = all.filter(|one| one.to_string().contains(&format!("\"{path}\"")));
        of.map(|one| one["component"].clone())
            .collect::<Vec<Value>>()
    };
    assert!(shows("/props/readings").contains(&json!("Chart")));
    assert_eq!(shows("/props/drugs"), [json!("Table")]);
}

#[test]
fn a_record_is_called_by_what_it_is_and_known_by_its_ticket() {
    let view = complete(draft(
        json!({"watches": list(json!({"ticket": text(), "watch": text(), "fault": text()}))}),
        json!({
            "quote": action("Quote", json!({"ticket": text(), "amount": text()})),
            "handOver": action("Hand over", json!({"ticket": text()})),
        }),
    ));
    let table = find(&view, "Table")[0];
    assert_eq!(
        (&table["key"], &table["titleField"]),
        (&json!("ticket"), &json!("watch"))
    );
    assert!(named(&table["columns"], "field").contains(&"watch"));
}

#[test]
fn a_form_starts_from_what_was_typed_or_suggested_before() {
    let typed = record(json!({"owner": text(), "horse": text()}));
    let apply = action(
        "Apply",
        json!({"owner": text(), "horse": text(), "chip": text()}),
    );
    let mut page = draft(json!({"office": text()}), json!({"apply": apply.clone()}));
    page["contextSpec"] =
        json!({"draft": {"schema": typed, "default": {"owner": "", "horse": ""}}});
    let initial = |view: &View| find(view, "Form")[0]["initial"].clone();
    assert_eq!(initial(&complete(page)), json!({"path": "/context/draft"}));
    let suggested = draft(json!({"suggested": typed}), json!({"apply": apply}));
    assert_eq!(
        initial(&complete(suggested)),
        json!({"path": "/props/suggested"})
    );
    let known = draft(
        json!({"known": typed}),
        json!({"apply": action("Apply", json!({"chip": text(), "colour": text()}))}),
    );
    assert_eq!(initial(&complete(known)), Value::Null);
}

#[test]
fn a_currency_beside_a_year_or_hours_makes_no_money_of_them() {
    let whole = json!({"type": "integer"});
    let view = complete(draft(
        json!({
            "ledger": record(json!({"entity": text(), "fiscalYear": whole, "currency": text()})),
            "deposit": record(json!({"label": text(), "amount": whole, "currency": text()})),
        }),
        json!({}),
    ));
    let items: Vec<&Value> = find(&view, "KeyValue")
        .iter()
        .flat_map(|facts| facts["items"].as_array().into_iter().flatten())
        .collect();
    let of = |path: &str| items.iter().find(|item| item["value"]["path"] == path);
    assert_eq!(of("/props/ledger/fiscalYear").unwrap()["format"], "text");
    assert_eq!(of("/props/deposit").unwrap()["format"], "amount");
}

#[test]
fn a_conversation_that_only_a_channel_brings_is_a_chat_with_its_line_to_answer() {
    let moment = json!({"type": "string", "format": "date-time"});
    let mut page = draft(
        json!({"people": list(json!({"personId": text(), "name": text()}))}),
        json!({
            "sendMessage": {"label": "Send", "schema": {
                "type": "object",
                "properties": {"text": text(), "replyTo": maybe()},
                "required": ["text"],
            }},
        }),
    );
    let said = record(json!({
        "messageId": text(), "senderId": text(), "sentAt": moment, "text": text(), "replyTo": maybe(),
    }));
    page["streamSpec"] = json!({"message": {"mode": "append", "schema": said}});
    let view = complete(page.clone());
    let chat = find(&view, "Chat")[0];
    assert_eq!(chat["rows"], json!({"path": "/streams/message"}));
    assert_eq!(chat["authorNames"]["titleField"], "name");
    assert_eq!(chat["pick"]["action"], "sendMessage");
    // What nobody can answer is no conversation.
    page["actionSpec"] = json!({});
    assert!(find(&complete(page), "Chat").is_empty());
}

#[test]
fn what_is_known_by_its_code_alone_is_taken_by_that_code() {
    let view = complete(draft(
        json!({"parts": list(json!({"code": text(), "amount": {"type": "integer"}}))}),
        json!({"remove": action("Remove", json!({"partCode": text()}))}),
    ));
    let table = find(&view, "Table")[0];
    assert_eq!(table["rowActions"][0]["fixed"], json!({"partCode": "code"}));
}

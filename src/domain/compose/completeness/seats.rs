//! Seats, desks and pitches: where they stand, and what they are known by.

use serde_json::{Value, json};

use super::helpers::{complete_for, find};
use super::tasks::{action, list, page, text};

fn draft(props: Value, actions: Value) -> Value {
    page(props, actions, json!({}))
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
fn seats_that_are_known_by_what_stands_on_them_are_taken_where_they_are() {
    let state = json!({"type": "string", "enum": ["free", "taken", "crew_blocked"]});
    let seat = json!({
        "seat": text(),
        "row": {"type": "integer"},
        "col": {"type": "string", "enum": ["A", "B", "C"]},
        "st": state,
        "pid": {"type": ["string", "null"]},
    });
    let draft = draft(
        json!({
            "cabin": list(seat),
            "ppl": list(json!({"pid": text(), "name": text()})),
        }),
        json!({
            "seat_person": action("Seat here", json!({"seat": text(), "pid": text()})),
            "clear": action("Clear seat", json!({"seat": text()})),
        }),
    );
    let view = complete_for(
        draft,
        "Who sits where in the cabin? I want to click a place",
    );
    let seats = find(&view, "Seats")[0];
    assert_eq!(seats["key"], "seat");
    assert_eq!(seats["rowField"], "row");
    assert_eq!(seats["rowActions"].as_array().unwrap().len(), 2);
}

#[test]
fn pitches_stand_in_the_rows_that_they_name() {
    let state = json!({"type": "string", "enum": ["freeToLet", "taken", "outOfUse"]});
    let pitch = json!({"pitchId": text(), "rowId": text(), "number": text(), "status": state});
    let draft = draft(
        json!({
            "rows": list(json!({"rowId": text(), "label": text()})),
            "pitches": list(pitch),
            "traders": list(json!({"traderId": text(), "name": text()})),
        }),
        json!({"assignPitch": action("Give the pitch", json!({"pitchId": text(), "traderId": text()}))}),
    );
    let view = complete_for(
        draft,
        "Draw the pitches of the market as they lie along the canal",
    );
    let seats = find(&view, "Seats")[0];
    assert_eq!(seats["rowField"], "rowId");
    assert_eq!(seats["rowNames"]["titleField"], "label");
}

#[test]
fn places_have_a_number_in_a_row_that_has_one() {
    let state = json!({"type": "string", "enum": ["taken", "open", "behindPillar"]});
    let whole = json!({"type": "integer"});
    let place = json!({"positionId": text(), "rowNo": whole, "placeNo": whole, "state": state});
    let draft = draft(
        json!({
            "positions": list(place),
            "singers": list(json!({"singerId": text(), "name": text()})),
        }),
        json!({
            "placeSinger": action("Place singer", json!({"positionId": text(), "singerId": text()})),
            "clearPlace": action("Clear place", json!({"positionId": text()})),
        }),
    );
    let view = complete_for(draft, "Who stands where on the risers?");
    let seats = find(&view, "Seats")[0];
    assert_eq!(seats["rowField"], "rowNo");
    assert_eq!(seats["numberField"], "placeNo");
}

#[test]
fn desks_are_seats_though_nothing_says_whether_they_are_free() {
    let whole = json!({"type": "integer"});
    let pupil = json!({"type": ["string", "null"]});
    let draft = draft(
        json!({
            "desks": list(json!({"d": text(), "row": whole, "col": whole, "p": pupil})),
            "pupils": list(json!({"p": text(), "name": text()})),
        }),
        json!({
            "seat": action("Seat here", json!({"d": text(), "p": text()})),
            "clear": action("Clear the desk", json!({"d": text()})),
        }),
    );
    let view = complete_for(draft, "Seating plan after the holidays");
    assert_eq!(find(&view, "Seats")[0]["numberField"], "col");
}

//! Pages whose records name each other: boards, charts and trees by reference, and what is done where it makes sense.

use serde_json::{Value, json};

use super::helpers::{complete, find, named};

fn list(properties: Value) -> Value {
    json!({"schema": {"type": "array", "items": {"type": "object", "properties": properties}}})
}

fn action(label: &str, properties: Value) -> Value {
    json!({"label": label, "schema": {"type": "object", "properties": properties}})
}

fn draft(props: Value, actions: Value) -> Value {
    json!({"propsSpec": {"properties": props}, "actionSpec": actions})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn maybe() -> Value {
    json!({"type": ["string", "null"]})
}

#[test]
fn a_pair_that_an_action_takes_has_all_that_is_said_of_it_in_its_cell() {
    let state = json!({"type": "string", "enum": ["due", "given"]});
    let view = complete(draft(
        json!({
            "goats": list(json!({"goatId": text(), "name": text()})),
            "drenches": list(json!({"drenchId": text(), "name": text()})),
            "given": list(json!({"goatId": text(), "drenchId": text(), "state": state, "batch": text()})),
        }),
        json!({"drench": action("Drench", json!({"goatId": text(), "drenchId": text(), "batch": text()}))}),
    ));
    let matrix = find(&view, "Matrix")[0];
    assert_eq!(matrix["valueField"], "state");
    assert_eq!(named(&matrix["columns"], "field"), ["batch"]);
    assert_eq!(named(&matrix["rowActions"], "action"), ["drench"]);
}

#[test]
fn ids_are_chosen_by_name_whatever_the_plural_and_whatever_somebody_does() {
    let view = complete(draft(
        json!({
            "lenses": list(json!({"id": text(), "name": text(), "coating": text()})),
            "athletes": list(json!({"athleteId": text(), "name": text()})),
        }),
        json!({
            "try": action("Try", json!({"lensId": text()})),
            "endContest": action("End", json!({"winnerId": text(), "by": text(), "at": text()})),
        }),
    ));
    let tables = find(&view, "Table");
    let offered: Vec<&Value> = tables.iter().map(|table| &table["rowActions"][0]).collect();
    let fixed = |action: &str| {
        let found = offered.iter().find(|offered| offered["action"] == action);
        found.map(|offered| offered["fixed"].clone())
    };
    assert_eq!(fixed("try"), Some(json!({"lensId": "id"})));
    assert_eq!(fixed("endContest"), Some(json!({"winnerId": "athleteId"})));
}

#[test]
fn a_task_is_given_to_somebody_and_nobody_to_a_task() {
    let view = complete(draft(
        json!({
            "household": list(json!({"id": text(), "name": text()})),
            "tasks": list(json!({"id": text(), "title": text(), "assignee": text()})),
        }),
        json!({"assign": action("Assign", json!({"taskId": text(), "personId": text()}))}),
    ));
    let tables = find(&view, "Table");
    let of = |path: &str| {
        let found = tables.iter().find(|table| table["rows"]["path"] == path);
        found.and_then(|table| table["rowActions"][0]["action"].as_str())
    };
    assert_eq!(of("/props/tasks"), Some("assign"));
    assert_eq!(of("/props/household"), None);
}

#[test]
fn rounds_and_places_of_a_grid_are_rows_and_columns_where_an_action_takes_both() {
    let view = complete(draft(
        json!({
            "teams": list(json!({"teamId": text(), "name": text()})),
            "ends": list(json!({"endNo": {"type": "integer"}, "teamId": text(), "points": {"type": "integer"}, "hammer": {"type": "boolean"}})),
        }),
        json!({"scoreEnd": action("Score", json!({"endNo": {"type": "integer"}, "teamId": text(), "points": {"type": "integer"}}))}),
    ));
    let matrix = find(&view, "Matrix")[0];
    assert_eq!(matrix["rowField"], "teamId");
    assert_eq!(matrix["columnField"], "endNo");
    assert_eq!(matrix["columnNames"], Value::Null);
    assert_eq!(matrix["pick"]["to"], "points");
    // The numbers of invoices tell them apart, and are no columns.
    let view = complete(draft(
        json!({
            "suppliers": list(json!({"supplierId": text(), "name": text()})),
            "invoices": list(json!({"supplierId": text(), "invoiceNo": text(), "total": {"type": "number"}})),
        }),
        json!({"payInvoice": action("Pay", json!({"supplierId": text(), "invoiceNo": text()}))}),
    ));
    assert!(find(&view, "Matrix").is_empty());
}

#[test]
fn money_of_pairs_has_its_currency() {
    let view = complete(draft(
        json!({
            "currency": {"schema": text(), "required": true},
            "shops": list(json!({"shopId": text(), "name": text()})),
            "goods": list(json!({"goodId": text(), "name": text()})),
            "prices": list(json!({"shopId": text(), "goodId": text(), "priceMinor": {"type": "integer"}})),
        }),
        json!({}),
    ));
    let matrix = find(&view, "Matrix")[0];
    assert_eq!(matrix["format"], "money");
    assert_eq!(matrix["currency"], json!({"path": "/props/currency"}));
}

#[test]
fn a_member_called_after_a_list_is_the_record_whose_code_it_holds() {
    let view = complete(draft(
        json!({
            "shops": list(json!({"code": text(), "name": text()})),
            "refunds": list(json!({"reason": text(), "shop": text(), "count": {"type": "integer"}, "open": {"type": "boolean"}})),
        }),
        json!({}),
    ));
    let table = find(&view, "Table").into_iter();
    let mut refunds = table.filter(|table| table["rows"]["path"] == "/props/refunds");
    let columns = refunds.next().unwrap()["columns"].as_array().unwrap();
    let shop = columns
        .iter()
        .find(|column| column["field"] == "shop")
        .unwrap();
    assert_eq!(
        shop["refers"],
        json!({"rows": {"path": "/props/shops"}, "key": "code", "titleField": "name"})
    );
}

#[test]
fn the_sections_of_a_text_are_read_below_each_other() {
    let view = complete(draft(
        json!({"sections": list(json!({"sectionId": text(), "heading": text(), "bodyMarkdown": text()}))}),
        json!({"reword": action("Reword", json!({"sectionId": text(), "bodyMarkdown": text()}))}),
    ));
    let article = find(&view, "Article")[0];
    assert_eq!(article["titleField"], "heading");
    assert_eq!(article["textField"], "bodyMarkdown");
    assert_eq!(article["textFormat"], "markdown");
    assert_eq!(article["rowActions"][0]["action"], "reword");
}

#[test]
fn columns_that_are_records_head_a_board_and_are_not_listed_once_more() {
    let view = complete(draft(
        json!({
            "stages": list(json!({"stageId": text(), "title": text(), "limit": {"type": "integer"}})),
            "crates": list(json!({"crateId": text(), "title": text(), "stageId": text()})),
        }),
        json!({"pushCrate": action("Push on", json!({"crateId": text(), "stageId": text()}))}),
    ));
    let board = find(&view, "Board")[0];
    assert_eq!(
        board["groupNames"],
        json!({"rows": {"path": "/props/stages"}, "key": "stageId", "titleField": "title"})
    );
    assert_eq!(named(&board["groupColumns"], "field"), ["limit"]);
    assert_eq!(board["move"]["fixed"], json!({"crateId": "crateId"}));
    assert_eq!(board["move"]["to"], "stageId");
    assert!(find(&view, "Table").is_empty());
}

#[test]
fn what_was_measured_of_each_is_a_line_of_its_own_and_goes_on_with_what_arrives() {
    let reading = json!({"at": {"type": "string", "format": "date-time"}, "tankId": text(), "litres": {"type": "number"}});
    let mut draft = draft(
        json!({
            "tanks": list(json!({"tankId": text(), "name": text()})),
            "readings": list(reading.clone()),
        }),
        json!({}),
    );
    draft["streamSpec"] = json!({"reading": {"schema": {"type": "object", "properties": reading}}});
    let view = complete(draft);
    let chart = find(&view, "Chart")[0];
    assert_eq!(chart["x"], "at");
    assert_eq!(chart["seriesField"], "tankId");
    assert_eq!(
        chart["seriesNames"]["rows"],
        json!({"path": "/props/tanks"})
    );
    assert_eq!(chart["more"], json!({"path": "/streams/reading"}));
}

#[test]
fn records_that_may_name_another_one_of_their_list_are_a_tree() {
    let view = complete(draft(
        json!({"firms": list(json!({"firmId": text(), "ownedFirmId": maybe(), "name": text()}))}),
        json!({}),
    ));
    assert_eq!(find(&view, "Tree")[0]["parentField"], "ownedFirmId");
    // What comes next is beside, not below.
    let view = complete(draft(
        json!({"firms": list(json!({"firmId": text(), "nextFirmId": maybe(), "name": text()}))}),
        json!({}),
    ));
    assert!(find(&view, "Tree").is_empty());
}

#[test]
fn two_texts_of_a_record_of_which_one_became_the_other_are_compared() {
    let edit =
        json!({"type": "object", "properties": {"by": text(), "before": text(), "after": text()}});
    let view = complete(draft(json!({"edit": {"schema": edit}}), json!({})));
    let diff = find(&view, "Diff")[0];
    assert_eq!(diff["before"], json!({"path": "/props/edit/before"}));
    assert_eq!(diff["after"], json!({"path": "/props/edit/after"}));
}

#[test]
fn what_is_added_is_no_act_on_a_record_that_is_there() {
    let view = complete(draft(
        json!({
            "owners": list(json!({"ownerId": text(), "name": text(), "quota": {"type": "integer"}})),
            "deals": list(json!({"dealId": text(), "title": text(), "ownerId": text()})),
        }),
        json!({"addDeal": action("Add deal", json!({"title": text(), "ownerId": text()}))}),
    ));
    let has_rows = |table: &&Value| !table["rowActions"].is_null();
    assert_eq!(find(&view, "Table").into_iter().filter(has_rows).count(), 0);
}

#[test]
fn nobody_is_offered_to_do_what_the_state_of_a_record_says_is_done() {
    let state = json!({"type": "string", "enum": ["asked", "approved", "denied"]});
    let view = complete(draft(
        json!({"loans": list(json!({"loanId": text(), "title": text(), "state": state}))}),
        json!({
            "approveLoan": action("Approve", json!({"loanId": text()})),
            "denyLoan": action("Deny", json!({"loanId": text(), "reason": text()})),
            "callBorrower": action("Call", json!({"loanId": text()})),
        }),
    ));
    let tables = find(&view, "Table");
    let rows = tables[0]["rowActions"].as_array().unwrap();
    let unless =
        |name: &str| rows.iter().find(|row| row["action"] == name).unwrap()["unless"].clone();
    assert_eq!(
        unless("approveLoan"),
        json!({"field": "state", "values": ["approved"]})
    );
    assert_eq!(
        unless("denyLoan"),
        json!({"field": "state", "values": ["denied"]})
    );
    assert_eq!(unless("callBorrower"), Value::Null);
}

#[test]
fn a_taken_seat_is_released_and_a_free_one_given_out() {
    let state = json!({"type": "string", "enum": ["free", "taken", "closed"]});
    let view = complete(draft(
        json!({"bays": list(json!({"bayId": text(), "row": text(), "number": {"type": "integer"}, "status": state}))}),
        json!({
            "assignBay": action("Assign", json!({"bayId": text(), "plate": text()})),
            "releaseBay": action("Release", json!({"bayId": text()})),
        }),
    ));
    let seats = find(&view, "Seats")[0];
    let rows = seats["rowActions"].as_array().unwrap();
    let states: Vec<&Value> = rows.iter().map(|row| &row["unless"]["values"]).collect();
    assert_eq!(states, [&json!(["taken", "closed"]), &json!(["free"])]);
}

#[test]
fn what_may_be_missing_does_not_tell_records_apart() {
    let view = complete(draft(
        json!({
            "desks": list(json!({"desk": text(), "guestId": maybe(), "window": {"type": "boolean"}})),
            "guests": list(json!({"guestId": text(), "name": text(), "diet": text()})),
        }),
        json!({"freeDesk": action("Free", json!({"desk": text()}))}),
    ));
    let tables = find(&view, "Table");
    let guests = tables
        .iter()
        .find(|table| table["rows"]["path"] == "/props/guests");
    assert_eq!(
        named(&guests.unwrap()["columns"], "field"),
        ["name", "diet"]
    );
}

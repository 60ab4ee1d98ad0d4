//! Pages on which things refer to each other: pairs, records of several shapes, currencies that stand elsewhere, and steps.

use serde_json::{Value, json};

use super::helpers::{complete, complete_for, find, kinds, named};
use super::tasks::{page, record, text};

fn list(properties: Value) -> Value {
    json!({"schema": {"type": "array", "items": {"type": "object", "properties": properties}}})
}

fn action(label: &str, properties: &Value) -> Value {
    let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
    json!({"label": label, "schema": {"type": "object", "properties": properties, "required": required}})
}

fn skills() -> Value {
    let text = json!({"type": "string"});
    let level = json!({"type": "integer", "minimum": 0, "maximum": 5});
    json!({
        "propsSpec": {"properties": {
            "people": list(json!({"personId": text, "name": text})),
            "skills": list(json!({"skillId": text, "name": text, "hours": {"type": "number"}})),
            "levels": list(json!({"personId": text, "skillId": text, "level": level})),
        }},
        "actionSpec": {
            "setLevel": action("Set level", &json!({"personId": text, "skillId": text, "level": level})),
        },
    })
}

#[test]
fn a_list_with_two_ids_and_a_value_is_a_matrix_with_the_names_of_both_lists() {
    let view = complete(skills());
    let matrix = find(&view, "Matrix")[0];
    assert_eq!(matrix["rows"], json!({"path": "/props/levels"}));
    assert_eq!(matrix["rowField"], "personId");
    assert_eq!(matrix["columnField"], "skillId");
    assert_eq!(matrix["valueField"], "level");
    assert_eq!(
        matrix["rowNames"],
        json!({"rows": {"path": "/props/people"}, "key": "personId", "titleField": "name"})
    );
    assert_eq!(matrix["columnNames"]["titleField"], "name");
    assert_eq!(
        matrix["pick"],
        json!({"action": "setLevel", "label": "Set level", "row": "personId", "column": "skillId",
            "to": "level", "minimum": 0, "maximum": 5})
    );
}

#[test]
fn events_of_several_kinds_stand_in_time_order_whatever_is_done_with_them() {
    let at = json!({"type":"string","format":"date-time"});
    let trip = record(json!({"id":text(),"at":at,"kind":{"const":"trip"},"device":text()}));
    let call = record(
        json!({"id":text(),"at":at,"kind":{"const":"phone_call"},"by":text(),"minutes":{"type":"integer"},"text":text(),"to":text(),"why":text()}),
    );
    let draft = page(
        json!({"events":{"type":"array","items":{"oneOf":[trip,call]}}}),
        json!({"correct":{"label":"Correct","schema":record(json!({"eventId":text(),"at":at}))}}),
        json!({}),
    );
    let view = complete_for(draft, "What happened");
    let line = find(&view, "Timeline")[0];
    assert_eq!(
        [&line["titleField"], &line["titleFormat"]],
        ["kind", "choice"]
    );
    assert_eq!(line["rowActions"][0]["action"], "correct");
}

#[test]
fn a_list_that_only_names_the_rows_of_a_matrix_is_not_shown_once_more() {
    // What else there is of a skill has no place in the matrix.
    let tables = complete(skills());
    let tables = find(&tables, "Table");
    let sources: Vec<&Value> = tables.iter().map(|table| &table["rows"]["path"]).collect();
    assert_eq!(sources, ["/props/skills"]);
}

#[test]
fn records_of_several_shapes_are_rows_with_what_any_of_them_has() {
    let text = json!({"type": "string"});
    let shape = |kind: &str, own: &str| json!({"type": "object", "properties": {"kind": {"const": kind}, "id": text, "title": text, own: text}});
    let view = complete(json!({
        "propsSpec": {"properties": {"assets": {"schema": {"type": "array", "items":
            {"oneOf": [shape("house", "address"), shape("account", "iban")]}}}}},
        "actionSpec": {"removeAsset": action("Remove", &json!({"assetId": text}))},
    }));
    let table = find(&view, "Table")[0];
    assert_eq!(
        named(&table["columns"], "field"),
        ["kind", "title", "address", "iban"]
    );
    assert_eq!(table["columns"][0]["format"], "choice");
    assert_eq!(named(&table["rowActions"], "action"), ["removeAsset"]);
}

#[test]
fn an_amount_has_the_currency_of_the_record_that_its_id_names() {
    let text = json!({"type": "string"});
    let minor = json!({"type": "integer"});
    let fees = json!({"type": "array", "items": {"type": "object", "properties": {"label": text, "feeMinor": minor}}});
    let view = complete(json!({"propsSpec": {"properties": {
        "carriers": list(json!({"carrierId": text, "name": text, "currency": text})),
        "quotes": list(json!({"quoteId": text, "carrierId": text, "priceMinor": minor, "fees": fees})),
        "best": {"schema": {"type": "object", "properties": {"carrierId": text, "priceMinor": minor}}},
    }}}));
    let refers =
        json!({"rows": {"path": "/props/carriers"}, "key": "carrierId", "titleField": "currency"});
    let column = |of: &Value, field: &str| {
        let all = of.as_array().unwrap().iter();
        let mut found = all.filter(|one| one["field"] == field || one["label"] == field);
        found.next().cloned().unwrap()
    };
    let quotes = find(&view, "Table").into_iter();
    let quotes = quotes
        .chain(find(&view, "Cards"))
        .find(|part| part["rows"]["path"] == "/props/quotes")
        .unwrap();
    let price = column(&quotes["columns"], "priceMinor");
    assert_eq!(price["format"], "money");
    assert_eq!(
        price["currencyOf"],
        json!({"id": {"path": "carrierId"}, "refers": refers})
    );
    // What is inside has the currency of the record around it.
    let fees = column(&quotes["columns"], "fees");
    assert_eq!(fees["currencyOf"], price["currencyOf"]);
    assert_eq!(column(&fees["parts"], "feeMinor")["format"], "money");
    let facts = find(&view, "KeyValue")[0];
    assert_eq!(
        column(&facts["items"], "Price")["currencyOf"],
        json!({"id": {"path": "/props/best/carrierId"}, "refers": refers})
    );
}

#[test]
fn steps_that_are_each_saved_are_one_wizard_that_the_last_action_ends() {
    let text = json!({"type": "string"});
    let view = complete_for(
        json!({
            "propsSpec": {"properties": {
                "steps": list(json!({"key": text, "title": text})),
                "plans": list(json!({"planId": text, "name": text, "price": {"type": "number"}})),
            }},
            "contextSpec": {"currentStep": {"schema": text}},
            "actionSpec": {
                "savePlan": action("Save the plan", &json!({"planId": text})),
                "saveAddress": action("Save the address", &json!({"street": text, "city": text})),
                "previousStep": {"label": "Back"},
                "activate": {"label": "Activate", "confirm": true},
            },
        }),
        "Take a customer through the mobile contract: plan, address, then activate",
    );
    assert_eq!(kinds(&view), ["Heading", "Wizard", "Table"]);
    assert_eq!(find(&view, "Heading")[0]["text"], "Mobile contract");
    let wizard = find(&view, "Wizard")[0];
    assert_eq!(wizard["action"], "activate");
    assert_eq!(wizard["confirm"], true);
    assert_eq!(
        named(&wizard["steps"], "action"),
        ["savePlan", "saveAddress"]
    );
    assert_eq!(
        wizard["steps"][0]["choices"]["planId"]["titleField"],
        "name"
    );
    assert_eq!(wizard["back"]["action"], "previousStep");
}

#[test]
fn what_several_actions_ask_for_tells_records_apart() {
    let text = json!({"type": "string"});
    let step = json!({"type": "string", "enum": ["found", "contained", "closed"]});
    let view = complete(json!({
        "propsSpec": {"properties": {"defects": list(json!({"headline": text, "serial": text, "discipline": step}))}},
        "actionSpec": {
            "advanceDefect": action("Move on", &json!({"serial": text, "discipline": step})),
            "rejectDefect": action("Reject", &json!({"serial": text})),
        },
    }));
    // An action that moves records along a choice makes columns of it, whatever it is called.
    let board = find(&view, "Board")[0];
    assert_eq!(board["key"], "serial");
    assert_eq!(board["groupField"], "discipline");
    assert_eq!(board["move"]["action"], "advanceDefect");
    assert_eq!(named(&board["rowActions"], "action"), ["rejectDefect"]);
}

#[test]
fn what_the_main_data_refer_to_stands_below_them() {
    let text = json!({"type": "string"});
    let day = json!({"type": "string", "format": "date"});
    let booking = json!({"boatId": text, "customer": text, "fromDay": day, "toDay": day});
    let draft = json!({
        "propsSpec": {"properties": {
            "boats": list(json!({"boatId": text, "name": text, "berths": {"type": "integer"}})),
            "charters": list(json!({"charterId": text, "boatId": text, "customer": text, "from": day, "to": day})),
        }},
        "actionSpec": {
            "bookCharter": action("Book", &booking),
            "cancelCharter": action("Cancel", &json!({"charterId": text})),
        },
    });
    let view = complete_for(draft, "Plan the charters of the season");
    assert_eq!(kinds(&view)[..3], ["Heading", "Calendar", "Table"]);
}

#[test]
fn a_list_of_nothing_but_names_that_are_shown_elsewhere_has_no_table() {
    let text = json!({"type": "string"});
    let view = complete(json!({
        "propsSpec": {"properties": {
            "tasks": list(json!({"taskId": text, "title": text, "memberId": text})),
            "members": list(json!({"memberId": text, "name": text})),
        }},
        "actionSpec": {"assignTask": action("Assign", &json!({"taskId": text, "memberId": text}))},
    }));
    let tables = find(&view, "Table");
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0]["columns"][1]["refers"]["titleField"], "name");
}

//! Forms in steps that no list names: a slot says at which of them the person is.

use serde_json::{Value, json};

use super::helpers::{complete_for, find};
use super::tasks::{page, record, text};

fn one_of(values: &[&str]) -> Value {
    json!({"type":"string","enum":values})
}

fn action(label: &str, schema: Value) -> Value {
    json!({"label":label,"schema":schema})
}

/// A form with a record for each of three parts.
fn enrolment() -> Value {
    let child = record(json!({"name":text(),"born":text()}));
    let parent = record(json!({"name":text(),"phone":text()}));
    let lesson = record(json!({"instrument":text()}));
    record(json!({"child":child,"lesson":lesson,"parent":parent}))
}

/// Whatever object there is.
fn any() -> Value {
    json!({"type":"object","additionalProperties":true})
}

#[test]
fn the_values_of_a_slot_for_the_step_are_the_steps_of_the_form() {
    let draft = page(
        json!({}),
        json!({"enrol":action("Enrol", enrolment())}),
        json!({"step":{"schema":one_of(&["child","lesson","parent","review"])}}),
    );
    let view = complete_for(draft, "Enrol a child in four short steps");
    let wizard = find(&view, "Wizard")[0];
    assert_eq!(wizard["current"]["path"], "/context/step");
    let options = wizard["options"].as_array().unwrap();
    let labels: Vec<&Value> = options.iter().map(|option| &option["label"]).collect();
    assert_eq!(labels, ["Child", "Lesson", "Parent", "Review"]);
    assert_eq!(options[3]["value"], "review");
    assert!(find(&view, "Form").is_empty() && find(&view, "ChoicePicker").is_empty());
}

#[test]
fn the_number_of_a_step_counts_the_records_that_a_form_asks_for() {
    let step = json!({"type":"integer","minimum":0});
    let draft = page(
        json!({}),
        json!({"enrol":action("Enrol", enrolment())}),
        json!({"step":{"schema":step}}),
    );
    let wizard = complete_for(draft, "Enrol a child");
    let wizard = find(&wizard, "Wizard")[0];
    assert_eq!(wizard["first"], 0);
    assert_eq!(wizard["options"].as_array().unwrap().len(), 3);
}

#[test]
fn a_slot_that_names_nothing_of_a_form_leads_through_no_steps() {
    let draft = page(
        json!({}),
        json!({"enrol":action("Enrol", enrolment())}),
        json!({"stage":{"schema":one_of(&["amateur","professional"])}}),
    );
    let view = complete_for(draft, "Enrol a child");
    assert!(find(&view, "Wizard").is_empty() && !find(&view, "Form").is_empty());
}

#[test]
fn what_somebody_has_reached_is_typed_by_nobody() {
    let number = json!({"schema":{"type":"integer"}});
    let cell = json!({"schema":record(json!({"seatId":text(),"row":{"type":"integer"}}))});
    let seats = json!({"type":"array","items":record(json!({"id":text(),"name":text()}))});
    let draft = page(
        json!({"seats":seats}),
        json!({}),
        json!({"at":number,"score":number,"cell":cell}),
    );
    let view = complete_for(draft, "Show the seats");
    assert!(find(&view, "NumberField").is_empty() && find(&view, "FieldSet").is_empty());
}

#[test]
fn what_saves_a_draft_takes_what_is_filled_in_and_is_typed_by_nobody() {
    let draft = page(
        json!({}),
        json!({
            "enrol":action("Enrol", enrolment()),
            "saveDraft":action("Save draft", record(json!({"draft":any()}))),
        }),
        json!({"step":{"schema":one_of(&["child","lesson","parent"])}}),
    );
    let view = complete_for(draft, "Enrol a child");
    let keep = &find(&view, "Wizard")[0]["keep"];
    assert_eq!([&keep["action"], &keep["to"]], ["saveDraft", "draft"]);
    assert!(find(&view, "Modal").is_empty());
}

#[test]
fn what_saves_a_step_is_told_which_one_by_the_page() {
    let steps =
        json!({"type":"array","items":record(json!({"key":one_of(&["child"]),"title":text()}))});
    let saved = record(json!({"step":one_of(&["child"]),"values":any()}));
    let draft = page(
        json!({"steps":steps}),
        json!({"enrol":action("Enrol", enrolment()),"saveStep":action("Save", saved)}),
        json!({"currentStep":{"schema":one_of(&["child"])}}),
    );
    let view = complete_for(draft, "Enrol a child");
    let keep = &find(&view, "Wizard")[0]["keep"];
    assert_eq!([&keep["action"], &keep["to"]], ["saveStep", "values"]);
    assert_eq!(keep["given"]["step"]["path"], "/context/currentStep");
}

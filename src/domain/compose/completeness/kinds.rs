//! Messages of several kinds, results that leave something open, and records known by two ids.

use serde_json::{Value, json};

use super::helpers::{complete_for, components, find, named};
use super::tasks::{action, list, page, record, text};

fn one_of(words: &[&str]) -> Value {
    json!({"type":"string","enum":words})
}

fn day() -> Value {
    json!({"type":"string","format":"date"})
}

fn columns(part: &Value) -> Vec<&str> {
    named(&part["columns"], "field")
}

#[test]
fn messages_of_several_kinds_are_a_conversation_that_draws_each_kind() {
    let kind = |name: &str| json!({"const":name});
    let content = json!({"oneOf":[
        record(json!({"kind":kind("text"),"text":text()})),
        record(json!({"kind":kind("offer"),"title":text(),"until":day()})),
    ]});
    let people = json!({"id":text(),"name":text()});
    let message = json!({"id":text(),"authorId":text(),"at":day(),"content":content});
    let draft = page(
        json!({"people":list(people),"messages":list(message)}),
        json!({
            "sendMessage":{"label":"Send","schema":{
                "type":"object","required":["text"],
                "properties":{"text":text(),"replyToId":text()}}},
        }),
        json!({}),
    );
    let view = complete_for(draft, "Go on with the conversation");
    let chat = find(&view, "Chat")[0];
    assert_eq!(chat["textField"], "content");
    assert_eq!(columns(chat), ["content"]);
    assert_eq!(chat["pick"]["action"], "sendMessage");
    assert_eq!(chat.get("rowActions"), None);
}

#[test]
fn what_was_sent_and_read_was_said_when_it_was_sent() {
    let at = json!({"type":["string","null"],"format":"date-time"});
    let sent = json!({"type":"string","format":"date-time"});
    let message = json!({"id":text(),"author":text(),"text":text(),"readAt":at,"sentAt":sent});
    let draft = page(json!({"messages":list(message)}), json!({}), json!({}));
    let view = complete_for(draft, "The conversation");
    let chat = find(&view, "Chat")[0];
    assert_eq!(chat["timeField"], "sentAt");
    assert_eq!(columns(chat), ["readAt"]);
}

#[test]
fn who_looks_at_a_conversation_is_seen_by_the_side_of_the_messages_and_is_no_fact() {
    let people = json!({"id":text(),"name":text()});
    let message = json!({"id":text(),"authorId":text(),"at":day(),"text":text()});
    let drawn = |me: Value| {
        let draft = page(
            json!({"me":me,"people":list(people.clone()),"messages":list(message.clone())}),
            json!({"sendMessage":action("Send", json!({"text":text()}))}),
            json!({}),
        );
        complete_for(draft, "Go on with the conversation")
    };
    let view = drawn(text());
    assert_eq!(find(&view, "Chat")[0]["me"]["path"], "/props/me");
    // Nothing else shows it: no fact, and no headline.
    assert_eq!(view.value().to_string().matches("/props/me\"").count(), 1);
    let view = drawn(record(json!({"id":text(),"name":text()})));
    assert_eq!(find(&view, "Chat")[0]["me"]["path"], "/props/me/id");
}

#[test]
fn a_result_that_is_still_open_is_a_task_and_what_must_be_done_is_no_box() {
    let point = json!({
        "id":text(),"text":text(),"must":{"type":"boolean"},
        "result":one_of(&["still_open","in_order","defect"]),
    });
    let draft = page(
        json!({"points":list(point)}),
        json!({"tick":action("In order", json!({"pointId":text()}))}),
        json!({}),
    );
    let view = complete_for(draft, "Check the float");
    let tasks = find(&view, "Tasks")[0];
    assert_eq!(tasks["openValues"], json!(["still_open"]));
    assert_eq!(tasks["requiredField"], "must");
    let tick = &tasks["rowActions"][0];
    assert_eq!(tick.get("toggles"), None);
    assert_eq!(tick["unless"]["values"], json!(["in_order"]));
}

#[test]
fn steps_with_a_moment_of_when_they_were_done_are_tasks() {
    let done = json!({"type":["string","null"],"format":"date-time"});
    let draft = page(
        json!({"steps":list(json!({"id":text(),"text":text(),"doneAt":done}))}),
        json!({"tickStep":action("Tick", json!({"stepId":text()}))}),
        json!({}),
    );
    let view = complete_for(draft, "Start the laser");
    assert_eq!(find(&view, "Tasks")[0]["doneField"], "doneAt");
}

#[test]
fn bare_ids_are_those_of_the_records_that_the_other_actions_are_about() {
    let draft = page(
        json!({"overhauls":list(json!({"id":text(),"name":text(),"megawatts":text()}))}),
        json!({
            "move":action("Move", json!({"id":text(),"to":day()})),
            "submit":action("Submit", json!({"ids":{"type":"array","items":text()}})),
        }),
        json!({}),
    );
    let view = complete_for(draft, "Plan the overhauls");
    let table = find(&view, "Table")[0];
    assert_eq!(table["bulkActions"][0]["action"], "submit");
}

#[test]
fn a_record_known_by_two_ids_of_others_shows_both() {
    let names = || list(json!({"id":text(),"name":text()}));
    let duty = json!({
        "stationId":text(),"postId":text(),"personId":text(),
        "state":one_of(&["asked","confirmed"]),
    });
    let assign = json!({"stationId":text(),"postId":text(),"personId":text()});
    let draft = page(
        json!({"stations":names(),"posts":names(),"people":names(),"duties":list(duty)}),
        json!({"assign":action("Assign", assign)}),
        json!({}),
    );
    let view = complete_for(draft, "Who sits where");
    let tables = find(&view, "Table");
    let duties = tables
        .iter()
        .find(|table| columns(table).contains(&"state"));
    let duties = duties.unwrap();
    assert_eq!(columns(duties)[..2], ["stationId", "postId"]);
    assert_eq!(duties.get("key"), None);
}

#[test]
fn a_number_that_counts_people_is_no_reference_to_them() {
    let draft = page(
        json!({
            "people":list(json!({"id":text(),"name":text()})),
            "stations":list(json!({"name":text(),"registeredVoters":{"type":"integer"},"ward":text()})),
        }),
        json!({}),
        json!({}),
    );
    let view = complete_for(draft, "Polling stations");
    let mut all = components(&view)
        .iter()
        .flat_map(|part| part["columns"].as_array())
        .flatten();
    let voters = all.find(|column| column["field"] == "registeredVoters");
    assert_eq!(voters.unwrap()["format"], "integer");
}

#[test]
fn the_number_of_the_record_of_the_page_is_given_and_not_typed() {
    let float = record(json!({"startNumber":{"type":"integer"},"name":text(),"guild":text()}));
    let release = json!({"startNumber":{"type":"integer"},"inspector":text()});
    let draft = page(
        json!({"float":float}),
        json!({"release":action("Release", release)}),
        json!({}),
    );
    let view = complete_for(draft, "Check the float");
    let form = find(&view, "Form")[0];
    assert_eq!(
        form["given"]["startNumber"]["path"],
        "/props/float/startNumber"
    );
}

#[test]
fn a_chronology_is_a_timeline_whatever_is_done_with_its_entries() {
    let event =
        json!({"eventId":text(),"on":day(),"endsOn":day(),"heading":text(),"detail":text()});
    let draft = page(
        json!({"events":list(event)}),
        json!({"dispute":action("Dispute", json!({"eventId":text(),"why":text()}))}),
        json!({}),
    );
    let view = complete_for(draft, "Build the chronology");
    assert_eq!(find(&view, "Timeline")[0]["timeField"], "on");
}

#[test]
fn a_slot_of_one_of_the_words_of_a_list_or_none_stands_above_the_list() {
    let blade = || json!({"enum":["A","B",null]});
    let finding = json!({"id":text(),"name":text(),"blade":one_of(&["A","B"])});
    let draft = page(
        json!({"findings":list(finding)}),
        json!({}),
        json!({"blade":{"schema":blade(),"default":null}}),
    );
    let view = complete_for(draft, "Blade findings");
    let at = |component: &str| {
        let all = components(&view);
        all.iter().position(|part| part["component"] == component)
    };
    assert!(at("ChoicePicker") < at("Table"));
}

#[test]
fn dice_are_rolled_without_danger_and_a_release_is_rolled_back_with_it() {
    let asked = |label: &str| action(label, json!({"reason":text()}));
    let draft = page(
        json!({}),
        json!({"rollDice":asked("Roll dice"),"rollBack":asked("Roll back")}),
        json!({}),
    );
    let view = complete_for(draft, "Play on");
    let tone = |action: &str| {
        let mut all = components(&view).iter();
        let form = all.find(|part| part["action"] == action);
        form.and_then(|form| form["tone"].as_str())
    };
    assert_eq!([tone("rollDice"), tone("rollBack")], [None, Some("bad")]);
}

#[test]
fn a_pinned_record_is_chosen_where_it_stands_and_what_is_done_is_not_completed_again() {
    let item = json!({
        "id":text(),"model":text(),"must_fit":{"type":"boolean"},
        "status":one_of(&["open","done"]),
    });
    let draft = page(
        json!({"machines":list(item)}),
        json!({"complete":action("Complete", json!({"machineId":text(),"note":text()}))}),
        json!({"pinnedId":{"schema":text()}}),
    );
    let view = complete_for(draft, "Compare the machines");
    assert!(find(&view, "TextField").is_empty());
    let rows = components(&view)
        .iter()
        .find(|part| part.get("rowActions").is_some());
    let complete = &rows.unwrap()["rowActions"][0];
    assert_eq!(complete["unless"]["values"], json!(["done"]));
}

#[test]
fn below_records_in_a_map_the_form_of_the_main_action_is_a_dialog() {
    let block = record(json!({"name":text(),"counted":{"type":"integer"}}));
    let map = json!({"type":"object","additionalProperties":block});
    let mut props = json!({"people":map.clone(),"blocks":map});
    props["census"] = record((0..8).map(|at| (format!("fact{at}"), text())).collect());
    let assign = json!({"block":text(),"person":text(),"startOn":day()});
    let draft = page(props, json!({"assign":action("Assign", assign)}), json!({}));
    let view = complete_for(draft, "Assign people to blocks");
    assert_eq!(find(&view, "Form")[0]["display"], "dialog");
}

#[test]
fn a_list_whose_action_says_whether_a_record_is_done_is_ticked_off() {
    let at = json!({"type":"string","format":"date-time"});
    let task = json!({
        "taskId":text(),"task":text(),"quantity":record(json!({"amount":{"type":"number"},"unit":text()})),
        "readyBy":at,"done":{"type":"boolean"},"store":one_of(&["bench","walkIn"]),
    });
    let draft = page(
        json!({"tasks":list(task)}),
        json!({"setDone":action("Done", json!({"taskId":text(),"done":{"type":"boolean"}}))}),
        json!({}),
    );
    let view = complete_for(draft, "The list of the sauce section");
    let tasks = find(&view, "Tasks")[0];
    assert_eq!(tasks["doneField"], "done");
    assert_eq!(tasks["rowActions"][0]["toggles"], "done");
}

#[test]
fn records_that_go_to_another_stage_stand_in_columns_by_the_key_of_their_stage() {
    let draft = page(
        json!({
            "stages":list(json!({"key":text(),"title":text()})),
            "applications":list(json!({"id":text(),"applicant":text(),"stageKey":text()})),
        }),
        json!({"moveApplication":action("Move", json!({"applicationId":text(),"toStage":text()}))}),
        json!({}),
    );
    let view = complete_for(draft, "The queue of the grid");
    let board = find(&view, "Board")[0];
    assert_eq!(board["groupField"], "stageKey");
    assert_eq!(board["move"]["to"], "toStage");
}

#[test]
fn what_has_only_a_kind_is_called_by_it_in_a_calendar() {
    let at = json!({"type":"string","format":"date-time"});
    let booking = json!({"id":text(),"from":at,"to":at,"purpose":one_of(&["training","friendly"])});
    let draft = page(
        json!({"bookings":list(booking)}),
        json!({"cancelBooking":action("Cancel", json!({"bookingId":text()}))}),
        json!({}),
    );
    let view = complete_for(draft, "The week of the sports ground");
    assert_eq!(find(&view, "Calendar")[0]["titleField"], "purpose");
}

#[test]
fn a_curve_is_a_line_by_its_points_and_where_they_lie_is_no_value() {
    let number = || json!({"type":"number"});
    let point = json!({"tenor":text(),"years":number(),"todayPct":number(),"weekAgoPct":number()});
    let draft = page(json!({"curve":list(point)}), json!({}), json!({}));
    let view = complete_for(draft, "Today's yields");
    let chart = find(&view, "Chart")[0];
    assert_eq!([&chart["kind"], &chart["x"]], ["line", "tenor"]);
    assert_eq!(named(&chart["series"], "field"), ["todayPct", "weekAgoPct"]);
}

#[test]
fn a_remark_that_may_be_missing_is_no_headline() {
    let registration = json!({
        "type":"object","required":["registrationId","season"],
        "properties":{"registrationId":text(),"season":text(),"clubRemark":text()},
    });
    let draft = page(json!({"registration":registration}), json!({}), json!({}));
    let view = complete_for(draft, "Check what the club sent");
    assert!(!find(&view, "Heading")[0].to_string().contains("clubRemark"));
}

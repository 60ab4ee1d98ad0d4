//! Which page some contracts have.

use serde_json::{Value, json};

use super::helpers::{complete, complete_for, find, kinds, named, page};
use crate::domain::contract::samples;

#[test]
fn a_view_of_contract_a_shows_every_prop_and_reaches_every_action() {
    let view = complete(samples::basket());
    let table = find(&view, "Table")[0];
    let fields: Vec<_> = table["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| &c["field"])
        .collect();
    assert_eq!(fields, ["sku", "title", "qty", "unitPrice"]);
    assert_eq!(table["columns"][3]["format"], "currency");
    assert_eq!(table["columns"][3]["currency"]["path"], "/props/currency");
    let row = &table["rowActions"][0];
    assert_eq!(row["fixed"], json!({"sku":"sku"}));
    assert_eq!(row["initial"], json!({"qty":"qty"}));
    assert_eq!(
        row["inputs"]["properties"],
        json!({"qty":{"type":"integer"}})
    );
    assert_eq!(row["inputs"]["required"], json!(["qty"]));
    let button = find(&view, "ActionButton")[0];
    assert_eq!(
        (&button["confirm"], &button["variant"]),
        (&json!(true), &json!("primary"))
    );
    assert_eq!(find(&view, "Notice")[0]["text"]["path"], "/props/note");
    assert_eq!(
        find(&view, "TextField")[0]["value"]["path"],
        "/context/coupon"
    );
    assert_eq!(
        find(&view, "Heading")[0]["caption"],
        "Basket shown at checkout"
    );
}

#[test]
fn a_view_of_contract_b_has_a_log_a_progress_bar_and_a_cancel_button() {
    let view = complete(samples::build_log());
    let log = find(&view, "Log")[0];
    assert_eq!(
        (&log["textField"], &log["levelField"]),
        (&json!("line"), &json!("level"))
    );
    assert_eq!(
        find(&view, "Progress")[0]["value"]["path"],
        "/streams/progress/percent"
    );
    let button = find(&view, "ActionButton")[0];
    assert_eq!(
        (&button["variant"], &button["tone"]),
        (&json!("default"), &json!("bad"))
    );
}

#[test]
fn a_view_of_contract_c_has_a_checklist_a_field_set_and_a_form() {
    let view = complete(samples::field_report());
    let list = find(&view, "Checklist")[0];
    assert_eq!(list["options"]["path"], "/props/checklist");
    assert_eq!(list["value"]["path"], "/context/checked");
    assert_eq!(
        find(&view, "FieldSet")[0]["value"]["path"],
        "/context/location"
    );
    assert_eq!(
        find(&view, "Form")[0]["example"]["summary"],
        "All valves closed"
    );
}

#[test]
fn a_todo_list_has_its_gestures_in_the_rows_and_a_form_to_add() {
    let view = complete(samples::todo_list());
    let table = find(&view, "Table")[0];
    let actions = table["rowActions"].as_array().unwrap();
    assert_eq!(actions.len(), 2);
    assert!(
        actions
            .iter()
            .all(|action| action["fixed"] == json!({"id":"id"}))
    );
    assert_eq!(find(&view, "Form")[0]["action"], "addTodo");
    assert_eq!(table["key"], "id");
}

#[test]
fn a_system_monitor_has_two_charts_a_memory_bar_and_its_buttons() {
    let view = complete(samples::system_monitor());
    let charts = find(&view, "Chart");
    assert_eq!(charts.len(), 2);
    assert_eq!(
        (&charts[0]["x"], &charts[0]["max"]),
        (&json!("t"), &json!(100))
    );
    assert_eq!(charts[1]["series"].as_array().unwrap().len(), 3);
    assert_eq!(
        find(&view, "Progress")[0]["value"]["path"],
        "/streams/memory/percent"
    );
    assert_eq!(find(&view, "ActionButton").len(), 2);
    assert_eq!(find(&view, "Form")[0]["action"], "setInterval");
}

#[test]
fn a_gesture_goes_to_the_list_it_names_and_never_to_records_it_makes() {
    let record = json!({"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"}},"required":["id"]});
    let list = json!({"schema":{"type":"array","items":record}});
    let by_id = json!({"type":"object","properties":{"id":{"type":"string"}},"required":["id"]});
    let view = complete(
        json!({"propsSpec":{"properties":{"users":list,"projects":list}},
        "actionSpec":{"deleteProject":{"label":"x","schema":by_id},"banUser":{"label":"y","schema":by_id},
            "addUser":{"label":"z","schema":{"type":"object","properties":{"name":{"type":"string"}}}}}}),
    );
    let tables = find(&view, "Table");
    let of = |rows: &str| {
        let mut all = tables.iter();
        let table = all.find(|table| table["rows"]["path"] == rows).unwrap();
        table["rowActions"].clone()
    };
    assert_eq!(of("/props/projects")[0]["action"], "deleteProject");
    assert_eq!(of("/props/users")[0]["action"], "banUser");
    assert_eq!(of("/props/users").as_array().unwrap().len(), 1);
}

#[test]
fn a_view_keeps_the_declared_order_of_everything_it_shows() {
    let text = json!({"type":"string"});
    let number = json!({"type":"number"});
    let record = json!({"type":"object","properties":{"title":text,"done":{"type":"boolean"},"id":text,"assignee":text},"required":["id","assignee"]});
    let load = json!({"type":"object","properties":{"t":{"type":"string","format":"date-time"},"one":number,"five":number,"fifteen":number}});
    let by_id = json!({"type":"object","properties":{"id":text},"required":["id"]});
    let view = complete(json!({
        "propsSpec":{"properties":{"zone":{"schema":text},"tasks":{"schema":{"type":"array","items":record}},"area":{"schema":text},"lists":{"schema":{"type":"array","items":text}}}},
        "streamSpec":{"load":{"schema":load},"beat":{"schema":load}},
        "contextSpec":{"z":{"schema":text},"a":{"schema":text}},
        "actionSpec":{"zip":{"label":"Zip"},"removeTask":{"label":"Remove","schema":by_id},"stop":{"label":"Stop"},"archiveTask":{"label":"Archive","schema":by_id},"begin":{"label":"Begin"},
            "note":{"label":"Note","schema":{"type":"object","properties":{"title":text,"body":text,"author":text},"required":["author"]}}}}));
    let table = find(&view, "Table")[0];
    assert_eq!(
        named(&table["columns"], "field"),
        ["title", "done", "assignee"]
    );
    assert_eq!(
        named(&table["rowActions"], "action"),
        ["removeTask", "archiveTask"]
    );
    assert_eq!(table["key"], "id");
    let charts = find(&view, "Chart");
    assert_eq!(
        named(&charts[0]["series"], "field"),
        ["one", "five", "fifteen"]
    );
    assert_eq!([&charts[0]["title"], &charts[1]["title"]], ["Load", "Beat"]);
    let form = find(&view, "Form")[0]["schema"]["properties"]
        .as_object()
        .unwrap();
    assert_eq!(form.keys().collect::<Vec<_>>(), ["title", "body", "author"]);
    let facts = find(&view, "KeyValue")[0];
    assert_eq!(named(&facts["items"], "label"), ["Zone", "Area"]);
    let labels = |component: &str| -> Vec<Value> {
        let all = find(&view, component).into_iter();
        all.map(|component| component["label"].clone()).collect()
    };
    assert_eq!(labels("TextField"), ["Z", "A"]);
    assert_eq!(labels("ActionButton"), ["Zip", "Stop", "Begin"]);
    // What the browser is sent keeps it too.
    let json = view.to_json();
    let places = ["one", "five", "fifteen"].map(|name| json.find(&format!("\"field\":\"{name}\"")));
    assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
}

#[test]
fn the_first_button_that_ends_nothing_is_the_thing_to_do_next() {
    let view = complete_for(
        json!({"actionSpec":{"cancel":{"label":"Cancel"},"save":{"label":"Save"},"copy":{"label":"Copy"}}}),
        "Save the letter",
    );
    let variants: Vec<_> = find(&view, "ActionButton")
        .into_iter()
        .map(|button| button["variant"].as_str().unwrap())
        .collect();
    assert_eq!(variants, ["default", "primary", "default"]);
    let view = complete(json!({"actionSpec":{"skipQuestion":{"label":"Skip"}}}));
    assert_eq!(find(&view, "ActionButton")[0]["variant"], "default");
}

#[test]
fn what_ends_something_looks_like_it_wherever_it_stands() {
    let reason = json!({"type":"object","properties":{"reason":{"type":"string"}}});
    let view = complete(json!({"actionSpec":{
        "reject":{"label":"Reject","schema":reason},
        "approve":{"label":"Approve"},
    }}));
    let form = find(&view, "Form")[0];
    assert_eq!([&form["tone"], &form["variant"]], ["bad", "default"]);
    assert_eq!(find(&view, "ActionButton")[0]["variant"], "primary");
    let item =
        json!({"type":"object","properties":{"id":{"type":"string"},"title":{"type":"string"}}});
    let id = json!({"type":"object","required":["id"],"properties":{"id":{"type":"string"}}});
    let ids = json!({"type":"object","required":["ids"],"properties":{"ids":{"type":"array","items":{"type":"string"}}}});
    let view = complete(json!({
        "propsSpec":{"properties":{"tasks":{"schema":{"type":"array","items":item}}}},
        "actionSpec":{"remove":{"label":"Remove","schema":id},"deleteTasks":{"label":"Delete","schema":ids}},
    }));
    let table = find(&view, "Table")[0];
    assert_eq!(table["rowActions"][0]["tone"], "bad");
    assert_eq!(table["bulkActions"][0]["tone"], "bad");
}

#[test]
fn the_buttons_of_a_page_stand_before_its_forms_only_beside_live_data() {
    let void = json!({"label":"Pause"});
    let form = json!({"label":"Set","schema":{"type":"object","properties":{"seconds":{"type":"integer"}}}});
    let actions = json!({"pause":void,"setInterval":form});
    let still = complete(json!({"actionSpec":actions}));
    assert_eq!(kinds(&still), ["Heading", "Form", "Row"]);
    let live =
        complete(json!({"streamSpec":{"cpu":{"schema":{"type":"number"}}},"actionSpec":actions}));
    assert_eq!(kinds(&live), ["Heading", "Chart", "Row", "Form"]);
    assert_eq!(page(&live)[2]["children"], json!(["pause_button"]));
    let none = complete(json!({"streamSpec":{},"actionSpec":actions}));
    assert_eq!(kinds(&none), ["Heading", "Form", "Row"]);
}

#[test]
fn a_table_right_below_the_heading_does_not_repeat_it() {
    let title = |draft: Value, intent: &str| {
        find(&complete_for(draft, intent), "Table")[0]["title"].clone()
    };
    assert_eq!(title(samples::todo_list(), "To do"), Value::Null);
    assert_eq!(title(samples::todo_list(), "My TODO list."), Value::Null);
    let mut beside = samples::todo_list();
    beside["propsSpec"]["properties"]["owner"] = json!({"schema":{"type":"string"}});
    assert_eq!(title(beside, "To do"), "Todos");
    let mut two = samples::todo_list();
    two["propsSpec"]["properties"]["dones"] = two["propsSpec"]["properties"]["todos"].clone();
    let two = complete_for(two, "To do");
    let titles: Vec<&Value> = find(&two, "Table")
        .iter()
        .map(|table| &table["title"])
        .collect();
    assert_eq!(titles, [&Value::Null, &json!("Dones")]);
    let mut filtered = samples::todo_list();
    filtered["contextSpec"] = json!({"query":{"schema":{"type":"string"}}});
    assert_eq!(title(filtered, "To do"), Value::Null);
}

#[test]
fn a_progress_bar_waits_for_an_end_only_where_there_is_one() {
    let share = json!({"type":"object","properties":{"percent":{"type":"number"}}});
    let view = complete(json!({"streamSpec":{
        "endless":{"mode":"replace","schema":share},
        "upload":{"mode":"replace","complete":true,"schema":share},
        "downloadProgress":{"mode":"replace","complete":false,"schema":{"type":"number"}}}}));
    let ends: Vec<_> = find(&view, "Progress")
        .into_iter()
        .map(|bar| bar.get("complete").map(|end| end["path"].clone()))
        .collect();
    assert_eq!(ends, [None, Some(json!("/complete/upload")), None]);
}

#[test]
fn two_charts_side_by_side_share_the_width_equally() {
    let view = complete(samples::system_monitor());
    let cards: Vec<_> = find(&view, "Chart")
        .into_iter()
        .map(|chart| {
            find(&view, "Card")
                .into_iter()
                .find(|card| card["child"] == chart["id"])
                .unwrap()
        })
        .collect();
    assert!(cards.iter().all(|card| card["weight"] == 1), "{cards:?}");
    let rows = find(&view, "Row");
    let ids: Vec<_> = cards.iter().map(|card| card["id"].clone()).collect();
    assert!(
        rows.iter().any(|row| row["children"] == json!(ids)),
        "{rows:?}"
    );
}

#[test]
fn a_state_that_a_gesture_toggles_keeps_its_column() {
    let view = complete(samples::todo_list());
    let table = find(&view, "Table")[0];
    assert_eq!(named(&table["columns"], "field"), ["title", "done"]);
    assert_eq!(table["columns"][1]["format"], "boolean");
    assert_eq!(
        named(&table["rowActions"], "action"),
        ["toggleTodo", "deleteTodo"]
    );
}

#[test]
fn ids_are_given_by_the_page_or_chosen_by_name() {
    let text = json!({"type":"string"});
    let people = json!({"type":"array","items":{"type":"object","properties":{"userId":text,"name":text},"required":["userId","name"]}});
    let run = json!({"type":"object","properties":{"id":text,"total":{"type":"number"}}});
    let view = complete(json!({
        "propsSpec":{"properties":{"run":{"schema":run},"people":{"schema":people}}},
        "actionSpec":{
            "approveRun":{"label":"Approve","schema":{"type":"object","required":["runId"],"properties":{"runId":text}}},
            "addTask":{"label":"Add","schema":{"type":"object","required":["title","assigneeId"],"properties":{"title":text,"assigneeId":text}}}}}));
    assert_eq!(
        find(&view, "ActionButton")[0]["data"]["runId"],
        json!({"path":"/props/run/id"})
    );
    let form = find(&view, "Form")[0];
    assert_eq!(
        form["choices"]["assigneeId"],
        json!({"rows":{"path":"/props/people"},"key":"userId","titleField":"name"})
    );
}

#[test]
fn state_of_the_screen_is_no_input() {
    let text = json!({"type":"string"});
    let task =
        json!({"type":"array","items":{"type":"object","properties":{"id":text,"title":text}}});
    let view = complete(json!({
        "propsSpec":{"properties":{"tasks":{"schema":task}}},
        "contextSpec":{"selectedTaskId":{"schema":text},"dragging":{"schema":text},"nameFilter":{"schema":text},
            "draft":{"schema":{"type":"object","additionalProperties":true}}}}));
    assert_eq!(find(&view, "TextField").len(), 0);
    let table = find(&view, "Table")[0];
    assert_eq!(table["search"]["path"], "/context/nameFilter");
    assert_eq!(table["value"]["path"], "/context/selectedTaskId");
}

#[test]
fn a_hint_is_used_before_any_guess() {
    let text = json!({"type":"string"});
    let state = json!({"type":"string","enum":["open","done"]});
    let tasks = json!({"type":"array","$comment":"ui: component=Board, title=Work","items":{"type":"object","properties":{"id":text,"title":text,"status":state}}});
    let view = complete(json!({
        "propsSpec":{"properties":{"tasks":{"schema":tasks},"team":{"schema":{"type":"string","$comment":"ui: headline"}}}},
        "actionSpec":{"save":{"label":"Save"},"ping":{"label":"Ping","schema":{"type":"object","$comment":"ui: primary"}}}}));
    assert_eq!(find(&view, "Board")[0]["title"], "Work");
    assert_eq!(find(&view, "Heading")[0]["text"]["path"], "/props/team");
    let variants: Vec<_> = find(&view, "ActionButton")
        .into_iter()
        .map(|button| button["variant"].as_str().unwrap())
        .collect();
    assert_eq!(variants, ["default", "primary"]);
}

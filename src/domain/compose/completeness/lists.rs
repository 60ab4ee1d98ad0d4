//! Lists that are ticked off, read change by change, answered, or named by other lists.

use serde_json::{Value, json};

use super::helpers::{complete_for, find};
use super::tasks::{action, list, page, record, text};

fn yes_or_no() -> Value {
    json!({"type":"boolean"})
}

fn one_of(words: &[&str]) -> Value {
    json!({"type":"string","enum":words})
}

#[test]
fn what_is_ticked_off_is_a_list_of_tasks_with_the_actions_that_do_it() {
    let items = json!({"itemId":text(),"text":text(),"required":yes_or_no(),"done":yes_or_no()});
    let id = json!({"itemId":text()});
    let draft = page(
        json!({"items":list(items)}),
        json!({"tickItem":action("Tick", id.clone()),"untickItem":action("Untick", id)}),
        json!({}),
    );
    let view = complete_for(draft, "Go through the checklist");
    let tasks = find(&view, "Tasks")[0];
    assert_eq!(
        [&tasks["titleField"], &tasks["doneField"]],
        ["text", "done"]
    );
    assert_eq!(
        [&tasks["tick"], &tasks["untick"]],
        ["tickItem", "untickItem"]
    );
    assert_eq!(tasks["requiredField"], "required");
    assert!(find(&view, "Table").is_empty());
}

#[test]
fn points_that_get_a_result_are_tasks_in_their_areas_and_open_until_then() {
    let points = json!({
        "key":text(),"area":one_of(&["cab","front"]),"what":text(),
        "result":one_of(&["not_checked","no_defect","defect"]),
    });
    let draft = page(
        json!({"points":list(points)}),
        json!({"pass":action("No defect", json!({"pointKey":text()}))}),
        json!({}),
    );
    let view = complete_for(draft, "Go round the vehicle");
    let tasks = find(&view, "Tasks")[0];
    assert_eq!(tasks["openValues"], json!(["not_checked"]));
    assert_eq!(
        [&tasks["groupField"], &tasks["doneField"]],
        ["area", "result"]
    );
}

#[test]
fn texts_before_and_after_are_changes_unless_they_say_what_happened() {
    let clauses =
        json!({"clauseId":text(),"number":text(),"heading":text(),"before":text(),"after":text()});
    let accept = json!({"accept":action("Accept", json!({"clauseId":text()}))});
    let draft = page(json!({"clauses":list(clauses)}), accept, json!({}));
    let view = complete_for(draft, "Compare the wordings");
    let changes = find(&view, "Changes")[0];
    assert_eq!(
        [&changes["beforeField"], &changes["afterField"]],
        ["before", "after"]
    );
    assert_eq!(
        [&changes["titleField"], &changes["numberField"]],
        ["heading", "number"]
    );
    assert_eq!(changes["rowActions"][0]["variant"], "primary");
    let at = json!({"type":"string","format":"date-time"});
    let events = json!({"at":at,"what":text(),"oldSeal":text(),"newSeal":text()});
    let draft = page(json!({"events":list(events)}), json!({}), json!({}));
    assert!(find(&complete_for(draft, "What happened"), "Changes").is_empty());
}

fn quiz(payload: Value) -> Value {
    let options = list(json!({"key":text(),"text":text()}));
    let questions = json!({"questionId":text(),"stem":text(),"options":options});
    let course = record(json!({"courseId":text(),"title":text()}));
    page(
        json!({"course":course,"questions":list(questions)}),
        json!({"handIn":action("Hand in", payload)}),
        json!({}),
    )
}

#[test]
fn answers_that_are_handed_in_together_are_taken_by_the_quiz() {
    let answers = json!({"type":"object","additionalProperties":text()});
    let draft = quiz(json!({"courseId":text(),"answers":answers}));
    let view = complete_for(draft, "Quiz the crew");
    let asked = find(&view, "Quiz")[0];
    // An option is what it says, and known by its letter.
    assert_eq!(
        [&asked["optionField"], &asked["optionKey"]],
        ["text", "key"]
    );
    let found = &asked["handIn"];
    assert_eq!(
        [&found["action"], &found["to"], &found["as"]],
        ["handIn", "answers", "map"]
    );
    assert_eq!(found["given"]["courseId"]["path"], "/props/course/courseId");
    let keys = json!({"type":"array","items":text()});
    let each = json!({"questionId":text(),"keys":keys,"value":{"type":"number"}});
    let draft = quiz(json!({"answers":list(each)}));
    let view = complete_for(draft, "Quiz the crew");
    let found = &find(&view, "Quiz")[0]["handIn"];
    assert_eq!([&found["as"], &found["id"]], ["list", "questionId"]);
    assert_eq!([&found["values"], &found["number"]], ["keys", "value"]);
    assert_eq!(found.get("inputs"), None);
    // What is chosen and what is counted may be two shapes of an answer.
    let shapes = json!([
        record(json!({"questionId":text(),"keys":{"type":"array","items":text()}})),
        record(json!({"questionId":text(),"value":{"type":"number"}})),
    ]);
    let draft = quiz(json!({"answers":{"type":"array","items":{"oneOf":shapes}}}));
    let view = complete_for(draft, "Quiz the crew");
    let found = &find(&view, "Quiz")[0]["handIn"];
    assert_eq!([&found["values"], &found["number"]], ["keys", "value"]);
}

#[test]
fn one_answer_is_checked_before_all_are_handed_in() {
    let keys = json!({"type":"array","items":text()});
    let each = record(json!({"questionId":text(),"keys":keys}));
    let check = json!({"label":"Check answer","schema":each});
    let mut draft = quiz(json!({"answers":{"type":"array","items":each}}));
    let kind = json!({"type":"string","enum":["single_choice","multiple_choice"]});
    let question = "/propsSpec/properties/questions/schema/items/properties";
    draft.pointer_mut(question).unwrap()["kind"] = kind;
    // Whichever the contract names first.
    for name in ["checkAnswer", "zCheckAnswer"] {
        let mut draft = draft.clone();
        draft["actionSpec"][name] = check.clone();
        let view = complete_for(draft, "Quiz the crew");
        let asked = find(&view, "Quiz")[0];
        assert_eq!(asked["handIn"]["action"], "handIn");
        assert_eq!(asked["pick"]["action"], name);
        assert_eq!(asked["pick"]["to"], "keys");
        assert_eq!(asked["pick"]["several"], true);
        assert_eq!(asked["severalField"], "kind");
    }
}

#[test]
fn what_is_asked_for_beside_the_answers_stands_in_a_dialog() {
    let answers = json!({"type":"object","additionalProperties":text()});
    let draft = quiz(json!({"courseId":text(),"answers":answers,"team":text()}));
    let view = complete_for(draft, "Quiz the crew");
    let found = &find(&view, "Quiz")[0]["handIn"];
    assert_eq!(found["to"], "answers");
    let asked = found["inputs"]["properties"].as_object().expect("inputs");
    assert_eq!(asked.keys().collect::<Vec<_>>(), ["team"]);
    assert_eq!(found["inputs"]["required"], json!(["team"]));
}

#[test]
fn rows_of_values_are_a_matrix_named_by_the_lists_before_them() {
    let named = |id: &str| list(json!({id:text(),"name":text()}));
    let rows = json!({"type":"array","items":{"type":"array","items":{"type":"integer"}}});
    let draft = page(
        json!({"teeth":named("tooth"),"sites":named("code"),"depths":rows}),
        json!({}),
        json!({}),
    );
    let view = complete_for(draft, "Lay out the depths");
    let matrix = find(&view, "Matrix")[0];
    assert_eq!(matrix["rowNames"]["rows"]["path"], "/props/teeth");
    assert_eq!(matrix["columnNames"]["rows"]["path"], "/props/sites");
}

#[test]
fn plain_numbers_name_what_stands_in_rows_of_shares_and_are_no_chart() {
    let share = json!({"type":"number","minimum":0,"maximum":1});
    let rows = json!({"type":"array","items":{"type":"array","items":share}});
    let weeks = json!({"type":"array","items":{"type":"integer"}});
    let cohorts = list(json!({"id":text(),"name":text(),"size":{"type":"integer"}}));
    let draft = page(
        json!({"cohorts":cohorts,"weeksSince":weeks,"retention":rows}),
        json!({}),
        json!({}),
    );
    let view = complete_for(draft, "Who comes back");
    let matrix = find(&view, "Matrix")[0];
    assert_eq!(matrix["rowNames"]["rows"]["path"], "/props/cohorts");
    assert_eq!(matrix["columnNames"]["rows"]["path"], "/props/weeksSince");
    assert_eq!(matrix["columnNames"]["key"], "");
    assert_eq!(matrix["format"], "ratio");
    assert!(find(&view, "Chart").is_empty());
}

#[test]
fn seats_may_stand_in_rows_that_have_no_name() {
    let seat = record(json!({"seat":text(),"state":one_of(&["free","taken"])}));
    let rows = json!({"type":"array","items":{"type":"array","items":seat}});
    let draft = page(json!({"car":rows}), json!({}), json!({}));
    let view = complete_for(draft, "Show the dining car");
    let seats = find(&view, "Seats")[0];
    assert_eq!(
        [&seats["numberField"], &seats["statusField"]],
        ["seat", "state"]
    );
    assert!(seats.get("rowField").is_none());
}

#[test]
fn what_a_form_asks_for_inside_a_record_is_chosen_by_its_name_too() {
    let hearing = record(json!({"courtId":text(),"mode":text()}));
    let payload = json!({"name":text(),"facts":text(),"hearing":hearing});
    let draft = page(
        json!({"courts":list(json!({"courtId":text(),"name":text()}))}),
        json!({"fileClaim":action("File claim", payload)}),
        json!({}),
    );
    let view = complete_for(draft, "File a small claim");
    let chosen = &find(&view, "Form")[0]["choices"]["hearing/courtId"];
    assert_eq!(chosen["rows"]["path"], "/props/courts");
    assert_eq!(chosen["titleField"], "name");
}

#[test]
fn records_by_their_keys_are_rows_and_pence_are_pounds() {
    let band = record(json!({"name":text(),"pricePence":{"type":"integer"}}));
    let bands = json!({"type":"object","additionalProperties":band});
    let view = complete_for(
        page(json!({"bands":bands}), json!({}), json!({})),
        "Show the bands",
    );
    let table = find(&view, "Table")[0];
    assert_eq!(table["rows"]["path"], "/props/bands");
    let price = &table["columns"][1];
    assert_eq!([&price["format"], &price["currency"]], ["money", "GBP"]);
    assert_eq!(price["label"], "Price");
}

#[test]
fn a_whole_amount_beside_its_currency_counts_the_smallest_unit() {
    let amount = |of: &str| record(json!({"amount":{"type":of},"currency":text()}));
    let rows = json!({"title":text(),"quote":amount("integer"),"worth":amount("number")});
    let draft = page(json!({"jobs":list(rows)}), json!({}), json!({}));
    let view = complete_for(draft, "Show the jobs as a table");
    let columns = &find(&view, "Table")[0]["columns"];
    let format = |nth: usize| &columns[nth]["parts"][0]["format"];
    assert_eq!([format(1), format(2)], ["money", "currency"]);
}

//! What belongs together though it stands apart: a month and its calendar, votes and their poll, what
//! was said and what it was said of.

use serde_json::{Value, json};

use super::helpers::{complete_for, find};
use super::tasks::{list, page, record, text};

fn date() -> Value {
    json!({"type":"string","format":"date"})
}

#[test]
fn the_month_or_week_in_sight_belongs_to_the_calendar() {
    let sessions = list(json!({"id":text(),"date":date(),"startsAt":text(),"title":text()}));
    let asked = |slot: &str| {
        let draft = page(
            json!({"sessions":sessions}),
            json!({}),
            json!({slot:{"schema":text()}}),
        );
        complete_for(draft, "Put my training on a calendar")
    };
    for slot in ["shownWeek", "month", "selectedDay"] {
        let view = asked(slot);
        let calendar = find(&view, "Calendar")[0];
        assert_eq!(calendar["shown"]["path"], format!("/context/{slot}"));
        // A time of day belongs to no day.
        assert_eq!(calendar["startField"], "date");
        assert!(find(&view, "TextField").is_empty());
    }
    assert_eq!(find(&asked("note"), "TextField").len(), 1);
}

#[test]
fn an_action_on_a_change_is_offered_at_the_change_and_not_at_what_was_said_of_it() {
    let changes = list(json!({"changeId":text(),"stop":text(),"before":text(),"after":text()}));
    let comments = list(json!({"changeId":text(),"by":text(),"at":text(),"text":text()}));
    let comment = record(json!({"changeId":text(),"text":text()}));
    let draft = page(
        json!({"changes":changes,"comments":comments}),
        json!({"commentOnStop":{"label":"Comment","schema":comment}}),
        json!({}),
    );
    let view = complete_for(draft, "Compare the old and the new times");
    let at = |component: &str| &find(&view, component)[0]["rowActions"][0]["action"];
    assert_eq!(at("Changes"), "commentOnStop");
    assert!(find(&view, "Timeline")[0].get("rowActions").is_none());
}

#[test]
fn a_list_of_counts_that_is_replaced_is_the_result_of_the_poll() {
    let options = list(json!({"key":text(),"text":text(),"votes":{"type":"integer"}}));
    let mut draft = page(
        json!({"question":text(),"options":options}),
        json!({"vote":{"label":"Vote","schema":record(json!({"key":text()}))}}),
        json!({}),
    );
    let tally = list(json!({"key":text(),"votes":{"type":"integer"}}));
    draft["streamSpec"] = json!({"tally":{"mode":"replace","schema":tally}});
    let view = complete_for(draft, "Vote on the quiet hours");
    let poll = find(&view, "Poll")[0];
    assert_eq!(poll["results"]["path"], "/streams/tally");
    assert_eq!(poll["titleField"], "text");
    assert!(find(&view, "Table").is_empty());
}

#[test]
fn some_values_of_all_records_at_once_change_those_records() {
    let sites = list(json!({"siteId":text(),"name":text(),"level":{"type":"number"}}));
    let draft = |levels: Value| {
        let mut draft = page(json!({"sites":sites}), json!({}), json!({}));
        draft["streamSpec"] = json!({"levels":{"mode":"replace","schema":levels}});
        complete_for(draft, "Show the sites")
    };
    let part = draft(list(json!({"siteId":text(),"level":{"type":"number"}})));
    assert_eq!(find(&part, "Table").len(), 1);
    assert_eq!(
        find(&part, "Table")[0]["changes"]["path"],
        "/streams/levels"
    );
    // With all their values they also say which records are there no more.
    assert_eq!(find(&draft(sites.clone()), "Table").len(), 2);
}

#[test]
fn the_name_of_a_new_record_is_typed_and_the_records_it_refers_to_are_chosen() {
    let jobs = list(json!({"id":text(),"job":text(),"date":date()}));
    let sections = list(json!({"anchor":text(),"heading":text(),"body":text()}));
    let new = record(json!({"job":text(),"date":date()}));
    let draft = page(
        json!({"jobs":jobs,"sections":sections}),
        json!({
            "addJob":{"label":"Add job","schema":new},
            "askQuestion":{"label":"Ask","schema":record(json!({"anchor":text(),"text":text()}))}}),
        json!({}),
    );
    let view = complete_for(draft, "Show the jobs");
    let asked = &find(&view, "Article")[0]["rowActions"][0];
    assert_eq!(asked["action"], "askQuestion");
    assert_eq!(asked["fixed"]["anchor"], "anchor");
    let added = find(&view, "Form")[0];
    assert_eq!(added["action"], "addJob");
    assert!(added.get("chosen").is_none(), "{added}");
}

#[test]
fn the_reason_for_a_refusal_does_not_begin_with_the_reason_for_the_proposal() {
    let proposal = record(json!({"title":text(),"reason":text()}));
    let form = |asked: Value| {
        let draft = page(
            json!({"proposal":proposal}),
            json!({"sendBack":{"label":"Send back","schema":record(asked)}}),
            json!({}),
        );
        let view = complete_for(draft, "Decide on the proposal");
        find(&view, "Form")[0].to_string()
    };
    assert!(form(json!({"title":text()})).contains("/props/proposal"));
    assert!(!form(json!({"reason":text()})).contains("/props/proposal"));
}

#[test]
fn the_id_of_a_record_in_a_map_is_chosen_by_its_name() {
    let games = json!({"type":"object","additionalProperties":record(json!({"name":text()}))});
    let streams = list(json!({"id":text(),"title":text(),"plant":text(),"on":date()}));
    let asked = json!({"title":text(),"game_id":text(),"plant":text(),"on":date()});
    let draft = page(
        json!({"games":games,"plants":games,"streams":streams}),
        json!({"addStream":{"label":"Add a stream","schema":record(asked)}}),
        json!({}),
    );
    let view = complete_for(draft, "Plan the streams of the week");
    let choices = &find(&view, "Form")[0]["choices"];
    assert_eq!(
        choices["game_id"],
        json!({"rows":{"path":"/props/games"},"key":"game_id","titleField":"name"})
    );
    assert_eq!(choices["plant"]["rows"]["path"], "/props/plants");
    assert!(choices.get("title").is_none());
}

//! Pages whose lists say of no component outright that it suits them, so that the words of the contract decide.

use serde_json::{Value, json};

use super::super::composer::planned;
use super::helpers::{compiled, complete_for, find};
use super::tasks::{action, list, page, record, text};

fn draft(props: Value, actions: Value) -> Value {
    page(props, actions, json!({}))
}

fn number() -> Value {
    json!({"type": "number"})
}

#[test]
fn what_is_moved_to_another_group_stands_in_columns_of_groups() {
    let draft = draft(
        json!({
            "groups": list(json!({"group_id": text(), "name": text()})),
            "children": list(json!({"child_id": text(), "name": text(), "age": number(), "group_id": text()})),
        }),
        json!({"move_child": action("Move", json!({"child_id": text(), "to_group_id": text()}))}),
    );
    let view = complete_for(
        draft,
        "Drag-and-drop board: every child under a group, and moved when the level is wrong",
    );
    assert_eq!(find(&view, "Board")[0]["groupField"], "group_id");
}

#[test]
fn what_was_measured_of_a_bin_is_drawn_and_what_is_done_is_done_with_the_bin() {
    let day = json!({"type": "string", "format": "date"});
    let draft = draft(
        json!({
            "readings": list(json!({"bin_id": text(), "measured_on": day, "temp_c": number()})),
            "bins": list(json!({"bin_id": text(), "name": text(), "grain": text()})),
        }),
        json!({"start_fan": action("Start fan", json!({"bin_id": text()}))}),
    );
    let view = complete_for(draft, "Grain temperature per bin over the last days");
    assert_eq!(find(&view, "Chart")[0]["seriesField"], "bin_id");
    let table = find(&view, "Table")[0];
    assert_eq!(table["rowActions"][0]["action"], "start_fan");
}

#[test]
fn matches_without_a_name_are_called_by_their_round_and_stand_below_the_one_they_feed() {
    let round = json!({"type": "string", "enum": ["grandFinal", "semiFinal"]});
    let draft = draft(
        json!({"matches": list(json!({
            "matchId": text(),
            "feedsMatchId": {"type": ["string", "null"]},
            "round": round,
            "bestOf": {"type": "integer"},
        }))}),
        json!({}),
    );
    let view = complete_for(draft, "The bracket of the league");
    let tree = find(&view, "Tree")[0];
    assert_eq!(tree["titleField"], "round");
    assert_eq!(tree["titleFormat"], "choice");
}

#[test]
fn what_a_chart_has_no_place_for_stands_in_rows_below_it() {
    let day = json!({"type": "string", "format": "date"});
    let draft = draft(
        json!({"counts": list(json!({"day": day, "walkers": number(), "weather": text(), "ranger": text()}))}),
        json!({}),
    );
    let view = complete_for(draft, "Walkers over the last weeks, day by day");
    assert_eq!(find(&view, "Chart").len(), 1);
    let rows = find(&view, "Table")[0];
    assert_eq!(rows["columns"].as_array().unwrap().len(), 4);
}

#[test]
fn a_record_that_is_one_text_is_an_article_with_who_wrote_it_above() {
    let time = json!({"type": "string", "format": "date-time"});
    let contract = |name: &str| {
        let mut article = record(json!({"articleId": text(), "title": text(),
            "standfirst": text(), "author": text(), "publishedAt": time}));
        article["properties"][name] = text();
        article["required"]
            .as_array_mut()
            .unwrap()
            .push(json!(name));
        draft(json!({"article": article}), json!({}))
    };
    for (name, format) in [("bodyMarkdown", json!("markdown")), ("body", Value::Null)] {
        let view = complete_for(
            contract(name),
            "A readable piece for people who gather garlic",
        );
        let article = find(&view, "Article")[0];
        assert_eq!(article["record"]["path"], "/props/article");
        assert_eq!(article["textField"], name);
        assert_eq!(article["textFormat"], format);
        assert_eq!(article["leadField"], "standfirst");
        // The title is the headline already.
        assert_eq!(article["titleField"], Value::Null);
        let columns = article["columns"].as_array().unwrap().iter();
        let columns: Vec<&str> = columns
            .filter_map(|column| column["field"].as_str())
            .collect();
        assert_eq!(columns, ["author", "publishedAt"]);
    }
}

#[test]
fn points_are_ticked_off_that_a_record_says_are_done() {
    let done = json!({"anyOf": [{"type": "null"}, record(json!({"by": text(), "at": text()}))]});
    let point = json!({"checkpoint_id": text(), "text": text(), "done": done, "note": text()});
    let draft = draft(
        json!({"checkpoints": list(point)}),
        json!({"complete_checkpoint": action("Done", json!({"checkpoint_id": text()}))}),
    );
    let view = complete_for(draft, "Go through the chamber point by point");
    assert_eq!(find(&view, "Tasks")[0]["doneField"], "done");
}

#[test]
fn a_change_may_be_one_of_a_text_or_of_a_number() {
    let value = json!({"anyOf": [text(), {"type": "integer"}, {"type": "null"}]});
    let change = json!({"change_id": text(), "section": text(), "before": value, "after": value});
    let draft = draft(
        json!({"changes": list(change)}),
        json!({"approve_amendment": action("Approve", json!({"conditions": text()}))}),
    );
    let view = complete_for(draft, "Put every changed passage next to what it replaces");
    let changes = find(&view, "Changes")[0];
    // How each is written says its column.
    let columns = changes["columns"].as_array().unwrap();
    assert!(columns.iter().any(|column| column["field"] == "after"));
}

#[test]
fn sections_of_several_paragraphs_are_read_as_an_article() {
    let block = json!({"kind": {"const": "plain"}, "text": text()});
    for body in [list(block), json!({"type": "array", "items": text()})] {
        let section =
            json!({"section_id": text(), "number": text(), "heading": text(), "blocks": body});
        let draft = draft(json!({"sections": list(section)}), json!({}));
        let view = complete_for(draft, "Read the deed in peace, section by section");
        assert_eq!(find(&view, "Article")[0]["textField"], "blocks");
    }
}

#[test]
fn a_card_for_each_record_is_a_card() {
    let strain = json!({"strain_id": text(), "name": text(), "aroma": text()});
    let draft = draft(
        json!({"strains": list(strain)}),
        json!({"reserve": action("Reserve", json!({"strain_id": text(), "litres": number()}))}),
    );
    let view = complete_for(draft, "Our yeast bank as a card per strain");
    assert_eq!(find(&view, "Cards").len(), 1);
}

#[test]
fn a_number_of_each_week_is_drawn_as_one_line_for_each_of_whom_it_is() {
    let average = json!({"player_id": text(), "week": {"type": "integer"}, "average": number()});
    let entered = average.clone();
    let draft = draft(
        json!({
            "players": list(json!({"player_id": text(), "name": text()})),
            "averages": list(average),
        }),
        json!({"enter_week": action("Enter week", entered)}),
    );
    let view = complete_for(draft.clone(), "Averages week by week, one line each");
    let chart = find(&view, "Chart")[0];
    assert_eq!(chart["x"], "week");
    assert_eq!(chart["seriesField"], "player_id");
    let view = complete_for(draft, "Averages of the players by week");
    assert_eq!(find(&view, "Matrix").len(), 1);
}

#[test]
fn tasks_are_ticked_off_by_their_state() {
    let state =
        json!({"type": "string", "enum": ["done", "stillOpen", "failedOnce", "notApplicable"]});
    let task = json!({"taskId": text(), "title": text(), "state": state});
    let draft = draft(
        json!({"tasks": list(task)}),
        json!({"tickTask": action("Tick off", json!({"taskId": text(), "remark": text()}))}),
    );
    let view = complete_for(draft, "Let the team tick things off as they go");
    let tasks = find(&view, "Tasks")[0];
    assert_eq!(tasks["doneField"], "state");
    assert_eq!(tasks["openValues"], json!(["stillOpen", "failedOnce"]));
}

#[test]
fn runs_with_a_number_of_their_own_are_no_pairs_of_what_they_refer_to() {
    let run = json!({"run_no": {"type": "integer"}, "model_key": text(), "dataset_key": text(), "score": number()});
    let launched =
        json!({"model_key": text(), "dataset_key": text(), "epochs": {"type": "integer"}});
    let draft = draft(
        json!({
            "models": list(json!({"model_key": text(), "name": text()})),
            "datasets": list(json!({"dataset_key": text(), "name": text()})),
            "runs": list(run),
        }),
        json!({"launch_run": action("Launch the run", launched)}),
    );
    let view = complete_for(draft, "Form to launch a run");
    assert!(find(&view, "Matrix").is_empty());
}

#[test]
fn pieces_stand_below_the_one_they_were_cut_from() {
    let piece = json!({
        "id": text(),
        "par": {"type": ["string", "null"]},
        "lbl": text(),
        "top_m": number(),
        "note": {"type": ["string", "null"]},
    });
    let draft = draft(json!({"pcs": list(piece)}), json!({}));
    let view = complete_for(draft, "How was the core cut?");
    assert_eq!(find(&view, "Tree")[0]["parentField"], "par");
}

#[test]
fn deals_that_somebody_leads_are_no_tree() {
    let stage = json!({"type": "string", "enum": ["first_look", "term_sheet", "passed_on"]});
    let lead = json!({"type": ["string", "null"]});
    let draft = draft(
        json!({
            "members": list(json!({"member_id": text(), "name": text()})),
            "deals": list(json!({"deal_id": text(), "company": text(), "stage": stage, "lead_id": lead})),
        }),
        json!({"move_deal": action("Move to", json!({"deal_id": text(), "stage": stage}))}),
    );
    let view = complete_for(draft, "Our deal flow as a board");
    assert_eq!(find(&view, "Board")[0]["groupField"], "stage");
}

#[test]
fn what_is_ticked_off_is_ok_then() {
    let check = json!({"k": text(), "text": text(), "must": {"type": "boolean"}, "ok": {"type": "boolean"}});
    let draft = draft(
        json!({"checks": list(check)}),
        json!({
            "tick": action("Tick", json!({"k": text(), "by": text()})),
            "skip": action("Skip", json!({"k": text()})),
        }),
    );
    let view = complete_for(draft, "Tick list for the session");
    assert_eq!(find(&view, "Tasks")[0]["doneField"], "ok");
}

#[test]
fn what_a_tick_sets_says_that_a_task_is_done() {
    let yes_or_no = json!({"type": "boolean"});
    let item =
        json!({"itemId": text(), "label": text(), "loaded": yes_or_no, "fragile": yes_or_no});
    let ticked = json!({"itemId": text(), "loaded": yes_or_no});
    let draft = draft(
        json!({"items": list(item)}),
        json!({"tickItem": action("In the van", ticked)}),
    );
    let view = complete_for(draft, "Tick each case into the van");
    assert_eq!(find(&view, "Tasks")[0]["doneField"], "loaded");
}

#[test]
fn another_record_is_chosen_by_a_word_for_it() {
    let class = json!({"classId": text(), "name": text(), "retired": {"type": "boolean"}});
    let project = json!({"projectId": text(), "title": text(), "blurb": text(), "place": text()});
    let draft = draft(
        json!({
            "classes": list(class),
            "projects": list(project),
        }),
        json!({
            "retireClass": action("Retire", json!({"classId": text(), "replacementId": text()})),
            "castVote": action("Vote", json!({"firstChoiceId": text(), "secondChoiceId": text()})),
        }),
    );
    let plan = planned(&compiled(&draft), "Vote for a project");
    let chosen = |action: &str, member: &str| {
        let offer = plan.offer(action).unwrap();
        offer.chosen.get(member).map(|found| found.rows.clone())
    };
    assert_eq!(
        chosen("retireClass", "replacementId").as_deref(),
        Some("/props/classes")
    );
    assert_eq!(
        chosen("castVote", "secondChoiceId").as_deref(),
        Some("/props/projects")
    );
}

#[test]
fn scores_of_surveys_are_lines_over_the_surveys() {
    let day = json!({"type": "string", "format": "date"});
    let score =
        json!({"depotId": text(), "waveId": text(), "engagement": number(), "answered": number()});
    let draft = draft(
        json!({
            "waves": list(json!({"waveId": text(), "label": text(), "fieldStart": day})),
            "depots": list(json!({"depotId": text(), "name": text()})),
            "scores": list(score),
        }),
        json!({}),
    );
    let view = complete_for(
        draft,
        "Chart how engagement moved over the last surveys, as a line chart",
    );
    let chart = find(&view, "Chart")[0];
    assert_eq!([&chart["x"], &chart["seriesField"]], ["waveId", "depotId"]);
}

#[test]
fn changes_that_somebody_made_at_a_moment_are_changes() {
    let time = json!({"type": "string", "format": "date-time"});
    let wording = json!({"type": ["string", "null"]});
    let change = json!({"change_id": text(), "before": wording, "after": wording, "changed_by": text(), "changed_at": time});
    let draft = draft(
        json!({"changes": list(change)}),
        json!({
            "accept_change": action("Accept", json!({"change_id": text()})),
            "reject_change": action("Reject", json!({"change_id": text(), "reason": text()})),
        }),
    );
    let view = complete_for(
        draft,
        "What changed? Show old against new wording for every change",
    );
    assert_eq!(find(&view, "Changes").len(), 1);
}

#[test]
fn how_full_each_store_is_now_is_read_one_by_one() {
    let store =
        json!({"store_id": text(), "label": text(), "level": number(), "capacity": number()});
    let draft = draft(json!({"stores": list(store)}), json!({}));
    let view = complete_for(
        draft.clone(),
        "Show every store against what it can hold, as it is now",
    );
    assert_eq!(find(&view, "Cards").len(), 1);
    let view = complete_for(draft, "All stores as a table, as they are now");
    assert!(find(&view, "Cards").is_empty());
}

#[test]
fn words_as_registered_became_the_words_as_requested() {
    let correction = json!({"corrId": text(), "asRegistered": text(), "asRequested": text()});
    let draft = draft(json!({"corrections": list(correction)}), json!({}));
    let view = complete_for(draft, "What would change in this birth entry");
    assert_eq!(find(&view, "Changes")[0]["beforeField"], "asRegistered");
}

#[test]
fn stops_from_one_moment_to_another_stand_in_a_calendar() {
    let time = json!({"type": "string", "format": "date-time"});
    let stop = json!({"id": text(), "t0": time, "t1": time, "what": text()});
    let draft = draft(json!({"stops": list(stop)}), json!({}));
    let view = complete_for(draft, "Our weekend, day after day");
    assert_eq!(find(&view, "Calendar")[0]["endField"], "t1");
}

//! What a page is for: its steps, its votes, its boards, and the action that stands out.

use serde_json::{Value, json};

use super::super::composer::planned;
use super::super::plan::Plan;
use super::helpers::{compiled, complete_for, find};

fn text() -> Value {
    json!({"type":"string"})
}

fn record(properties: Value) -> Value {
    let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
    json!({"type":"object","required":names.clone(),"properties":properties})
}

fn list(properties: Value) -> Value {
    json!({"type":"array","items":record(properties)})
}

fn page(props: Value, actions: Value, slots: Value) -> Value {
    let props: Value = props
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, schema)| (name.clone(), json!({"schema":schema,"required":true})))
        .collect::<serde_json::Map<_, _>>()
        .into();
    json!({"propsSpec":{"properties":props},"actionSpec":actions,"contextSpec":slots})
}

fn plan(draft: &Value, intent: &str) -> Plan {
    complete_for(draft.clone(), intent);
    planned(&compiled(draft), intent)
}

#[test]
fn steps_that_lead_to_the_form_of_the_main_action_are_that_form_step_by_step() {
    let form = record(json!({"passport":text(),"arrival":text(),"purpose":text()}));
    let draft = page(
        json!({"steps":list(json!({"key":text(),"title":text(),"hint":text()}))}),
        json!({"apply":{"label":"Apply","schema":form}}),
        json!({"currentStep":{"schema":text()}}),
    );
    let view = complete_for(draft, "Lead the traveller through the application");
    let wizard = find(&view, "Wizard")[0];
    assert_eq!(wizard["action"], "apply");
    assert_eq!(wizard["current"]["path"], "/context/currentStep");
    assert_eq!(
        [&wizard["labelField"], &wizard["hintField"]],
        ["title", "hint"]
    );
    assert!(find(&view, "Form").is_empty() && find(&view, "Stepper").is_empty());
}

#[test]
fn steps_that_the_agent_leads_through_stand_above_the_form_of_the_one_step() {
    let form = record(json!({"name":text(),"zone":text(),"size":text()}));
    let draft = page(
        json!({"steps":{"type":"array","items":text()},"currentStep":{"type":"integer"}}),
        json!({"next":{"label":"Next","schema":form.clone()},"apply":{"label":"Apply","schema":form}}),
        json!({}),
    );
    let view = complete_for(draft, "Set up the workspace");
    assert!(find(&view, "Wizard").is_empty() && !find(&view, "Stepper").is_empty());
}

#[test]
fn an_action_that_votes_makes_a_poll_whatever_its_verb() {
    let draft = page(
        json!({"choices":list(json!({"choiceId":text(),"text":text(),"votes":{"type":"integer"}}))}),
        json!({"castVote":{"label":"Vote","schema":record(json!({"choiceId":text()}))}}),
        json!({}),
    );
    let plan = plan(&draft, "Ask the residents which colour they want");
    assert_eq!(plan.parts[0].component, "Poll");
    assert_eq!(plan.primary.as_deref(), Some("castVote"));
}

#[test]
fn records_that_an_action_says_where_to_put_stand_in_columns() {
    let cards = list(json!({"guestId":text(),"name":text()}));
    let draft = page(
        json!({"tables":list(json!({"tableId":text(),"label":text(),"guests":cards}))}),
        json!({"seat":{"label":"Seat","schema":record(json!({"guestId":text(),"toTableId":text()}))}}),
        json!({}),
    );
    let plan = plan(&draft, "Help the couple to seat their guests");
    assert_eq!(plan.parts[0].component, "Board");
    assert_eq!(plan.parts[0].roles["cardsField"], "guests");
}

#[test]
fn who_decides_on_requests_reads_them_and_needs_no_calendar() {
    let day = json!({"type":"string","format":"date"});
    let rows = list(json!({"id":text(),"name":text(),"startDate":day,"endDate":day}));
    let draft = |action: &str| {
        page(
            json!({"requests":rows}),
            json!({action:{"label":"Do","schema":record(json!({"requestId":text()}))}}),
            json!({}),
        )
    };
    let shown = |action: &str| {
        plan(&draft(action), "Look at requests").parts[0]
            .component
            .clone()
    };
    assert_eq!(shown("approveRequest"), "Table");
    assert_eq!(shown("moveRequest"), "Calendar");
}

#[test]
fn a_verb_beside_the_point_is_the_point_where_there_is_something_to_fill_in() {
    let report = record(json!({"day":text(),"child":text(),"reason":text()}));
    let draft = |schema: Option<&Value>| {
        let mut entry = json!({"label":"Report"});
        if let Some(schema) = schema {
            entry["schema"] = schema.clone();
        }
        page(
            json!({"subject":text()}),
            json!({"reportAbsence":entry,"printPlan":{"label":"Print"}}),
            json!({}),
        )
    };
    let main = |schema| plan(&draft(schema), "Show the plan").primary;
    assert_eq!(main(Some(&report)).as_deref(), Some("reportAbsence"));
    assert_eq!(main(None), None);
}

#[test]
fn what_is_the_headline_is_not_said_again_among_the_facts() {
    let draft = page(
        json!({"document":record(json!({"title":text(),"party":text(),"place":text()}))}),
        json!({}),
        json!({}),
    );
    let plan = plan(&draft, "Show the agreement");
    assert_eq!(plan.headline.path.as_deref(), Some("/props/document/title"));
    let facts = &plan.parts[0].fields;
    assert!(
        !facts.is_empty()
            && facts
                .iter()
                .all(|shown| shown.field != "/props/document/title")
    );
}

//! What a page is for: its steps, its votes, its boards, and the action that stands out.

use serde_json::{Value, json};

use super::super::composer::planned;
use super::super::plan::{Place, Plan};
use super::helpers::{compiled, complete_for, find};

pub(super) fn text() -> Value {
    json!({"type":"string"})
}

pub(super) fn record(properties: Value) -> Value {
    let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
    json!({"type":"object","required":names.clone(),"properties":properties})
}

pub(super) fn list(properties: Value) -> Value {
    json!({"type":"array","items":record(properties)})
}

pub(super) fn action(label: &str, payload: Value) -> Value {
    json!({"label":label,"schema":record(payload)})
}

pub(super) fn page(props: Value, actions: Value, slots: Value) -> Value {
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
    let draft = page(
        json!({"subject":text()}),
        json!({"reportAbsence":{"label":"Report","schema":report},"printPlan":{"label":"Print"}}),
        json!({}),
    );
    let plan = plan(&draft, "Show the plan");
    assert_eq!(plan.primary.as_deref(), Some("reportAbsence"));
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

fn with_channel(mut draft: Value, name: &str, schema: Value) -> Value {
    draft["streamSpec"] = json!({name: {"schema": schema}});
    draft
}

#[test]
fn a_channel_with_the_id_of_a_record_and_values_of_it_changes_that_record_in_place() {
    let states = json!({"type":"string","enum":["open","done"]});
    let row = json!({"taskId":text(),"title":text(),"state":states,"place":record(json!({"hall":text()}))});
    let draft = page(json!({"tasks":list(row)}), json!({}), json!({}));
    let drawn = |schema: Value| {
        let view = complete_for(
            with_channel(draft.clone(), "taskMoved", schema),
            "Show the tasks",
        );
        let tables: Vec<Value> = find(&view, "Table").into_iter().cloned().collect();
        tables
    };
    let beside = drawn(record(json!({"taskId":text(),"state":states})));
    assert_eq!(beside.len(), 1);
    assert_eq!(beside[0]["changes"]["path"], "/streams/taskMoved");
    assert!(beside[0].get("changesKey").is_none() && beside[0].get("changesAdd").is_none());
    let inside = drawn(record(
        json!({"taskId":text(),"patch":record(json!({"state":states}))}),
    ));
    assert_eq!(inside[0]["changesIn"], "patch");
    let whole = drawn(record(
        json!({"taskId":text(),"title":text(),"state":states}),
    ));
    assert_eq!(whole[0]["changesAdd"], true);
    // What the list has no place for is shown by itself.
    let more = drawn(record(
        json!({"taskId":text(),"state":states,"said":text()}),
    ));
    assert_eq!(more.len(), 2);
    assert!(more.iter().all(|table| table.get("changes").is_none()));
}

#[test]
fn items_that_count_one_option_each_are_the_bars_of_a_poll() {
    let draft = page(
        json!({"names":list(json!({"nameId":text(),"name":text()}))}),
        json!({"vote":{"label":"Vote","schema":record(json!({"nameId":text()}))}}),
        json!({}),
    );
    let tally = record(json!({"nameId":text(),"votes":{"type":"integer"}}));
    let view = complete_for(with_channel(draft, "tally", tally), "Vote for a name");
    let poll = find(&view, "Poll")[0];
    assert_eq!(poll["results"]["path"], "/streams/tally");
    assert_eq!(
        [&poll["resultKey"], &poll["resultField"]],
        ["nameId", "votes"]
    );
    assert!(find(&view, "Table").is_empty());
}

#[test]
fn actions_that_only_go_from_step_to_step_are_the_buttons_of_the_wizard() {
    let form = record(json!({"passport":text(),"arrival":text(),"purpose":text()}));
    let draft = page(
        json!({"steps":list(json!({"key":text(),"title":text()}))}),
        json!({"apply":{"label":"Apply","schema":form},"previousStep":{"label":"Back"},"next":{"label":"Next"}}),
        json!({"currentStep":{"schema":text()}}),
    );
    let view = complete_for(draft, "Lead the traveller through the application");
    let wizard = find(&view, "Wizard")[0];
    let turns = [&wizard["back"]["action"], &wizard["next"]["action"]];
    assert_eq!(turns, ["previousStep", "next"]);
    assert!(find(&view, "ActionButton").is_empty());
}

#[test]
fn an_action_that_another_one_refuses_is_the_decision_a_page_asks_for() {
    let ask = |label: &str| json!({"label":label,"schema":record(json!({"text":text()}))});
    let draft = page(
        json!({"loan":record(json!({"title":text(),"borrower":text()}))}),
        json!({"approveLoan":ask("Approve"),"declineLoan":ask("Decline"),"addRemark":ask("Add remark")}),
        json!({}),
    );
    let plan = plan(&draft, "The registrar decides on a loan");
    assert_eq!(plan.primary.as_deref(), Some("approveLoan"));
}

#[test]
fn the_tables_of_a_restaurant_are_no_wish_for_a_table() {
    let state = json!({"type":"string","enum":["free","taken"]});
    let draft = page(
        json!({"tables":list(json!({"tableId":text(),"label":text(),"state":state}))}),
        json!({"setState":{"label":"Set","schema":record(json!({"tableId":text(),"state":state}))}}),
        json!({}),
    );
    let shown = |intent: &str| plan(&draft, intent).parts[0].component.clone();
    assert_eq!(shown("Seat guests table by table"), "Board");
    assert_eq!(shown("Seat guests in a spreadsheet"), "Table");
}

#[test]
fn two_texts_of_which_one_becomes_the_other_are_compared() {
    let draft = page(
        json!({"currentSql":text(),"plannedSql":text(),"currentOwner":text(),"newOwner":text()}),
        json!({}),
        json!({}),
    );
    let view = complete_for(draft, "Check the migration");
    let diff = find(&view, "Diff")[0];
    assert_eq!(
        [&diff["before"]["path"], &diff["after"]["path"]],
        ["/props/currentSql", "/props/plannedSql"]
    );
    assert_eq!(find(&view, "Diff").len(), 1);
}

#[test]
fn an_action_called_after_another_list_gives_a_record_another_of_its_records() {
    let draft = page(
        json!({
            "gates":list(json!({"gateId":text(),"name":text()})),
            "flights":list(json!({"flightId":text(),"number":text(),"gateId":text()})),
        }),
        json!({"reassignGate":{"label":"Reassign","schema":record(json!({"flightId":text(),"gateId":text()}))}}),
        json!({}),
    );
    let plan = plan(&draft, "Show the flights");
    let offer = plan.offer("reassignGate").unwrap();
    assert_eq!(offer.of.as_deref(), Some("/props/flights"));
    assert_eq!(offer.fixed.keys().collect::<Vec<_>>(), ["flightId"]);
    assert_eq!(offer.chosen["gateId"].rows, "/props/gates");
    assert_eq!(offer.initial["gateId"], "gateId");
}

#[test]
fn steps_whose_actions_save_and_go_on_are_a_wizard_though_no_slot_says_where_one_stands() {
    let steps = list(json!({"key":text(),"title":text(),"done":{"type":"boolean"}}));
    let next = |schema: Value| json!({"label":"Continue","schema":record(schema)});
    let draft = page(
        json!({"steps":steps}),
        json!({
            "saveChild":next(json!({"name":text(),"born":text()})),
            "saveHours":next(json!({"hours":{"type":"integer"}})),
            "handIn":{"label":"Hand in"},
        }),
        json!({}),
    );
    let plan = plan(
        &draft,
        "Walk parents through enrolling a child, step by step",
    );
    assert_eq!(plan.parts[0].component, "Wizard");
    assert_eq!(plan.primary.as_deref(), Some("handIn"));
}

#[test]
fn the_words_that_ask_for_a_page_are_not_its_subject() {
    let draft = page(json!({"ready":{"type":"boolean"}}), json!({}), json!({}));
    for intent in [
        "Review the basket and pay",
        "Please review the basket and pay",
        "I want to review the basket and pay",
        "The user asked: review the basket and pay",
        "Create an interface to review the basket and pay",
        "Build a simple page where the user can review the basket and pay",
        "I need a page for the following. Review the basket and pay",
    ] {
        assert_eq!(plan(&draft, intent).headline.text, "Basket", "{intent}");
    }
}

#[test]
fn records_with_a_number_of_their_own_are_not_known_by_the_id_of_another_list() {
    let tickets = list(json!({"ticketNo":text(),"supplierId":text(),"kilos":{"type":"number"}}));
    let suppliers = list(json!({"supplierId":text(),"name":text()}));
    let draft = page(
        json!({"tickets":tickets,"suppliers":suppliers}),
        json!({
            "payTicket":{"label":"Pay","schema":record(json!({"ticketNo":text()}))},
            "printTickets":{"label":"Print","schema":record(json!({"ticketNos":{"type":"array","items":text()}}))},
        }),
        json!({}),
    );
    let plan = plan(&draft, "Pay the tickets");
    let offer = plan.offer("payTicket").unwrap();
    assert_eq!(offer.of.as_deref(), Some("/props/tickets"));
    assert_eq!(offer.fixed["ticketNo"], "ticketNo");
    let offer = plan.offer("printTickets").unwrap();
    assert_eq!(offer.of.as_deref(), Some("/props/tickets"));
    assert_eq!(offer.place, Place::Bulk);
}

#[test]
fn the_number_of_the_record_on_the_page_is_sent_and_not_typed() {
    let request = record(json!({"orderNo":text(),"item":text()}));
    let act = |label: &str| json!({"label":label,"schema":record(json!({"orderNo":text()}))});
    let draft = page(
        json!({"request":request}),
        json!({"approveRefund":act("Refund"),"declineRefund":act("Decline")}),
        json!({}),
    );
    let plan = plan(
        &draft,
        "A customer asks for money back on a damaged lamp, and the shift lead decides",
    );
    let offer = plan.offer("approveRefund").unwrap();
    assert_eq!(offer.given["orderNo"], "/props/request/orderNo");
}

#[test]
fn moments_are_known_by_their_names_where_the_schema_has_no_format() {
    let slots = list(json!({"id":text(),"title":text(),"startsAt":text(),"endsAt":text()}));
    let draft = page(json!({"slots":slots}), json!({}), json!({}));
    assert_eq!(plan(&draft, "Times").parts[0].component, "Calendar");
    let notes = list(json!({"id":text(),"locatedAt":text(),"dependsOn":text()}));
    let draft = page(json!({"notes":notes}), json!({}), json!({}));
    assert_eq!(plan(&draft, "Notes").parts[0].component, "Table");
}

//! What is asked for outright, by the intent, by the length of a form, or by steps that say what they
//! ask.

use serde_json::{Value, json};

use super::super::composer::planned;
use super::super::plan::{Place, Plan};
use super::helpers::{compiled, complete_for, find};
use super::tasks::{list, page, record, text};

fn plan(draft: &Value, intent: &str) -> Plan {
    complete_for(draft.clone(), intent);
    planned(&compiled(draft), intent)
}

fn component<'a>(plan: &'a Plan, source: &str) -> &'a str {
    let part = plan.parts.iter().find(|part| part.source == source);
    part.map_or("", |part| &part.component)
}

fn number() -> Value {
    json!({"type":"number"})
}

fn day() -> Value {
    json!({"type":"string","format":"date"})
}

#[test]
fn what_an_intent_plots_is_a_chart_whatever_else_is_known_of_each() {
    let draft = page(
        json!({
            "ponds":list(json!({"pondId":text(),"name":text()})),
            "samples":list(json!({
                "pondId":text(),"takenOn":day(),"oxygenMgL":number(),"isCloudy":{"type":"boolean"},"remark":text(),
            })),
        }),
        json!({"addSample":{"label":"Add a sample","schema":record(json!({"pondId":text(),"takenOn":day(),"oxygenMgL":number()}))}}),
        json!({}),
    );
    let plotted = plan(&draft, "Plot the oxygen of both ponds over the summer");
    assert_eq!(component(&plotted, "/props/samples"), "Chart");
    let listed = plan(&draft, "The oxygen of both ponds over the summer");
    assert_ne!(component(&listed, "/props/samples"), "Chart");
    let asked = plan(&draft, "How are the ponds? Plot the oxygen by week");
    assert_eq!(component(&asked, "/props/samples"), "Chart");
    for other in [
        "Show the seating chart of the ponds",
        "What the plot by the ponds was tested for",
    ] {
        let other = plan(&draft, other);
        assert_ne!(component(&other, "/props/samples"), "Chart");
    }
}

#[test]
fn days_from_an_arrival_to_a_departure_are_a_calendar_and_moments_are_not() {
    let stay = |when: Value| {
        let stays = list(json!({"stayId":text(),"guest":text(),"arrive":when,"depart":when}));
        plan(
            &page(json!({"stays":stays}), json!({}), json!({})),
            "Who is in the hut when",
        )
    };
    assert_eq!(component(&stay(day()), "/props/stays"), "Calendar");
    let moment = json!({"type":"string","format":"date-time"});
    assert_ne!(component(&stay(moment), "/props/stays"), "Calendar");
}

#[test]
fn a_long_form_that_begins_with_an_id_is_no_action_of_a_row() {
    let sizes = list(json!({"sizeCode":text(),"name":text(),"servings":number()}));
    let order = |inputs: Value| {
        page(
            json!({"sizes":sizes}),
            json!({"orderCake":{"label":"Order","schema":record(inputs)}}),
            json!({}),
        )
    };
    let long = order(json!({
        "sizeCode":text(),"filling":text(),"words":text(),"pickupAt":text(),"customer":text(),"phone":text(),"remarks":text(),
    }));
    let found = plan(&long, "Take an order: size, filling, and what stands on it");
    assert_eq!(found.offer("orderCake").unwrap().place, Place::Form);
    let short = order(json!({"sizeCode":text(),"words":text()}));
    let found = plan(
        &short,
        "Take an order: size, filling, and what stands on it",
    );
    assert_eq!(found.offer("orderCake").unwrap().place, Place::Row);
}

#[test]
fn what_a_box_sets_leaves_the_main_action_to_what_ends_it_all() {
    let tasks = list(json!({"taskId":text(),"text":text(),"done":{"type":"boolean"}}));
    let tick = record(json!({"taskId":text(),"done":{"type":"boolean"}}));
    let draft = page(
        json!({"tasks":tasks}),
        json!({
            "tickTask":{"label":"Tick","schema":tick},
            "signRound":{"label":"Sign the round","schema":record(json!({"name":text()})),"confirm":true},
        }),
        json!({}),
    );
    let found = plan(&draft, "Tick each check of the round, then sign it");
    assert_eq!(found.primary.as_deref(), Some("signRound"));
}

#[test]
fn steps_that_list_the_inputs_they_ask_for_are_a_wizard_with_those() {
    let fields = json!({"type":"array","items":text()});
    let draft = page(
        json!({"steps":list(json!({"stepId":text(),"title":text(),"hint":text(),"fields":fields}))}),
        json!({"order":{"label":"Order","schema":record(json!({"account":text(),"size":text(),"budget":number()}))}}),
        json!({}),
    );
    let view = complete_for(draft, "Guide a team through ordering an account");
    let wizard = find(&view, "Wizard")[0];
    assert_eq!(
        [
            &wizard["labelField"],
            &wizard["hintField"],
            &wizard["inputsField"]
        ],
        ["title", "hint", "fields"]
    );
    assert_eq!(wizard.get("current"), None);
    assert!(find(&view, "Table").is_empty() && find(&view, "Form").is_empty());
}

#[test]
fn the_id_of_the_person_of_the_page_is_none_of_a_list_of_others() {
    let draft = page(
        json!({
            "child":record(json!({"childId":text(),"name":text()})),
            "permissions":list(json!({"permissionId":text(),"adultName":text(),"phone":text()})),
        }),
        json!({"givePermission":{"label":"Give","schema":record(json!({"childId":text(),"adultName":text(),"phone":text()}))}}),
        json!({}),
    );
    let found = plan(&draft, "Let a parent say who may collect the child");
    let offer = found.offer("givePermission").unwrap();
    assert_eq!(offer.given["childId"], "/props/child/childId");
    assert!(offer.fixed.is_empty());
}

#[test]
fn neither_steps_nor_what_asks_for_a_page_head_it() {
    let draft = page(
        json!({"steps":list(json!({"key":text(),"title":text(),"done":{"type":"boolean"}}))}),
        json!({"apply":{"label":"Apply","schema":record(json!({"name":text(),"born":day(),"school":text()}))}}),
        json!({"currentStep":{"schema":text()}}),
    );
    for intent in [
        "Walk a parent through applying for a bus pass in short steps",
        "Please make a page where the user can apply for a bus pass",
    ] {
        let said = plan(&draft, intent).headline.text;
        assert!(said.to_lowercase().contains("bus pass"), "{intent}: {said}");
    }
}

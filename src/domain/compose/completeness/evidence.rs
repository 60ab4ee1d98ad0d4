//! What a page makes of evidence that stands in several places: names, payloads and words.

use serde_json::{Value, json};

use super::super::composer::planned;
use super::super::plan::{Place, Plan};
use super::helpers::{compiled, complete, find};
use super::tasks::{list, page, record, text};

fn plan(draft: &Value, intent: &str) -> Plan {
    planned(&compiled(draft), intent)
}

fn whole() -> Value {
    json!({"type":"integer"})
}

#[test]
fn options_that_are_records_make_a_quiz_that_sends_their_ids() {
    let options = list(json!({"optionId":text(),"label":text()}));
    let draft = page(
        json!({"questions":list(json!({
            "questionId":text(),"text":text(),"options":options,"correctOptionId":text(),"why":text(),
        }))}),
        json!({"answerQuestion":{"label":"Answer","schema":record(json!({"questionId":text(),"optionId":text()}))}}),
        json!({}),
    );
    let view = complete(draft);
    let quiz = &find(&view, "Quiz")[0];
    assert_eq!(quiz["optionField"], "label");
    assert_eq!(quiz["optionKey"], "optionId");
    assert_eq!(quiz["pick"]["to"], "optionId");
    assert_eq!(quiz["pick"].get("as"), None);
    // What gives the answer away is not shown beside the question.
    assert_eq!(quiz.get("columns"), None);
}

#[test]
fn seats_that_stand_in_their_rows_are_seats() {
    let state = json!({"type":"string","enum":["free","taken"]});
    let seats = list(json!({"seatId":text(),"number":whole(),"state":state}));
    let ids = json!({"type":"array","items":text()});
    let draft = page(
        json!({"rows":list(json!({"row":text(),"seats":seats}))}),
        json!({"bookSeats":{"label":"Book","schema":record(json!({"seatIds":ids}))}}),
        json!({}),
    );
    let view = complete(draft);
    let seats = &find(&view, "Seats")[0];
    assert_eq!(seats["seatsField"], "seats");
    assert_eq!(seats["key"], "seatId");
    assert_eq!(seats["pick"]["field"], "seatId");
}

#[test]
fn an_account_is_known_by_its_iban_and_never_by_a_bare_id() {
    let accounts = list(json!({"iban":text(),"name":text(),"balanceMinor":whole()}));
    let draft = page(
        json!({"accounts":accounts,"orders":list(json!({"id":text(),"recipient":text()}))}),
        json!({
            "statement":{"label":"Statement","schema":record(json!({"iban":text()}))},
            "stop":{"label":"Stop","schema":record(json!({"id":text()}))},
        }),
        json!({}),
    );
    let view = complete(draft);
    let tables = find(&view, "Table");
    let actions = |source: &str| {
        let of = |table: &&&Value| table["rows"]["path"] == source;
        tables
            .iter()
            .find(of)
            .map(|table| table["rowActions"][0].clone())
    };
    let statement = actions("/props/accounts").unwrap();
    assert_eq!(statement["fixed"], json!({"iban":"iban"}));
    let stop = actions("/props/orders").unwrap();
    assert_eq!(stop["action"], "stop");
    assert_eq!(stop["fixed"], json!({"id":"id"}));
}

#[test]
fn seats_are_free_by_the_first_word_of_their_state() {
    let state = json!({"type":"string","enum":["freeBoard","takenBoard"]});
    let one = record(json!({"boardId":text(),"juniors":{"type":"boolean"}}));
    let draft = page(
        json!({"boards":list(json!({"boardId":text(),"row":text(),"place":whole(),"state":state}))}),
        json!({"reserveBoard":{"label":"Reserve","schema":one}}),
        json!({}),
    );
    let view = complete(draft);
    let seats = &find(&view, "Seats")[0];
    let unless = json!({"field":"state","values":["takenBoard"]});
    assert_eq!(seats["rowActions"][0]["unless"], unless);
}

#[test]
fn what_is_voted_for_and_moved_is_a_board() {
    let column = json!({"type":"string","enum":["well","badly"]});
    let note = record(json!({"noteId":text()}));
    let moved = record(json!({"noteId":text(),"column":column}));
    let draft = page(
        json!({"notes":list(json!({"noteId":text(),"column":column,"text":text(),"votes":whole()}))}),
        json!({"voteNote":{"label":"Vote","schema":note},"moveNote":{"label":"Move","schema":moved}}),
        json!({}),
    );
    assert_eq!(plan(&draft, "Look back").parts[0].component, "Board");
}

#[test]
fn people_who_report_to_each_other_are_a_tree() {
    let lead = json!({"anyOf":[text(),{"type":"null"}]});
    let draft = |above: &str, schema: &Value| {
        let mut own = json!({"personId":text(),"name":text()});
        own[above] = schema.clone();
        page(json!({"people":list(own)}), json!({}), json!({}))
    };
    let shown = |above: &str, schema: &Value| {
        plan(&draft(above, schema), "The people").parts[0]
            .component
            .clone()
    };
    assert_eq!(shown("managerId", &lead), "Tree");
    // Everybody has a town, and nobody stands above all.
    assert_eq!(shown("townId", &lead), "Table");
    assert_eq!(shown("managerId", &text()), "Table");
}

#[test]
fn a_basket_is_not_what_a_shop_is_about() {
    let sku = record(json!({"sku":text()}));
    let added = record(json!({"sku":text(),"qty":whole()}));
    let draft = page(
        json!({
            "plants":list(json!({"sku":text(),"name":text(),"height":whole()})),
            "basket":list(json!({"sku":text(),"qty":whole()})),
        }),
        json!({"addToBasket":{"label":"Add","schema":added},"removeFromBasket":{"label":"Remove","schema":sku}}),
        json!({}),
    );
    let plan = plan(&draft, "Choose plants; the basket fills as you go");
    assert_eq!(plan.main.as_deref(), Some("/props/plants"));
    let added = plan.offer("addToBasket").unwrap();
    assert_eq!(added.of.as_deref(), Some("/props/plants"));
    let basket = plan
        .parts
        .iter()
        .find(|part| part.source == "/props/basket");
    assert_eq!(basket.unwrap().fields[0].format, "reference");
}

#[test]
fn a_form_that_chooses_from_a_list_stands_on_the_page() {
    let form = record(json!({
        "projectId":text(),"from":text(),"until":text(),"purpose":text(),"route":text(),"guests":whole(),
    }));
    let draft = page(
        json!({
            "policy":record(json!({"dayRate":whole(),"kmRate":whole()})),
            "projects":list(json!({"projectId":text(),"name":text()})),
        }),
        json!({"submitClaim":{"label":"Hand in","schema":form}}),
        json!({}),
    );
    let plan = plan(&draft, "Claim the expenses of a trip");
    assert_eq!(plan.offer("submitClaim").unwrap().place, Place::Form);
}

#[test]
fn a_verb_before_a_number_is_no_part_of_a_name() {
    let draft = page(
        json!({"hedges":list(json!({"slug":text(),"name":text()}))}),
        json!({}),
        json!({}),
    );
    let found = plan(&draft, "Propose 6 hedges for a windy garden");
    assert_eq!(found.headline.text, "Hedges");
}

#[test]
fn whoever_approves_or_asks_for_changes_approves_first() {
    let draft = page(
        json!({"request":record(json!({"title":text()}))}),
        json!({
            "approve":{"label":"Approve","schema":record(json!({"comment":text()}))},
            "requestChanges":{"label":"Ask for changes","schema":record(json!({"comment":text()}))},
        }),
        json!({}),
    );
    let plan = plan(
        &draft,
        "Review a merge request, then approve or ask for changes",
    );
    assert_eq!(plan.primary.as_deref(), Some("approve"));
}

#[test]
fn what_is_done_with_a_step_is_reached_beside_a_wizard() {
    let form = record(json!({"name":text(),"city":text(),"phone":text()}));
    let draft = page(
        json!({"steps":list(json!({"key":text(),"title":text()}))}),
        json!({
            "saveStep":{"label":"Save","schema":record(json!({"stepKey":text(),"remark":text()}))},
            "apply":{"label":"Apply","schema":form},
        }),
        json!({"currentStep":{"schema":text()}}),
    );
    complete(draft);
}

#[test]
fn ids_of_records_within_others_are_chosen() {
    let draft = page(
        json!({"halls":list(json!({"hallId":text(),"name":text(),"tables":list(json!({"tableId":text(),"label":text(),"size":whole()}))}))}),
        json!({"bookTable":{"label":"Book","schema":record(json!({"tableId":text(),"name":text(),"phone":text(),"guests":whole()}))}}),
        json!({}),
    );
    let plan = plan(&draft, "Take a booking");
    let offer = plan.offer("bookTable").unwrap();
    assert!(
        offer.chosen.contains_key("tableId") || offer.fixed.contains_key("tableId"),
        "{offer:?}"
    );
}

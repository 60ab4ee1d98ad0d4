//! What values and ids mean where their names say it only together: unions, keys, wholes, people.

use serde_json::{Value, json};

use super::super::composer::planned;
use super::super::plan::{Place, Plan, Shown};
use super::helpers::{compiled, complete_for, components, find};
use super::tasks::{action, list, page, record, text};

fn plan(draft: &Value, intent: &str) -> Plan {
    complete_for(draft.clone(), intent);
    planned(&compiled(draft), intent)
}

fn whole() -> Value {
    json!({"type":"integer"})
}

fn shown<'p>(plan: &'p Plan, source: &str, field: &str) -> &'p Shown {
    let part = plan.parts.iter().find(|part| part.source == source);
    let mut fields = part.unwrap().fields.iter();
    fields.find(|shown| shown.field == field).unwrap()
}

#[test]
fn a_record_of_one_of_several_shapes_has_the_values_of_them_all() {
    let drift = record(json!({"kind":{"const":"drift"},"degrees":{"type":"number"}}));
    let power = record(
        json!({"kind":{"const":"power_loss"},"since":{"type":"string","format":"date-time"}}),
    );
    let alarm = json!({"type":["object","null"],"oneOf":[{"type":"null"},drift,power]});
    let draft = page(
        json!({"boxes":list(json!({"boxId":text(),"name":text(),"alarm":alarm}))}),
        json!({}),
        json!({}),
    );
    let plan = plan(&draft, "Watch the boxes");
    let parts = &shown(&plan, "/props/boxes", "alarm").parts;
    let named: Vec<_> = parts
        .iter()
        .map(|part| (part.field.as_str(), part.format.as_str()))
        .collect();
    let expected = [
        ("kind", "choice"),
        ("degrees", "number"),
        ("since", "datetime"),
    ];
    assert_eq!(named, expected);
}

#[test]
fn a_whole_number_beside_an_amount_in_cents_counts_something_else() {
    let draft = page(
        json!({"rewards":list(json!({"rewardId":text(),"title":text(),"minimumMinor":whole(),"claimed":whole()})),"currency":text()}),
        json!({}),
        json!({}),
    );
    let plan = plan(&draft, "Show the rewards");
    let format = |field: &str| shown(&plan, "/props/rewards", field).format.clone();
    assert_eq!(format("minimumMinor"), "money");
    assert_eq!(format("claimed"), "integer");
}

#[test]
fn what_is_taken_of_a_whole_is_one_value_and_no_money() {
    let rate = record(json!({"amount":text(),"currency":text()}));
    let draft = page(
        json!({"yard":record(json!({"name":text(),"plugs":record(json!({"total":whole(),"used":whole()})),"nightly":rate})),"currency":text()}),
        json!({}),
        json!({}),
    );
    let plan = plan(&draft, "The yard");
    let plugs = shown(&plan, "/props/yard", "/props/yard/plugs");
    assert_eq!(plugs.format, "range");
    let parts: Vec<_> = plugs
        .parts
        .iter()
        .map(|part| (part.field.as_str(), part.format.as_str()))
        .collect();
    assert_eq!(parts, [("used", "integer"), ("total", "integer")]);
    // A decimal that is sent as a text is an amount like any other.
    let nightly = shown(&plan, "/props/yard", "/props/yard/nightly");
    assert_eq!(nightly.format, "amount");
    assert_eq!(nightly.parts[0].format, "currency");
}

#[test]
fn an_amount_in_the_smallest_unit_is_one_fact_wherever_its_name_says_so() {
    let draft = page(
        json!({"feeMinor":record(json!({"amount":whole(),"currency":text()})),
            "savings":list(json!({"title":text(),"savingCentsPerMonth":whole(),"currency":text()}))}),
        json!({}),
        json!({}),
    );
    let plan = plan(&draft, "The fee");
    let fee = shown(&plan, "/props/feeMinor", "/props/feeMinor");
    assert_eq!(
        (fee.label.as_str(), fee.parts[0].format.as_str()),
        ("Fee", "money")
    );
    let saving = shown(&plan, "/props/savings", "savingCentsPerMonth");
    assert_eq!(
        (saving.label.as_str(), saving.format.as_str()),
        ("Saving per month", "money")
    );
}

#[test]
fn the_unit_of_a_record_is_that_of_all_its_numbers() {
    let pair = |one: &str, other: &str| {
        let mut own = json!({});
        own[one] = whole();
        own[other] = whole();
        record(own)
    };
    let draft = page(
        json!({"currency":text(),"plans":list(json!({"name":text(),"priceCents":pair("monthly", "yearly"),"sizeCm":pair("width", "depth")}))}),
        json!({}),
        json!({}),
    );
    let plan = plan(&draft, "The plans");
    let price = shown(&plan, "/props/plans", "priceCents");
    assert_eq!(price.label, "Price");
    assert!(price.parts.iter().all(|part| part.format == "money"));
    let size = shown(&plan, "/props/plans", "sizeCm");
    assert_eq!(size.label, "Size");
    assert!(
        size.parts
            .iter()
            .all(|part| part.unit.as_deref() == Some("cm"))
    );
}

#[test]
fn ids_are_read_by_what_people_do_and_by_the_key_they_end_with() {
    let draft = page(
        json!({
            "attendees":list(json!({"personId":text(),"name":text(),"present":{"type":"boolean"}})),
            "targetFields":list(json!({"fieldKey":text(),"label":text(),"required":{"type":"boolean"}})),
            "columns":list(json!({"columnId":text(),"header":text(),"suggestedFieldKey":text(),"ownerId":text()})),
        }),
        json!({"mapColumn":action("Change", json!({"columnId":text(),"fieldKey":text()}))}),
        json!({}),
    );
    let plan = plan(&draft, "Map the columns");
    let field = shown(&plan, "/props/columns", "suggestedFieldKey");
    assert_eq!(field.label, "Suggested field");
    assert_eq!(field.refers.as_ref().unwrap().title, "label");
    let owner = shown(&plan, "/props/columns", "ownerId");
    assert_eq!(owner.refers.as_ref().unwrap().rows, "/props/attendees");
    // What only tells fields apart is not shown, and they stand below what refers to them.
    let sources: Vec<_> = plan.parts.iter().map(|part| part.source.as_str()).collect();
    assert_eq!(sources[0], "/props/columns");
    let fields = plan
        .parts
        .iter()
        .find(|part| part.source == "/props/targetFields");
    assert_eq!(fields.unwrap().fields[0].field, "label");
}

#[test]
fn one_of_what_a_record_holds_is_chosen_for_that_record() {
    let others = list(json!({"alternativeId":text(),"summary":text()}));
    let draft = page(
        json!({"legs":list(json!({"legId":text(),"title":text(),"alternatives":others}))}),
        json!({"swapLeg":action("Swap", json!({"legId":text(),"alternativeId":text()}))}),
        json!({}),
    );
    let plan = plan(&draft, "Look through the legs");
    let offer = plan.offer("swapLeg").unwrap();
    assert_eq!(offer.place, Place::Row);
    assert_eq!(
        offer.chosen["alternativeId"].within.as_deref(),
        Some("alternatives")
    );
}

#[test]
fn records_are_called_after_the_record_in_them_that_has_a_name() {
    let dog = record(json!({"name":text(),"breed":text(),"weightKg":{"type":"number"}}));
    let run = json!({"type":["string","null"]});
    let feeding = list(json!({"time":text(),"food":text()}));
    let draft = page(
        json!({"stays":list(json!({"stayId":text(),"dog":dog,"run":run,"feeding":feeding,"owner":record(json!({"name":text(),"phone":text(),"email":text()}))}))}),
        json!({}),
        json!({}),
    );
    let plan = plan(&draft, "The stays");
    let stays = &plan.parts[0];
    assert_eq!(stays.roles["titleField"], "dog");
    // The name is not all there is of the dog, but it is said once; and the run is no name.
    let dog = stays.fields.iter().find(|shown| shown.field == "dog");
    assert_eq!(dog.unwrap().parts[0].field, "breed");
    for field in ["dog", "run"] {
        assert!(
            stays.fields.iter().any(|shown| shown.field == field),
            "{field}"
        );
    }
}

#[test]
fn who_is_sent_is_chosen_for_what_the_other_actions_are_about() {
    let draft = page(
        json!({"boxes":list(json!({"boxNo":text(),"cargo":text()})),"technicians":list(json!({"technicianId":text(),"name":text(),"radio":text()}))}),
        json!({
            "sendTechnician":action("Send", json!({"boxNo":text(),"technicianId":text()})),
            "pullPlug":action("Pull", json!({"boxNo":text()})),
            "changeSetpoint":action("Change", json!({"boxNo":text(),"degrees":whole()})),
        }),
        json!({}),
    );
    let plan = plan(&draft, "Watch the boxes");
    let offer = plan.offer("sendTechnician").unwrap();
    assert_eq!(offer.of.as_deref(), Some("/props/boxes"));
    assert!(offer.chosen.contains_key("technicianId"));
}

#[test]
fn what_a_channel_brings_is_dealt_with_beside_it() {
    let alarm = json!({"alarmId":text(),"boxId":text(),"text":text(),"severity":text()});
    let mut draft = page(
        json!({"boxes":list(json!({"boxId":text(),"name":text()}))}),
        json!({"acknowledgeAlarm":action("Acknowledge", json!({"alarmId":text()}))}),
        json!({}),
    );
    draft["streamSpec"] = json!({"alarms":{"schema":record(alarm),"mode":"append"}});
    let plan = plan(&draft, "Watch the boxes");
    let alarms = plan
        .parts
        .iter()
        .find(|part| part.source == "/streams/alarms")
        .unwrap();
    // A log would not say which box an alarm is about.
    assert_eq!(alarms.component, "Table");
    let offer = plan.offer("acknowledgeAlarm").unwrap();
    assert_eq!(offer.place, Place::Row);
    assert_eq!(offer.of.as_deref(), Some("/streams/alarms"));
}

#[test]
fn what_the_intent_asks_for_last_ends_the_page_where_rows_are_only_corrected() {
    let draft = page(
        json!({"columns":list(json!({"columnId":text(),"header":text()}))}),
        json!({
            "mapColumn":action("Row", json!({"columnId":text(),"field":text()})),
            "startImport":action("Start the import", json!({"onDuplicate":text()})),
        }),
        json!({}),
    );
    let plan = plan(
        &draft,
        "Map the columns before the import, correct the guesses, and start the import",
    );
    assert_eq!(plan.primary.as_deref(), Some("startImport"));
}

#[test]
fn few_short_facts_stand_beside_each_other() {
    let place = || record(json!({"place":text(),"at":{"type":"string","format":"date-time"}}));
    let draft = page(
        json!({"pickup":place(),"dropoff":place(),"cars":list(json!({"name":text(),"seats":whole()}))}),
        json!({}),
        json!({}),
    );
    let view = complete_for(draft, "Rental cars");
    let rows = find(&view, "Row");
    assert_eq!(rows[0]["children"].as_array().map(Vec::len), Some(2));
}

#[test]
fn the_form_of_a_tall_page_is_behind_a_button_that_stays_in_sight() {
    let rows = |name: &str| list(json!({"title":text(),name:text(),"size":whole()}));
    let draft = page(
        json!({"documents":rows("a"),"missing":rows("b"),"reserve":rows("c"),"scans":rows("d")}),
        json!({"settle":action("Settle", json!({"amount":whole(),"payee":text(),"note":text()}))}),
        json!({}),
    );
    let tall = plan(&draft, "Settle the claim");
    assert_eq!(tall.offer("settle").unwrap().place, Place::Dialog);
    let mut short = draft;
    short["propsSpec"]["properties"] = json!({"documents":{"schema":rows("a"),"required":true}});
    let short = plan(&short, "Settle the claim");
    assert_eq!(short.offer("settle").unwrap().place, Place::Form);
}

#[test]
fn a_boolean_that_an_action_sets_is_its_box() {
    let draft = page(
        json!({"checks":list(json!({"checkId":text(),"label":text(),"done":{"type":"boolean"},"urgent":{"type":"boolean"}}))}),
        json!({"setUrgent":action("Urgent", json!({"checkId":text(),"urgent":{"type":"boolean"}}))}),
        json!({}),
    );
    let view = complete_for(draft, "The checks");
    let checks = components(&view)
        .iter()
        .find(|one| one.get("rowActions").is_some())
        .unwrap();
    assert_eq!(checks["rowActions"][0]["toggles"], "urgent");
}

#[test]
fn how_often_something_was_answered_is_a_chart_of_bars() {
    let draft = page(
        json!({"results":list(json!({"option":text(),"votes":whole()})),"bodyMarkdown":{"type":"string","contentMediaType":"text/markdown"}}),
        json!({}),
        json!({}),
    );
    let plan = plan(&draft, "What was answered");
    let of = |source: &str| {
        plan.parts
            .iter()
            .find(|part| part.source == source)
            .unwrap()
    };
    assert_eq!(of("/props/results").component, "Chart");
    // How a text is written is no part of what it is called.
    assert_eq!(of("/props/bodyMarkdown").title.as_deref(), Some("Body"));
}

//! What forms ask for: units beside numbers, ids chosen by name, and texts that become others.

use serde_json::{Value, json};

use super::super::composer::planned;
use super::super::plan::{Place, Plan};
use super::helpers::{compiled, complete_for, find};

fn draft(props: &Value, actions: &Value) -> Value {
    let props: serde_json::Map<String, Value> = props
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, schema)| (name.clone(), json!({"schema": schema, "required": true})))
        .collect();
    json!({"propsSpec": {"properties": props}, "actionSpec": actions})
}

fn record(properties: &Value) -> Value {
    let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
    json!({"type": "object", "required": names, "properties": properties})
}

fn list(properties: &Value) -> Value {
    json!({"type": "array", "items": record(properties)})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn number() -> Value {
    json!({"type": "integer"})
}

fn plan(draft: &Value, intent: &str) -> Plan {
    complete_for(draft.clone(), intent);
    planned(&compiled(draft), intent)
}

fn component(plan: &Plan, source: &str) -> String {
    let part = plan.parts.iter().find(|part| part.source == source);
    part.map(|part| part.component.clone()).unwrap_or_default()
}

#[test]
fn a_form_says_units_and_the_currency_of_the_page_beside_what_is_typed() {
    let asked = record(&json!({"weightKg": number(), "feeMinor": number(), "seats": number()}));
    let draft = draft(
        &json!({"currency": text(), "totalMinor": number(), "paidMinor": number()}),
        &json!({"book": {"label": "Book", "schema": asked}}),
    );
    let view = complete_for(draft, "Let the sender book a parcel");
    let asked = &find(&view, "Form")[0]["schema"]["properties"];
    assert_eq!(asked["weightKg"]["$comment"], "ui: unit=kg, title=Weight");
    let fee = "ui: currency=/props/currency, title=Fee";
    assert_eq!(asked["feeMinor"]["$comment"], fee);
    assert!(asked["seats"].get("$comment").is_none());
}

#[test]
fn an_amount_with_its_own_currency_takes_none_of_the_page() {
    let asked = record(&json!({"feeMinor": number(), "currency": text()}));
    let draft = draft(
        &json!({"currency": text(), "totalMinor": number(), "paidMinor": number()}),
        &json!({"book": {"label": "Book", "schema": asked}}),
    );
    let view = complete_for(draft, "Let the sender book a parcel");
    let asked = &find(&view, "Form")[0]["schema"]["properties"];
    assert!(asked["feeMinor"].get("$comment").is_none());
}

#[test]
fn the_new_parent_of_a_record_of_a_tree_is_chosen_among_all_of_it() {
    let leaf = record(&json!({"unitId": text(), "name": text()}));
    let mut root = leaf.clone();
    root["properties"]["units"] = json!({"type": "array", "items": leaf});
    let draft = draft(
        &json!({"organisation": root}),
        &json!({"addUnit": {"label": "Add", "schema": record(&json!({"parentId": text(), "title": text()}))}}),
    );
    let plan = plan(&draft, "Show the organisation");
    let chosen = &plan.offer("addUnit").unwrap().chosen["parentId"];
    assert_eq!(chosen.children.as_deref(), Some("units"));
    assert_eq!([&chosen.key, &chosen.title], ["unitId", "name"]);
}

#[test]
fn records_that_name_their_parent_by_its_noun_are_a_tree() {
    let names =
        json!({"nameId": text(), "parentNameId": {"type": ["string", "null"]}, "name": text()});
    let plan = plan(
        &draft(&json!({"names": list(&names)}), &json!({})),
        "Show the names",
    );
    assert_eq!(component(&plan, "/props/names"), "Tree");
}

#[test]
fn pairs_may_name_one_of_their_two_by_its_code() {
    let cells =
        json!({"dishId": text(), "allergenCode": text(), "level": {"enum": ["none", "some"]}});
    let draft = draft(
        &json!({
            "dishes": list(&json!({"dishId": text(), "name": text()})),
            "allergens": list(&json!({"code": text(), "name": text()})),
            "sheet": list(&cells),
        }),
        &json!({"setLevel": {"label": "Set", "schema": record(&cells)}}),
    );
    let plan = plan(&draft, "Fill in the sheet");
    assert_eq!(component(&plan, "/props/sheet"), "Matrix");
    assert_eq!(plan.offer("setLevel").unwrap().place, Place::Pick);
}

#[test]
fn short_texts_are_compared_where_an_action_rewrites_one_at_length() {
    let rewrite = |most: u32| {
        let text = json!({"type": "string", "maxLength": most});
        let asked = record(&json!({"proposedLabel": text}));
        let draft = draft(
            &json!({"presentLabel": {"type": "string"}, "proposedLabel": {"type": "string"}}),
            &json!({"reword": {"label": "Reword", "schema": asked}}),
        );
        component(
            &plan(&draft, "Take the wording through the house"),
            "/props/proposedLabel",
        )
    };
    assert_eq!(rewrite(4000), "Diff");
    assert_ne!(rewrite(40), "Diff");
}

#[test]
fn records_with_a_picture_are_cards_even_where_several_are_picked() {
    let photo = record(&json!({"src": {"type": "string", "format": "uri"}, "alt": text()}));
    let draft = draft(
        &json!({"pieces": list(&json!({"pieceId": text(), "name": text(), "photo": photo}))}),
        &json!({"reservePieces": {"label": "Reserve", "schema": record(&json!({
            "pieceIds": {"type": "array", "items": text()}, "from": {"type": "string", "format": "date"},
        }))}}),
    );
    let plan = plan(&draft, "Hire out pieces");
    assert_eq!(component(&plan, "/props/pieces"), "Cards");
    assert!(
        plan.offer("reservePieces")
            .unwrap()
            .chosen
            .contains_key("pieceIds")
    );
}

#[test]
fn entries_with_their_day_are_a_timeline_although_one_may_be_struck_out() {
    let entries = json!({
        "entryId": text(), "on": {"type": "string", "format": "date"}, "owner": text(),
        "place": text(), "how": text(), "priceMinor": number(), "note": text(),
    });
    let strike = record(&json!({"entryId": text(), "why": text()}));
    let draft = draft(
        &json!({"ownership": list(&entries)}),
        &json!({"strikeEntry": {"label": "Strike out", "schema": strike, "confirm": true}}),
    );
    let plan = plan(&draft, "Walk through who owned this violin");
    assert_eq!(component(&plan, "/props/ownership"), "Timeline");
}

#[test]
fn steps_with_a_state_that_become_a_wizard_leave_the_state_behind() {
    let steps = json!({"key": text(), "title": text(), "status": {"enum": ["done", "open"]}});
    let form = record(&json!({"passport": text(), "arrival": text(), "purpose": text()}));
    let mut draft = draft(
        &json!({"steps": list(&steps)}),
        &json!({"apply": {"label": "Apply", "schema": form}}),
    );
    draft["contextSpec"] = json!({"currentStep": {"schema": text()}});
    let view = complete_for(draft, "Lead the traveller through the application");
    assert!(find(&view, "Wizard")[0].get("statusField").is_none());
}

#[test]
fn giving_back_is_not_giving_out_and_clearing_what_may_be_refused_is_a_decision() {
    let asked = |name: &str| record(&json!({name: text()}));
    let rink = draft(
        &json!({"hours": list(&json!({"hourId": text(), "club": text()}))}),
        &json!({
            "bookIce": {"label": "Book ice", "schema": record(&json!({"club": text(), "minutes": number()}))},
            "giveBack": {"label": "Give back", "schema": asked("hourId"), "confirm": true},
        }),
    );
    assert_eq!(
        plan(&rink, "Give out the ice").primary.as_deref(),
        Some("bookIce")
    );
    let tower = draft(
        &json!({"flight": record(&json!({"callsign": text(), "purpose": text()}))}),
        &json!({
            "clearFlight": {"label": "Clear", "schema": record(&json!({"altitudeM": number()}))},
            "refuseFlight": {"label": "Refuse", "schema": asked("reason"), "confirm": true},
        }),
    );
    let plan = plan(&tower, "Let the controller look at the request");
    assert_eq!(plan.primary.as_deref(), Some("clearFlight"));
    assert!(!plan.offer("clearFlight").unwrap().is_dangerous);
}

#[test]
fn two_amounts_in_one_currency_are_both_shown() {
    let estimate =
        record(&json!({"lowMinor": number(), "highMinor": number(), "currency": text()}));
    let draft = draft(
        &json!({"instrument": record(&json!({"label": text(), "estimate": estimate}))}),
        &json!({}),
    );
    let plan = plan(&draft, "Show the instrument");
    let shown = plan.parts.iter().flat_map(|part| &part.fields);
    let found: Vec<_> = shown.filter(|shown| shown.label == "Estimate").collect();
    let parts: Vec<_> = found[0]
        .parts
        .iter()
        .map(|part| part.field.as_str())
        .collect();
    assert!(
        parts.contains(&"lowMinor") && parts.contains(&"highMinor"),
        "{parts:?}"
    );
}

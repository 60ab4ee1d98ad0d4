//! Draws records, with what can be done with each, with several, and by choosing among them.

use serde_json::{Value, json};

use super::super::plan::{Offer, Part, Place, Plan, Shown};
use super::super::reading::{
    Kind, choices, columns_of, core, fields, is_duty, kind, label, required, split,
};
use super::actions::{entry, icon, inputs};
use super::builder::bind;
use super::values::{chosen, column, given};
use crate::domain::contract::CompiledContract;

/// Rows of a table before it turns pages: about two screens.
const PAGE_ROWS: usize = 50;

/// Records, with what can be done with them.
pub(super) fn records(plan: &Plan, contract: &CompiledContract, part: &Part) -> Value {
    let title = part.title.as_deref().unwrap_or_default();
    // Our sentence around a foreign word would be neither language.
    let empty = match title.is_ascii() && !title.is_empty() {
        true => format!("No {} yet.", title.to_lowercase()),
        false => "–".to_owned(),
    };
    let data = part.settings.get("rows").map_or("rows", String::as_str);
    let mut members = json!({"title": part.title, "emptyText": empty});
    members[data] = bind(&part.source);
    let mut set = |name: &str, value: Value| {
        if !value.is_null() && !value.as_array().is_some_and(Vec::is_empty) {
            members[name] = value;
        }
    };
    let has_picks = matches!(part.component.as_str(), "Poll" | "Seats" | "Quiz" | "Chat");
    set("columns", part.fields.iter().map(column).collect());
    set("rowActions", json!(row_actions(plan, contract, part)));
    let bulk: Vec<Value> = plan
        .offers(&part.source, Place::Bulk)
        .map(|offer| bulk(contract, offer))
        .collect();
    set("bulkActions", json!(bulk));
    if let Some(offer) = plan.offers(&part.source, Place::Move).next() {
        set("move", movement(contract, part, offer));
    }
    if has_picks {
        let picks = plan.offers(&part.source, Place::Pick);
        let picks = picks.chain(plan.offers(&part.source, Place::Compose));
        // The answers to all questions are no choice among them.
        let (together, single): (Vec<&Offer>, Vec<&Offer>) =
            picks.partition(|offer| offer.is_hand_in());
        for (name, all) in [("handIn", together), ("pick", single)] {
            let drawn = all.first().map(|offer| pick(plan, contract, part, offer));
            set(name, drawn.unwrap_or_default());
        }
    }
    match part.component.as_str() {
        "Table" => set("pageSize", json!(PAGE_ROWS)),
        "Tasks" => {
            let open = part.settings.get("openValues");
            set(
                "openValues",
                open.map_or(Value::Null, |open| open.split(' ').collect()),
            );
        }
        "Board" if !part.roles.contains_key("cardsField") => {
            let state = schema_at(contract, &part.source).and_then(|schema| {
                let group = part.roles.get("groupField")?;
                columns_of(schema)
                    .into_iter()
                    .find(|field| field.name == group)
            });
            let groups = state
                .and_then(|field| choices(field.schema))
                .into_iter()
                .flatten()
                .map(|value| {
                    let text = value
                        .as_str()
                        .map_or_else(|| value.to_string(), str::to_owned);
                    json!({"value": text, "label": label(&text)})
                });
            set("groups", groups.collect());
            set("groupColumns", part.heads.iter().map(column).collect());
        }
        _ => {}
    }
    if matches!(part.component.as_str(), "Table" | "Tasks")
        && let Some(rows) = members["rowActions"].as_array_mut()
    {
        toggles(rows, part);
    }
    members
}

/// The schema of a prop or of a record inside it.
pub(super) fn schema_at<'a>(contract: &'a CompiledContract, path: &str) -> Option<&'a Value> {
    let mut names = path
        .split('/')
        .skip(2)
        .map(|name| name.replace("~1", "/").replace("~0", "~"));
    let first = names.next()?;
    names.try_fold(contract.prop_schema(&first), |schema, name| {
        fields(schema)
            .into_iter()
            .find(|field| field.name == name)
            .map(|field| field.schema)
    })
}

/// What can be done with one record.
pub(super) fn row_actions(plan: &Plan, contract: &CompiledContract, part: &Part) -> Vec<Value> {
    plan.offers(&part.source, Place::Row)
        .map(|offer| row_action(plan, contract, part, offer))
        .collect()
}

fn row_action(plan: &Plan, contract: &CompiledContract, part: &Part, offer: &Offer) -> Value {
    let found = entry(contract, &offer.action);
    let mut row = json!({"action": offer.action, "label": found.map(|entry| entry.label.as_str()), "fixed": offer.fixed});
    let mut set = |name: &str, value: Value| {
        if !value.is_null() {
            row[name] = value;
        }
    };
    set("icon", json!(icon(contract, &offer.action)));
    set(
        "confirm",
        json!(
            found
                .and_then(|entry| entry.confirm)
                .filter(|confirm| *confirm)
        ),
    );
    if offer.is_dangerous {
        set("variant", json!("borderless"));
        set("tone", json!("bad"));
    } else if plan.primary.as_ref() == Some(&offer.action)
        && matches!(
            part.component.as_str(),
            "Cards" | "Changes" | "Matrix" | "Seats" | "Stepper"
        )
    {
        set("variant", json!("primary"));
    }
    let taken: Vec<&str> = offer.fixed.keys().map(String::as_str).collect();
    set("inputs", inputs(plan, contract, offer, &taken));
    if let Some(unless) = &offer.unless {
        set(
            "unless",
            json!({"field": unless.field, "values": unless.values}),
        );
    }
    if !offer.given.is_empty() {
        set("given", given(offer));
    }
    if !offer.chosen.is_empty() {
        set("choices", chosen(offer));
    }
    if !offer.initial.is_empty() {
        set("initial", json!(offer.initial));
    }
    row
}

fn bulk(contract: &CompiledContract, offer: &Offer) -> Value {
    let found = entry(contract, &offer.action);
    let (list, field) = offer
        .fixed
        .iter()
        .next()
        .map_or(("", ""), |(list, field)| (list, field));
    let mut bulk = json!({"action": offer.action, "label": found.map(|entry| entry.label.as_str()), "list": list, "field": field});
    if let Some(icon) = icon(contract, &offer.action) {
        bulk["icon"] = json!(icon);
    }
    if found.and_then(|entry| entry.confirm) == Some(true) {
        bulk["confirm"] = json!(true);
    }
    if offer.is_dangerous {
        bulk["tone"] = json!("bad");
    }
    bulk
}

fn movement(contract: &CompiledContract, part: &Part, offer: &Offer) -> Value {
    let found = entry(contract, &offer.action);
    let group = part.roles.get("groupField");
    let to = offer
        .initial
        .iter()
        .find(|(_, from)| Some(*from) == group)
        .map(|(to, _)| to);
    let mut movement = json!({"action": offer.action, "label": found.map(|entry| entry.label.as_str()), "fixed": offer.fixed, "to": to});
    if found.and_then(|entry| entry.confirm) == Some(true) {
        movement["confirm"] = json!(true);
    }
    movement
}

/// The action that takes what is chosen, answered or said.
fn pick(plan: &Plan, contract: &CompiledContract, part: &Part, offer: &Offer) -> Value {
    let found = entry(contract, &offer.action);
    let schema = contract.action_schema(&offer.action);
    let mut pick =
        json!({"action": offer.action, "label": found.map(|entry| entry.label.as_str())});
    if found.and_then(|entry| entry.confirm) == Some(true) {
        pick["confirm"] = json!(true);
    }
    if plan.primary.as_ref() == Some(&offer.action) {
        pick["variant"] = json!("primary");
    }
    let member = |name: &str| fields(schema).into_iter().find(|field| field.name == name);
    // What the page gives and what is asked for, beside what is chosen.
    let ask = |pick: &mut Value, to: &str| {
        if !offer.given.is_empty() {
            pick["given"] = given(offer);
        }
        let inputs = inputs(plan, contract, offer, &[to]);
        if !inputs.is_null() {
            pick["inputs"] = inputs;
        }
        if !offer.chosen.is_empty() {
            pick["choices"] = chosen(offer);
        }
    };
    match (part.component.as_str(), offer.place) {
        (_, Place::Compose) => pick["to"] = json!(offer.fixed.keys().next()),
        ("Quiz", _) if offer.is_hand_in() => {
            for (role, member) in &offer.fixed {
                pick[role] = json!(member);
            }
            ask(&mut pick, offer.fixed.get("to").map_or("", String::as_str));
        }
        ("Quiz", _) => {
            let mut open = required(schema).filter(|name| !offer.fixed.contains_key(*name));
            let to = open.next().map(str::to_owned).or_else(|| {
                fields(schema)
                    .iter()
                    .map(|field| field.name.to_owned())
                    .find(|name| !offer.fixed.contains_key(name))
            });
            let taken = to.as_deref().and_then(member);
            let is_index = taken.is_some_and(|field| takes_index(field.schema));
            pick["fixed"] = json!(offer.fixed);
            pick["to"] = json!(to);
            if taken.is_some_and(|field| kind(field.schema) == Kind::Strings) {
                pick["several"] = json!(true);
            }
            if is_index && !part.roles.contains_key("optionKey") {
                pick["as"] = json!("index");
            }
        }
        _ => {
            let (to, field) = offer
                .fixed
                .iter()
                .next()
                .map_or(("", ""), |(to, field)| (to, field));
            pick["to"] = json!(to);
            pick["field"] = json!(field);
            if member(to).is_some_and(|field| kind(field.schema) == Kind::Strings) {
                pick["several"] = json!(true);
            }
            ask(&mut pick, to);
        }
    }
    pick
}

/// Whether an answer is the number of an option.
fn takes_index(schema: &Value) -> bool {
    let branches = ["oneOf", "anyOf"]
        .iter()
        .find_map(|union| core(schema).get(*union))
        .and_then(Value::as_array);
    match branches {
        Some(branches) => branches.iter().any(takes_index),
        None => kind(schema) == Kind::Number,
    }
}

/// An action that turns the one boolean of a record on and off is shown as its box.
fn toggles(actions: &mut [Value], part: &Part) {
    const TURNS: &[&str] = &[
        "check", "complete", "finish", "mark", "switch", "tick", "toggle",
    ];
    // `{taskId, done}` says outright which value it gives to which boolean.
    let sets = |action: &Value| {
        let (to, from) = action["initial"].as_object()?.iter().next()?;
        let asked = action["inputs"]["properties"].as_object()?;
        let is_only = asked.len() == 1 && asked.get(to).map(kind) == Some(Kind::Boolean);
        let is_shown = |shown: &&Shown| shown.format == "boolean" && from == &shown.field;
        let shown = part.fields.iter().find(is_shown)?;
        let is_asked = action.get("confirm").is_some();
        (is_only && !is_asked).then(|| shown.field.clone())
    };
    if let Some((action, field)) = actions
        .iter_mut()
        .find_map(|action| sets(action).map(|field| (action, field)))
    {
        action["toggles"] = json!(field);
        return;
    }
    let is_turned = |shown: &&Shown| shown.format == "boolean" && !is_duty(&shown.field);
    let mut booleans = part.fields.iter().filter(is_turned);
    let (Some(boolean), None) = (booleans.next(), booleans.next()) else {
        return;
    };
    let turns = |action: &&mut Value| {
        let name = action["action"].as_str().unwrap_or_default();
        let turns = split(name)
            .iter()
            .any(|word| TURNS.contains(&word.as_str()));
        turns && action.get("inputs").is_none() && action.get("confirm").is_none()
    };
    if let Some(action) = actions.iter_mut().find(turns) {
        action["toggles"] = json!(boolean.field);
    }
}

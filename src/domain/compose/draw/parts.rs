//! Draws the parts of a plan, each with its component.

use serde_json::{Value, json};

use super::super::plan::{Part, Place, Plan};
use super::super::reading::{cells_of, choices, columns_of, core, fields, says};
use super::actions::{asking, entry};
use super::builder::{Builder, bind};
use super::controls::control;
use super::records::{records, row_actions, schema_at};
use super::values::{column, currency, fact, given, option, reference};
use crate::domain::contract::CompiledContract;

/// Draws one part and returns its id.
pub(super) fn draw(
    builder: &mut Builder,
    plan: &Plan,
    contract: &CompiledContract,
    part: &Part,
) -> String {
    let members = match part.component.as_str() {
        "KeyValue" => {
            json!({"title": part.title, "items": part.fields.iter().map(fact).collect::<Value>()})
        }
        "Metric" => metric(part),
        "Progress" => json!({"label": part.title, "value": bind(&part.source), "max": 100}),
        "Text" => return article(builder, part),
        "Image" => json!({
            "url": bind(&part.source), "fit": "contain", "variant": "largeFeature",
            "accessibility": {"label": part.title},
        }),
        "Diff" if part.settings.contains_key("as") => {
            json!({"title": part.title, "patch": bind(&part.source)})
        }
        "Diff" => json!({"title": part.title, "after": bind(&part.source)}),
        "Code" | "Values" => json!({"title": part.title, "value": bind(&part.source)}),
        "Notice" | "Toast" => json!({"text": bind(&part.source)}),
        "Chart" => chart(part),
        "Log" => json!({"title": part.title, "lines": bind(&part.source)}),
        "Items" => items_of(plan, contract, part),
        "Checklist" => json!({"label": part.title, "options": bind(&part.source)}),
        "Matrix" => matrix(plan, contract, part),
        "Wizard" => wizard(plan, contract, part),
        _ if part.source.starts_with("/context/") => control(contract, part),
        _ => records(plan, contract, part),
    };
    let mut members = members;
    for (role, field) in &part.roles {
        members[role] = json!(field);
    }
    for (name, found) in &part.names {
        members[name] = reference(found);
    }
    for (name, path) in &part.bindings {
        members[name] = bind(path);
    }
    for (name, word) in part
        .settings
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "as" | "openValues" | "rows" | "variant"))
    {
        members[name] = match (word.parse::<i64>(), word.as_str()) {
            (Ok(number), _) => json!(number),
            (_, "true") => json!(true),
            (_, "false") => json!(false),
            _ => json!(word),
        };
    }
    let hint = part.source.rsplit('/').next().unwrap_or_default();
    builder.add(hint, &part.component, members)
}

fn items_of(plan: &Plan, contract: &CompiledContract, part: &Part) -> Value {
    let title = part.title.as_deref().unwrap_or_default();
    let empty = if title.is_ascii() {
        format!("No {} yet.", title.to_lowercase())
    } else {
        "–".to_owned()
    };
    let mut members = json!({"title": part.title, "items": bind(&part.source), "emptyText": empty});
    if let Some(offer) = plan.offers(&part.source, Place::Pick).next() {
        let found = entry(contract, &offer.action);
        let mut pick = json!({"action": offer.action, "label": found.map(|entry| entry.label.as_str()), "to": offer.fixed.keys().next()});
        if found.and_then(|entry| entry.confirm) == Some(true) {
            pick["confirm"] = json!(true);
        }
        members["pick"] = pick;
    }
    members
}

/// The steps of a form, and the form.
fn wizard(plan: &Plan, contract: &CompiledContract, part: &Part) -> Value {
    let mut members = plan
        .offers(&part.source, Place::Form)
        .next()
        .map_or_else(|| json!({}), |offer| asking(plan, contract, offer));
    members["title"] = json!(part.title);
    if part.fields.is_empty() {
        members["rows"] = bind(&part.source);
    } else {
        let steps = part.fields.iter();
        members["options"] = steps
            .map(|step| json!({"label": step.label, "value": step.field}))
            .collect();
    }
    let steps = plan.offers(&part.source, Place::Step);
    let steps: Vec<Value> = steps
        .map(|offer| {
            let mut form = asking(plan, contract, offer);
            if let Value::Object(form) = &mut form {
                form.retain(|_, value| !value.is_null());
            }
            form
        })
        .collect();
    if !steps.is_empty() {
        members["steps"] = json!(steps);
    }
    for offer in plan.offers(&part.source, Place::Keep) {
        let label = entry(contract, &offer.action).map(|entry| &entry.label);
        for to in offer.fixed.keys() {
            members["keep"] = json!({"action": offer.action, "label": label, "to": to});
            if !offer.given.is_empty() {
                members["keep"]["given"] = given(offer);
            }
        }
    }
    for offer in plan.offers(&part.source, Place::Turn) {
        for turn in offer.fixed.values() {
            members[turn] = json!({"action": offer.action});
        }
    }
    members
}

fn matrix(plan: &Plan, contract: &CompiledContract, part: &Part) -> Value {
    let is_list = part.roles.contains_key("valueField");
    let source = if is_list { "rows" } else { "value" };
    let mut members = json!({"title": part.title});
    members[source] = bind(&part.source);
    let whole = schema_at(contract, &part.source);
    let inner = match part.roles.get("valueField") {
        Some(name) => {
            let own = whole.map(columns_of).unwrap_or_default();
            let cell = own.into_iter().find(|field| field.name == name);
            cell.map(|field| field.schema)
        }
        None => whole.and_then(cells_of),
    };
    if let Some(options) = inner.and_then(choices) {
        members["options"] = options.into_iter().map(option).collect();
    }
    for (name, shown) in ["rowNames", "columnNames"].iter().zip(&part.fields) {
        if let Some(refers) = &shown.refers {
            members[*name] = reference(refers);
        }
    }
    let more: Vec<Value> = part.fields.iter().skip(3).map(column).collect();
    members["columns"] = json!((!more.is_empty()).then_some(more));
    if let Some(cell) = part.fields.get(2).filter(|cell| !cell.format.is_empty()) {
        let is_said = part
            .title
            .as_deref()
            .is_some_and(|title| says(title, &cell.label));
        members["cellLabel"] = json!((!is_said).then_some(cell.label.as_str()));
        members["format"] = json!(cell.format);
        members["unit"] = json!(cell.unit);
        members["currency"] = json!(cell.currency.as_deref().map(currency));
    }
    let rows = row_actions(plan, contract, part);
    members["rowActions"] = json!((!rows.is_empty()).then_some(rows));
    if let Some(offer) = plan.offers(&part.source, Place::Pick).next() {
        let found = entry(contract, &offer.action);
        let mut pick =
            json!({"action": offer.action, "label": found.map(|entry| entry.label.as_str())});
        for (role, member) in &offer.fixed {
            pick[role] = json!(member);
        }
        if found.and_then(|entry| entry.confirm) == Some(true) {
            pick["confirm"] = json!(true);
        }
        let value = offer.fixed.get("to").and_then(|to| {
            let asked = fields(contract.action_schema(&offer.action));
            asked.into_iter().find(|field| field.name == to)
        });
        for end in ["minimum", "maximum", "multipleOf"] {
            if let Some(bound) = value.and_then(|field| core(field.schema).get(end)) {
                pick[end] = bound.clone();
            }
        }
        members["pick"] = pick;
    }
    members
}

fn metric(part: &Part) -> Value {
    let Some(shown) = part.fields.first() else {
        return json!({"label": part.title, "value": bind(&part.source)});
    };
    if let (Some(found), "currency" | "money") = (&shown.currency, shown.format.as_str()) {
        // A metric has no currency of its own, so the text is made here.
        let mut args = json!({"value": bind(&part.source), "currency": currency(found)});
        if shown.format == "money" {
            args["minor"] = json!(true);
        }
        let call = json!({"call": "formatCurrency", "args": args, "returnType": "string"});
        return json!({"label": shown.label, "value": call});
    }
    json!({"label": shown.label, "value": bind(&part.source), "format": shown.format, "unit": shown.unit})
}

fn chart(part: &Part) -> Value {
    let series: Vec<Value> = part
        .fields
        .iter()
        .map(|shown| json!({"field": shown.field, "label": shown.label}))
        .collect();
    let format = part.settings.get("format").map(String::as_str);
    let (low, high) = match format {
        Some("percent") => (Some(0), Some(100)),
        Some("ratio") => (Some(0), Some(1)),
        _ => (None, None),
    };
    json!({"title": part.title, "data": bind(&part.source), "series": series, "min": low, "max": high})
}

/// A text with its title above it.
fn article(builder: &mut Builder, part: &Part) -> String {
    let hint = part
        .source
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .to_owned();
    let heading = json!({"text": part.title, "level": 2});
    let heading = builder.add(&format!("{hint}_title"), "Heading", heading);
    let text = json!({"text": bind(&part.source), "variant": part.settings.get("variant")});
    let text = builder.add(&hint, "Text", text);
    builder
        .column(&format!("{hint}_article"), vec![heading, text])
        .unwrap_or_default()
}

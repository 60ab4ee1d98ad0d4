//! Draws values: of records, of the page, of forms, and the options to choose from.

use serde_json::{Value, json};

use super::super::plan::{Lookup, Offer, Reference, Shown, is_code};
use super::super::reading::label;
use super::builder::bind;

/// One value of a record.
pub(super) fn column(shown: &Shown) -> Value {
    let align = match shown.format.as_str() {
        "number" | "integer" | "percent" | "ratio" | "bytes" | "currency" | "money"
        | "duration" | "milliseconds" | "amount" | "measure" => Some("end"),
        "boolean" => Some("center"),
        _ => None,
    };
    let mut column = value(shown);
    column["field"] = json!(shown.field);
    if let Some(align) = align {
        column["align"] = json!(align);
    }
    column
}

/// One value of the page.
pub(super) fn fact(shown: &Shown) -> Value {
    let mut fact = value(shown);
    fact["value"] = bind(&shown.field);
    fact
}

fn value(shown: &Shown) -> Value {
    let mut value = json!({"label": shown.label, "format": shown.format});
    let mut set = |name: &str, found: Option<Value>| {
        if let Some(found) = found {
            value[name] = found;
        }
    };
    set("unit", shown.unit.as_ref().map(|unit| json!(unit)));
    set("currency", shown.currency.as_deref().map(currency));
    set("currencyOf", shown.currency_of.as_ref().map(lookup));
    set("refers", shown.refers.as_ref().map(reference));
    set(
        "parts",
        (!shown.parts.is_empty()).then(|| shown.parts.iter().map(column).collect()),
    );
    value
}

/// The currency of an amount: where it stands, or itself.
pub(super) fn currency(found: &str) -> Value {
    if is_code(found) {
        json!(found)
    } else {
        bind(found)
    }
}

/// A value of the record that an id names.
fn lookup(found: &Lookup) -> Value {
    json!({"id": bind(&found.id), "refers": reference(&found.refers)})
}

/// Records that stand for an id, for the catalog.
pub(super) fn reference(found: &Reference) -> Value {
    let mut reference =
        json!({"rows": bind(&found.rows), "key": found.key, "titleField": found.title});
    if let Some(within) = &found.within {
        reference["within"] = json!(within);
    }
    if let Some(children) = &found.children {
        reference["children"] = json!(children);
    }
    reference
}

/// Payload members that the page gives.
pub(super) fn given(offer: &Offer) -> Value {
    Value::Object(
        offer
            .given
            .iter()
            .map(|(name, path)| (name.clone(), bind(path)))
            .collect(),
    )
}

/// Payload members that are chosen among records of the page.
pub(super) fn chosen(offer: &Offer) -> Value {
    Value::Object(
        offer
            .chosen
            .iter()
            .map(|(name, found)| (name.clone(), reference(found)))
            .collect(),
    )
}

pub(super) fn option(value: &Value) -> Value {
    let text = value.as_str().map_or_else(|| value.to_string(), label);
    json!({"label": text, "value": value})
}

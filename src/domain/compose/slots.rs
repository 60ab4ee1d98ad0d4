//! Draws the controls of context slots.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::builder::{Builder, bind, join};
use super::fields::{Kind, choices, core, is_long, is_strings, items, kind};
use super::props::{Subject, code};
use super::words::{label, split};
use crate::domain::contract::CompiledContract;
use crate::wire::contract::ContextEntry;

/// Options shown side by side; more of them go into a list that opens.
const VISIBLE_OPTIONS_MAX: usize = 5;
/// A description up to this long, in characters, serves as the label.
const LABEL_CHARS_MAX: usize = 60;

/// Draws every slot; returns the controls and the props that checklists already show.
pub(super) fn controls(
    builder: &mut Builder,
    contract: &CompiledContract,
) -> (Vec<String>, BTreeSet<String>) {
    let mut shown = BTreeSet::new();
    let mut controls = Vec::new();
    for (name, entry) in contract.contract().context_spec.iter().flatten() {
        let schema = contract.slot_schema(name);
        let options = is_strings(schema)
            .then(|| options_prop(contract, name, &shown))
            .flatten();
        let control = match options {
            Some(prop) => {
                let members = json!({
                    "label": title(&prop, None),
                    "options": bind(&join("/props", &prop)),
                    "value": bind(&join("/context", name)),
                });
                shown.insert(prop);
                builder.add(name, "Checklist", members)
            }
            None => control(builder, name, entry, schema),
        };
        controls.push(control);
    }
    (controls, shown)
}

fn control(builder: &mut Builder, name: &str, entry: &ContextEntry, schema: &Value) -> String {
    let path = join("/context", name);
    let value = bind(&path);
    let text = title(name, entry.description.as_deref());
    let bare = core(schema);
    let format = bare.get("format").and_then(Value::as_str);
    match kind(schema) {
        Kind::Boolean => builder.add(name, "Switch", json!({"label": text, "value": value})),
        Kind::Choice => {
            let options = options(schema);
            let (component, variant) = match options.len() <= VISIBLE_OPTIONS_MAX {
                true => ("ChoicePicker", Some("mutuallyExclusive")),
                false => ("Select", None),
            };
            let members =
                json!({"label": text, "options": options, "value": value, "variant": variant});
            builder.add(name, component, members)
        }
        Kind::Number => {
            let members = json!({
                "label": text, "value": value,
                "min": bare.get("minimum"), "max": bare.get("maximum"),
                "integer": (bare.get("type") == Some(&json!("integer"))).then_some(true),
            });
            builder.add(name, "NumberField", members)
        }
        Kind::Text if matches!(format, Some("date" | "date-time" | "time")) => {
            let members = json!({
                "label": text, "value": value,
                "enableDate": format != Some("time"), "enableTime": format != Some("date"),
            });
            builder.add(name, "DateTimeInput", members)
        }
        Kind::Text => {
            let variant = if is_long(name, bare) {
                "longText"
            } else {
                "shortText"
            };
            let members = json!({"label": text, "value": value, "variant": variant});
            builder.add(name, "TextField", members)
        }
        Kind::Record => {
            let members = json!({"title": text, "schema": bare, "value": value});
            builder.add(name, "FieldSet", members)
        }
        Kind::Strings if choices(items(schema)).is_some() => {
            let members = json!({
                "label": text, "options": options(items(schema)), "value": value,
                "variant": "multipleSelection",
            });
            builder.add(name, "ChoicePicker", members)
        }
        Kind::Numbers | Kind::Open | Kind::Records | Kind::Strings => {
            let subject = Subject {
                path: &path,
                name,
                schema,
                description: None,
                currency: None,
            };
            code(builder, &subject)
        }
    }
}

/// A list of texts among the props that a slot chooses from: the one whose name is closest,
/// and the first of equally close ones.
fn options_prop(
    contract: &CompiledContract,
    slot: &str,
    taken: &BTreeSet<String>,
) -> Option<String> {
    let words = split(slot);
    let props = contract
        .contract()
        .props_spec
        .iter()
        .flat_map(|spec| spec.properties.keys());
    let near = |name: &str| {
        let own = split(name);
        own.iter().filter(|word| words.contains(word)).count()
    };
    props
        .filter(|name| is_strings(contract.prop_schema(name)) && !taken.contains(*name))
        .enumerate()
        .max_by_key(|(at, name)| (near(name), Reverse(*at)))
        .map(|(_, name)| name.clone())
}

fn options(schema: &Value) -> Vec<Value> {
    let all = choices(schema).unwrap_or_default();
    all.into_iter()
        .map(|value| {
            let text = value.as_str().map_or_else(|| value.to_string(), label);
            json!({"label": text, "value": value})
        })
        .collect()
}

fn title(name: &str, description: Option<&str>) -> String {
    let short = description.filter(|text| text.chars().count() <= LABEL_CHARS_MAX);
    short.map_or_else(|| label(name), str::to_owned)
}

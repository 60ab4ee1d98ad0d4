//! Draws the controls of context slots.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::builder::{Builder, bind, join};
use super::fields::{Kind, choices, core, is_long, is_strings, items, kind};
use super::props::code;
use super::subject::Subject;
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
        Kind::Number if slider(bare).is_some() => {
            let (low, high) = slider(bare).unwrap_or_default();
            let is_rating = low == 1 && split(name).iter().any(|word| word == "rating");
            let members = json!({
                "label": text, "value": value, "max": high, "min": (!is_rating).then_some(low),
            });
            let component = if is_rating { "Rating" } else { "Slider" };
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
        Kind::Text if is_search(name) => {
            builder.add(name, "Search", json!({"label": text, "value": value}))
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
            let schema = located(bare);
            let members = json!({"title": text, "schema": schema, "value": value});
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
                wish: None,
            };
            code(builder, &subject)
        }
    }
}

/// The ends of a scale of whole numbers that a thumb can be set to.
fn slider(schema: &Value) -> Option<(i64, i64)> {
    /// Steps that are still told apart on a phone.
    const STEPS_MAX: i64 = 100;
    let end = |name: &str| schema.get(name).and_then(Value::as_i64);
    let (low, high) = (end("minimum")?, end("maximum")?);
    let is_whole = schema.get("type") == Some(&json!("integer"));
    (is_whole && low < high && high - low <= STEPS_MAX).then_some((low, high))
}

fn is_search(name: &str) -> bool {
    const SEARCHES: &[&str] = &["filter", "keyword", "keywords", "q", "query", "search"];
    split(name)
        .last()
        .is_some_and(|word| SEARCHES.contains(&word.as_str()))
}

/// The schema of a place on earth with words that say what its two numbers are.
fn located(schema: &Value) -> Value {
    const WORDS: &[(&[&str], &str, &str)] = &[
        (
            &["lat", "latitude"],
            "Latitude",
            "Degrees, north is positive: 53.55",
        ),
        (
            &["lng", "lon", "long", "longitude"],
            "Longitude",
            "Degrees, east is positive: 9.99",
        ),
    ];
    let mut schema = schema.clone();
    let has = |schema: &Value, names: &[&str]| {
        names
            .iter()
            .any(|name| schema["properties"].get(name).is_some())
    };
    if !WORDS.iter().all(|(names, _, _)| has(&schema, names)) {
        return schema;
    }
    for (names, title, hint) in WORDS {
        for name in *names {
            if let Some(Value::Object(field)) = schema["properties"].get_mut(*name) {
                field.entry("title").or_insert(json!(title));
                field.entry("description").or_insert(json!(hint));
            }
        }
    }
    schema
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

//! Draws the controls of context slots.

use serde_json::{Map, Value, json};

use super::super::plan::{Part, is_several_lines, scale};
use super::super::reading::{Kind, choices, core, items, kind, structure};
use super::builder::bind;
use super::values::option;
use crate::domain::contract::CompiledContract;

/// A control of a context slot.
pub(super) fn control(contract: &CompiledContract, part: &Part) -> Value {
    let name = part
        .source
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .replace("~1", "/")
        .replace("~0", "~");
    let schema = contract.slot_schema(&name);
    let bare = core(schema);
    let mut members = Map::new();
    members.insert("label".to_owned(), json!(part.title));
    members.insert("value".to_owned(), bind(&part.source));
    let mut set = |name: &str, value: Value| {
        members.insert(name.to_owned(), value);
    };
    match part.component.as_str() {
        "ChoicePicker" | "Select" => {
            let is_several = kind(schema) == Kind::Strings;
            let all = choices(if is_several { items(schema) } else { schema }).unwrap_or_default();
            set("options", all.into_iter().map(option).collect());
            if part.component == "ChoicePicker" {
                set(
                    "variant",
                    json!(if is_several {
                        "multipleSelection"
                    } else {
                        "mutuallyExclusive"
                    }),
                );
            }
        }
        "Slider" | "Rating" => {
            let (low, high) = scale(bare).unwrap_or_default();
            set("max", json!(high));
            if part.component == "Slider" {
                set("min", json!(low));
            }
        }
        "NumberField" => {
            set("min", json!(bare.get("minimum")));
            set("max", json!(bare.get("maximum")));
            set(
                "integer",
                json!((bare.get("type") == Some(&json!("integer"))).then_some(true)),
            );
        }
        "DateTimeInput" => {
            let format = bare.get("format").and_then(Value::as_str);
            set("enableDate", json!(format != Some("time")));
            set("enableTime", json!(format != Some("date")));
        }
        "TextField" => set(
            "variant",
            json!(if is_several_lines(&name, schema) {
                "longText"
            } else {
                "shortText"
            }),
        ),
        "FieldSet" => {
            members.remove("label");
            members.insert("title".to_owned(), json!(part.title));
            members.insert("schema".to_owned(), located(bare));
        }
        _ => {}
    }
    Value::Object(members)
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
    if structure(&schema) != Some("place") {
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

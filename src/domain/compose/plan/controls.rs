//! Which context slots a person sets by hand, with which control; the others are bound or hidden.

use super::super::reading::{
    Kind, Reading, Slot, SlotUse, choices, core, hints, is_long, is_nullable, items, join, kind,
    label, split,
};
use super::blank::part;
use super::listed::{arranges, is_search, selects};
use super::outline::{Hidden, Part, Region};

/// Options shown side by side; more of them go into a list that opens.
const VISIBLE_OPTIONS_MAX: usize = 5;
/// A description up to this long, in characters, serves as the label.
const LABEL_CHARS_MAX: usize = 60;

/// Words of what a person chooses by looking at it.
const CHOSEN: &[&str] = &["active", "current", "open", "selected"];

/// Places every slot: as a control, bound to a part, or among what is hidden.
pub(super) fn controls(reading: &Reading<'_>, parts: &mut Vec<Part>) -> Vec<Hidden> {
    let mut hidden = Vec::new();
    let mut ticked = Vec::new();
    for slot in &reading.slots {
        let path = join("/context", slot.name);
        let because = match &slot.is {
            SlotUse::Control => {
                if !arranges(reading, slot, parts, &path) {
                    parts.push(control(reading, slot, &path));
                }
                continue;
            }
            SlotUse::Shown => {
                let calendar = parts.iter_mut().find(|part| part.component == "Calendar");
                let is_typed = split(slot.name)
                    .iter()
                    .all(|word| !CHOSEN.contains(&word.as_str()));
                if let Some(calendar) = calendar {
                    calendar.bindings.insert("shown".to_owned(), path);
                    continue;
                }
                if is_typed {
                    parts.push(control(reading, slot, &path));
                    continue;
                }
                "no calendar shows it".to_owned()
            }
            SlotUse::Ticks { thing } => {
                let list = &reading.things[*thing];
                if !ticked.contains(thing) {
                    ticked.push(*thing);
                    parts.retain(|part| part.source != list.path);
                    let mut ticks = part(&list.path, "Checklist", Region::Controls);
                    ticks.title = Some(super::blank::title(list));
                    ticks.bindings.insert("value".to_owned(), path);
                    parts.push(ticks);
                    continue;
                }
                "its list is ticked for another slot".to_owned()
            }
            SlotUse::Step => match parts.iter_mut().find(|part| part.component == "Stepper") {
                Some(steps) => {
                    steps.bindings.insert("current".to_owned(), path);
                    steps.set("first", first_step(slot));
                    continue;
                }
                None => "the steps are not shown as steps".to_owned(),
            },
            SlotUse::Selection { thing } => {
                let list = &reading.things[*thing];
                if selects(reading, slot, *thing, parts, &path) {
                    continue;
                }
                format!(
                    "which of {} is chosen follows from what is done with them",
                    list.name
                )
            }
            SlotUse::Draft { action } => match parts
                .iter_mut()
                .find(|part| part.component == "Chat" && kind(slot.schema) == Kind::Text)
            {
                Some(chat) => {
                    chat.bindings.insert("draft".to_owned(), path);
                    continue;
                }
                None => format!("it is what is typed before {action}"),
            },
            SlotUse::Screen => "it is state of the screen that nobody sets by hand".to_owned(),
        };
        hidden.push(Hidden {
            source: path,
            because,
        });
    }
    hidden
}

/// The number of the first step, where a slot counts from 0.
pub(super) fn first_step(slot: &Slot<'_>) -> Option<&'static str> {
    let is_from_0 = core(slot.schema).get("minimum") == Some(&serde_json::json!(0));
    is_from_0.then_some("0")
}

fn control(reading: &Reading<'_>, slot: &Slot<'_>, path: &str) -> Part {
    let words = split(slot.name);
    let says = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    let filters = says(&[
        "direction",
        "filter",
        "group",
        "interval",
        "layout",
        "max",
        "min",
        "only",
        "order",
        "period",
        "query",
        "range",
        "search",
        "show",
        "sort",
        "view",
        "visible",
    ]);
    let mut control = part(
        path,
        component(slot),
        if filters || narrows(reading, slot) {
            Region::Filters
        } else {
            Region::Controls
        },
    );
    let short = slot
        .description
        .filter(|text| text.chars().count() <= LABEL_CHARS_MAX);
    let text = hints(slot.schema).get("title").or(short);
    control.title = Some(text.map_or_else(|| label(slot.name), str::to_owned));
    control
}

/// Whether one of the words that a member of records may hold, or none, is chosen: they are what is
/// looked at.
fn narrows(reading: &Reading<'_>, slot: &Slot<'_>) -> bool {
    let Some(own) = choices(slot.schema) else {
        return false;
    };
    let mut members = reading
        .things
        .iter()
        .filter(|thing| thing.has_records())
        .flat_map(|thing| thing.fields());
    is_nullable(slot.schema)
        && members.any(|field| {
            field.name == slot.name
                && choices(field.schema)
                    .is_some_and(|all| own.iter().all(|one| one.is_null() || all.contains(one)))
        })
}

fn component(slot: &Slot<'_>) -> &'static str {
    let bare = core(slot.schema);
    let format = bare.get("format").and_then(serde_json::Value::as_str);
    match kind(slot.schema) {
        Kind::Boolean => "Switch",
        Kind::Choice
            if choices(slot.schema).is_some_and(|all| all.len() <= VISIBLE_OPTIONS_MAX) =>
        {
            "ChoicePicker"
        }
        Kind::Choice => "Select",
        Kind::Number => match scale(bare) {
            Some((1, _)) if split(slot.name).iter().any(|word| word == "rating") => "Rating",
            Some(_) => "Slider",
            None => "NumberField",
        },
        Kind::Text if matches!(format, Some("date" | "date-time" | "time")) => "DateTimeInput",
        Kind::Text if is_search(slot.name) => "Search",
        Kind::Text => "TextField",
        Kind::Strings if choices(items(slot.schema)).is_some() => "ChoicePicker",
        _ => "FieldSet",
    }
}

/// Whether a text is typed on several lines.
pub(crate) fn is_several_lines(name: &str, schema: &serde_json::Value) -> bool {
    is_long(name, core(schema))
}

/// The ends of a scale of whole numbers that a thumb can be set to.
pub(crate) fn scale(schema: &serde_json::Value) -> Option<(i64, i64)> {
    /// Steps that are still told apart on a phone.
    const STEPS_MAX: i64 = 100;
    let end = |name: &str| schema.get(name).and_then(serde_json::Value::as_i64);
    let (low, high) = (end("minimum")?, end("maximum")?);
    let is_whole = schema.get("type") == Some(&serde_json::json!("integer"));
    (is_whole && low < high && high - low <= STEPS_MAX).then_some((low, high))
}

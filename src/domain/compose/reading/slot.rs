//! What a context slot is the state of.

use serde_json::Value;

use super::fields::{Field, Kind, choices, core, fields, is_id, kind};
use super::gesture::Gesture;
use super::hints::hints;
use super::records::ends_with;
use super::reference::referent;
use super::thing::{Sort, Thing};
use super::words::{Word, singular, split};

/// What a slot holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SlotUse {
    /// A value a person sets for the agent to see: a filter, an order, a wish.
    Control,
    /// Which texts of a list are ticked.
    Ticks { thing: usize },
    /// Which month, week or day is in sight.
    Shown,
    /// Which step is the current one.
    Step,
    /// Which records of a thing are chosen; whether there may be several.
    Selection { thing: usize },
    /// What is typed before it is sent with an action.
    Draft { action: String },
    /// State of the screen that nobody sets by hand.
    Screen,
}

/// Words of state that follows from what a person does elsewhere on the screen.
const SCREEN: &[&str] = &[
    "active",
    "busy",
    "collapsed",
    "crosshair",
    "cursor",
    "dirty",
    "drag",
    "dragged",
    "dragging",
    "elapsed",
    "expanded",
    "eyedropper",
    "focus",
    "focused",
    "highlight",
    "highlighted",
    "hover",
    "hovered",
    "index",
    "loading",
    "muted",
    "offset",
    "page",
    "pan",
    "position",
    "read",
    "scroll",
    "scrolled",
    "typing",
    "unsaved",
    "viewed",
    "viewport",
    "visited",
    "volume",
    "zoom",
];
/// Words of a choice among what is shown.
const CHOSEN: &[&str] = &[
    "checked",
    "choice",
    "chosen",
    "current",
    "favourite",
    "favorite",
    "marked",
    "open",
    "picked",
    "pick",
    "pinned",
    "selected",
    "selection",
    "shortlist",
];
/// Words of what narrows what is shown.
const NARROWING: &[&str] = &["filter", "only", "shown", "visible"];
const DRAFTS: &[&str] = &["answers", "composer", "draft", "drafts", "input"];

/// Reads one slot.
pub(crate) fn slot_use(
    name: &str,
    schema: &Value,
    things: &[Thing<'_>],
    gestures: &[Gesture<'_>],
) -> SlotUse {
    let words = split(name);
    let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    if hints(schema).says("hidden") {
        return SlotUse::Screen;
    }
    let texts = || {
        let lists = things
            .iter()
            .enumerate()
            .filter(|(_, thing)| thing.sort == Sort::Texts);
        let near = |thing: &Thing<'_>| {
            split(thing.name)
                .iter()
                .filter(|word| words.contains(word))
                .count()
        };
        lists
            .rev()
            .max_by_key(|(_, thing)| near(thing))
            .map(|(at, _)| at)
    };
    let is_texts = kind(schema) == Kind::Strings && choices(super::fields::items(schema)).is_none();
    let is_plain = matches!(
        kind(schema),
        Kind::Text | Kind::Number | Kind::Strings | Kind::Numbers
    );
    let is_step =
        has(&["step", "stage", "phase"]) && (has(&["current", "active"]) || words.len() == 1);
    if is_step && things.iter().any(|thing| is_steps(thing)) {
        return SlotUse::Step;
    }
    // Nobody types at which step of what is not shown they are, nor what they have reached.
    let is_reached = matches!(name, "at" | "score" | "streak");
    if (is_step && matches!(kind(schema), Kind::Text | Kind::Number))
        || (is_reached && kind(schema) == Kind::Number)
    {
        return SlotUse::Screen;
    }
    // Nobody types who they are, nor the id of what they reply to.
    let is_reply = has(&["reply"]) && is_id(&singular(name));
    if is_plain && (names_viewer(name) || is_reply) {
        return SlotUse::Screen;
    }
    if kind(schema) == Kind::Text && says_when(&words) {
        return SlotUse::Shown;
    }
    // An `ownerFilter` narrows what is shown to what one of the owners has.
    let narrowed: Vec<&str> = words
        .iter()
        .map(Word::as_str)
        .filter(|word| !NARROWING.contains(word))
        .collect();
    let narrowed = referent(&narrowed.join("_"), things).filter(|_| narrowed.len() < words.len());
    if is_plain && let Some((thing, _)) = referent(name, things).or(narrowed) {
        return SlotUse::Selection { thing };
    }
    if has(DRAFTS)
        || words
            .last()
            .is_some_and(|word| word == "text" && words.len() == 1)
    {
        if let Some(action) = drafted(&words, schema, gestures) {
            return SlotUse::Draft { action };
        }
        // Nobody ticks that a draft is saved.
        if matches!(kind(schema), Kind::Open | Kind::Record | Kind::Boolean) {
            return SlotUse::Screen;
        }
    }
    if is_plain && has(CHOSEN) {
        let is_records = |thing: &&Thing<'_>| thing.has_records();
        if is_texts && let Some(thing) = texts() {
            return SlotUse::Ticks { thing };
        }
        if let Some(thing) = things.iter().position(|thing| is_records(&thing)) {
            return SlotUse::Selection { thing };
        }
        return SlotUse::Screen;
    }
    // Nobody types which record is chosen.
    if has(SCREEN) || (has(CHOSEN) && kind(schema) == Kind::Record) {
        return SlotUse::Screen;
    }
    if is_texts
        && !has(&["filter"])
        && let Some(thing) = texts()
    {
        return SlotUse::Ticks { thing };
    }
    if matches!(kind(schema), Kind::Open | Kind::Records | Kind::Numbers)
        || is_shape_of(schema, gestures)
        || is_place(schema, things)
    {
        return match drafted(&words, schema, gestures) {
            Some(action) => SlotUse::Draft { action },
            None => SlotUse::Screen,
        };
    }
    // A list of texts that nothing on the page lists cannot be set by hand.
    if is_texts {
        SlotUse::Screen
    } else {
        SlotUse::Control
    }
}

/// Whether words say which part of time is in sight: `month`, `shownWeek`.
fn says_when(words: &[Word]) -> bool {
    const PARTS: &[&str] = &["date", "day", "month", "week"];
    const SEEN: &[&str] = &[
        "active",
        "current",
        "displayed",
        "open",
        "selected",
        "shown",
        "view",
        "visible",
    ];
    let (parts, rest): (Vec<&str>, Vec<&str>) = words
        .iter()
        .map(Word::as_str)
        .partition(|word| PARTS.contains(word));
    parts.len() == 1 && rest.iter().all(|word| SEEN.contains(word))
}

/// A list that names the steps of something.
pub(crate) fn is_steps(thing: &Thing<'_>) -> bool {
    let last = split(thing.name)
        .pop()
        .map(|word| singular(&word))
        .unwrap_or_default();
    let is_list = matches!(thing.sort, Sort::Texts | Sort::Records);
    is_list && matches!(last.as_str(), "phase" | "stage" | "step")
}

/// Whether a record says where something stands, by the ids of what is shown: `{rowId, columnId}`.
fn is_place(schema: &Value, things: &[Thing<'_>]) -> bool {
    let refers = |name: &str| is_id(name) && referent(name, things).is_some();
    kind(schema) == Kind::Record && fields(schema).iter().any(|field| refers(field.name))
}

/// Whether all members of a record are asked for by one form.
fn is_shape_of(schema: &Value, gestures: &[Gesture<'_>]) -> bool {
    kind(schema) == Kind::Record
        && gestures.iter().any(|gesture| {
            let asked = fields(gesture.schema);
            fields(schema)
                .iter()
                .all(|field| asked.iter().any(|own| own.name == field.name))
        })
}

/// The action that sends what is drafted.
fn drafted(words: &[Word], schema: &Value, gestures: &[Gesture<'_>]) -> Option<String> {
    let own = fields(core(schema));
    let shared = |gesture: &Gesture<'_>| {
        let asked = fields(gesture.schema);
        let same = own
            .iter()
            .filter(|field| asked.iter().any(|other| other.name == field.name))
            .count();
        let named = split(gesture.name).iter().any(|word| words.contains(word));
        let types = kind(schema) == Kind::Text
            && asked.iter().any(|field| {
                kind(field.schema) == Kind::Text && super::fields::is_long(field.name, field.schema)
            });
        same * 4 + usize::from(named) * 2 + usize::from(types)
    };
    let asking = gestures
        .iter()
        .filter(|gesture| gesture.entry.schema.is_some());
    let best = asking.rev().max_by_key(|gesture| shared(gesture))?;
    (shared(best) > 0).then(|| best.name.to_owned())
}

/// Whether a name means who looks at the page.
pub(super) fn names_viewer(name: &str) -> bool {
    matches!(
        name,
        "me" | "meId" | "me_id" | "viewer" | "viewerId" | "viewer_id"
    )
}

/// The member of the steps of a list that names the inputs which each of them asks for.
pub(crate) fn listed_inputs<'a>(thing: &Thing<'a>) -> Option<&'a str> {
    let own = Some(thing).filter(|thing| is_steps(thing))?.fields();
    let lists = |field: &&Field<'_>| {
        kind(field.schema) == Kind::Strings
            && ends_with(field, &["asks", "fields", "inputs", "questions"])
    };
    own.iter().find(lists).map(|field| field.name)
}

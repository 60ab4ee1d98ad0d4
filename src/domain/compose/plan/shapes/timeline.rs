//! Records that tell what happened when.

use super::super::super::reading::{Field, Kind, is_technical_id, is_time, kind};
use super::super::super::reading::{ends_with, moment, naming};
use super::super::super::reading::{singular, split};
use super::shape::{PreferredShape, Shape};

/// Fields of something that happened; what has more is a record of its own.
const TIMELINE_FIELDS_MAX: usize = 5;

/// The same of what is called an entry, and begins with its moment alone, `entryId` and `on`, and of what
/// has several shapes.
const ENTRY_FIELDS_MAX: usize = 8;

/// What lists of what happened are called.
const HAPPENINGS: &[&str] = &[
    "activity",
    "audit",
    "change",
    "comment",
    "entry",
    "event",
    "feed",
    "history",
    "itinerary",
    "log",
    "message",
    "milestone",
    "new",
    "note",
    "notification",
    "post",
    "reply",
    "stop",
    "timeline",
    "update",
    "visit",
];

/// Records that happened, each in one of the shapes of a list, or in its only one.
pub(crate) fn timeline<'a>(
    name: &str,
    columns: &[Field<'a>],
    shapes: &[Vec<Field<'a>>],
    preferred: Option<PreferredShape>,
) -> Option<Shape<'a>> {
    const TEXTS: &[&str] = &[
        "body",
        "comment",
        "description",
        "detail",
        "details",
        "message",
        "note",
        "notes",
        "text",
        "txt",
    ];
    // Where a chronology is asked for, its entries stand at the first of their moments.
    let is_told = preferred == Some(PreferredShape::Timeline);
    let first = || columns.iter().find(|field| is_told && is_time(field));
    let time = moment(columns).or_else(|| first().copied())?;
    let list = split(name).pop().map(|word| singular(&word))?;
    let is_entry = is_entry(columns, &time);
    let happens =
        is_entry || HAPPENINGS.contains(&list.as_str()) || is_told || is_message_or_report(columns);
    let descriptive = |all: &[Field<'_>]| {
        let told = all.iter().filter(|field| !is_technical_id(field.name));
        told.count()
    };
    let widest = shapes.iter().map(|shape| descriptive(shape)).max();
    let is_history = matches!(
        list.as_str(),
        "entry" | "event" | "history" | "journal" | "log" | "timeline"
    );
    // A table of several kinds of records would be empty for the most part.
    let most = if is_entry || is_history || is_told || shapes.len() > 1 {
        ENTRY_FIELDS_MAX
    } else {
        TIMELINE_FIELDS_MAX
    };
    let is_short = widest.unwrap_or_else(|| descriptive(columns)) <= most
        && columns
            .iter()
            .all(|field| !matches!(kind(field.schema), Kind::Records));
    let text = columns
        .iter()
        .find(|field| kind(field.schema) == Kind::Text && ends_with(field, TEXTS))
        .map(|field| field.name);
    let others: Vec<Field<'_>> = columns
        .iter()
        .filter(|field| Some(field.name) != text && field.name != time.name)
        .copied()
        .collect();
    let title = naming(&others);
    (happens && is_short && (text.is_some() || title.is_some())).then_some(Shape::Timeline {
        time,
        title,
        text,
    })
}

/// Whether its records are called entries, and their moment is all that its name says.
pub(super) fn is_entry(columns: &[Field<'_>], time: &Field<'_>) -> bool {
    let called = columns.iter().find_map(|field| {
        let words = split(field.name);
        (is_technical_id(field.name) && words.len() > 1).then(|| singular(&words[words.len() - 2]))
    });
    called.is_some_and(|noun| HAPPENINGS.contains(&noun.as_str()))
        && matches!(time.name, "at" | "date" | "on" | "when")
}

/// What was said at a moment and has no id to come back to, or was found and written down.
fn is_message_or_report(columns: &[Field<'_>]) -> bool {
    const MESSAGES: &[&str] = &["message", "text"];
    const REPORTED: &[&str] = &["finding", "note", "notes", "remark", "summary", "text"];
    let has_id = columns.iter().any(|field| is_technical_id(field.name));
    let has_message = columns
        .iter()
        .any(|field| kind(field.schema) == Kind::Text && ends_with(field, MESSAGES));
    let counts = columns
        .iter()
        .any(|field| kind(field.schema) == Kind::Number);
    let reports = columns
        .iter()
        .any(|field| kind(field.schema) == Kind::Text && ends_with(field, REPORTED));
    (!has_id && has_message) || (!counts && reports)
}

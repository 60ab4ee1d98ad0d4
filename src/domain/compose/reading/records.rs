//! What the fields of a record are to a person: its name, its state, its moment, what is inside.

use serde_json::Value;

use super::fields::{
    Field, Kind, branches, columns_of, core, fields, is_image, is_patch, is_technical_id, is_time,
    kind,
};
use super::words::{Word, Words, split};

/// The member that holds records like the one it is in.
pub(crate) fn children(record: &Value) -> Option<&str> {
    let own = fields(record);
    let lists = own
        .iter()
        .filter(|field| kind(field.schema) == Kind::Records);
    lists
        .filter(|list| {
            let inner = columns_of(list.schema);
            let beside = |field: &&Field<'_>| field.name != list.name;
            let is_shared = |field: &&Field<'_>| own.iter().any(|other| other.name == field.name);
            let shared = inner.iter().filter(beside).filter(is_shared).count();
            let all = own.iter().filter(beside).count() + inner.iter().filter(beside).count();
            // Cards in columns share a title with them, but are not columns.
            shared >= 2 && 2 * shared >= all - shared
        })
        .map(|list| list.name)
        .next()
}

/// The field that names a record for a person.
pub(crate) fn naming<'a>(columns: &[Field<'a>]) -> Option<&'a str> {
    const NAMES: &[&str] = &[
        "caption", "heading", "headline", "label", "lbl", "n", "name", "nm", "subject", "summary",
        "title",
    ];
    let is_plain = |field: &&Field<'_>| {
        kind(field.schema) == Kind::Text
            && !is_technical_id(field.name)
            && !is_image(field.name, core(field.schema))
            && core(field.schema).get("format").is_none()
            && !is_time(field)
    };
    let mut texts = columns.iter().filter(is_plain);
    let named = texts.clone().find(|field| {
        split(field.name)
            .last()
            .is_some_and(|word| NAMES.contains(&word.as_str()))
    });
    // `key` and `text` of an option: what it says. A letter is an id.
    let spoken = texts
        .clone()
        .find(|field| field.name != "key" && field.name.len() > 1);
    named
        .or(spoken)
        .or_else(|| texts.next())
        .map(|field| field.name)
}

/// Whether the name of a value ends with one of these words; how it is written may follow: `bodyMd`.
pub(crate) fn ends_with(field: &Field<'_>, words: &[&str]) -> bool {
    let own = split(field.name);
    let is_written = matches!(own.last().map(Word::as_str), Some("markdown" | "md"));
    let mut last = own.iter().rev().take(1 + usize::from(is_written));
    last.any(|word| words.contains(&word.as_str()))
}

pub(crate) fn state<'a>(columns: &[Field<'a>]) -> Option<Field<'a>> {
    let is_state = |field: &&Field<'_>| {
        kind(field.schema) == Kind::Choice
            && ends_with(
                field,
                &[
                    "column", "lane", "phase", "st", "stage", "stat", "state", "status",
                ],
            )
    };
    columns.iter().find(is_state).copied()
}

pub(crate) fn moment<'a>(columns: &[Field<'a>]) -> Option<Field<'a>> {
    let mut times = columns.iter().filter(|field| is_time(field));
    times.next().filter(|_| times.next().is_none()).copied()
}

/// Two texts of which one became the other: `currentText` and `proposedText`.
pub(crate) fn change<'a>(columns: &[Field<'a>]) -> Option<(&'a str, &'a str)> {
    became(columns, |field| is_unmarked(field.schema))
}

/// The same of values that are a text in one record and a number in another one; where changes are what
/// is looked for, of any values.
pub(crate) fn changed<'a>(columns: &[Field<'a>], is_wanted: bool) -> Option<(&'a str, &'a str)> {
    change(columns).or_else(|| {
        became(columns, |field| {
            is_wanted || branches(field.schema).any(is_unmarked)
        })
    })
}

/// Whether a schema describes texts that say nothing else of themselves.
fn is_unmarked(schema: &Value) -> bool {
    kind(schema) == Kind::Text && core(schema).get("format").is_none()
}

/// Two values of which one became the other.
fn became<'a>(
    columns: &[Field<'a>],
    is_one: impl Fn(&Field<'a>) -> bool,
) -> Option<(&'a str, &'a str)> {
    const OLD: &[&str] = &[
        "before",
        "current",
        "existing",
        "old",
        "original",
        "present",
        "previous",
        "registered",
    ];
    const NEW: &[&str] = &[
        "after",
        "changed",
        "edited",
        "modified",
        "new",
        "next",
        "planned",
        "proposed",
        "requested",
        "revised",
        "suggested",
        "updated",
    ];
    let values: Vec<(&'a str, Words)> = columns
        .iter()
        .filter(|field| is_one(field))
        .map(|field| {
            let mut words = split(field.name);
            // `asRegistered` and `asRequested`.
            if words.first().is_some_and(|word| word == "as") {
                words.remove(0);
            }
            (field.name, words)
        })
        .collect();
    let begins = |words: &[Word], all: &[&str]| {
        words
            .first()
            .is_some_and(|word| all.contains(&word.as_str()))
    };
    values.iter().find_map(|(old, words)| {
        let (new, _) = values.iter().find(|(_, other)| {
            begins(words, OLD) && begins(other, NEW) && words[1..] == other[1..]
        })?;
        Some((*old, *new))
    })
}

/// The text of a record that is a patch.
pub(crate) fn patch<'a>(columns: &[Field<'a>]) -> Option<&'a str> {
    columns
        .iter()
        .find(|field| kind(field.schema) == Kind::Text && is_patch(field.name))
        .map(|field| field.name)
}

/// Whether a name is one of these, or ends with one.
pub(crate) fn names_text(name: &str, words: &[&str]) -> bool {
    split(name)
        .last()
        .is_some_and(|word| words.contains(&word.as_str()))
}

//! What somebody calls a record by, where that stands inside it.

use super::super::reading::{
    Field, Kind, fields, format, is_nullable, kind, label, names_text, split, structure, titled,
};
use super::outline::Part;

const NAMES: &[&str] = &["label", "name", "title"];

/// The record in each that has the name: the `dog` of stays, whose own first text may be a place or
/// nothing at all.
pub(super) fn called<'a>(own: &[Field<'a>], text: &str) -> Option<&'a str> {
    let at = own.iter().position(|field| field.name == text)?;
    let is_name = |field: &Field<'_>| names_text(field.name, NAMES);
    let is_named = |field: &Field<'_>| {
        kind(field.schema) == Kind::Record
            && !is_nullable(field.schema)
            && structure(field.schema).is_none()
            && fields(field.schema).iter().any(is_name)
    };
    if is_name(&own[at]) || has_name(text) {
        return None;
    }
    let found = own.iter().position(is_named)?;
    (found < at || is_nullable(own[at].schema)).then_some(own[found].name)
}

/// What else records are called after, where they have no name but their id, a word of a program, or a
/// text that may be missing: whom or what they are about, as talks with a teacher.
pub(super) fn named_after<'a>(
    whole: &Part,
    own: &[Field<'a>],
    title: Option<&'a str>,
) -> Option<&'a str> {
    let now = whole.roles.get("titleField")?;
    let named = |name: &str| own.iter().find(|field| field.name == name);
    let is_weak = |name: &str| {
        named(name).is_none_or(|field| {
            let is_said = has_name(name) || names_text(name, NAMES);
            kind(field.schema) == Kind::Choice || (is_nullable(field.schema) && !is_said)
        })
    };
    let is_key = whole.roles.get("key") == Some(now);
    let fits = matches!(whole.component.as_str(), "Board" | "Calendar" | "Cards");
    if !fits || !(is_key || is_weak(now)) {
        return None;
    }
    let is_one = |field: &&Field<'_>| {
        let shown = whole.fields.iter().find(|shown| shown.field == field.name);
        let refers = shown.is_some_and(|shown| shown.format == "reference");
        refers && kind(field.schema) == Kind::Text && !is_nullable(field.schema)
    };
    let other = title.filter(|title| is_key && title != now);
    other
        .filter(|title| !is_weak(title))
        .or_else(|| own.iter().find(is_one).map(|field| field.name))
        .or(other)
}

/// The format of a title that is a word of a program.
pub(super) fn choice(own: &[Field<'_>], title: &str) -> Option<&'static str> {
    let said = own.iter().find(|field| field.name == title)?;
    (format(said.name, said.schema, false) == "choice").then_some("choice")
}

/// Whether a text is what somebody calls a record by.
fn has_name(text: &str) -> bool {
    const NAMING: &[&str] = &[
        "caption",
        "code",
        "heading",
        "headline",
        "no",
        "number",
        "question",
        "reference",
        "subject",
        "summary",
        "text",
    ];
    names_text(text, NAMING)
}

/// The member that names who has a seat: it refers to a record of the page, and may be empty.
pub(super) fn holder<'a>(part: &Part, own: &[Field<'a>]) -> Option<&'a str> {
    let is_named = |name: &str| {
        let mut shown = part.fields.iter();
        shown.any(|shown| shown.field == name && shown.refers.is_some())
    };
    let mut nullable = own.iter().filter(|field| is_nullable(field.schema));
    let found = nullable.find(|field| part.component == "Seats" && is_named(field.name));
    found.map(|field| field.name)
}

/// What a reference is called: its name without the word for an id.
pub(super) fn reference_label(name: &str, field: &Field<'_>) -> String {
    let words = split(name);
    match words.split_last() {
        Some((last, rest))
            if !rest.is_empty() && matches!(last.as_str(), "id" | "ids" | "key" | "uuid") =>
        {
            label(&rest.join("_"))
        }
        _ => titled(name, field.schema),
    }
}

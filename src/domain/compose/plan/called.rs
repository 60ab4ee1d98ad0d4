//! What somebody calls a record by, where that stands inside it.

use super::super::reading::{Field, Kind, fields, is_nullable, kind, names_text, structure};

/// The record in each that has the name: the `dog` of stays, whose own first text may be a place or
/// nothing at all.
pub(super) fn called<'a>(own: &[Field<'a>], text: &str) -> Option<&'a str> {
    const NAMES: &[&str] = &["label", "name", "title"];
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

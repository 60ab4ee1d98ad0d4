//! Records that are the sections of one text.

use super::super::super::reading::{
    Field, Kind, change, columns_of, core, ends_with, is_technical_id, is_time, kind, patch,
    singular, split,
};
use super::shape::Shape;

/// What the parts of a text are called.
const SECTIONS: &[&str] = &[
    "chapter",
    "clause",
    "paragraph",
    "passage",
    "section",
    "stanza",
    "verse",
];

/// What the text of a part is called.
pub(crate) const TEXTS: &[&str] = &[
    "body",
    "content",
    "markdown",
    "paragraph",
    "text",
    "wording",
    "words",
];

/// What the texts of a part are called, where it has several.
const PARAGRAPHS: &[&str] = &[
    "blocks",
    "body",
    "content",
    "paragraphs",
    "sections",
    "texts",
];

/// What stands above the text of a part.
pub(crate) const HEADINGS: &[&str] = &["heading", "headline", "subject", "title", "topic"];

/// What counts the parts of a text.
const NUMBERS: &[&str] = &["no", "nr", "number", "ordinal", "position"];

/// Values of a section beside its number, its heading and its text; what has more is a record.
const BESIDE_MAX: usize = 4;

/// What is read from the first section to the last.
pub(super) fn article<'a>(name: &str, columns: &[Field<'a>], is_wanted: bool) -> Option<Shape<'a>> {
    let list = split(name).pop().map(|word| singular(&word))?;
    let find = |words: &[&str], is: fn(&Field<'a>) -> bool| {
        let found = columns
            .iter()
            .find(|field| ends_with(field, words) && is(field));
        found.map(|field| field.name)
    };
    let text = find(TEXTS, is_text).or_else(|| find(PARAGRAPHS, is_several))?;
    let title = find(HEADINGS, is_text);
    let number = find(NUMBERS, |field| {
        matches!(kind(field.schema), Kind::Number | Kind::Text)
    });
    let read = [Some(text), title, number];
    let beside = columns
        .iter()
        .filter(|field| !read.contains(&Some(field.name)) && !is_technical_id(field.name));
    let is_read = SECTIONS.contains(&list.as_str())
        && !columns.iter().any(is_time)
        && change(columns).is_none()
        && patch(columns).is_none()
        && beside.count() <= BESIDE_MAX;
    (is_read || is_wanted).then_some(Shape::Article {
        number,
        title,
        text,
    })
}

/// Whether a value is several texts, or records of which some have one.
fn is_several(field: &Field<'_>) -> bool {
    let is_said = |inner: &Field<'_>| ends_with(inner, TEXTS) && is_text(inner);
    match kind(field.schema) {
        Kind::Strings => true,
        Kind::Records => columns_of(field.schema).iter().any(is_said),
        _ => false,
    }
}

/// Whether a value is a text that says nothing else of itself: no address, and no moment.
pub(crate) fn is_text(field: &Field<'_>) -> bool {
    kind(field.schema) == Kind::Text && core(field.schema).get("format").is_none()
}

//! A record that is one text: its title, what leads to it, who wrote it when, and the text.

use super::super::reading::{Field, Reading, Thing, ends_with, is_markdown};
use super::blank::part;
use super::columns::Columns;
use super::outline::{Part, Region};
use super::pictures::markdown;
use super::shapes::{HEADINGS, TEXTS, is_text};

/// What stands above a text in a sentence or two.
const LEADS: &[&str] = &[
    "abstract",
    "excerpt",
    "intro",
    "lead",
    "standfirst",
    "subtitle",
    "summary",
];

/// The member of a record that is its text.
pub(super) fn text<'a>(own: &[Field<'a>]) -> Option<&'a str> {
    let is_written = |field: &&Field<'a>| is_markdown(field.name, field.schema);
    let mut texts = own.iter().filter(|field| is_text(field));
    let written = texts.clone().find(is_written);
    let found = written.or_else(|| texts.find(|field| ends_with(field, TEXTS)));
    found.map(|field| field.name)
}

/// A record with a text as an article; `taken` are members that stand elsewhere.
pub(super) fn article<'a>(
    reading: &Reading<'a>,
    thing: &Thing<'a>,
    text: &'a str,
    taken: &[&'a str],
) -> Part {
    let own = thing.fields();
    let find = |words: &[&str]| {
        let found = own
            .iter()
            .find(|field| is_text(field) && ends_with(field, words));
        found.map(|field| field.name).filter(|name| *name != text)
    };
    let (title, lead) = (find(HEADINGS), find(LEADS));
    let mut whole = part(&thing.path, "Article", Region::Main);
    whole.set("rows", Some("record"));
    whole.role("titleField", title);
    whole.role("leadField", lead);
    whole.role("textField", Some(text));
    whole.set("textFormat", markdown(&own, text));
    let said = [title, lead, Some(text)].into_iter().flatten();
    let taken: Vec<&str> = taken.iter().copied().chain(said).collect();
    whole.fields = Columns::of(reading, &own).without(&own, &taken);
    whole
}

//! Values of the page that could head it: single texts, and texts of its records.

use super::super::super::reading::{
    Field, Kind, Sort, Thing, choices, core, is_currency, is_id, is_long, is_markdown, is_nullable,
    is_reference, is_source, join, kind, label, required, split,
};
use super::super::outline::Headline;
use super::candidate::Candidate;
use super::lexicon::{
    BESIDE, MOMENTS, NUMBERS, PEOPLE, PLACES, QUESTIONS, SUBJECTS, TITLES, UNSPECIFIC, VAGUE,
};
use super::page::{Page, ends, how_early, nth};
use super::signs::Sign;

/// Texts of at most so many characters are codes.
const CODE_MAX: u64 = 3;

/// Letters of a name that may stand for words.
const SHORT_MAX: usize = 4;

/// Values that could head the page.
pub(super) fn values(page: &Page<'_, '_>) -> Vec<Candidate> {
    let me = page.reading.me();
    let mut found = Vec::new();
    let (mut facts, mut records) = (0, 0);
    for (at, thing) in page.top().enumerate() {
        match thing.sort {
            Sort::Fact | Sort::Text => {
                let field = Field {
                    name: thing.name,
                    schema: thing.schema,
                };
                if is_text(&field)
                    && stays(page, thing, thing.name)
                    && me.as_ref() != Some(&thing.path)
                {
                    let signs = of_fact(page, &field, at, facts);
                    found.push(Candidate::value(&thing.path, signs));
                    facts += 1;
                }
            }
            Sort::Record | Sort::Tree if !is_nullable(thing.schema) => {
                found.extend(of_record(page, thing, at, records));
                records += 1;
            }
            _ => {}
        }
    }
    found
}

/// Whether a value is a text of a few words that is always there.
fn is_text(field: &Field<'_>) -> bool {
    let bare = core(field.schema);
    kind(field.schema) == Kind::Text
        && bare.get("format").is_none()
        && choices(field.schema).is_none()
        && !is_nullable(field.schema)
        && !is_currency(field)
        && !is_id(field.name)
        && !ends(field.name, MOMENTS)
        && !is_source(field.name)
        && !is_long(field.name, bare)
        && !is_markdown(field.name, field.schema)
}

/// Whether a value is there whatever the agent sends: a headline that may be missing is none. What is
/// called a title seldom is.
fn stays(page: &Page<'_, '_>, thing: &Thing<'_>, name: &str) -> bool {
    let spec = page.reading.contract.contract().props_spec.as_ref();
    let entry = spec.and_then(|spec| spec.properties.get(thing.name));
    let is_kept = entry.and_then(|entry| entry.required) == Some(true);
    let is_member = thing.name != name;
    let is_given = !is_member || required(thing.schema).any(|own| own == name);
    is_kept && is_given || TITLES.contains(&name)
}

fn of_fact(page: &Page<'_, '_>, field: &Field<'_>, at: usize, facts: usize) -> Vec<Sign> {
    let mut signs = vec![
        Sign("a text by itself", page.kind),
        Sign("a text by itself stands", nth(at)),
        Sign("of the texts by themselves", nth(facts)),
        Sign("a text by itself, called", called(field.name)),
    ];
    signs.extend(described(page, field).map(|what| Sign("a text by itself", what)));
    signs
}

/// What the name of a value says of it.
fn called(name: &str) -> &'static str {
    let words = split(name);
    let has = |of: &[&str]| words.iter().any(|word| of.contains(&word.as_str()));
    if ends(name, TITLES) {
        return if words.len() == 1 {
            "title"
        } else {
            "the title of something"
        };
    }
    // `headlineText`
    if ends(name, &["line", "text"]) && has(TITLES) {
        return "title";
    }
    // `fieldKey`
    if is_reference(name) {
        return "id";
    }
    let last = [
        (NUMBERS, "number"),
        (SUBJECTS, "subject"),
        (QUESTIONS, "question"),
        (PLACES, "place"),
        (PEOPLE, "person"),
        (BESIDE, "something beside the point"),
    ];
    if let Some((_, kind)) = last.iter().find(|(words, _)| ends(name, words)) {
        return kind;
    }
    if has(PEOPLE) {
        return "something of a person";
    }
    if has(BESIDE) || has(PLACES) {
        return "something of what is beside the point";
    }
    "something else"
}

/// What else a value shows of itself.
fn described(page: &Page<'_, '_>, field: &Field<'_>) -> impl Iterator<Item = &'static str> {
    let words = split(field.name);
    let bare = core(field.schema);
    let longest = bare.get("maxLength").and_then(serde_json::Value::as_u64);
    let is_asked = words.last().is_some_and(|word| page.asked(word).is_some());
    // `vin`, `uprn`: letters that stand for words name a number more often than anything else.
    let is_short = words.last().is_some_and(|word| word.len() <= SHORT_MAX);
    // Where a file lies is not what it is about: `lockfile`, `manifestPath`.
    let is_file = ["file", "folder", "path"]
        .iter()
        .any(|end| field.name.to_lowercase().ends_with(end));
    [
        (words.len() > 1).then_some("with a name of several words"),
        is_short.then_some("with a name of a few letters"),
        bare.get("pattern").map(|_| "with a pattern"),
        longest
            .filter(|max| *max <= CODE_MAX)
            .map(|_| "of a few characters"),
        is_asked.then_some("that the intent speaks of"),
        is_file.then_some("that says where a file lies"),
    ]
    .into_iter()
    .flatten()
}

/// Texts of a record that could head the page, and the record with its number.
fn of_record(page: &Page<'_, '_>, record: &Thing<'_>, at: usize, records: usize) -> Vec<Candidate> {
    let own = record.fields();
    let has_title = own
        .iter()
        .any(|field| matches!(field.name, "name" | "title"));
    let has_named = own.iter().any(|field| ends(field.name, TITLES));
    let asked = page.asked(&record.one);
    let list = page.list.map(|list| page.asked(&list.one));
    let order = match (asked, list) {
        (_, None) => "with no list",
        (Some(own), Some(Some(list))) if list <= own => "after the list",
        (Some(_), Some(_)) => "before the list",
        (None, Some(Some(_))) => "never, but of the list",
        (None, Some(None)) => "never, nor of the list",
    };
    let is_there = |field: &Field<'_>| is_text(field) && stays(page, record, field.name);
    let texts = own.iter().enumerate().filter(|(_, field)| is_there(field));
    let mut found = Vec::new();
    let mut nth_text = 0;
    for (place, field) in texts {
        let path = join(&record.path, field.name);
        let what = called(field.name);
        let is_titled = ends(field.name, TITLES);
        let tells_apart = matches!(what, "number" | "id");
        let mut signs = vec![
            Sign("a text of a record", page.kind),
            Sign("its record stands", nth(at)),
            Sign("of the records", nth(records)),
            Sign("a text of a record, called", what),
            Sign("it stands in its record", nth(place)),
            Sign(
                "of the texts of its record",
                if tells_apart {
                    "one that tells it apart"
                } else {
                    nth(nth_text)
                },
            ),
            Sign("the intent speaks of its record", how_early(asked)),
            Sign("the intent speaks of its record", order),
        ];
        nth_text += usize::from(!tells_apart);
        if has_title && !matches!(field.name, "name" | "title") {
            signs.push(Sign("its record has a title", ""));
        } else if has_named && !is_titled {
            signs.push(Sign("its record has a name of something", ""));
        }
        match field.name {
            "title" => signs.push(Sign("the title of a record", page.kind)),
            "name" => signs.push(Sign("the name of a record", page.kind)),
            _ => {}
        }
        let one = record.one.as_str();
        for (words, sign) in [
            (PEOPLE, "its record is a person"),
            (VAGUE, "its record says little by its name"),
            (UNSPECIFIC, "its record says nothing by its name"),
        ] {
            if words.contains(&one) {
                signs.push(Sign(sign, ""));
                signs.push(Sign(sign, page.kind));
            }
        }
        if matches!(what, "person" | "something of a person") {
            signs.push(Sign("a person of a record", page.kind));
        }
        signs.extend(described(page, field).map(|what| Sign("a text of a record", what)));
        if tells_apart {
            let mut numbered: Vec<Sign> = vec![
                Sign("a record with its number", page.kind),
                Sign("a record with its number stands", nth(records)),
                Sign("the intent speaks of the numbered record", how_early(asked)),
            ];
            if has_title {
                numbered.push(Sign("the numbered record has a title", ""));
            }
            found.push(Candidate {
                headline: Headline {
                    text: label(record.name),
                    path: Some(path.clone()),
                },
                signs: numbered,
            });
        }
        found.push(Candidate::value(&path, signs));
    }
    found
}

//! What the names of values, records and lists say about the subject of a page.

use super::super::reading::{
    Field, Kind, Reading, Thing, core, fields, is_currency, is_long, is_markdown, is_nullable,
    is_reference, is_source, kind, split, state,
};

/// Names of values that are titles.
pub(super) const TITLES: &[&str] = &[
    "headline", "name", "question", "subject", "title", "heading",
];

/// Names of values that say where or for whom, not what.
pub(super) const BESIDE: &[&str] = &[
    "account",
    "address",
    "agent",
    "author",
    "city",
    "code",
    "color",
    "colour",
    "command",
    "conclusion",
    "country",
    "explanation",
    "finding",
    "hint",
    "language",
    "legend",
    "level",
    "link",
    "locale",
    "merchant",
    "owner",
    "region",
    "reason",
    "shop",
    "status",
    "store",
    "summary",
    "symbol",
    "tag",
    "time",
    "timezone",
    "town",
    "type",
    "unit",
    "url",
    "user",
    "vendor",
    "version",
    "introduction",
    "note",
    "notice",
    "warning",
    "banner",
    "message",
    "privacy",
    "error",
    "directory",
    "host",
    "by",
    "at",
    "from",
    "month",
    "of",
    "period",
    "quarter",
    "season",
    "since",
    "term",
    "year",
    "until",
    "linktext",
];

/// Names of values that tell a record from its like.
pub(super) const NUMBERS: &[&str] = &["number", "reference", "version"];

/// Names of values that say whose the page is, or who works with it.
pub(super) const PEOPLE: &[&str] = &[
    "applicant",
    "assignee",
    "buyer",
    "candidate",
    "client",
    "coach",
    "contact",
    "customer",
    "doctor",
    "driver",
    "employee",
    "foreman",
    "guest",
    "household",
    "inspector",
    "instructor",
    "keeper",
    "manager",
    "member",
    "nurse",
    "operator",
    "organiser",
    "participant",
    "passenger",
    "patient",
    "recipient",
    "requester",
    "reviewer",
    "seller",
    "sender",
    "student",
    "teacher",
    "technician",
    "tenant",
    "trainer",
    "traveller",
    "visitor",
];

/// Names of lists that say nothing.
pub(super) const BARE: &[&str] = &[
    "columns",
    "data",
    "days",
    "entries",
    "events",
    "files",
    "goods",
    "history",
    "hours",
    "items",
    "lines",
    "list",
    "measured",
    "measurements",
    "movements",
    "nodes",
    "options",
    "plan",
    "points",
    "readings",
    "records",
    "results",
    "root",
    "rows",
    "seats",
    "series",
    "slots",
    "spans",
    "stages",
    "steps",
    "values",
];

/// Names of records that say nothing of what they are about.
pub(super) const VAGUE: &[&str] = &["application", "case", "claim", "proposal", "request"];

/// Names of records that say less than what such a record begins with.
pub(super) const UNSPECIFIC: &[&str] = &["datum", "detail", "info", "item", "job", "record"];

/// Whether a single text is what the page is about: a room, an album, a film.
pub(super) fn is_subject(thing: &Thing<'_>, reading: &Reading<'_>) -> bool {
    let bare = core(thing.schema);
    let words = split(thing.name);
    let is_beside = words
        .iter()
        .any(|word| BESIDE.contains(&word.as_str()) || PEOPLE.contains(&word.as_str()));
    // Where a file lies is not what it is about: `lockfile`, `manifestPath`.
    let is_place = ["file", "folder", "path"]
        .iter()
        .any(|end| thing.name.to_lowercase().ends_with(end));
    let is_required = reading
        .contract
        .contract()
        .props_spec
        .as_ref()
        .and_then(|spec| spec.properties.get(thing.name))
        .is_some_and(|entry| entry.required == Some(true));
    let field = Field {
        name: thing.name,
        schema: thing.schema,
    };
    kind(thing.schema) == Kind::Text
        && is_required
        && !is_beside
        && !is_place
        && !is_reference(thing.name)
        && !is_currency(&field)
        && !is_source(thing.name)
        && !is_long(thing.name, bare)
        && !is_markdown(thing.name, thing.schema)
        && bare.get("format").is_none()
        && bare
            .get("maxLength")
            .and_then(serde_json::Value::as_u64)
            .is_none_or(|max| max > 3)
        && state(&fields(thing.schema)).is_none()
        && !is_nullable(thing.schema)
}

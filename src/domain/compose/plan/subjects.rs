//! What the names of values, records and lists say about the subject of a page.

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
    "of",
    "since",
    "until",
    "linktext",
];

/// Names of values that tell a record from its like.
pub(super) const NUMBERS: &[&str] = &["number", "reference", "version"];

/// Names of values that say whose the page is, or who works with it.
pub(super) const PEOPLE: &[&str] = &[
    "applicant",
    "assignee",
    "candidate",
    "client",
    "customer",
    "driver",
    "employee",
    "guest",
    "manager",
    "member",
    "operator",
    "participant",
    "patient",
    "recipient",
    "requester",
    "reviewer",
    "sender",
    "student",
    "tenant",
    "traveller",
    "visitor",
];

/// Names of lists that say nothing.
pub(super) const BARE: &[&str] = &[
    "data", "entries", "events", "files", "history", "hours", "items", "lines", "list", "options",
    "points", "readings", "records", "results", "root", "rows", "series", "slots", "steps",
    "stages", "values", "columns", "seats",
];

/// Names of records that say nothing of what they are about.
pub(super) const VAGUE: &[&str] = &["application", "case", "claim", "proposal", "request"];

/// Names of records that say less than what such a record begins with.
pub(super) const UNSPECIFIC: &[&str] = &["datum", "detail", "info", "item", "job", "record"];

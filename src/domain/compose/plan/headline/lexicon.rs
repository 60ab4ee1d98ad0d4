//! Words that names are made of, by what they say about the subject of a page.

/// Names of values that are titles.
pub(super) const TITLES: &[&str] = &["heading", "headline", "name", "title"];

/// Names of values that say what a record is of, or whom it is about.
pub(super) const SUBJECTS: &[&str] = &[
    "address",
    "child",
    "company",
    "deceased",
    "farm",
    "goods",
    "item",
    "label",
    "part",
    "patient",
    "product",
    "project",
    "pupil",
    "subject",
    "text",
    "traveller",
    "work",
];

/// Names of values that ask something.
pub(super) const QUESTIONS: &[&str] = &["motion", "prompt", "question"];

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
pub(super) const NUMBERS: &[&str] = &[
    "code",
    "docket",
    "no",
    "nr",
    "num",
    "number",
    "ref",
    "reference",
    "registration",
    "serial",
    "sku",
    "version",
];

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

/// Names of values that say where something is.
pub(super) const PLACES: &[&str] = &[
    "building", "centre", "clinic", "club", "farm", "hall", "hospital", "location", "museum",
    "place", "room", "school", "site", "station", "venue", "yard",
];

/// Names of values that say when something is.
pub(super) const MOMENTS: &[&str] = &[
    "at", "date", "day", "end", "from", "month", "night", "on", "period", "quarter", "season",
    "since", "start", "time", "to", "until", "week", "year",
];

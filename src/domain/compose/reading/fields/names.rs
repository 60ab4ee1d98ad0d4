//! What the name of a value says about it.

use serde_json::Value;

use super::super::words::{Word, singular, split};
use super::kinds::{Field, Kind, core, kind};

/// The field that tells the records of a list apart: its own id before the ids of others.
pub(crate) fn key<'a>(columns: &[Field<'a>]) -> Option<&'a str> {
    let own = columns.iter().find(|field| IDS.contains(&field.name));
    let mut others = columns.iter().filter(|field| is_id(field.name));
    let any = own.or_else(|| others.clone().find(|field| !is_registered(field.name)));
    any.or_else(|| others.next()).map(|field| field.name)
}

/// Names that identify a record all by themselves.
const IDS: &[&str] = &[
    "id", "_id", "anchor", "guid", "key", "sku", "slug", "code", "path", "ref", "symbol", "uid",
    "uuid",
];

/// Numbers of registers, by which people know records that have no other id.
const REGISTERED: &[&str] = &["iban", "isbn", "vin"];

/// Whether a name is that of a number in a register: no bare `id` means it.
pub(in super::super) fn is_registered(name: &str) -> bool {
    REGISTERED.contains(&name)
}

/// Whether a name identifies a record.
pub(crate) fn is_id(name: &str) -> bool {
    const ENDS: &[&str] = &[
        "Guid", "ID", "Id", "Uid", "Uuid", "_guid", "_id", "_uid", "_uuid",
    ];
    // `eid` of events, `pid` of people; but nobody asks for a kid.
    const WORDS: &[&str] = &["aid", "bid", "did", "hid", "kid", "lid", "mid", "rid"];
    let is_short = name.len() == 3
        && name.ends_with("id")
        && name.bytes().all(|byte| byte.is_ascii_lowercase())
        && !WORDS.contains(&name);
    is_short
        || IDS.contains(&name)
        || is_registered(name)
        || ENDS.iter().any(|end| name.ends_with(end))
}

/// Whether the name of the first member of records is a short word for the id of one of them: `bid` of
/// a booking, `req` of a request.
pub(in super::super) fn abbreviates(name: &str, one: &str) -> bool {
    let is_initial =
        name.len() == 3 && name.ends_with("id") && name.chars().next() == one.chars().next();
    let is_beginning = name.len() >= 3 && name.len() < one.len() && one.starts_with(name);
    name != one && (is_initial || is_beginning)
}

/// Whether a name is that of a key of something: `fieldKey`.
pub(crate) fn is_key(name: &str) -> bool {
    let words = split(name);
    words.len() > 1 && words.last().is_some_and(|word| word == "key")
}

/// Whether a name is that of the id or the key of something, or of several: `fieldKeys`.
pub(crate) fn is_reference(name: &str) -> bool {
    let one = singular(name);
    is_id(&one) || is_key(&one)
}

/// Whether a name identifies a record and tells a person nothing.
pub(crate) fn is_technical_id(name: &str) -> bool {
    let is_read = matches!(
        name,
        "key" | "sku" | "slug" | "code" | "path" | "ref" | "symbol"
    );
    is_id(name) && !is_read && !is_registered(name)
}

/// Whether a field is a point in time.
pub(crate) fn is_time(field: &Field<'_>) -> bool {
    const TIMES: &[&str] = &["t", "ts", "time", "timestamp", "at", "date", "datetime"];
    let format = core(field.schema).get("format").and_then(Value::as_str);
    matches!(format, Some("date-time" | "date" | "time"))
        || (TIMES.contains(&field.name) && matches!(kind(field.schema), Kind::Text | Kind::Number))
        || (kind(field.schema) == Kind::Text && is_when(field.name))
}

/// Whether a text without a format is a moment by its name: `startsAt`, `due_date`, `deliveredOn`; where
/// something lies or what it rests on is none: `locatedAt`, `dependsOn`.
pub(crate) fn is_when(name: &str) -> bool {
    const HAPPENS: &[&str] = &[
        "added",
        "approved",
        "arrives",
        "begins",
        "changed",
        "closed",
        "closes",
        "completed",
        "created",
        "delivered",
        "departs",
        "due",
        "ended",
        "ends",
        "expires",
        "finished",
        "issued",
        "measured",
        "modified",
        "opened",
        "opens",
        "ordered",
        "paid",
        "posted",
        "published",
        "received",
        "recorded",
        "reported",
        "requested",
        "reviewed",
        "scheduled",
        "seen",
        "sent",
        "signed",
        "started",
        "starts",
        "submitted",
        "updated",
        "visited",
        "weighed",
    ];
    let words = split(name);
    match words.split_last() {
        Some((last, [.., before])) => match last.as_str() {
            "date" | "datetime" | "timestamp" => true,
            "at" | "on" => HAPPENS.contains(&before.as_str()),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a name says that something has to be done, and not that it is: `mustDo`, `isRequired`.
pub(crate) fn is_duty(name: &str) -> bool {
    const DUTIES: &[&str] = &["blocking", "critical", "mandatory", "must", "required"];
    let words = split(name);
    let is_last = words
        .last()
        .is_some_and(|word| DUTIES.contains(&word.as_str()));
    is_last || words.first().is_some_and(|word| word == "must")
}

/// Whether a number is a share of 100.
pub(crate) fn is_percent(name: &str) -> bool {
    let words = split(name);
    words
        .iter()
        .any(|word| matches!(word.as_str(), "percent" | "percentage" | "pct" | "progress"))
}

/// Whether a number is an amount of money where a currency stands beside it.
pub(crate) fn is_money(name: &str) -> bool {
    /// Money wherever they stand in a name: `pricePerNight`.
    const ALWAYS: &[&str] = &[
        "balance", "budget", "cost", "fee", "income", "price", "revenue", "salary",
    ];
    /// Money only at the end of a name: `taxRate` is none.
    const LAST: &[&str] = &[
        "amount",
        "claimed",
        "deductible",
        "deposit",
        "discount",
        "excess",
        "interest",
        "paid",
        "payment",
        "premium",
        "principal",
        "profit",
        "refund",
        "remaining",
        "rent",
        "shipping",
        "spent",
        "subtotal",
        "tax",
        "total",
        "value",
        "worth",
    ];
    /// What is counted in these is time: `hoursSpent`.
    const TIMES: &[&str] = &[
        "days", "hours", "minutes", "months", "nights", "weeks", "years",
    ];
    let words = split(name);
    let is_timed = words
        .first()
        .is_some_and(|word| TIMES.contains(&word.as_str()));
    is_minor(name)
        || words.iter().any(|word| ALWAYS.contains(&word.as_str()))
        || (!is_timed
            && words
                .last()
                .is_some_and(|word| LAST.contains(&word.as_str())))
}

/// Whether a text that is a number is an amount of money where a currency stands beside it.
pub(crate) fn is_price(name: &str) -> bool {
    const PRICES: &[&str] = &[
        "amount", "balance", "budget", "cost", "deposit", "fee", "price", "revenue", "salary",
        "subtotal", "total",
    ];
    split(name)
        .last()
        .is_some_and(|word| PRICES.contains(&word.as_str()))
}

/// Whether an amount of money counts the smallest unit of its currency, which stands at the end of
/// its name, or before what it is paid for: `savingCentsPerMonth`.
pub(crate) fn is_minor(name: &str) -> bool {
    minor_word(&split(name)).is_some()
}

/// Which of the words of a name says that it counts the smallest unit of a currency.
pub(crate) fn minor_word(words: &[Word]) -> Option<usize> {
    const MINOR: &[&str] = &[
        "agorot", "bani", "centavos", "centimes", "cents", "grosze", "groszy", "kobo", "kurus",
        "kuruş", "minor", "ore", "paise", "pence", "pesewas", "piasters", "piastres", "rappen",
        "satang", "stotinki", "subunit", "subunits", "øre", "öre",
    ];
    let at = words
        .iter()
        .position(|word| MINOR.contains(&word.as_str()))?;
    // `amountInMinorUnits` is as good as `amountMinor`.
    let after = words[at + 1..]
        .iter()
        .find(|word| !matches!(word.as_str(), "unit" | "units"));
    // `pencePerKwh` is counted in pence, and may be less than one.
    (after.is_none() || (at > 0 && after.is_some_and(|word| word == "per"))).then_some(at)
}

/// The currency that the name of an amount says: `feePence`, `insuranceEurCents`.
pub(crate) fn named_currency(name: &str) -> Option<&'static str> {
    /// Currencies by what a hundredth of one is called; of cents there are many.
    const HUNDREDTHS: &[(&str, &str)] = &[
        ("agorot", "ILS"),
        ("bani", "RON"),
        ("grosze", "PLN"),
        ("groszy", "PLN"),
        ("kobo", "NGN"),
        ("kurus", "TRY"),
        ("kuruş", "TRY"),
        ("paise", "INR"),
        ("pence", "GBP"),
        ("pesewas", "GHS"),
        ("piasters", "EGP"),
        ("piastres", "EGP"),
        ("rappen", "CHF"),
        ("satang", "THB"),
        ("stotinki", "BGN"),
    ];
    /// Currencies that names spell out most.
    const CODES: &[&str] = &[
        "AUD", "CAD", "CHF", "DKK", "EUR", "GBP", "INR", "NOK", "NZD", "PLN", "SEK", "USD", "ZAR",
    ];
    let words = split(name);
    let at = minor_word(&words)?;
    let coded = at.checked_sub(1).and_then(|before| {
        let word = words[before].to_uppercase();
        CODES.iter().find(|code| **code == word)
    });
    let by_hundredth = HUNDREDTHS.iter().find(|(word, _)| *word == words[at]);
    coded.copied().or(by_hundredth.map(|(_, code)| *code))
}

/// Whether a choice is a state, whose words have a colour.
pub(crate) fn is_state(name: &str) -> bool {
    const STATES: &[&str] = &[
        "condition",
        "flag",
        "health",
        "outcome",
        "phase",
        "priority",
        "result",
        "risk",
        "severity",
        "stage",
        "state",
        "status",
        "verdict",
    ];
    split(name)
        .last()
        .is_some_and(|word| STATES.contains(&word.as_str()))
}

/// Whether a whole number is a name rather than a count, so that its digits are not grouped.
pub(crate) fn is_ordinal(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "code", "hour", "id", "no", "number", "pin", "port", "rank", "version", "vintage", "year",
        "zip",
    ];
    /// `builtIn` is a year.
    const BEGUN: &[&str] = &[
        "born",
        "built",
        "described",
        "established",
        "founded",
        "made",
    ];
    let words = split(name);
    // `since`, `memberSince` and `built` are years, too, where they are whole numbers.
    let is_begun = match words.as_slice() {
        [.., last] if last == "since" => true,
        [year, begun] if year == "year" => BEGUN.contains(&begun.as_str()) || begun == "opened",
        [only] => BEGUN.contains(&only.as_str()) && only != "made",
        [begun, last] => {
            matches!(last.as_str(), "around" | "circa" | "in") && BEGUN.contains(&begun.as_str())
        }
        _ => false,
    };
    // What was counted `lastYear` is a count, and so is what is counted `perHour`.
    let is_then = matches!(words.as_slice(), [.., when, span] if when == "per"
        || (span == "year" && matches!(when.as_str(), "last" | "previous" | "prior" | "this")));
    is_begun
        || is_id(name)
        || (!is_then
            && words
                .last()
                .is_some_and(|word| NAMES.contains(&word.as_str())))
}

/// Whether a text is read by programs: it keeps its spaces and its lines.
pub(crate) fn is_source(name: &str) -> bool {
    const SOURCES: &[&str] = &[
        "code",
        "command",
        "config",
        "css",
        "ddl",
        "html",
        "json",
        "output",
        "query",
        "script",
        "snippet",
        "source",
        "sql",
        "stacktrace",
        "stderr",
        "stdout",
        "trace",
        "xml",
        "yaml",
    ];
    split(name)
        .last()
        .is_some_and(|word| SOURCES.contains(&word.as_str()))
}

/// Whether a text only lets programs compare files.
pub(crate) fn is_checksum(name: &str) -> bool {
    split(name).last().is_some_and(|word| {
        matches!(
            word.as_str(),
            "checksum" | "etag" | "md5" | "sha1" | "sha256" | "sha512"
        )
    })
}

/// Whether a text is a unified patch.
pub(crate) fn is_patch(name: &str) -> bool {
    split(name)
        .last()
        .is_some_and(|word| matches!(word.as_str(), "diff" | "patch"))
}

/// Whether a field names the currency of the amounts beside it.
pub(crate) fn is_currency(field: &Field<'_>) -> bool {
    let words = split(field.name);
    // `currencyCode` is as good as `currency`.
    let is_code = words.len() > 1 && words.last().is_some_and(|word| word == "code");
    let said = words.iter().rev().nth(usize::from(is_code));
    said.is_some_and(|word| matches!(word.as_str(), "ccy" | "cur" | "currency"))
        && matches!(kind(field.schema), Kind::Text | Kind::Choice)
}

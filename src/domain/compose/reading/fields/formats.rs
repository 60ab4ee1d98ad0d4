//! How a value is best shown: by its kind, its name and the format its schema states.

use serde_json::Value;

use super::super::units::measured;
use super::super::words::{Word, singular, split};
use super::kinds::{Kind, choices, core, items, kind, type_of};
use super::names::{
    is_minor, is_money, is_ordinal, is_patch, is_percent, is_price, is_source, is_state, is_when,
    named_currency,
};

/// Words of one colour, and of several.
const COLOURS: &[&str] = &["color", "colour", "hex", "hue", "swatch"];
const PALETTES: &[&str] = &["palette", "swatches"];

/// Words of pictures.
const PICTURES: &[&str] = &[
    "artwork",
    "avatar",
    "cover",
    "image",
    "img",
    "logo",
    "photo",
    "picture",
    "portrait",
    "poster",
    "preview",
    "screenshot",
    "src",
    "thumb",
    "thumbnail",
];

/// Words of how long something takes.
const SPANS: &[&str] = &[
    "duration", "interval", "runtime", "timeout", "ttl", "uptime",
];

/// What the description of such a text says.
const TIMED: &[&str] = &["iso 8601 duration", "iso duration"];

/// What the description of a share of 1 says.
const SHARED: &[&str] = &[
    "0 to 1",
    "0..1",
    "0–1",
    "between 0 and 1",
    "fraction of",
    "ratio of",
    "share of",
];

/// Words of how sure somebody is, or how much of all there is, which is said in shares of 1.
const CHANCES: &[&str] = &[
    "attainment",
    "certainty",
    "confidence",
    "illumination",
    "inbreeding",
    "likelihood",
    "probability",
    "similarity",
    "uptake",
    "utilisation",
    "utilization",
];

/// What there is a rate of that is a share of 1, where no price or speed is one.
const RATES: &[&str] = &[
    "acceptance",
    "approval",
    "click",
    "conversion",
    "coupon",
    "defect",
    "error",
    "failure",
    "hit",
    "miss",
    "open",
    "pass",
    "reject",
    "rejection",
    "response",
    "spoiled",
    "success",
    "survival",
    "win",
    "yield",
];

/// The format a value is shown in.
pub(crate) fn format(name: &str, schema: &Value, has_currency: bool) -> &'static str {
    let bare = core(schema);
    let written = bare.get("format").and_then(Value::as_str);
    match (kind(schema), written) {
        (Kind::Boolean, _) => "boolean",
        (Kind::Number, _)
            if counts_minor(name, schema) && (has_currency || named_currency(name).is_some()) =>
        {
            "money"
        }
        (Kind::Number, _) if is_ratio(name, bare) => "ratio",
        (Kind::Number, _) if measured(name).is_some_and(|(_, unit)| unit == "m/s") => "number",
        (Kind::Number, _) if is_last(name, &["ms", "millis", "milliseconds"]) => "milliseconds",
        (Kind::Number, _) if is_percent(name) => "percent",
        (Kind::Number, _) if has_currency && is_money(name) => "currency",
        (Kind::Number, _) if is_rating(name) => "rating",
        (Kind::Number, _) if name.to_lowercase().ends_with("seconds") => "duration",
        (Kind::Number, _) if split(name).iter().any(|word| word == "bytes") => "bytes",
        (Kind::Number, _) if bare.get("type").is_some_and(|name| name == "integer") => {
            if is_ordinal(name) { "text" } else { "integer" }
        }
        (Kind::Number, _) => "number",
        (Kind::Text, _) if is_image(name, bare) => "image",
        (Kind::Text, _) if is_markdown(name, schema) => "markdown",
        (Kind::Text, _) if is_last(name, COLOURS) => "colour",
        (Kind::Text, Some("date")) => "date",
        (Kind::Text, Some("date-time")) => "datetime",
        (Kind::Text, Some("time")) => "time",
        (Kind::Text, Some("duration")) => "duration",
        (Kind::Text, None) if is_when(name) => "datetime",
        // What turns out to be no ISO duration is shown as the text it is.
        (Kind::Text, None) if is_last(name, SPANS) || describes(schema, TIMED) => "duration",
        // Decimals are sent as texts, so that no digit is lost.
        (Kind::Text, None) if has_currency && is_price(name) => "currency",
        (Kind::Text, Some("email")) => "email",
        (Kind::Text, Some("uri" | "url")) => "url",
        // What turns out to be no address is shown as the text it is.
        (Kind::Text, None) if is_last(name, PICTURES) => "image",
        (Kind::Choice, _) if is_state(name) => "badge",
        (Kind::Choice, _) if type_of(bare) == Some("string") && !name.ends_with("urrency") => {
            "choice"
        }
        (Kind::Text, _) if bare.get("const").is_some() => "choice",
        (Kind::Text, _) if (is_source(name) && !is_prose(name)) || is_patch(name) => "code",
        (Kind::Text | Kind::Choice, _) => "text",
        (Kind::Strings, _) if is_image(&singular(name), core(items(schema))) => "image",
        (Kind::Strings, _) if is_last(name, PALETTES) || is_last(&singular(name), COLOURS) => {
            "colour"
        }
        (Kind::Strings, _) if choices(items(schema)).is_some() => "choice",
        (Kind::Strings | Kind::Numbers, _) => "tags",
        (Kind::Records, _) => "records",
        (Kind::Record | Kind::Open, _) => "record",
    }
}

/// Whether an amount counts the smallest unit of its currency, as its name or its description says.
pub(crate) fn counts_minor(name: &str, schema: &Value) -> bool {
    const SAID: &[&str] = &[
        "euro cents",
        "eurocents",
        "in cents",
        "in pence",
        "in rappen",
        "in öre",
        "in øre",
        "minor unit",
        "smallest unit",
        "us cents",
    ];
    is_minor(name) || describes(schema, SAID) || is_described(schema, &["cents", "pence"])
}

/// Whether a text is written in Markdown, as its schema or its name says: `bodyMd`.
pub(crate) fn is_markdown(name: &str, schema: &Value) -> bool {
    let media = core(schema).get("contentMediaType").and_then(Value::as_str);
    media.is_some_and(|media| media.starts_with("text/markdown"))
        || is_last(name, &["markdown", "md"])
        || (describes(schema, &["markdown"])
            && !describes(schema, &["no markdown", "not markdown", "without markdown"]))
}

/// Whether the description of a value has one of these phrases.
fn describes(schema: &Value, phrases: &[&str]) -> bool {
    description(schema).is_some_and(|said| phrases.iter().any(|phrase| said.contains(phrase)))
}

/// Whether the description of a value is one of these words, and no more.
fn is_described(schema: &Value, words: &[&str]) -> bool {
    description(schema).is_some_and(|said| words.contains(&said.trim()))
}

/// The description of a value in small letters.
fn description(schema: &Value) -> Option<String> {
    [schema, core(schema)]
        .into_iter()
        .find_map(|schema| schema.get("description").and_then(Value::as_str))
        .map(str::to_lowercase)
}

/// Whether a number says how good something is, and not how many have said so.
fn is_rating(name: &str) -> bool {
    split(name)
        .iter()
        .any(|word| word == "rating" || word == "stars")
        && !is_last(name, &["count", "number", "total"])
}

/// Whether a text of a record may as well be what somebody wrote: the `snippet` of a letter, the
/// `source` of a translation, the `likelySource` of sand.
fn is_prose(name: &str) -> bool {
    is_last(name, &["snippet", "source"])
}

/// Whether a number is a share of 1.
fn is_ratio(name: &str, schema: &Value) -> bool {
    let end = |name: &str| schema.get(name).and_then(Value::as_f64);
    let is_unit = end("minimum") == Some(0.0) && end("maximum") == Some(1.0);
    let is_whole = type_of(schema) == Some("integer");
    let is_open = end("maximum").is_none_or(|end| end <= 1.0);
    is_last(name, &["ratio", "fraction"])
        // A share of an amount is an amount.
        || (!is_whole && is_open && !is_money(name) && describes(schema, SHARED))
        || (is_unit && !is_whole)
        || (is_last(name, &["share"]) && end("maximum").is_none())
        || ((is_last(name, CHANCES) || is_rate(name)) && end("maximum").is_none() && !is_whole)
}

/// Whether a name says of what a share of 1 is: `conversionRate`, `shareOfExpected`.
fn is_rate(name: &str) -> bool {
    let words = split(name);
    let is = |at: usize, word: &str| words.get(at).is_some_and(|own| own == word);
    let ends = matches!(words.as_slice(), [.., of, last]
        if last == "rate" && RATES.contains(&of.as_str()));
    ends || (is(0, "share") && is(1, "of"))
}

fn is_last(name: &str, words: &[&str]) -> bool {
    split(name)
        .last()
        .is_some_and(|word| words.contains(&word.as_str()))
}

/// Whether a text is the address of a picture.
pub(crate) fn is_image(name: &str, schema: &Value) -> bool {
    let media = schema.get("contentMediaType").and_then(Value::as_str);
    if media.is_some_and(|media| media.starts_with("image/")) {
        // What is encoded stands in the value itself, and not behind an address.
        return schema.get("contentEncoding").is_none();
    }
    let words = split(name);
    let is_address = matches!(
        schema.get("format").and_then(Value::as_str),
        Some("uri" | "url" | "uri-reference")
    ) || matches!(words.last().map(Word::as_str), Some("url" | "uri" | "src"));
    is_address && words.iter().any(|word| PICTURES.contains(&word.as_str()))
}

/// Whether a text is long enough to be read as an article.
pub(crate) fn is_long(name: &str, schema: &Value) -> bool {
    const LONG: &[&str] = &[
        "article",
        "bio",
        "body",
        "comment",
        "content",
        "description",
        "details",
        "explanation",
        "instructions",
        "markdown",
        "notes",
        "paragraph",
        "summary",
        "text",
        "message",
    ];
    let bare = core(schema);
    let max = bare.get("maxLength").and_then(Value::as_u64);
    max.is_some_and(|max| max > 200)
        || (max.is_none()
            && split(name)
                .last()
                .is_some_and(|word| LONG.contains(&word.as_str()))
            && bare.get("format").is_none())
}

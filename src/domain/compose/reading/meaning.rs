//! What one value means to a person: its format, its unit and its words.

use serde_json::Value;

use super::fields::{
    Field, Kind, core, fields, format, is_currency, is_minor, is_money, is_price, kind, minor_word,
    named_currency,
};
use super::hints::hints;
use super::units::measured;
use super::words::{label, split, titled};

/// How one value is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// The format of the catalog.
    pub(crate) format: String,
    /// Its name for people, without what the format shows already.
    pub(crate) label: String,
    /// The unit after a number.
    pub(crate) unit: Option<String>,
}

/// Reads one value; `has_currency` says that a currency stands beside it.
pub(crate) fn meaning(name: &str, schema: &Value, has_currency: bool) -> Meaning {
    let hints = hints(schema);
    let found = match kind(schema) {
        Kind::Record => structure(schema).unwrap_or("record"),
        _ => format(name, schema, has_currency),
    };
    let format = hints.get("format").unwrap_or(found).to_owned();
    let is_number = kind(schema) == Kind::Number;
    let measure = match format.as_str() {
        "range" => measured(name).or_else(|| spanned(name)),
        _ => measured(name).filter(|_| is_number),
    };
    let unit = hints.get("unit").map(str::to_owned).or_else(|| {
        let shown = matches!(format.as_str(), "number" | "integer" | "range");
        measure
            .as_ref()
            .filter(|_| shown)
            .map(|(_, unit)| (*unit).to_owned())
    });
    let text = match (hints.get("title"), schema.get("title").is_some(), measure) {
        (Some(title), _, _) => title.to_owned(),
        (None, false, Some((bare, _))) if unit.is_some() => bare,
        (None, false, _) if format == "record" && kind(schema) == Kind::Record => {
            measured(name).map_or_else(|| bare_label(name, schema, &format), |(bare, _)| bare)
        }
        _ => bare_label(name, schema, &format),
    };
    Meaning {
        format,
        label: text,
        unit,
    }
}

/// The unit of both ends of a range that its name ends with: `deliveryDays` are `3–5 days`.
fn spanned(name: &str) -> Option<(String, &'static str)> {
    const SPANS: &[(&str, &str)] = &[
        ("days", "days"),
        ("months", "months"),
        ("nights", "nights"),
        ("pct", "%"),
        ("people", "people"),
        ("percent", "%"),
        ("persons", "people"),
        ("weeks", "weeks"),
        ("years", "years"),
    ];
    let words = split(name);
    let (last, rest) = words.split_last()?;
    let (_, unit) = SPANS.iter().find(|(word, _)| word == last)?;
    let bare = if rest.is_empty() { &words[..] } else { rest };
    Some((label(&bare.join("_")), *unit))
}

/// The label without the word that the format shows.
fn bare_label(name: &str, schema: &Value, format: &str) -> String {
    const SAID: &[(&str, &[&str])] = &[
        ("bytes", &["bytes"]),
        ("percent", &["percent", "pct"]),
        ("ratio", &["ratio"]),
        ("range", &["minor", "cents"]),
        ("duration", &["seconds", "secs", "sec"]),
        ("milliseconds", &["ms", "millis", "milliseconds"]),
        ("image", &["url", "uri", "src"]),
        ("url", &["url", "uri"]),
        ("markdown", &["markdown", "md"]),
        ("reference", &["id"]),
        ("datetime", &["at"]),
        ("date", &["on"]),
    ];
    if schema.get("title").is_none() && format == "duration" && name == "seconds" {
        return label("duration");
    }
    if schema.get("title").is_none() && matches!(format, "amount" | "money" | "record") {
        let mut own = split(name);
        if let Some(at) = minor_word(&own).filter(|at| *at > 0) {
            own.remove(at);
            // `insuranceEurCents` is an insurance.
            let is_coded =
                named_currency(name).is_some_and(|code| own[at - 1] == code.to_lowercase());
            if is_coded && at > 1 {
                own.remove(at - 1);
            }
            return label(&own.join("_"));
        }
    }
    if schema.get("title").is_none()
        && let Some((_, words)) = SAID.iter().find(|(own, _)| *own == format)
    {
        let own = split(name);
        if let Some((last, rest)) = own.split_last()
            && !rest.is_empty()
            && words.contains(&last.as_str())
        {
            return label(&rest.join("_"));
        }
    }
    titled(name, schema)
}

/// The shape of a record that is one value: an amount, a range, a measure, a place.
pub(crate) fn structure(schema: &Value) -> Option<&'static str> {
    let own = fields(schema);
    let is = |names: &[&str], kinds: &[Kind]| {
        own.iter()
            .any(|field| names.contains(&field.name) && kinds.contains(&kind(field.schema)))
    };
    let values = &[Kind::Number, Kind::Text];
    let ends = ends(&own);
    let count = own.len();
    let numbers = own
        .iter()
        .filter(|field| kind(field.schema) == Kind::Number)
        .count();
    let is_written = numbers == 0 && amount(&own).is_some();
    // The year of a ledger and the hours left at a bench are no money, though a currency stands there.
    let is_paid = amount(&own).is_some_and(|field| {
        let name = field.name;
        count == 2
            || matches!(name, "amount" | "value")
            || is_money(name)
            || is_minor(name)
            || is_price(name)
    });
    match () {
        () if own.iter().any(is_currency)
            && count <= 3
            && ((numbers == 1 && is_paid) || is_written)
            && ends.is_none() =>
        {
            Some("amount")
        }
        // A third value that is neither unit nor currency would be lost.
        () if ends.is_some()
            && (count == 2
                || (count == 3 && own.iter().any(|field| field.name == "unit"))
                || (count == 3 && own.iter().any(is_currency))) =>
        {
            Some("range")
        }
        () if is(&["value", "amount"], &[Kind::Number])
            && is(&["unit"], &[Kind::Text, Kind::Choice])
            && count <= 3 =>
        {
            Some("measure")
        }
        () if is(&["lat", "latitude"], &[Kind::Number])
            && is(&["lng", "lon", "longitude"], &[Kind::Number])
            && count <= 3 =>
        {
            Some("place")
        }
        () if is(&["done", "count"], &[Kind::Number])
            && is(&["of", "total"], values)
            && count == 2 =>
        {
            Some("range")
        }
        () if filled(&own).is_some() && count == 2 => Some("range"),
        () => None,
    }
}

/// How much of a whole is taken, and the whole: `{used, total}` of places or plugs.
pub(crate) fn filled<'a>(own: &[Field<'a>]) -> Option<(Field<'a>, Field<'a>)> {
    const TAKEN: &[&str] = &[
        "booked", "count", "done", "filled", "occupied", "present", "sold", "taken", "used",
    ];
    const WHOLE: &[&str] = &["capacity", "limit", "of", "total"];
    let of = |names: &[&str]| {
        let mut found = own.iter();
        found
            .find(|field| {
                names.contains(&field.name)
                    && core(field.schema).get("type").and_then(Value::as_str) == Some("integer")
            })
            .copied()
    };
    Some((of(TAKEN)?, of(WHOLE)?))
}

/// The member that holds an amount of money: its number, or the text that is one.
pub(crate) fn amount<'a>(own: &[Field<'a>]) -> Option<Field<'a>> {
    let is_text = |field: &&Field<'_>| {
        matches!(field.name, "amount" | "value") && kind(field.schema) == Kind::Text
    };
    let mut all = own.iter();
    all.find(|field| kind(field.schema) == Kind::Number)
        .or_else(|| own.iter().find(is_text))
        .copied()
}

/// The two ends of a range.
pub(crate) fn ends<'a>(own: &[Field<'a>]) -> Option<(Field<'a>, Field<'a>)> {
    const ENDS: &[(&str, &str)] = &[
        ("min", "max"),
        ("low", "high"),
        ("from", "to"),
        ("start", "end"),
        ("earliest", "latest"),
        ("lower", "upper"),
        ("minimum", "maximum"),
    ];
    let of = |name: &str| {
        let mut found = own.iter().filter(|field| field.name == name);
        let is_value = |field: &&Field<'_>| {
            let format = core(field.schema).get("format").and_then(Value::as_str);
            kind(field.schema) == Kind::Number
                || matches!(format, Some("date" | "date-time" | "time"))
        };
        found.find(is_value).copied()
    };
    ENDS.iter()
        .find_map(|(low, high)| Some((of(low)?, of(high)?)))
}

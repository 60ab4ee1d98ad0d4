//! Reads schemas the way a designer would: what is this value, and how is it best shown?

use serde_json::Value;

use super::words::split;

/// One named value of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// Its schema.
    pub(super) schema: &'a Value,
}

/// What a schema describes, as far as drawing goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `true` or `false`.
    Boolean,
    /// One of a few words or numbers.
    Choice,
    /// A number.
    Number,
    /// Numbers in a row.
    Numbers,
    /// Nothing that has a component of its own.
    Open,
    /// A record with named values.
    Record,
    /// Records in a row.
    Records,
    /// Texts in a row.
    Strings,
    /// A text.
    Text,
}

/// The schema without its permission to be null.
pub(super) fn core(schema: &Value) -> &Value {
    for union in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = schema.get(union) {
            let is_null = |branch: &&Value| branch.get("type") == Some(&Value::from("null"));
            let mut real = branches.iter().filter(|branch| !is_null(branch));
            if let (Some(only), None) = (real.next(), real.next())
                // What stands beside a union counts, too: only a bare one is another way to say null.
                && schema.get("properties").is_none()
                && schema.get("type").is_none()
            {
                return only;
            }
        }
    }
    schema
}

/// Whether null is a value.
pub(super) fn is_nullable(schema: &Value) -> bool {
    let names_null = match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|name| name == "null"),
        _ => false,
    };
    names_null
        || schema.get("nullable") == Some(&Value::Bool(true))
        || !std::ptr::eq(core(schema), schema)
}

/// The one type of a schema beside null.
fn type_of(schema: &Value) -> Option<&str> {
    let schema = core(schema);
    match schema.get("type") {
        Some(Value::String(one)) => Some(one),
        Some(Value::Array(many)) => {
            let mut real = many
                .iter()
                .filter_map(Value::as_str)
                .filter(|name| *name != "null");
            real.next().filter(|_| real.next().is_none())
        }
        _ if schema.get("properties").is_some() => Some("object"),
        _ => None,
    }
}

/// What `schema` describes.
pub(super) fn kind(schema: &Value) -> Kind {
    let bare = core(schema);
    if choices(schema).is_some() {
        return Kind::Choice;
    }
    match type_of(schema) {
        Some("boolean") => Kind::Boolean,
        Some("number" | "integer") => Kind::Number,
        Some("string") => Kind::Text,
        Some("object") if is_plain_record(bare) => Kind::Record,
        Some("array") => match bare
            .get("items")
            .map(|items| (kind(items), is_nullable(items)))
        {
            Some((Kind::Record, false)) => Kind::Records,
            Some((Kind::Number, _)) => Kind::Numbers,
            Some((Kind::Text | Kind::Choice, _))
                if bare.get("items").and_then(type_of) == Some("string") =>
            {
                Kind::Strings
            }
            _ => Kind::Open,
        },
        _ => Kind::Open,
    }
}

/// An object whose members are all named; open maps and unions have no fixed picture.
fn is_plain_record(schema: &Value) -> bool {
    let named = schema.get("properties").and_then(Value::as_object);
    named.is_some_and(|properties| !properties.is_empty())
        && !matches!(
            schema.get("additionalProperties"),
            Some(Value::Bool(true) | Value::Object(_))
        )
        && ["anyOf", "oneOf", "allOf", "if", "patternProperties"]
            .iter()
            .all(|union| schema.get(union).is_none())
}

/// The values a choice is made from; `None` if any value will do.
pub(super) fn choices(schema: &Value) -> Option<Vec<&Value>> {
    let all = core(schema).get("enum")?.as_array()?;
    let scalars = all
        .iter()
        .filter(|value| !value.is_null())
        .collect::<Vec<_>>();
    let are_scalars = scalars
        .iter()
        .all(|value| !value.is_object() && !value.is_array());
    (are_scalars && !scalars.is_empty()).then_some(scalars)
}

/// The schema of the items of a list.
pub(super) fn items(schema: &Value) -> &Value {
    core(schema).get("items").unwrap_or(&Value::Null)
}

/// The fields of a record, in the order in which its author declared them.
pub(super) fn fields(schema: &Value) -> Vec<Field<'_>> {
    let properties = core(schema).get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| Field { name, schema })
        .collect()
}

/// The field that tells the records of a list apart: its own id before the ids of others.
pub(super) fn key<'a>(columns: &[Field<'a>]) -> Option<&'a str> {
    let own = columns.iter().find(|field| IDS.contains(&field.name));
    let any = own.or_else(|| columns.iter().find(|field| is_id(field.name)));
    any.map(|field| field.name)
}

/// Names that identify a record all by themselves.
const IDS: &[&str] = &[
    "id", "_id", "key", "sku", "slug", "code", "path", "symbol", "uuid",
];

/// Whether a name identifies a record.
pub(super) fn is_id(name: &str) -> bool {
    IDS.contains(&name) || name.ends_with("Id") || name.ends_with("ID") || name.ends_with("_id")
}

/// Whether a name identifies a record and tells a person nothing.
pub(super) fn is_technical_id(name: &str) -> bool {
    is_id(name) && !matches!(name, "key" | "sku" | "slug" | "code" | "path" | "symbol")
}

/// Whether a field is a point in time.
pub(super) fn is_time(field: &Field<'_>) -> bool {
    const TIMES: &[&str] = &["t", "ts", "time", "timestamp", "at", "date", "datetime"];
    let format = core(field.schema).get("format").and_then(Value::as_str);
    matches!(format, Some("date-time" | "date" | "time"))
        || (TIMES.contains(&field.name) && matches!(kind(field.schema), Kind::Text | Kind::Number))
}

/// Whether a number is a share of 100.
pub(super) fn is_percent(name: &str) -> bool {
    let words = split(name);
    words
        .iter()
        .any(|word| matches!(word.as_str(), "percent" | "percentage" | "pct" | "progress"))
}

/// Whether a number is an amount of money where a currency stands beside it.
pub(super) fn is_money(name: &str) -> bool {
    /// Money wherever they stand in a name: `pricePerNight`.
    const ALWAYS: &[&str] = &[
        "balance", "budget", "cost", "fee", "income", "price", "revenue", "salary",
    ];
    /// Money only at the end of a name: `taxRate` is none.
    const LAST: &[&str] = &[
        "amount",
        "discount",
        "interest",
        "paid",
        "principal",
        "profit",
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
    let words = split(name);
    words.iter().any(|word| ALWAYS.contains(&word.as_str()))
        || words
            .last()
            .is_some_and(|word| LAST.contains(&word.as_str()))
}

/// Whether a choice is a state, whose words have a colour.
fn is_state(name: &str) -> bool {
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
fn is_ordinal(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "code", "hour", "id", "no", "number", "pin", "port", "rank", "version", "year", "zip",
    ];
    is_id(name)
        || split(name)
            .last()
            .is_some_and(|word| NAMES.contains(&word.as_str()))
}

/// Whether a text is read by programs: it keeps its spaces and its lines.
pub(super) fn is_source(name: &str) -> bool {
    const SOURCES: &[&str] = &[
        "code",
        "command",
        "config",
        "css",
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

/// Whether a text is a unified patch.
pub(super) fn is_patch(name: &str) -> bool {
    split(name)
        .last()
        .is_some_and(|word| matches!(word.as_str(), "diff" | "patch"))
}

/// The [format](super) a value is shown in.
pub(super) fn format(name: &str, schema: &Value, has_currency: bool) -> &'static str {
    let bare = core(schema);
    let written = bare.get("format").and_then(Value::as_str);
    match (kind(schema), written) {
        (Kind::Boolean, _) => "boolean",
        (Kind::Number, _) if is_percent(name) => "percent",
        (Kind::Number, _) if has_currency && is_money(name) => "currency",
        (Kind::Number, _) if split(name).iter().any(|w| w == "rating" || w == "stars") => "rating",
        (Kind::Number, _) if name.to_lowercase().ends_with("seconds") => "duration",
        (Kind::Number, _) if split(name).iter().any(|word| word == "bytes") => "bytes",
        (Kind::Number, _) if bare.get("type") == Some(&Value::from("integer")) => {
            if is_ordinal(name) { "text" } else { "integer" }
        }
        (Kind::Number, _) => "number",
        (Kind::Text, _) if is_image(name, bare) => "image",
        (Kind::Text, Some("date")) => "date",
        (Kind::Text, Some("date-time")) => "datetime",
        (Kind::Text, Some("time")) => "time",
        (Kind::Text, Some("duration")) => "duration",
        (Kind::Text, Some("email")) => "email",
        (Kind::Text, Some("uri" | "url")) => "url",
        (Kind::Choice, _) if is_state(name) => "badge",
        (Kind::Choice, _) if type_of(bare) == Some("string") && !name.ends_with("urrency") => {
            "choice"
        }
        (Kind::Text, _) if is_source(name) => "code",
        (Kind::Text | Kind::Choice, _) => "text",
        (Kind::Strings, _) => "tags",
        _ => "json",
    }
}

/// Whether a text is the address of a picture.
pub(super) fn is_image(name: &str, schema: &Value) -> bool {
    const PICTURES: &[&str] = &["avatar", "image", "logo", "photo", "picture", "thumbnail"];
    let words = split(name);
    let is_address = matches!(
        schema.get("format").and_then(Value::as_str),
        Some("uri" | "url" | "uri-reference")
    ) || matches!(
        words.last().map(String::as_str),
        Some("url" | "uri" | "src")
    );
    is_address && words.iter().any(|word| PICTURES.contains(&word.as_str()))
}

/// Whether a text is long enough to be read as an article.
pub(super) fn is_long(name: &str, schema: &Value) -> bool {
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

/// Whether a field names the currency of the amounts beside it.
pub(super) fn is_currency(field: &Field<'_>) -> bool {
    split(field.name)
        .last()
        .is_some_and(|word| word == "currency")
        && matches!(kind(field.schema), Kind::Text | Kind::Choice)
}

/// Whether every field of an object can be drawn as a field of a form.
pub(super) fn is_form(schema: &Value) -> bool {
    kind(schema) == Kind::Record && !fields(schema).is_empty()
}

/// Whether a schema is a list of texts, for slots that choose among them.
pub(super) fn is_strings(schema: &Value) -> bool {
    kind(schema) == Kind::Strings && choices(items(schema)).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn schemas_are_read_as_a_person_would() {
        for (schema, expect) in [
            (json!({"type":"string","nullable":true}), Kind::Text),
            (
                json!({"anyOf":[{"type":"null"},{"type":"integer"}]}),
                Kind::Number,
            ),
            (json!({"type":"string","enum":["a","b",null]}), Kind::Choice),
            (
                json!({"type":"array","items":{"type":"object","properties":{"a":{}}}}),
                Kind::Records,
            ),
            (
                json!({"type":"array","items":{"type":"number"}}),
                Kind::Numbers,
            ),
            (
                json!({"type":"array","items":{"type":"string","enum":["a"]}}),
                Kind::Strings,
            ),
            (json!({"type":"array","items":{"enum":[1,2]}}), Kind::Open),
            (
                json!({"type":"object","additionalProperties":true}),
                Kind::Open,
            ),
            (json!({}), Kind::Open),
            (Value::Null, Kind::Open),
        ] {
            assert_eq!(kind(&schema), expect, "{schema}");
        }
    }

    #[test]
    fn fields_come_in_the_declared_order() {
        let schema = json!({"type":"object","properties":{"z":{},"ownerId":{},"title":{},"id":{},"a":{}},"required":["a","z"]});
        let fields = fields(&schema);
        let names: Vec<_> = fields.iter().map(|field| field.name).collect();
        assert_eq!(names, ["z", "ownerId", "title", "id", "a"]);
        assert_eq!(key(&fields), Some("id"));
        assert_eq!(key(&fields[..2]), Some("ownerId"));
        assert_eq!(key(&fields[..1]), None);
    }

    #[test]
    fn formats_follow_name_and_schema() {
        let number = json!({"type":"number"});
        assert_eq!(format("unitPrice", &number, true), "currency");
        assert_eq!(format("unitPrice", &number, false), "number");
        assert_eq!(
            format("usedBytes", &json!({"type":"integer"}), false),
            "bytes"
        );
        assert_eq!(
            format("avatarUrl", &json!({"type":"string"}), false),
            "image"
        );
        assert_eq!(
            format("at", &json!({"type":"string","format":"date-time"}), false),
            "datetime"
        );
        assert_eq!(format("tags", &json!({"type":"array"}), false), "json");
        for (name, schema, shown) in [
            (
                "tags",
                json!({"type":"array","items":{"type":"string"}}),
                "tags",
            ),
            ("pricePerNight", number.clone(), "currency"),
            ("changePercent", number.clone(), "percent"),
            ("rating", number.clone(), "rating"),
            ("durationSeconds", number, "duration"),
            ("year", json!({"type":"integer"}), "text"),
            ("status", json!({"enum":["open","done"]}), "badge"),
            (
                "size",
                json!({"type":"string","enum":["small","large"]}),
                "choice",
            ),
            ("command", json!({"type":"string"}), "code"),
        ] {
            assert_eq!(format(name, &schema, true), shown, "{name}");
        }
    }
}

//! Draws values whose shape is known: props, and what live channels carry.

use serde_json::{Value, json};

use super::actions::RowActions;
use super::builder::{Builder, bind, join};
use super::fields::{
    Field, Kind, core, fields, format, is_image, is_long, is_nullable, is_technical_id, is_time,
    items, key, kind,
};
use super::words::{label, split};

/// How deep records inside records are drawn with their own parts; deeper ones are shown as JSON.
const RECORD_DEPTH_MAX: usize = 3;
/// Parts of one record that get a component of their own; the others are shown as JSON.
const RECORD_PARTS_MAX: usize = 12;
/// Rows of a table before it turns pages: about two screens.
const PAGE_ROWS: usize = 50;

/// Where the parts of a page stand.
#[derive(Default)]
pub(super) struct Parts {
    /// Above everything: banners.
    pub(super) notices: Vec<String>,
    /// Single numbers, side by side.
    pub(super) metrics: Vec<String>,
    /// Small values, named.
    pub(super) facts: Option<String>,
    /// The body, top to bottom.
    pub(super) body: Vec<String>,
}

/// One value to draw.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    /// The pointer to it.
    pub(super) path: &'a str,
    /// Its name.
    pub(super) name: &'a str,
    /// Its schema.
    pub(super) schema: &'a Value,
    /// What it is, in the contract's words.
    pub(super) description: Option<&'a str>,
    /// Where the currency of amounts stands.
    pub(super) currency: Option<&'a str>,
}

impl Subject<'_> {
    fn title(&self) -> Value {
        json!(label(self.name))
    }
}

/// Draws records, lists and everything else that takes a part of the page for itself.
pub(super) fn part(
    builder: &mut Builder,
    subject: &Subject<'_>,
    rows: &RowActions<'_>,
    depth: usize,
) -> Option<String> {
    match kind(subject.schema) {
        Kind::Records => Some(list(builder, subject, rows)),
        Kind::Numbers => Some(numbers(builder, subject)),
        Kind::Strings => Some(strings(builder, subject)),
        Kind::Record if depth < RECORD_DEPTH_MAX => record(builder, subject, rows, depth),
        Kind::Record | Kind::Open => Some(code(builder, subject)),
        Kind::Boolean | Kind::Choice | Kind::Number | Kind::Text => None,
    }
}

/// Draws one scalar that stands out: a banner, a picture, an article. Others are for
/// [`key_values`].
pub(super) fn scalar(builder: &mut Builder, subject: &Subject<'_>, parts: &mut Parts) -> bool {
    if kind(subject.schema) != Kind::Text {
        return false;
    }
    let bare = core(subject.schema);
    if is_image(subject.name, bare) {
        let image = json!({
            "url": bind(subject.path), "fit": "contain", "variant": "largeFeature",
            "accessibility": {"label": label(subject.name)},
        });
        parts.body.push(builder.add(subject.name, "Image", image));
    } else if let Some(tone) = notice_tone(subject) {
        let notice = json!({"text": bind(subject.path), "tone": tone});
        parts
            .notices
            .push(builder.add(subject.name, "Notice", notice));
    } else if is_long(subject.name, bare) {
        let heading = json!({"text": subject.title(), "level": 3});
        let heading = builder.add(&format!("{}_title", subject.name), "Heading", heading);
        let text = json!({"text": bind(subject.path), "variant": "body"});
        let text = builder.add(subject.name, "Text", text);
        let column = builder.column(&format!("{}_article", subject.name), vec![heading, text]);
        parts
            .body
            .extend(column.map(|column| builder.card(&column)));
    } else {
        return false;
    }
    true
}

/// The tone of a text that is a banner when it is there.
fn notice_tone(subject: &Subject<'_>) -> Option<&'static str> {
    let word = split(subject.name).pop()?;
    match word.as_str() {
        "error" => Some("bad"),
        "warning" | "alert" => Some("warn"),
        "banner" | "message" | "note" | "notice" | "hint" => Some("info"),
        _ if is_nullable(subject.schema) && core(subject.schema).get("format").is_none() => subject
            .description
            .filter(|text| text.to_lowercase().contains("banner"))
            .map(|_| "info"),
        _ => None,
    }
}

/// Names and values of scalars, and of what is too small for a part of its own.
pub(super) fn key_values(
    builder: &mut Builder,
    hint: &str,
    title: Option<Value>,
    subjects: &[Subject<'_>],
) -> Option<String> {
    if subjects.is_empty() {
        return None;
    }
    let items: Vec<Value> = subjects.iter().map(key_value).collect();
    let members = json!({"title": title, "items": items});
    Some(builder.add(hint, "KeyValue", members))
}

fn key_value(subject: &Subject<'_>) -> Value {
    let format = format(subject.name, subject.schema, subject.currency.is_some());
    let mut item = json!({
        "label": value_label(subject.name, format),
        "value": bind(subject.path),
        "format": format,
    });
    if let (Some(currency), "currency") = (subject.currency, format) {
        item["currency"] = bind(currency);
    }
    item
}

/// The label of a value; a unit that the format shows is not said twice.
fn value_label(name: &str, format: &str) -> String {
    let text = label(name);
    let bare = text.strip_suffix(" bytes").filter(|_| format == "bytes");
    bare.map_or(text.clone(), str::to_owned)
}

/// A record: its scalars as names and values, its other members as parts below them.
fn record(
    builder: &mut Builder,
    subject: &Subject<'_>,
    rows: &RowActions<'_>,
    depth: usize,
) -> Option<String> {
    let members = fields(subject.schema);
    let paths: Vec<String> = members
        .iter()
        .map(|field| join(subject.path, field.name))
        .collect();
    let own = members
        .iter()
        .position(is_currency)
        .map(|at| paths[at].as_str());
    let currency = own.or(subject.currency);
    let mut small = Vec::new();
    let mut parts = Vec::new();
    for (at, field) in members.iter().enumerate() {
        let inner = Subject {
            path: &paths[at],
            name: field.name,
            schema: field.schema,
            description: field.schema.get("description").and_then(Value::as_str),
            currency,
        };
        let is_part = parts.len() < RECORD_PARTS_MAX
            && !matches!(kind(field.schema), Kind::Open | Kind::Strings);
        let drawn = is_part
            .then(|| part(builder, &inner, rows, depth + 1))
            .flatten();
        match drawn {
            Some(id) => parts.push(id),
            None => small.push(inner),
        }
    }
    let title = Some(subject.title());
    let mut column: Vec<String> = key_values(builder, subject.name, title, &small)
        .into_iter()
        .collect();
    column.extend(parts);
    builder.column(&format!("{}_parts", subject.name), column)
}

/// Whether a field names the currency of the amounts beside it.
pub(super) fn is_currency(field: &Field<'_>) -> bool {
    split(field.name)
        .last()
        .is_some_and(|word| word == "currency")
        && matches!(kind(field.schema), Kind::Text | Kind::Choice)
}

/// Records: a chart if they are numbers over time, else a table.
fn list(builder: &mut Builder, subject: &Subject<'_>, rows: &RowActions<'_>) -> String {
    let columns = fields(items(subject.schema));
    let actions = rows.of(subject.name, &columns);
    match series(&columns) {
        Some((x, series)) if actions.is_empty() => {
            chart(builder, subject, "line", Some(x), &series)
        }
        _ => table(builder, subject, &columns, actions),
    }
}

/// A point in time and the numbers at it, if that is all a record has.
pub(super) fn series<'a>(columns: &[Field<'a>]) -> Option<(&'a str, Vec<Field<'a>>)> {
    let x = columns.iter().find(|field| is_time(field))?;
    let numbers: Vec<Field<'_>> = columns
        .iter()
        .filter(|field| field.name != x.name)
        .copied()
        .collect();
    let are_numbers = numbers
        .iter()
        .all(|field| kind(field.schema) == Kind::Number);
    (are_numbers && !numbers.is_empty()).then_some((x.name, numbers))
}

/// A chart of `lines` over `x`.
pub(super) fn chart(
    builder: &mut Builder,
    subject: &Subject<'_>,
    shape: &str,
    x: Option<&str>,
    lines: &[Field<'_>],
) -> String {
    let formats: Vec<&str> = lines
        .iter()
        .map(|line| format(line.name, line.schema, false))
        .collect();
    // One axis can carry one format only.
    let shared = formats
        .first()
        .filter(|first| formats.iter().all(|other| other == *first));
    let is_percent = shared == Some(&"percent");
    // A single line is the thing itself; several are told apart by their own names.
    let series: Vec<Value> = match lines {
        [] => vec![json!({"field": "", "label": label(subject.name)})],
        [line] => vec![json!({"field": line.name, "label": label(subject.name)})],
        _ => lines
            .iter()
            .map(|line| json!({"field": line.name, "label": label(line.name)}))
            .collect(),
    };
    let members = json!({
        "title": subject.title(),
        "kind": shape,
        "data": bind(subject.path),
        "x": x,
        "series": series,
        "format": shared.filter(|format| **format != "number"),
        "min": is_percent.then_some(0),
        "max": is_percent.then_some(100),
    });
    builder.add(subject.name, "Chart", members)
}

fn numbers(builder: &mut Builder, subject: &Subject<'_>) -> String {
    chart(builder, subject, "line", None, &[])
}

fn strings(builder: &mut Builder, subject: &Subject<'_>) -> String {
    let name = subject.name;
    let title = json!({"text": subject.title(), "level": 3});
    let title = builder.add(&format!("{name}_title"), "Heading", title);
    let item = builder.add(
        &format!("{name}_item"),
        "Text",
        json!({"text": {"path": ""}}),
    );
    let list = json!({"children": {"componentId": item, "path": subject.path}});
    let list = builder.add(name, "List", list);
    let both = json!({"children": [title, list]});
    builder.add(&format!("{name}_list"), "Column", both)
}

/// Anything at all, as JSON.
pub(super) fn code(builder: &mut Builder, subject: &Subject<'_>) -> String {
    let members = json!({
        "title": subject.title(), "value": bind(subject.path), "language": "json",
    });
    builder.add(subject.name, "Code", members)
}

fn table(
    builder: &mut Builder,
    subject: &Subject<'_>,
    columns: &[Field<'_>],
    actions: Vec<Value>,
) -> String {
    let own = columns.iter().find(|field| is_currency(field));
    let currency = own
        .map(|field| bind(&join("", field.name)[1..]))
        .or(subject.currency.map(bind));
    let telling = columns
        .iter()
        .filter(|field| !is_technical_id(field.name))
        .count();
    let shown: Vec<Value> = columns
        .iter()
        .filter(|field| telling == 0 || !is_technical_id(field.name))
        .map(|field| column(field, currency.as_ref()))
        .collect();
    let members = json!({
        "title": subject.title(),
        "rows": bind(subject.path),
        "columns": shown,
        "key": key(columns),
        "rowActions": (!actions.is_empty()).then_some(actions),
        "pageSize": PAGE_ROWS,
        "emptyText": "Nothing here yet.",
    });
    builder.add(subject.name, "Table", members)
}

fn column(field: &Field<'_>, currency: Option<&Value>) -> Value {
    let format = format(field.name, field.schema, currency.is_some());
    let align = match kind(field.schema) {
        Kind::Number => Some("end"),
        Kind::Boolean => Some("center"),
        _ => None,
    };
    let text = value_label(field.name, format);
    let mut column = json!({"field": field.name, "label": text, "format": format});
    if let Some(align) = align {
        column["align"] = json!(align);
    }
    if let (Some(currency), "currency") = (currency, format) {
        column["currency"] = currency.clone();
    }
    column
}

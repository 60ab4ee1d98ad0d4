//! Draws values whose shape is known: props, and what live channels carry.

use serde_json::{Value, json};

use super::actions::RowActions;
use super::builder::{Builder, bind, join};
use super::fields::{
    Kind, core, fields, format, is_currency, is_image, is_long, is_nullable, is_patch, is_source,
    kind,
};
use super::lists::{list, numbers, strings, tree};
use super::shapes::{children, naming};
use super::subject::{Subject, value_label};
use super::words::{label, split};

/// How deep records inside records are drawn with their own parts; deeper ones are shown as JSON.
const RECORD_DEPTH_MAX: usize = 3;
/// Parts of one record that get a component of their own; the others are shown as JSON.
const RECORD_PARTS_MAX: usize = 12;

/// Where the parts of a page stand.
#[derive(Default)]
pub(super) struct Parts {
    /// Above everything: banners.
    pub(super) notices: Vec<String>,
    /// Single numbers, side by side.
    pub(super) metrics: Vec<String>,
    /// Small values, named.
    pub(super) facts: Option<String>,
    /// Where one is, before what there is.
    pub(super) steps: Vec<String>,
    /// Pictures, beside the named values.
    pub(super) images: Vec<String>,
    /// The body, top to bottom.
    pub(super) body: Vec<String>,
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
        Kind::Strings => Some(strings(builder, subject, rows)),
        Kind::Record if children(subject.schema).is_some() => {
            let parts = naming(&fields(subject.schema)).zip(children(subject.schema));
            match parts {
                Some(parts) => Some(tree(builder, subject, rows, parts)),
                None => record(builder, subject, rows, depth),
            }
        }
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
        parts.images.push(builder.add(subject.name, "Image", image));
    } else if is_patch(subject.name) {
        let diff = json!({"title": subject.title(), "patch": bind(subject.path)});
        let diff = builder.add(subject.name, "Diff", diff);
        parts.body.push(builder.card(&diff));
    } else if is_source(subject.name) && bare.get("format").is_none() {
        let code = code(builder, subject);
        parts.body.push(builder.card(&code));
    } else if let Some(tone) = notice_tone(subject) {
        let notice = json!({"text": bind(subject.path), "tone": tone});
        parts
            .notices
            .push(builder.add(subject.name, "Notice", notice));
    } else if is_long(subject.name, bare) {
        let heading = json!({"text": subject.title(), "level": 2});
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
        "label": value_label(subject.name, subject.schema, format),
        "value": bind(subject.path),
        "format": format,
    });
    if let (Some(currency), "currency" | "money") = (subject.currency, format) {
        item["currency"] = bind(currency);
    }
    item
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
            wish: subject.wish,
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

/// Anything at all, as JSON.
pub(super) fn code(builder: &mut Builder, subject: &Subject<'_>) -> String {
    let members = json!({
        "title": subject.title(), "value": bind(subject.path),
        "language": (kind(subject.schema) != Kind::Text).then_some("json"),
    });
    builder.add(subject.name, "Code", members)
}

//! Draws live channels.

use serde_json::json;

use super::actions::RowActions;
use super::builder::{Builder, bind, join};
use super::fields::{Field, Kind, fields, format, is_percent, is_time, kind};
use super::lists::chart;
use super::props::{code, key_values, part};
use super::shapes::series;
use super::subject::{Subject, value_label};
use super::words::{label, measured, split};
use crate::domain::contract::CompiledContract;
use crate::wire::contract::{StreamEntry, StreamMode};

/// The drawn channels, by where they belong on a page.
#[derive(Default)]
pub(super) struct Channels {
    /// Single numbers and progress bars.
    pub(super) gauges: Vec<String>,
    /// Charts, which stand side by side.
    pub(super) charts: Vec<String>,
    /// Short messages that go away.
    pub(super) toasts: Vec<String>,
    /// Logs and everything else, below each other.
    pub(super) body: Vec<String>,
}

/// Draws every channel of the contract.
pub(super) fn channels(builder: &mut Builder, contract: &CompiledContract) -> Channels {
    let mut channels = Channels::default();
    for (name, entry) in contract.contract().stream_spec.iter().flatten() {
        let path = join("/streams", name);
        let subject = Subject {
            path: &path,
            name,
            schema: contract.channel_schema(name),
            description: entry.description.as_deref(),
            currency: None,
            wish: None,
        };
        match entry.mode.unwrap_or_default() {
            StreamMode::Append => append(builder, &subject, &mut channels),
            StreamMode::Replace => replace(builder, contract, &subject, entry, &mut channels),
        }
    }
    channels
}

/// A channel whose payloads pile up: numbers are a chart, lines are a log, records are a table.
fn append(builder: &mut Builder, subject: &Subject<'_>, channels: &mut Channels) {
    // What piles up is a list of payloads, so it is drawn like a prop that is a list.
    let columns = fields(subject.schema);
    match kind(subject.schema) {
        Kind::Number => channels
            .charts
            .push(chart(builder, subject, "line", None, &[])),
        Kind::Text | Kind::Choice => channels.body.push(log(builder, subject, None, &[])),
        Kind::Record => {
            let line = columns.iter().find(|field| is_line(field));
            if let Some((x, lines)) = series(&columns) {
                channels
                    .charts
                    .push(chart(builder, subject, "line", Some(x), &lines));
            } else if let Some(line) = line {
                channels
                    .body
                    .push(log(builder, subject, Some(line), &columns));
            } else if columns
                .iter()
                .all(|field| kind(field.schema) == Kind::Number)
            {
                channels
                    .charts
                    .push(chart(builder, subject, "line", None, &columns));
            } else {
                let list = json!({"type": "array", "items": subject.schema});
                let whole = Subject {
                    schema: &list,
                    ..*subject
                };
                channels
                    .body
                    .extend(part(builder, &whole, &RowActions::none(), 0));
            }
        }
        _ => channels.body.push(code(builder, subject)),
    }
}

fn is_line(field: &Field<'_>) -> bool {
    matches!(field.name, "line" | "message" | "text" | "msg" | "entry")
        && kind(field.schema) == Kind::Text
}

fn log(
    builder: &mut Builder,
    subject: &Subject<'_>,
    line: Option<&Field<'_>>,
    columns: &[Field<'_>],
) -> String {
    let level = columns
        .iter()
        .find(|field| matches!(field.name, "level" | "severity" | "kind" | "status"));
    let time = columns.iter().find(|field| is_time(field));
    let members = json!({
        "title": label(subject.name),
        "lines": bind(subject.path),
        "textField": line.map(|field| field.name),
        "levelField": level.map(|field| field.name),
        "timeField": time.map(|field| field.name),
    });
    builder.add(subject.name, "Log", members)
}

/// A channel whose newest payload is the state.
fn replace(
    builder: &mut Builder,
    contract: &CompiledContract,
    subject: &Subject<'_>,
    entry: &StreamEntry,
    channels: &mut Channels,
) {
    match kind(subject.schema) {
        Kind::Number if is_percent(subject.name) => {
            let bar = progress(builder, subject, subject.path, entry);
            channels.gauges.push(builder.card(&bar));
        }
        Kind::Number => {
            let metric = metric(builder, contract, subject.name, subject.name, subject);
            channels.gauges.push(builder.card(&metric));
        }
        Kind::Record => state(builder, contract, subject, entry, channels),
        Kind::Text if is_toast(subject.name) => {
            let toast = json!({"text": bind(subject.path)});
            channels
                .toasts
                .push(builder.add(subject.name, "Toast", toast));
        }
        Kind::Text | Kind::Choice | Kind::Boolean => {
            let values = key_values(builder, subject.name, None, &[*subject]);
            channels
                .gauges
                .extend(values.map(|values| builder.card(&values)));
        }
        _ => {
            let whole = part(builder, subject, &RowActions::none(), 0);
            channels.body.extend(whole);
        }
    }
}

fn is_toast(name: &str) -> bool {
    const TOASTS: &[&str] = &["announcement", "notification", "toast"];
    split(name)
        .last()
        .is_some_and(|word| TOASTS.contains(&word.as_str()))
}

/// A record that is replaced: a bar for its share of 100, numbers as metrics, the rest as text.
fn state(
    builder: &mut Builder,
    contract: &CompiledContract,
    subject: &Subject<'_>,
    entry: &StreamEntry,
    channels: &mut Channels,
) {
    let members = fields(subject.schema);
    let share = members
        .iter()
        .find(|field| is_percent(field.name) && kind(field.schema) == Kind::Number);
    let rest: Vec<&Field<'_>> = members
        .iter()
        .filter(|field| share.is_none_or(|share| share.name != field.name))
        .collect();
    let are_numbers = rest.iter().all(|field| kind(field.schema) == Kind::Number);
    if share.is_none() && are_numbers {
        for field in rest {
            let path = join(subject.path, field.name);
            let inner = Subject {
                path: &path,
                name: field.name,
                schema: field.schema,
                ..*subject
            };
            let metric = metric(builder, contract, subject.name, field.name, &inner);
            channels.gauges.push(builder.card(&metric));
        }
        return;
    }
    let mut column = Vec::new();
    if let Some(share) = share {
        column.push(progress(
            builder,
            subject,
            &join(subject.path, share.name),
            entry,
        ));
    }
    let paths: Vec<String> = rest
        .iter()
        .map(|field| join(subject.path, field.name))
        .collect();
    let small: Vec<Subject<'_>> = rest
        .iter()
        .zip(&paths)
        .map(|(field, path)| Subject {
            path,
            name: field.name,
            schema: field.schema,
            ..*subject
        })
        .collect();
    let title = share.is_none().then(|| json!(label(subject.name)));
    column.extend(key_values(
        builder,
        &format!("{}_values", subject.name),
        title,
        &small,
    ));
    let whole = builder.column(&format!("{}_state", subject.name), column);
    channels
        .gauges
        .extend(whole.map(|whole| builder.card(&whole)));
}

fn progress(
    builder: &mut Builder,
    subject: &Subject<'_>,
    path: &str,
    entry: &StreamEntry,
) -> String {
    let complete = entry.complete == Some(true);
    let members = json!({
        "label": label(subject.name),
        "value": bind(path),
        "max": 100,
        "complete": complete.then(|| bind(&join("/complete", subject.name))),
    });
    builder.add(subject.name, "Progress", members)
}

fn metric(
    builder: &mut Builder,
    contract: &CompiledContract,
    channel: &str,
    name: &str,
    subject: &Subject<'_>,
) -> String {
    let history = history(contract, channel, name);
    let format = format(name, subject.schema, false);
    let unit = measured(name).filter(|_| format != "duration");
    let members = json!({
        "label": unit.as_ref().map_or_else(|| value_label(name, subject.schema, format), |(label, _)| label.clone()),
        "value": bind(subject.path),
        "unit": unit.map(|(_, unit)| unit),
        "format": format,
        "history": history.as_ref().map(|(path, _)| bind(path)),
        "historyField": history.and_then(|(_, field)| field),
    });
    builder.add(name, "Metric", members)
}

/// A channel that piles up the same number, and the member it has there.
fn history(
    contract: &CompiledContract,
    channel: &str,
    name: &str,
) -> Option<(String, Option<String>)> {
    let streams = contract.contract().stream_spec.iter().flatten();
    let mut piles = streams.filter(|(other, entry)| {
        other.as_str() != channel && entry.mode.unwrap_or_default() == StreamMode::Append
    });
    piles.find_map(|(other, _)| {
        let schema = contract.channel_schema(other);
        let path = join("/streams", other);
        if kind(schema) == Kind::Number && other.contains(name) {
            return Some((path, None));
        }
        let numbers = fields(schema);
        let same = |field: &&Field<'_>| field.name == name && kind(field.schema) == Kind::Number;
        numbers
            .iter()
            .find(same)
            .map(|_| (path, Some(name.to_owned())))
    })
}

//! Single values: numbers that stand out, shares as bars, and facts in their groups.

use serde_json::Value;

use super::super::reading::{Field, Kind, Reading, Thing, core, hints, is_percent, kind, placed};
use super::blank::part;
use super::columns::Columns;
use super::outline::{Part, Region, Shown};
use super::plain::grouped;

/// The components that a number may be shown as by itself, and the one for a fact among others.
pub(crate) const VALUE_COMPONENTS: &[&str] = &["KeyValue", "Metric", "Progress"];
/// Single numbers from here on stand out as metrics; one alone is a line of text.
const METRICS_MIN: usize = 2;
/// Metrics in one row.
const METRICS_MAX: usize = 6;

/// Single values: numbers that stand out, and facts.
pub(super) fn small(reading: &Reading<'_>, facts: &[usize]) -> Vec<Part> {
    let own: Vec<Field<'_>> = facts
        .iter()
        .map(|at| Field {
            name: reading.things[*at].name,
            schema: reading.things[*at].schema,
        })
        .collect();
    let columns = Columns::of(reading, &[]);
    let shown = |thing: &Thing<'_>| {
        let field = own.iter().find(|field| field.name == thing.name);
        let mut shown = field
            .map(|field| columns.shown(field, 0))
            .unwrap_or_default();
        shown.field.clone_from(&thing.path);
        shown
    };
    let list: Vec<&Thing<'_>> = facts.iter().map(|at| &reading.things[*at]).collect();
    let is_metric = |thing: &&Thing<'_>| hinted(thing) == Some("Metric");
    let is_gauge = |thing: &&Thing<'_>| match hinted(thing) {
        Some(name) => name == "Progress",
        None => is_share(thing),
    };
    let is_number = |thing: &&Thing<'_>| {
        kind(thing.schema) == Kind::Number
            && (is_metric(thing)
                || hinted(thing).is_none()
                    && !matches!(shown(thing).format.as_str(), "text" | "rating"))
    };
    let gauges: Vec<&Thing<'_>> = list
        .iter()
        .copied()
        .filter(|thing| kind(thing.schema) == Kind::Number && is_gauge(thing))
        .collect();
    let mut numbers: Vec<&Thing<'_>> = list
        .iter()
        .copied()
        .filter(|thing| is_number(thing) && !is_gauge(thing))
        .collect();
    if numbers.len() + gauges.len() < METRICS_MIN {
        numbers.retain(is_metric);
    }
    numbers.sort_by_key(|thing| placed(thing.schema));
    numbers.truncate(METRICS_MAX);
    let mut all = Vec::new();
    for thing in &numbers {
        let mut metric = part(&thing.path, "Metric", Region::Numbers);
        metric.fields = vec![shown(thing)];
        all.push(metric);
    }
    for thing in &gauges {
        let mut gauge = part(&thing.path, "Progress", Region::Numbers);
        let shown = shown(thing);
        gauge.title = Some(shown.label);
        let most = limit(thing).filter(|most| *most != 100);
        let most = most.map(|most| most.to_string());
        gauge.set("max", most.as_deref());
        all.push(gauge);
    }
    let is_apart = |thing: &Thing<'_>| {
        let mut apart = numbers.iter().chain(&gauges);
        apart.any(|other| other.path == thing.path)
    };
    let rest: Vec<Field<'_>> = own
        .iter()
        .zip(&list)
        .filter(|(_, thing)| !is_apart(thing))
        .map(|(field, _)| *field)
        .collect();
    for (group, mut fields) in grouped(&rest) {
        fields.sort_by_key(|field| placed(field.schema));
        let named = |field: &Field<'_>| list.iter().find(|thing| thing.name == field.name);
        let values: Vec<Shown> = fields
            .iter()
            .filter_map(named)
            .map(|thing| shown(thing))
            .collect();
        let Some(first) = values.first() else {
            continue;
        };
        let mut facts = part(&first.field, "KeyValue", Region::Lead);
        facts.title = group.map(str::to_owned);
        facts.fields = values;
        all.push(facts);
    }
    all
}

/// The component its author wants.
fn hinted<'a>(thing: &Thing<'a>) -> Option<&'a str> {
    hints(thing.schema).get("component")
}

/// Whether a number says how much of all there can be is there: a percentage or a ratio with both ends.
fn is_share(thing: &Thing<'_>) -> bool {
    let bare = core(thing.schema);
    let starts_empty = bare.get("minimum").and_then(Value::as_f64) == Some(0.0);
    let is_whole = match limit(thing) {
        Some(1) => bare.get("type").and_then(Value::as_str) == Some("number"),
        Some(100) => is_percent(thing.name),
        _ => false,
    };
    starts_empty && is_whole
}

/// The largest value that a number may have, where that is a whole number.
fn limit(thing: &Thing<'_>) -> Option<i64> {
    let most = core(thing.schema).get("maximum")?;
    most.as_i64()
        .or_else(|| (most.as_f64() == Some(1.0)).then_some(1))
}

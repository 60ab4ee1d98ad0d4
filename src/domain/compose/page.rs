//! Puts the parts of a contract onto one page.

use serde_json::{Value, json};

use super::actions::{RowActions, buttons, forms};
use super::builder::{Builder, bind, join};
use super::fields::{Field, Kind, format, is_money, items, kind};
use super::props::{Parts, Subject, is_currency, key_values, part, scalar};
use super::slots::controls;
use super::streams::channels;
use super::words::{heading, label, says};
use crate::domain::contract::CompiledContract;
use crate::domain::view::View;

/// Charts that stand side by side; a third would be too narrow for its axis.
const CHARTS_PER_ROW: usize = 2;
/// Single numbers from here on stand out as metrics; one alone is a line of text.
const METRICS_MIN: usize = 2;
/// Metrics in one row.
const METRICS_MAX: usize = 6;

/// Draws a contract: every prop is shown, every action reached, every channel drawn, every slot
/// bound.
///
/// Pure and independent of the values, so one view serves every session of a contract.
pub(crate) fn compose(contract: &CompiledContract, intent: &str) -> View {
    let mut builder = Builder::new();
    let heading = title(contract, intent);
    let mut page = vec![builder.add("heading", "Heading", heading.clone())];
    let title_only = page.len();
    let lists = lists(contract);
    let rows = RowActions::place(contract, &lists);
    let (controls, shown) = controls(&mut builder, contract);
    let is_shown = |name: &str| shown.contains(name);
    let parts = props(&mut builder, contract, &rows, &is_shown);
    let live = channels(&mut builder, contract);

    page.extend(parts.notices);
    page.extend(row(&mut builder, "metrics", parts.metrics));
    page.extend(parts.facts);
    page.extend(row(&mut builder, "gauges", live.gauges));
    page.extend(parts.body);
    let charts: Vec<String> = live
        .charts
        .iter()
        .map(|chart| builder.card(chart))
        .collect();
    for pair in charts.chunks(CHARTS_PER_ROW) {
        page.extend(row(&mut builder, "charts", pair.to_vec()));
    }
    page.extend(
        live.body
            .iter()
            .map(|part| builder.card(part))
            .collect::<Vec<_>>(),
    );
    if let Some(column) = builder.column("inputs", controls) {
        page.push(builder.card(&column));
    }
    let forms = forms(&mut builder, contract);
    let buttons = buttons(&mut builder, contract, !forms.is_empty());
    let buttons = (!buttons.is_empty()).then(|| {
        let members = json!({"children": buttons, "justify": "start", "align": "center"});
        builder.add("actions", "Row", members)
    });
    let streams = contract.contract().stream_spec.as_ref();
    if streams.is_some_and(|streams| !streams.is_empty()) {
        // Buttons beside live data control it, so they stand next to it; elsewhere they end a page.
        page.extend(buttons);
        page.extend(forms);
    } else {
        page.extend(forms);
        page.extend(buttons);
    }
    if page.len() == title_only {
        let nothing = json!({"title": "Nothing to show yet."});
        page.push(builder.add("empty", "EmptyState", nothing));
    }
    if let Some(table) = builder.only_table()
        && let Some(Value::String(title)) = table.get("title")
        && heading["text"]
            .as_str()
            .is_some_and(|heading| says(heading, title))
    {
        // What the heading already says is not said again below it.
        table.shift_remove("title");
    }
    builder.add_root("Column", json!({"children": page}));
    View::new(builder.finish())
}

fn title(contract: &CompiledContract, intent: &str) -> Value {
    let description = contract.contract().props_spec.as_ref();
    let description = description.and_then(|spec| spec.description.clone());
    let text = Some(heading(intent)).filter(|text| !text.is_empty());
    let (text, caption) = match (text, description) {
        (Some(text), caption) => (text, caption),
        (None, Some(description)) => (heading(&description), None),
        (None, None) => ("Overview".to_owned(), None),
    };
    json!({"text": text, "level": 1, "caption": caption})
}

/// The lists of records among the props, also inside records, by the name rows are placed under.
fn lists(contract: &CompiledContract) -> Vec<(&str, &Value)> {
    fn collect<'a>(
        name: &'a str,
        schema: &'a Value,
        depth: usize,
        lists: &mut Vec<(&'a str, &'a Value)>,
    ) {
        match kind(schema) {
            Kind::Records => lists.push((name, items(schema))),
            Kind::Record if depth > 0 => {
                for field in super::fields::fields(schema) {
                    collect(field.name, field.schema, depth - 1, lists);
                }
            }
            _ => {}
        }
    }
    let mut lists = Vec::new();
    for name in contract
        .contract()
        .props_spec
        .iter()
        .flat_map(|spec| spec.properties.keys())
    {
        collect(name, contract.prop_schema(name), 1, &mut lists);
    }
    lists
}

fn props(
    builder: &mut Builder,
    contract: &CompiledContract,
    rows: &RowActions<'_>,
    is_shown: &dyn Fn(&str) -> bool,
) -> Parts {
    let spec = contract.contract().props_spec.as_ref();
    let entries: Vec<_> = spec.into_iter().flat_map(|spec| &spec.properties).collect();
    let paths: Vec<String> = entries
        .iter()
        .map(|(name, _)| join("/props", name))
        .collect();
    let field = |at: usize| Field {
        name: entries[at].0,
        schema: contract.prop_schema(entries[at].0),
    };
    let currency = (0..entries.len()).find(|at| is_currency(&field(*at)));
    let mut parts = Parts::default();
    let mut small = Vec::new();
    let mut numbers = Vec::new();
    for (at, (name, entry)) in entries.iter().enumerate() {
        let schema = contract.prop_schema(name);
        let subject = Subject {
            path: &paths[at],
            name,
            schema,
            description: entry.description.as_deref(),
            currency: currency.map(|at| paths[at].as_str()),
        };
        if is_shown(name) || scalar(builder, &subject, &mut parts) {
            continue;
        }
        match part(builder, &subject, rows, 0) {
            Some(id) => parts.body.push(builder.card(&id)),
            None if kind(schema) == Kind::Number => numbers.push(subject),
            None => small.push(subject),
        }
    }
    if numbers.len() < METRICS_MIN {
        small.append(&mut numbers);
    }
    small.extend(numbers.drain(numbers.len().min(METRICS_MAX)..));
    // A currency that stands in every amount needs no line of its own.
    let has_amounts = numbers
        .iter()
        .chain(&small)
        .any(|subject| is_money(subject.name))
        || lists(contract).iter().any(|(_, record)| {
            let columns = super::fields::fields(record);
            columns.iter().any(|column| is_money(column.name)) && !columns.iter().any(is_currency)
        });
    if let Some(at) = currency.filter(|_| has_amounts) {
        small.retain(|subject| subject.name != entries[at].0);
    }
    for subject in numbers {
        let metric = metric(builder, &subject);
        parts.metrics.push(builder.card(&metric));
    }
    let facts = key_values(builder, "facts", None, &small);
    parts.facts = facts.map(|facts| builder.card(&facts));
    parts
}

fn metric(builder: &mut Builder, subject: &Subject<'_>) -> String {
    let format = format(subject.name, subject.schema, subject.currency.is_some());
    if format == "currency"
        && let Some(currency) = subject.currency
    {
        // A metric has no currency of its own, so the text is made here.
        let args = json!({"value": bind(subject.path), "currency": bind(currency)});
        let call = json!({"call": "formatCurrency", "args": args, "returnType": "string"});
        let members = json!({"label": label(subject.name), "value": call});
        return builder.add(subject.name, "Metric", members);
    }
    let members = json!({
        "label": label(subject.name), "value": bind(subject.path), "format": format,
    });
    builder.add(subject.name, "Metric", members)
}

/// A row whose members share its width.
fn row(builder: &mut Builder, hint: &str, children: Vec<String>) -> Option<String> {
    if children.len() > 1 {
        for child in &children {
            builder.weigh(child, 1);
        }
    }
    builder.row(hint, children)
}

//! Puts the parts of a contract onto one page.

use serde_json::{Value, json};

use super::actions::RowActions;
use super::builder::{Builder, bind, join};
use super::fields::{Field, Kind, format, is_currency, is_money, items, kind};
use super::forms::{buttons, edited, forms, is_void};
use super::lists::{is_steps, text_steps};
use super::props::{Parts, key_values, part, scalar};
use super::shapes::{Wish, children, wish};
use super::slots::controls;
use super::streams::channels;
use super::subject::{Subject, value_label};
use super::words::{heading, measured, says, split};
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
    let (controls, shown) = controls(&mut builder, contract);
    let edited = edited(contract);
    let is_shown = |name: &str| shown.contains(name) || edited.contains(name);
    let rows = RowActions::place(contract, &lists, &texts(contract, &is_shown));
    let parts = props(&mut builder, contract, &rows, wish(intent), &is_shown);
    let live = channels(&mut builder, contract);

    page.extend(parts.notices);
    page.extend(parts.steps);
    page.extend(row(&mut builder, "metrics", parts.metrics));
    let mut lead = parts.images;
    lead.extend(parts.facts);
    page.extend(row(&mut builder, "lead", lead));
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
    let mut actions = contract.contract().action_spec.iter().flatten();
    let has_void = actions.any(|(name, entry)| is_void(contract, name, entry));
    let forms = forms(
        &mut builder,
        contract,
        page.len() == title_only && !has_void,
    );
    let buttons = buttons(&mut builder, contract, &forms);
    let forms = forms.page;
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
    page.extend(live.toasts);
    if page.len() == title_only {
        let nothing = json!({"title": "Nothing to show yet."});
        page.push(builder.add("empty", "EmptyState", nothing));
    }
    if let Some(part) = builder.only_part()
        && let Some(Value::String(title)) = part.get("title").cloned()
        && heading["text"]
            .as_str()
            .is_some_and(|heading| says(heading, &title))
    {
        // What the heading already says is not said again below it, only to those who cannot see it.
        part.shift_remove("title");
        part.insert("accessibility".to_owned(), json!({"label": title}));
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
            Kind::Record if children(schema).is_some() => lists.push((name, schema)),
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

/// The lists of texts among the props.
fn texts<'a>(contract: &'a CompiledContract, is_shown: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
    let props = contract.contract().props_spec.iter();
    let names = props.flat_map(|spec| spec.properties.keys());
    names
        .filter(|name| kind(contract.prop_schema(name)) == Kind::Strings && !is_shown(name))
        .map(String::as_str)
        .collect()
}

/// The number or the name that says which step is the current one.
fn current_step(contract: &CompiledContract) -> Option<String> {
    let props = contract.contract().props_spec.iter();
    let names = props.flat_map(|spec| spec.properties.keys());
    let mut found = names.filter(|name| {
        let words = split(name);
        let says = |word: &str| words.iter().any(|own| own == word);
        let is_place = matches!(
            kind(contract.prop_schema(name)),
            Kind::Number | Kind::Text | Kind::Choice
        );
        is_place
            && (says("current") || says("active"))
            && (says("step") || says("stage") || says("phase"))
    });
    found.next().map(|name| join("/props", name))
}

/// Two texts of which one became the other.
fn change(contract: &CompiledContract) -> Option<(String, String)> {
    let props = contract.contract().props_spec.as_ref()?;
    let is_text = |name: &str| kind(contract.prop_schema(name)) == Kind::Text;
    let has = |name: &str| props.properties.contains_key(name) && is_text(name);
    let mut pairs = [
        ("before", "after"),
        ("old", "new"),
        ("original", "modified"),
    ]
    .into_iter();
    let (old, new) = pairs.find(|(old, new)| has(old) && has(new))?;
    Some((old.to_owned(), new.to_owned()))
}

fn props(
    builder: &mut Builder,
    contract: &CompiledContract,
    rows: &RowActions<'_>,
    wish: Option<Wish>,
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
    let change = change(contract);
    let current = current_step(contract).filter(|_| {
        let is_list = |at: usize| is_steps(field(at).name, field(at).schema);
        (0..entries.len()).any(is_list)
    });
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
            wish,
        };
        if let Some((old, new)) = &change
            && (*name == old || *name == new)
        {
            if *name == new {
                let before = join("/props", old);
                let diff =
                    json!({"title": "Changes", "before": bind(&before), "after": bind(&paths[at])});
                let diff = builder.add("changes", "Diff", diff);
                parts.body.push(builder.card(&diff));
            }
            continue;
        }
        if let Some(current) = &current {
            if paths[at] == *current {
                continue;
            }
            if is_steps(name, schema) {
                let steps = text_steps(builder, &subject, current);
                parts.steps.push(builder.card(&steps));
                continue;
            }
        }
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
    if let ("currency" | "money", Some(currency)) = (format, subject.currency) {
        // A metric has no currency of its own, so the text is made here.
        let mut args = json!({"value": bind(subject.path), "currency": bind(currency)});
        if format == "money" {
            args["minor"] = json!(true);
        }
        let call = json!({"call": "formatCurrency", "args": args, "returnType": "string"});
        let label = value_label(subject.name, subject.schema, format);
        let members = json!({"label": label, "value": call});
        return builder.add(subject.name, "Metric", members);
    }
    let unit = measured(subject.name).filter(|_| format != "duration");
    let label = match &unit {
        Some((label, _)) => label.clone(),
        None => value_label(subject.name, subject.schema, format),
    };
    let members = json!({
        "label": label, "value": bind(subject.path), "format": format,
        "unit": unit.map(|(_, unit)| unit),
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

//! Draws a plan: region by region, with no decision of its own.

use serde_json::{Value, json};

use super::super::plan::{Headline, Part, Place, Plan, Region};
use super::super::reading::says;
use super::actions::{button, form};
use super::builder::{Builder, bind};
use super::parts::draw;
use crate::domain::contract::CompiledContract;
use crate::domain::view::View;

/// Charts that stand side by side; a third would be too narrow for its axis.
const CHARTS_PER_ROW: usize = 2;

/// Facts of a record that others may stand beside: more would be narrow columns.
const SHORT_FACTS_MAX: usize = 3;
/// Such records in one row.
const SHORT_PER_ROW: usize = 3;

/// The view of a plan for a contract.
pub(crate) fn view(plan: &Plan, contract: &CompiledContract) -> View {
    let mut builder = Builder::new();
    let heading = json!({"text": headline(&plan.headline), "level": 1, "caption": plan.lead});
    let mut page = vec![builder.add("heading", "Heading", heading)];
    let title_only = page.len();
    let is_live = contract
        .contract()
        .stream_spec
        .as_ref()
        .is_some_and(|all| !all.is_empty());
    let mut regions: Vec<Region> = plan.parts.iter().map(|part| part.region).collect();
    regions.sort_unstable();
    regions.dedup();
    let mut toasts = Vec::new();
    for region in regions {
        let drawn: Vec<String> = plan
            .parts
            .iter()
            .filter(|part| part.region == region)
            .map(|part| draw(&mut builder, plan, contract, part))
            .collect();
        if region == Region::Toast {
            toasts = drawn;
        } else {
            arrange(&mut builder, region, drawn, plan, &mut page);
        }
    }
    let mut forms = Vec::new();
    let mut buttons = Vec::new();
    for offer in &plan.actions {
        match offer.place {
            // A wizard draws its form itself.
            Place::Form if offer.of.is_some() => {}
            Place::Form | Place::Line => {
                let form = form(&mut builder, plan, contract, offer);
                forms.push(builder.card(&form));
            }
            Place::Dialog if plan.is_beside_title(offer) => {
                let first = form(&mut builder, plan, contract, offer);
                let members = json!({"children": [page[0], first], "justify": "spaceBetween", "align": "center"});
                page[0] = builder.add("title", "Row", members);
            }
            Place::Dialog => buttons.push(form(&mut builder, plan, contract, offer)),
            Place::Button => buttons.push(button(&mut builder, plan, contract, offer)),
            Place::Row
            | Place::Bulk
            | Place::Pick
            | Place::Turn
            | Place::Keep
            | Place::Step
            | Place::Move
            | Place::Compose => {}
        }
    }
    let buttons = (!buttons.is_empty()).then(|| {
        let members = json!({"children": buttons, "justify": "start", "align": "center"});
        builder.add("actions", "Row", members)
    });
    if is_live {
        // Buttons beside live data control it, so they stand next to it; elsewhere they end a page.
        page.extend(buttons);
        page.extend(forms);
    } else {
        page.extend(forms);
        page.extend(buttons);
    }
    page.extend(toasts);
    if page.len() == title_only {
        let nothing = json!({"title": "Nothing to show yet."});
        page.push(builder.add("empty", "EmptyState", nothing));
    }
    let words = plan
        .headline
        .path
        .is_none()
        .then_some(plan.headline.text.as_str());
    if let Some(part) = builder.first_part()
        && let Some(Value::String(title)) = part.get("title").cloned()
        && words.is_some_and(|heading| says(heading, &title))
    {
        // What the heading already says is not said again below it, only to those who cannot see it.
        part.shift_remove("title");
        part.insert("accessibility".to_owned(), json!({"label": title}));
    }
    builder.add_root("Column", json!({"children": page}));
    View::new(builder.finish())
}

fn headline(headline: &Headline) -> Value {
    match &headline.path {
        None => json!(headline.text),
        Some(path) if headline.text.is_empty() || headline.text.contains("${") => bind(path),
        Some(path) => {
            let text = format!("{} ${{{path}}}", headline.text);
            json!({"call": "formatString", "args": {"value": text}, "returnType": "string"})
        }
    }
}

/// Puts the parts of one region onto the page.
fn arrange(
    builder: &mut Builder,
    region: Region,
    drawn: Vec<String>,
    plan: &Plan,
    page: &mut Vec<String>,
) {
    let parts: Vec<&Part> = plan
        .parts
        .iter()
        .filter(|part| part.region == region)
        .collect();
    let framed = |builder: &mut Builder| -> Vec<String> {
        let all = drawn.iter().zip(&parts);
        all.map(|(id, part)| match part.component.as_str() {
            "Image" | "Notice" => id.clone(),
            _ => builder.card(id),
        })
        .collect()
    };
    match region {
        Region::Numbers | Region::Lead | Region::Gauges => {
            let all = framed(builder);
            page.extend(row(builder, "row", all));
        }
        Region::Charts => {
            let all = framed(builder);
            for pair in all.chunks(CHARTS_PER_ROW) {
                page.extend(row(builder, "charts", pair.to_vec()));
            }
        }
        Region::Filters => {
            if let Some(line) = builder.line("filters", drawn) {
                page.push(line);
            }
        }
        Region::Controls => {
            if let Some(column) = builder.column("inputs", drawn) {
                page.push(builder.card(&column));
            }
        }
        Region::Main => {
            let all = framed(builder);
            let mut rest = all.as_slice();
            while !rest.is_empty() {
                let from = all.len() - rest.len();
                let beside = parts[from..].iter().take_while(|part| is_short(part));
                let run = beside.count().clamp(1, SHORT_PER_ROW);
                let (some, others) = rest.split_at(run);
                page.extend(row(builder, "facts", some.to_vec()));
                rest = others;
            }
        }
        Region::Notice | Region::Steps | Region::Rows | Region::Live | Region::Toast => {
            page.extend(framed(builder))
        }
    }
}

/// Whether a part is a few short facts, which leave room for others beside them.
fn is_short(part: &Part) -> bool {
    const SHORT: &[&str] = &[
        "amount",
        "badge",
        "boolean",
        "bytes",
        "choice",
        "currency",
        "date",
        "datetime",
        "duration",
        "integer",
        "measure",
        "money",
        "number",
        "percent",
        "range",
        "ratio",
        "rating",
        "reference",
        "text",
        "time",
    ];
    part.component == "KeyValue"
        && part.fields.len() <= SHORT_FACTS_MAX
        && part
            .fields
            .iter()
            .all(|shown| SHORT.contains(&shown.format.as_str()))
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

//! Charts of numbers: one unit an axis.

use super::super::reading::{Field, Reading, Thing, meaning, named_currency};
use super::blank::{part, title};
use super::outline::{Part, Region, Shown};

/// Lines of one chart: as many colours are told apart; more of them stand in a chart of their own.
const COLOURS: usize = 6;

/// Charts of the numbers of records: one unit an axis, so one chart for each unit.
pub(super) fn charts<'a>(
    reading: &Reading<'a>,
    thing: &Thing<'a>,
    kind: &str,
    x: Option<&str>,
    series: &[Field<'a>],
) -> Vec<Part> {
    let mut groups: Vec<(String, Option<String>, Vec<Shown>)> = Vec::new();
    for field in series {
        let read = meaning(field.name, field.schema, reading.currency.is_some());
        let shown = Shown {
            field: field.name.to_owned(),
            label: read.label,
            format: read.format.clone(),
            unit: read.unit.clone(),
            ..Shown::default()
        };
        let same = groups.iter_mut().find(|(format, unit, _)| {
            is_one_axis(format, unit.as_deref(), &read.format, read.unit.as_deref())
        });
        match same {
            Some((_, _, all)) => all.push(shown),
            None => groups.push((read.format, read.unit, vec![shown])),
        }
    }
    let groups: Vec<(String, Option<String>, Vec<Shown>)> = groups
        .into_iter()
        .flat_map(|(format, unit, all)| {
            let few = all.chunks(COLOURS).map(<[Shown]>::to_vec);
            few.map(|shown| (format.clone(), unit.clone(), shown))
                .collect::<Vec<_>>()
        })
        .collect();
    let whole = title(thing);
    let is_one = groups.len() <= 1;
    let mut all: Vec<Part> = groups
        .into_iter()
        .map(|(format, unit, mut fields)| {
            let mut chart = part(
                &thing.path,
                "Chart",
                if is_one { Region::Main } else { Region::Charts },
            );
            // A chart of one of several numbers bears its name.
            chart.title = Some(match fields.as_slice() {
                [only] if !is_one => only.label.clone(),
                _ => whole.clone(),
            });
            if let ([only], true) = (fields.as_mut_slice(), is_one) {
                only.label.clone_from(&whole);
            }
            chart.set("kind", Some(kind));
            chart.role("x", x);
            chart.set(
                "format",
                Some(format.as_str()).filter(|format| !matches!(*format, "number" | "integer")),
            );
            chart.set("unit", unit.as_deref());
            let is_money = matches!(format.as_str(), "money" | "currency");
            let said = fields
                .first()
                .and_then(|shown| named_currency(&shown.field));
            match (said.filter(|_| is_money), &reading.currency) {
                (None, Some(currency)) if is_money => {
                    chart
                        .bindings
                        .insert("currency".to_owned(), currency.clone());
                }
                (said, _) => chart.set("currency", said),
            }
            chart.fields = fields;
            chart
        })
        .collect();
    if all.is_empty() {
        let mut chart = part(&thing.path, "Chart", Region::Main);
        chart.title = Some(whole.clone());
        chart.set("kind", Some(kind));
        chart.fields = vec![Shown {
            label: whole,
            ..Shown::default()
        }];
        all.push(chart);
    }
    all
}

fn is_one_axis(format: &str, unit: Option<&str>, other: &str, others: Option<&str>) -> bool {
    let is_count = |format: &str| matches!(format, "integer" | "number");
    unit == others && (format == other || (is_count(format) && is_count(other)))
}

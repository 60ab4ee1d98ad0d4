//! Records that are numbers along something.

use super::super::super::reading::{
    Field, Kind, ends_with, format, is_currency, is_id, is_minor, is_money, is_technical_id,
    is_time, kind, naming, singular, split,
};
use super::shape::Shape;

/// Numbers that share one axis.
const SERIES_MAX: usize = 4;

/// Words of what is counted in its order.
const ORDERED: &[&str] = &[
    "age", "day", "hour", "month", "quarter", "round", "week", "year",
];

/// Names of lists that are one line.
const CURVES: &[&str] = &["curve", "spectrum"];

/// A point in time and the numbers at it, or a dimension and what was counted along it.
pub(super) fn chart<'a>(name: &str, columns: &[Field<'a>], named: &[&str]) -> Option<Shape<'a>> {
    if let Some(lines) = lines(columns, named) {
        return Some(lines);
    }
    if let Some((x, series)) = series(columns).or_else(|| numeric(columns)) {
        return Some(line(x, series, None));
    }
    const DIMENSIONS: &[&str] = &[
        "age",
        "asset",
        "browser",
        "bucket",
        "category",
        "channel",
        "city",
        "class",
        "country",
        "day",
        "department",
        "device",
        "gender",
        "group",
        "hour",
        "language",
        "month",
        "os",
        "platform",
        "quarter",
        "range",
        "reason",
        "region",
        "round",
        "segment",
        "source",
        "team",
        "type",
        "week",
        "weekday",
        "year",
    ];
    const SHARES: &[&str] = &[
        "allocation",
        "breakdown",
        "composition",
        "distribution",
        "mix",
        "share",
        "shares",
        "split",
    ];
    let last_of = |name: &str, words: &[&str]| {
        let last = split(name).pop().unwrap_or_default();
        words.contains(&last.as_str())
    };
    // What was answered, and how often.
    const ANSWERS: &[&str] = &["answer", "choice", "option"];
    const TIMES: &[&str] = &["answers", "count", "responses", "votes"];
    let is_counted = columns.len() == 2
        && columns
            .iter()
            .any(|field| kind(field.schema) == Kind::Number && last_of(field.name, TIMES));
    let is_axis = |field: &&Field<'_>| {
        last_of(field.name, DIMENSIONS) || (is_counted && last_of(field.name, ANSWERS))
    };
    let last = split(name).pop().unwrap_or_default();
    let is_curve = CURVES.contains(&last.as_str());
    let first = columns.first().filter(|_| is_curve);
    let x = columns.iter().find(is_axis).or(first)?;
    // Where a point of a curve lies is no value at it.
    let is_place = |field: &&Field<'_>| {
        let last = split(field.name).pop().unwrap_or_default();
        is_curve && ORDERED.contains(&singular(&last).as_str())
    };
    let is_axis = matches!(kind(x.schema), Kind::Text | Kind::Choice | Kind::Number);
    let series: Vec<Field<'_>> = columns
        .iter()
        .filter(|field| field.name != x.name && !is_place(field))
        .copied()
        .collect();
    let mut formats = series
        .iter()
        .map(|field| format(field.name, field.schema, true));
    let first = formats.next()?;
    let is_one_axis = formats.all(|other| other == first)
        && series
            .iter()
            .all(|field| kind(field.schema) == Kind::Number);
    if !is_axis || !is_one_axis || series.len() > SERIES_MAX {
        return None;
    }
    let is_share = series.len() == 1 && (last_of(name, SHARES) || last_of(series[0].name, SHARES));
    let kind = match () {
        () if is_share => "pie",
        () if is_curve => "line",
        () if kind(x.schema) == Kind::Number && last_of(x.name, ORDERED) => "line",
        () => "bar",
    };
    Some(Shape::Chart {
        kind,
        x: x.name,
        series,
        by: None,
    })
}

/// The numbers along time that somebody asked to plot, whatever else is known of each record. Where each
/// record refers to one of a list, that list gives the lines, and one number is drawn.
pub(super) fn plotted<'a>(columns: &[Field<'a>], named: &[&str]) -> Option<Shape<'a>> {
    let is_number = |field: &&Field<'_>| kind(field.schema) == Kind::Number && !is_id(field.name);
    let x = columns.iter().find(|field| is_time(field))?;
    let mut named = columns.iter().filter(|field| named.contains(&field.name));
    let by = named.next().map(|field| field.name);
    // Whose numbers they are stands before them; who measured or judged them comes after.
    let place = |name: &str| columns.iter().position(|field| field.name == name);
    let first = columns.iter().position(|field| is_number(&field));
    let by = by.filter(|by| place(by) < first);
    // A chart has room for the names of one list; those of a second would be shown nowhere.
    if named.next().is_some() {
        return None;
    }
    let most = if by.is_some() { 1 } else { SERIES_MAX };
    let series: Vec<Field<'a>> = columns
        .iter()
        .filter(is_number)
        .take(most)
        .copied()
        .collect();
    (!series.is_empty()).then(|| line(x.name, series, by))
}

/// The numbers of one kind of what has a name, as bars beside each other.
pub(super) fn sized<'a>(columns: &[Field<'a>]) -> Option<Shape<'a>> {
    let is_number = |field: &&Field<'_>| kind(field.schema) == Kind::Number && !is_id(field.name);
    let x = naming(columns)?;
    let written = |field: &Field<'_>| format(field.name, field.schema, true);
    let numbers: Vec<Field<'a>> = columns.iter().filter(is_number).copied().collect();
    let first = written(numbers.first()?);
    let same = numbers.into_iter().filter(|field| written(field) == first);
    Some(Shape::Chart {
        kind: "bar",
        x,
        series: same.take(SERIES_MAX).collect(),
        by: None,
    })
}

/// The values of records that a chart of them has no place for.
pub(crate) fn undrawn<'c, 'a>(
    columns: &'c [Field<'a>],
    x: &'c str,
    series: &'c [Field<'a>],
    by: Option<&'c str>,
) -> impl Iterator<Item = &'c Field<'a>> {
    columns.iter().filter(move |field| {
        let is_drawn = field.name == x
            || Some(field.name) == by
            || series.iter().any(|own| own.name == field.name);
        !is_drawn && !is_technical_id(field.name) && !is_currency(field)
    })
}

/// A number of each of several at each of what comes one after the other: a survey of depots.
pub(super) fn in_turn<'a>(
    columns: &[Field<'a>],
    named: &[&'a str],
    dated: &[&'a str],
) -> Option<Shape<'a>> {
    let ([x], [_, _]) = (dated, named) else {
        return None;
    };
    let by = named.iter().find(|name| *name != x)?;
    let is_number = |field: &&Field<'_>| kind(field.schema) == Kind::Number && !is_id(field.name);
    let series = vec![*columns.iter().find(is_number)?];
    Some(line(x, series, Some(by)))
}

/// Whether a value counts what comes one after the other: weeks, rounds.
pub(crate) fn is_ordered(field: &Field<'_>) -> bool {
    ends_with(field, ORDERED)
}

fn line<'a>(x: &'a str, series: Vec<Field<'a>>, by: Option<&'a str>) -> Shape<'a> {
    Shape::Chart {
        kind: "line",
        x,
        series,
        by,
    }
}

/// Numbers along an order, each of one of several: what was measured where. Sums are entries of a book.
pub(crate) fn lines<'a>(columns: &[Field<'a>], named: &[&str]) -> Option<Shape<'a>> {
    let is_one_of =
        |field: &&Field<'_>| named.contains(&field.name) || kind(field.schema) == Kind::Choice;
    let mut groups = columns.iter().filter(is_one_of);
    let (Some(by), None) = (groups.next(), groups.next()) else {
        return None;
    };
    let rest: Vec<Field<'a>> = columns
        .iter()
        .filter(|field| field.name != by.name && !is_technical_id(field.name))
        .copied()
        .collect();
    if rest
        .iter()
        .any(|field| is_minor(field.name) || is_money(field.name))
    {
        return None;
    }
    let along_order = || along(&rest, is_ordered);
    let (x, series) = series(&rest).or_else(along_order)?;
    Some(line(x, series, Some(by.name)))
}

/// Numbers along the first of them: `second`, `temperature`; two numbers are a value and its place.
fn numeric<'a>(columns: &[Field<'a>]) -> Option<(&'a str, Vec<Field<'a>>)> {
    let (x, series) = columns.split_first()?;
    let are_numbers = columns
        .iter()
        .all(|field| kind(field.schema) == Kind::Number);
    // Places on earth are no curve, and ids count nothing.
    let is_else = |field: &Field<'_>| {
        is_id(field.name) || matches!(field.name, "lat" | "latitude" | "lng" | "lon" | "longitude")
    };
    let is_curve = are_numbers && !columns.iter().any(is_else);
    (is_curve && !series.is_empty() && series.len() <= SERIES_MAX)
        .then(|| (x.name, series.to_vec()))
}

/// A point in time and the numbers at it, if that is all a record has.
pub(crate) fn series<'a>(columns: &[Field<'a>]) -> Option<(&'a str, Vec<Field<'a>>)> {
    along(columns, is_time)
}

/// The first value that is an axis and the numbers along it, if that is all there is.
fn along<'a>(
    columns: &[Field<'a>],
    is_axis: impl Fn(&Field<'a>) -> bool,
) -> Option<(&'a str, Vec<Field<'a>>)> {
    /// Numbers of a span that are worth a picture each: one is a row of a plan.
    const SPAN_NUMBERS_MIN: usize = 2;
    let x = columns.iter().find(|field| is_axis(field))?;
    let others = columns.iter().filter(|field| field.name != x.name);
    let (ends, numbers): (Vec<Field<'a>>, Vec<Field<'a>>) = others
        .copied()
        .partition(|field| is_time(field) && ends_with(field, &["end", "ends", "to", "until"]));
    let is_span = ends.len() == 1 && numbers.len() >= SPAN_NUMBERS_MIN;
    if !ends.is_empty() && !is_span {
        return None;
    }
    let are_numbers = numbers
        .iter()
        .all(|field| kind(field.schema) == Kind::Number);
    (are_numbers && !numbers.is_empty()).then_some((x.name, numbers))
}

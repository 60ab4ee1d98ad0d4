//! Tells what a list of records is best shown as, by its fields, its gestures and what was asked for.

use serde_json::Value;

use super::fields::{
    Field, Kind, choices, core, fields, format, is_id, is_image, is_technical_id, is_time, items,
    kind,
};
use super::words::{singular, split};

/// States that still stand side by side as columns.
const BOARD_GROUPS_MAX: usize = 6;
/// Values beside the picture or the text of a record; what has more is easier to compare in a table.
const CARD_FIELDS_MAX: usize = 8;
/// Fields of something that happened; what has more is a record of its own.
const TIMELINE_FIELDS_MAX: usize = 5;
/// Numbers that share one axis.
const SERIES_MAX: usize = 4;

/// What records are shown as.
#[derive(Clone, Debug)]
pub(super) enum Shape<'a> {
    /// Columns by state.
    Board { title: &'a str, group: &'a str },
    /// Days of a month.
    Calendar {
        title: &'a str,
        start: &'a str,
        end: Option<&'a str>,
    },
    /// Tiles.
    Cards {
        title: &'a str,
        image: Option<&'a str>,
    },
    /// Numbers over `x`.
    Chart {
        kind: &'static str,
        x: &'a str,
        series: Vec<Field<'a>>,
    },
    /// Steps of something.
    Stepper {
        label: &'a str,
        status: &'a str,
        time: Option<&'a str>,
    },
    /// Rows and columns.
    Table,
    /// Moments below each other.
    Timeline {
        time: Field<'a>,
        title: Option<&'a str>,
        text: Option<&'a str>,
    },
    /// Records inside records.
    Tree { title: &'a str, children: &'a str },
}

/// What the words of an intent ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Board,
    Calendar,
    Cards,
    Table,
    Timeline,
}

/// The picture an intent names, if it names one.
pub(super) fn wish(intent: &str) -> Option<Wish> {
    split(intent).iter().find_map(|word| {
        Some(match word.as_str() {
            "board" | "kanban" => Wish::Board,
            "calendar" => Wish::Calendar,
            "cards" | "tiles" => Wish::Cards,
            "table" | "spreadsheet" => Wish::Table,
            "timeline" => Wish::Timeline,
            _ => return None,
        })
    })
}

/// What the records of the list `name` are shown as.
pub(super) fn shape<'a>(
    name: &str,
    record: &'a Value,
    actions: &[Value],
    wish: Option<Wish>,
) -> Shape<'a> {
    let columns = fields(record);
    if wish == Some(Wish::Table) {
        return Shape::Table;
    }
    let is_still = actions.is_empty();
    let tree = children(record).and_then(|children| {
        let title = naming(&columns)?;
        Some(Shape::Tree { title, children })
    });
    let picture = tree
        .or_else(|| steps(name, &columns).filter(|_| is_still))
        .or_else(|| calendar(&columns, wish))
        .or_else(|| board(&columns, actions, wish))
        .or_else(|| cards(&columns, wish))
        .or_else(|| chart(name, &columns).filter(|_| is_still))
        .or_else(|| timeline(name, &columns, wish).filter(|_| is_still));
    picture.unwrap_or(Shape::Table)
}

/// The member that holds records like the one it is in.
pub(super) fn children(record: &Value) -> Option<&str> {
    let own = fields(record);
    let lists = own
        .iter()
        .filter(|field| kind(field.schema) == Kind::Records);
    lists
        .filter(|list| {
            let inner = fields(items(list.schema));
            let shared = inner
                .iter()
                .filter(|field| own.iter().any(|other| other.name == field.name));
            shared.count() >= 2
        })
        .map(|list| list.name)
        .next()
}

/// The field that names a record for a person.
pub(super) fn naming<'a>(columns: &[Field<'a>]) -> Option<&'a str> {
    const NAMES: &[&str] = &[
        "caption", "headline", "label", "name", "subject", "summary", "title",
    ];
    let is_plain = |field: &&Field<'_>| {
        kind(field.schema) == Kind::Text
            && !is_technical_id(field.name)
            && !is_image(field.name, core(field.schema))
            && core(field.schema).get("format").is_none()
    };
    let mut texts = columns.iter().filter(is_plain);
    let named = texts.clone().find(|field| {
        split(field.name)
            .last()
            .is_some_and(|word| NAMES.contains(&word.as_str()))
    });
    named.or_else(|| texts.next()).map(|field| field.name)
}

fn ends_with(field: &Field<'_>, words: &[&str]) -> bool {
    split(field.name)
        .last()
        .is_some_and(|word| words.contains(&word.as_str()))
}

fn state<'a>(columns: &[Field<'a>]) -> Option<Field<'a>> {
    let is_state = |field: &&Field<'_>| {
        kind(field.schema) == Kind::Choice
            && ends_with(
                field,
                &["column", "lane", "phase", "stage", "state", "status"],
            )
    };
    columns.iter().find(is_state).copied()
}

fn moment<'a>(columns: &[Field<'a>]) -> Option<Field<'a>> {
    let mut times = columns.iter().filter(|field| is_time(field));
    times.next().filter(|_| times.next().is_none()).copied()
}

fn steps<'a>(name: &str, columns: &[Field<'a>]) -> Option<Shape<'a>> {
    const STEPS: &[&str] = &["milestone", "phase", "stage", "step"];
    let list = split(name).pop().map(|word| singular(&word))?;
    let status = state(columns)?.name;
    let label = naming(columns)?;
    let time = moment(columns).map(|field| field.name);
    let all = [Some(label), Some(status), time];
    let says_all = columns
        .iter()
        .all(|field| is_id(field.name) || all.contains(&Some(field.name)));
    (STEPS.contains(&list.as_str()) && says_all).then_some(Shape::Stepper {
        label,
        status,
        time,
    })
}

fn calendar<'a>(columns: &[Field<'a>], wish: Option<Wish>) -> Option<Shape<'a>> {
    let dated = |words: &[&str]| {
        columns.iter().find(|field| {
            let format = core(field.schema).get("format").and_then(Value::as_str);
            matches!(format, Some("date" | "date-time"))
                && split(field.name)
                    .iter()
                    .any(|word| words.contains(&word.as_str()))
        })
    };
    let start = dated(&["begin", "begins", "from", "start", "starts"]);
    let end = dated(&["end", "ends", "to", "until"]);
    let title = naming(columns)?;
    match (start, end, wish) {
        (Some(start), Some(end), _) => Some(Shape::Calendar {
            title,
            start: start.name,
            end: Some(end.name),
        }),
        (_, _, Some(Wish::Calendar)) => Some(Shape::Calendar {
            title,
            start: start.copied().or_else(|| moment(columns))?.name,
            end: None,
        }),
        _ => None,
    }
}

fn board<'a>(columns: &[Field<'a>], actions: &[Value], wish: Option<Wish>) -> Option<Shape<'a>> {
    let group = state(columns)?;
    let is_few =
        choices(group.schema).is_some_and(|all| (2..=BOARD_GROUPS_MAX).contains(&all.len()));
    let moves = actions.iter().any(|action| moved(action, group.name));
    (is_few && (moves || wish == Some(Wish::Board))).then_some(Shape::Board {
        title: naming(columns)?,
        group: group.name,
    })
}

/// Whether a row action gives a record another value of one field, and nothing else.
pub(super) fn moved(action: &Value, field: &str) -> bool {
    let inputs = action["inputs"]["properties"].as_object();
    inputs.is_some_and(|inputs| {
        inputs.len() == 1
            && inputs
                .iter()
                .all(|(name, schema)| action["initial"][name] == field && choices(schema).is_some())
    })
}

fn cards<'a>(columns: &[Field<'a>], wish: Option<Wish>) -> Option<Shape<'a>> {
    let image = columns
        .iter()
        .find(|field| is_image(field.name, core(field.schema)))
        .map(|field| field.name);
    let fits = columns.len() <= CARD_FIELDS_MAX
        && columns
            .iter()
            .all(|field| !matches!(kind(field.schema), Kind::Records | Kind::Open));
    ((image.is_some() || wish == Some(Wish::Cards)) && fits).then_some(Shape::Cards {
        title: naming(columns)?,
        image,
    })
}

/// A point in time and the numbers at it, or a dimension and what was counted along it.
fn chart<'a>(name: &str, columns: &[Field<'a>]) -> Option<Shape<'a>> {
    if let Some((x, series)) = series(columns) {
        return Some(Shape::Chart {
            kind: "line",
            x,
            series,
        });
    }
    const ORDERED: &[&str] = &[
        "age", "day", "hour", "month", "quarter", "round", "week", "year",
    ];
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
    let x = columns
        .iter()
        .find(|field| last_of(field.name, DIMENSIONS))?;
    let is_axis = matches!(kind(x.schema), Kind::Text | Kind::Choice | Kind::Number);
    let series: Vec<Field<'_>> = columns
        .iter()
        .filter(|field| field.name != x.name)
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
        () if kind(x.schema) == Kind::Number && last_of(x.name, ORDERED) => "line",
        () => "bar",
    };
    Some(Shape::Chart {
        kind,
        x: x.name,
        series,
    })
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

fn timeline<'a>(name: &str, columns: &[Field<'a>], wish: Option<Wish>) -> Option<Shape<'a>> {
    const HAPPENINGS: &[&str] = &[
        "activity",
        "audit",
        "change",
        "comment",
        "entry",
        "event",
        "feed",
        "history",
        "itinerary",
        "log",
        "message",
        "milestone",
        "new",
        "note",
        "notification",
        "reply",
        "stop",
        "timeline",
        "update",
        "visit",
    ];
    const TEXTS: &[&str] = &[
        "body",
        "comment",
        "description",
        "detail",
        "details",
        "message",
        "note",
        "notes",
        "text",
    ];
    let time = moment(columns)?;
    let list = split(name).pop().map(|word| singular(&word))?;
    let happens = HAPPENINGS.contains(&list.as_str()) || wish == Some(Wish::Timeline);
    let telling = columns.iter().filter(|field| !is_technical_id(field.name));
    let is_short = telling.clone().count() <= TIMELINE_FIELDS_MAX
        && telling
            .clone()
            .all(|field| !matches!(kind(field.schema), Kind::Records | Kind::Open));
    let text = columns
        .iter()
        .find(|field| kind(field.schema) == Kind::Text && ends_with(field, TEXTS))
        .map(|field| field.name);
    let others: Vec<Field<'_>> = columns
        .iter()
        .filter(|field| Some(field.name) != text && field.name != time.name)
        .copied()
        .collect();
    let title = naming(&others);
    (happens && is_short && (text.is_some() || title.is_some())).then_some(Shape::Timeline {
        time,
        title,
        text,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(name: &str, properties: Value, wish: Option<Wish>) -> String {
        let record = json!({"type":"object","properties":properties});
        let shape = format!("{:?}", shape(name, &record, &[], wish));
        shape
            .split([' ', '{'])
            .next()
            .unwrap_or_default()
            .to_owned()
    }

    #[test]
    fn records_are_shown_as_what_they_are() {
        let text = json!({"type":"string"});
        let number = json!({"type":"number"});
        let day = json!({"type":"string","format":"date"});
        let state = json!({"type":"string","enum":["open","done"]});
        let url = json!({"type":"string","format":"uri"});
        for (name, properties, expect) in [
            (
                "tasks",
                json!({"id":text,"title":text,"status":state}),
                "Table",
            ),
            (
                "steps",
                json!({"title":text,"status":state,"at":day}),
                "Stepper",
            ),
            (
                "shifts",
                json!({"title":text,"start":day,"end":day}),
                "Calendar",
            ),
            (
                "hotels",
                json!({"name":text,"photoUrl":url,"price":number}),
                "Cards",
            ),
            ("history", json!({"date":day,"value":number}), "Chart"),
            (
                "monthly",
                json!({"month":text,"online":number,"stores":number}),
                "Chart",
            ),
            ("prices", json!({"title":text,"price":number}), "Table"),
            (
                "comments",
                json!({"author":text,"at":day,"text":text}),
                "Timeline",
            ),
            (
                "orders",
                json!({"customer":text,"at":day,"total":number}),
                "Table",
            ),
            (
                "files",
                json!({"name":text,"size":number,"children":{"type":"array","items":{"type":"object","properties":{"name":text,"size":number}}}}),
                "Tree",
            ),
        ] {
            assert_eq!(told(name, properties, None), expect, "{name}");
        }
    }

    #[test]
    fn the_words_of_the_intent_decide_where_the_data_allow_it() {
        let tasks = json!({"id":{"type":"string"},"title":{"type":"string"},"status":{"type":"string","enum":["open","done"]}});
        for (intent, expect) in [
            ("Show the tasks as a board", "Board"),
            ("Tasks on cards", "Cards"),
            ("A calendar of tasks", "Table"),
            ("All tasks", "Table"),
        ] {
            assert_eq!(
                told("tasks", tasks.clone(), wish(intent)),
                expect,
                "{intent}"
            );
        }
        let steps =
            json!({"title":{"type":"string"},"status":{"type":"string","enum":["open","done"]}});
        assert_eq!(told("steps", steps, wish("The steps as a table")), "Table");
    }
}

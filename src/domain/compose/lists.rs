//! Draws lists: records in the shape that suits them, numbers as a chart, texts below each other.

use serde_json::{Map, Value, json};

use super::actions::RowActions;
use super::builder::{Builder, bind, join};
use super::fields::{
    Field, Kind, choices, core, fields, format, is_currency, is_technical_id, items, key, kind,
};
use super::shapes::{Shape, moved, naming, shape};
use super::subject::{Subject, value_label};
use super::words::{label, split, titled};

/// Rows of a table before it turns pages: about two screens.
const PAGE_ROWS: usize = 50;

/// Records.
pub(super) fn list(builder: &mut Builder, subject: &Subject<'_>, rows: &RowActions<'_>) -> String {
    let record = items(subject.schema);
    let columns = fields(record);
    let actions = rows.of(subject.name, &columns);
    let bulk = rows.bulk(subject.name);
    let picture = match bulk.is_empty() {
        true => shape(subject.name, record, &actions, subject.wish),
        false => Shape::Table,
    };
    draw(builder, subject, record, picture, actions, bulk)
}

/// One record that holds others like it.
pub(super) fn tree(
    builder: &mut Builder,
    subject: &Subject<'_>,
    rows: &RowActions<'_>,
    (title, children): (&str, &str),
) -> String {
    let actions = rows.of(subject.name, &fields(subject.schema));
    let picture = Shape::Tree { title, children };
    let id = draw(
        builder,
        subject,
        subject.schema,
        picture,
        actions,
        Vec::new(),
    );
    builder.rename(&id, "rows", "root");
    id
}

fn draw(
    builder: &mut Builder,
    subject: &Subject<'_>,
    record: &Value,
    picture: Shape<'_>,
    mut actions: Vec<Value>,
    bulk: Vec<Value>,
) -> String {
    let columns = fields(record);
    let all = Columns::of(subject, &columns);
    let mut members = json!({
        "title": subject.title(),
        "rows": bind(subject.path),
        "key": key(&columns),
        "emptyText": subject.empty_text(),
    });
    let component = match picture {
        Shape::Chart { kind, x, series } => {
            return chart(builder, subject, kind, Some(x), &series);
        }
        Shape::Board { title, group } => {
            let at = actions.iter().position(|action| moved(action, group));
            if let Some(at) = at {
                set(&mut members, "move", movement(actions.remove(at)));
            }
            set(&mut members, "titleField", json!(title));
            set(&mut members, "groupField", json!(group));
            let states = columns
                .iter()
                .find(|field| field.name == group)
                .and_then(|field| choices(field.schema));
            let states = states.into_iter().flatten().map(|value| {
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                json!({"value": text, "label": label(&text)})
            });
            set(&mut members, "groups", states.collect());
            set(&mut members, "columns", all.without(&[title, group]));
            "Board"
        }
        Shape::Calendar { title, start, end } => {
            set(&mut members, "titleField", json!(title));
            set(&mut members, "startField", json!(start));
            set(&mut members, "endField", json!(end));
            let shown = [title, start, end.unwrap_or(start)];
            set(&mut members, "columns", all.without(&shown));
            "Calendar"
        }
        Shape::Cards { title, image } => {
            set(&mut members, "titleField", json!(title));
            set(&mut members, "imageField", json!(image));
            set(
                &mut members,
                "columns",
                all.without(&[title, image.unwrap_or(title)]),
            );
            "Cards"
        }
        Shape::Stepper {
            label,
            status,
            time,
        } => {
            let steps = json!({
                "title": subject.title(), "rows": bind(subject.path),
                "labelField": label, "statusField": status, "timeField": time,
            });
            return builder.add(subject.name, "Stepper", steps);
        }
        Shape::Timeline { time, title, text } => {
            set(&mut members, "timeField", json!(time.name));
            let moment = format(time.name, time.schema, false);
            let is_moment = matches!(moment, "date" | "datetime" | "time");
            set(
                &mut members,
                "timeFormat",
                json!(is_moment.then_some(moment)),
            );
            set(&mut members, "titleField", json!(title));
            set(&mut members, "textField", json!(text));
            let shown = [
                time.name,
                title.unwrap_or_default(),
                text.unwrap_or_default(),
            ];
            set(&mut members, "columns", all.without(&shown));
            "Timeline"
        }
        Shape::Tree { title, children } => {
            members = json!({
                "title": subject.title(), "rows": bind(subject.path), "childrenField": children,
                "titleField": title, "columns": all.without(&[title, children]),
                "emptyText": subject.empty_text(),
            });
            "Tree"
        }
        Shape::Table => {
            set(&mut members, "columns", all.without(&[]));
            set(&mut members, "titleField", json!(naming(&columns)));
            set(&mut members, "pageSize", json!(PAGE_ROWS));
            if !bulk.is_empty() {
                set(&mut members, "bulkActions", json!(bulk));
            }
            toggles(&mut actions, &columns);
            "Table"
        }
    };
    if !actions.is_empty() {
        set(&mut members, "rowActions", json!(actions));
    }
    builder.add(subject.name, component, members)
}

fn set(members: &mut Value, name: &str, value: Value) {
    let is_nothing = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    if !is_nothing {
        members[name] = value;
    }
}

/// A row action that moves a record, in the words of a board.
fn movement(action: Value) -> Value {
    let to = action["inputs"]["properties"]
        .as_object()
        .and_then(|inputs| inputs.keys().next().cloned());
    let mut movement = Map::new();
    for member in ["action", "label", "confirm", "fixed"] {
        if let Some(value) = action.get(member) {
            movement.insert(member.to_owned(), value.clone());
        }
    }
    movement.insert("to".to_owned(), json!(to));
    Value::Object(movement)
}

/// An action that turns the one boolean of a record on and off is shown as its box.
fn toggles(actions: &mut [Value], columns: &[Field<'_>]) {
    const TURNS: &[&str] = &[
        "check", "complete", "finish", "mark", "switch", "tick", "toggle",
    ];
    let mut booleans = columns
        .iter()
        .filter(|field| kind(field.schema) == Kind::Boolean);
    let (Some(boolean), None) = (booleans.next(), booleans.next()) else {
        return;
    };
    let turns = |action: &&mut Value| {
        let name = action["action"].as_str().unwrap_or_default();
        let turns = split(name)
            .iter()
            .any(|word| TURNS.contains(&word.as_str()));
        turns && action.get("inputs").is_none() && action.get("confirm").is_none()
    };
    if let Some(action) = actions.iter_mut().find(turns) {
        action["toggles"] = json!(boolean.name);
    }
}

/// The values of a record as columns.
struct Columns<'a> {
    fields: &'a [Field<'a>],
    currency: Option<Value>,
}

impl<'a> Columns<'a> {
    fn of(subject: &Subject<'_>, fields: &'a [Field<'a>]) -> Self {
        let own = fields.iter().find(|field| is_currency(field));
        let currency = own
            .map(|field| bind(&join("", field.name)[1..]))
            .or(subject.currency.map(bind));
        Self { fields, currency }
    }

    /// All but some, and but ids that tell a person nothing.
    fn without(&self, names: &[&str]) -> Value {
        let tells = |field: &&Field<'_>| !is_technical_id(field.name);
        let has_words = self.fields.iter().any(|field| tells(&field));
        self.fields
            .iter()
            .filter(|field| !has_words || tells(field))
            .filter(|field| !names.contains(&field.name))
            .map(|field| self.column(field))
            .collect()
    }

    fn column(&self, field: &Field<'_>) -> Value {
        let format = format(field.name, field.schema, self.currency.is_some());
        let align = match kind(field.schema) {
            Kind::Number if format == "rating" => None,
            Kind::Number => Some("end"),
            Kind::Boolean => Some("center"),
            _ => None,
        };
        let text = value_label(field.name, field.schema, format);
        let mut column = json!({"field": field.name, "label": text, "format": format});
        if let Some(align) = align {
            column["align"] = json!(align);
        }
        if let (Some(currency), "currency" | "money") = (&self.currency, format) {
            column["currency"] = currency.clone();
        }
        column
    }
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
    let own = |line: &Field<'_>| value_label(line.name, line.schema, "");
    // A single line is the thing itself; several are told apart by their own names.
    let series: Vec<Value> = match lines {
        [] => vec![json!({"field": "", "label": titled(subject.name, subject.schema)})],
        [line] => vec![json!({"field": line.name, "label": titled(subject.name, subject.schema)})],
        _ => lines
            .iter()
            .map(|line| json!({"field": line.name, "label": own(line)}))
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

/// Numbers in a row.
pub(super) fn numbers(builder: &mut Builder, subject: &Subject<'_>) -> String {
    chart(builder, subject, "line", None, &[])
}

/// Texts in a row; a gesture that takes one of them makes each a button.
pub(super) fn strings(
    builder: &mut Builder,
    subject: &Subject<'_>,
    rows: &RowActions<'_>,
) -> String {
    let members = json!({
        "title": subject.title(),
        "items": bind(subject.path),
        "kind": texts_kind(subject.name),
        "pick": rows.pick(subject.name),
        "emptyText": subject.empty_text(),
    });
    builder.add(subject.name, "Items", members)
}

/// How texts are listed: in their order where it matters, as tags where each is a word.
fn texts_kind(name: &str) -> &'static str {
    let last = split(name).pop().unwrap_or_default();
    match last.as_str() {
        "directions" | "instructions" | "ranking" | "steps" => "numbers",
        "categories" | "genres" | "keywords" | "labels" | "languages" | "skills" | "tags"
        | "topics" => "tags",
        _ => "bullets",
    }
}

/// Texts that are steps, with where one is.
pub(super) fn text_steps(builder: &mut Builder, subject: &Subject<'_>, current: &str) -> String {
    let members = json!({
        "title": subject.title(), "rows": bind(subject.path), "current": bind(current),
    });
    builder.add(subject.name, "Stepper", members)
}

/// Whether a list of texts names the steps of something.
pub(super) fn is_steps(name: &str, schema: &Value) -> bool {
    let last = split(name).pop().unwrap_or_default();
    kind(schema) == Kind::Strings
        && choices(core(items(schema))).is_none()
        && matches!(last.as_str(), "phases" | "stages" | "steps")
}

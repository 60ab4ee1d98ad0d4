//! Decides what each thing of the page is shown as.

use std::collections::BTreeMap;

use super::super::reading::{
    Deed, Field, Gesture, Kind, Reading, Thing, columns_of, format, hints, is_time, join, key,
    kind, meaning, split, titled,
};
use super::channels::{bind_changes, changing, counts};
use super::columns::Columns;
use super::offers::said;
use super::outline::{Part, Region, Shown};
use super::shapes::{Around, PreferredShape, Shape, is_vote, shape};

/// A part without anything in it yet.
pub(super) fn part(source: &str, component: &str, region: Region) -> Part {
    Part {
        source: source.to_owned(),
        component: component.to_owned(),
        region,
        title: None,
        roles: BTreeMap::new(),
        bindings: BTreeMap::new(),
        settings: BTreeMap::new(),
        fields: Vec::new(),
    }
}

impl Part {
    /// Says which member of the data plays a part.
    pub(super) fn role(&mut self, role: &str, field: Option<&str>) {
        if let Some(field) = field {
            self.roles.insert(role.to_owned(), field.to_owned());
        }
    }

    /// Sets something of the component.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.settings.insert(name.to_owned(), value.to_owned());
        }
    }
}

/// The title of a thing.
pub(super) fn title(thing: &Thing<'_>) -> String {
    hints(thing.schema)
        .get("title")
        .map_or_else(|| titled(thing.name, thing.schema), str::to_owned)
}

/// What is known of a list beside its records.
fn around<'a, 'r>(
    reading: &'r Reading<'a>,
    at: usize,
    preferred: Option<PreferredShape>,
) -> Around<'a, 'r> {
    let things = &reading.things;
    let inner = things
        .iter()
        .enumerate()
        .find(|(_, thing)| matches!(thing.within, Some((outer, _)) if outer == at));
    let moving =
        |gesture: &&Gesture<'_>| inner.is_some_and(|(inner, _)| gesture.about() == Some(inner));
    let moves = reading.gestures.iter().filter(moving).any(|gesture| {
        split(gesture.name)
            .iter()
            .any(|word| matches!(word.as_str(), "move" | "drag" | "change"))
    });
    let is_target = reading
        .gestures
        .iter()
        .filter(moving)
        .any(|gesture| gesture.chosen.values().any(|(thing, _)| *thing == at));
    let own: Vec<&Gesture<'a>> = reading
        .gestures
        .iter()
        .filter(|gesture| gesture.about() == Some(at) || chooses(gesture, at))
        .collect();
    let is_counted = reading
        .channels
        .iter()
        .any(|channel| counts(channel, &things[at]).is_some());
    Around {
        gestures: own,
        inner: inner.and_then(|(_, thing)| thing.within.map(|(_, name)| (name, thing.fields()))),
        moves,
        is_target,
        is_answered: reading
            .gestures
            .iter()
            .any(|gesture| said(gesture).is_some()),
        is_counted,
        preferred,
    }
}

/// Whether an action takes several records with something beside.
fn chooses(gesture: &Gesture<'_>, at: usize) -> bool {
    gesture.chosen.values().any(|(thing, _)| *thing == at)
        && matches!(gesture.deed, Deed::Ask)
        && is_vote(gesture.name)
}

pub(super) fn records<'a>(
    reading: &Reading<'a>,
    at: usize,
    preferred: Option<PreferredShape>,
) -> (Vec<Part>, &'static str, u8) {
    let thing = &reading.things[at];
    let around = around(reading, at, preferred);
    let (found, because, score) = shape(thing, &around);
    let mut all = shaped(reading, thing, &found);
    let live = reading
        .channels
        .iter()
        .find(|channel| channel.adds_to == Some(at));
    for part in &mut all {
        if part.component == "Chat"
            && let Some(channel) = live
        {
            part.bindings
                .insert("more".to_owned(), channel.thing.path.clone());
        }
        if let Some(channel) = changing(reading, at, part) {
            bind_changes(part, reading, channel);
        }
        if part.component == "Poll"
            && let Some((channel, (rows, key, value))) = reading
                .channels
                .iter()
                .find_map(|channel| Some((channel, counts(channel, thing)?)))
        {
            let path = rows.map_or(channel.thing.path.clone(), |rows| {
                join(&channel.thing.path, rows)
            });
            part.bindings.insert("results".to_owned(), path);
            part.set("resultKey", Some(key));
            part.set("resultField", Some(value));
        }
    }
    (all, because, score)
}

/// Records in a shape.
pub(super) fn shaped<'a>(reading: &Reading<'a>, thing: &Thing<'a>, found: &Shape<'a>) -> Vec<Part> {
    let own = thing.fields();
    let columns = Columns::of(reading, &own);
    let mut whole = part(&thing.path, "Table", Region::Main);
    whole.title = Some(title(thing));
    whole.role("key", thing.key());
    let mut taken: Vec<&str> = Vec::new();
    let mut set = |part: &mut Part, component: &str, roles: &[(&str, Option<&'a str>)]| {
        part.component = component.to_owned();
        for (role, field) in roles {
            part.role(role, *field);
            taken.extend(*field);
        }
    };
    match found {
        Shape::Table => {
            whole.role("titleField", thing.title());
        }
        Shape::Board { title, group } => set(
            &mut whole,
            "Board",
            &[("titleField", Some(title)), ("groupField", Some(group))],
        ),
        Shape::Calendar { title, start, end } => set(
            &mut whole,
            "Calendar",
            &[
                ("titleField", Some(title)),
                ("startField", Some(start)),
                ("endField", *end),
            ],
        ),
        Shape::Cards { title, image } => set(
            &mut whole,
            "Cards",
            &[("titleField", Some(title)), ("imageField", *image)],
        ),
        Shape::Chat { author, text, time } => set(
            &mut whole,
            "Chat",
            &[
                ("authorField", Some(author)),
                ("textField", Some(text)),
                ("timeField", *time),
            ],
        ),
        Shape::Lanes { title, cards, name } => {
            set(
                &mut whole,
                "Board",
                &[("groupField", Some(title)), ("cardsField", Some(cards))],
            );
            whole.role("titleField", Some(name));
            let inner = own
                .iter()
                .find(|field| field.name == *cards)
                .map(|field| columns_of(field.schema))
                .unwrap_or_default();
            whole.role("key", key(&inner));
            whole.fields = Columns::of(reading, &inner).without(&inner, &[name]);
            return vec![whole];
        }
        Shape::Nested { title, parent } => set(
            &mut whole,
            "Tree",
            &[("titleField", Some(title)), ("parentField", Some(parent))],
        ),
        Shape::Poll { title, count } => {
            set(
                &mut whole,
                "Poll",
                &[("titleField", Some(title)), ("countField", *count)],
            );
            let named = own.iter().find(|field| field.name == *title);
            whole.set(
                "titleFormat",
                named
                    .map(|field| format(field.name, field.schema, false))
                    .filter(|format| *format != "text"),
            );
        }
        Shape::Quiz { text, options } => set(
            &mut whole,
            "Quiz",
            &[("textField", Some(text)), ("optionsField", Some(options))],
        ),
        Shape::Seats {
            row,
            number,
            status,
        } => set(
            &mut whole,
            "Seats",
            &[
                ("rowField", Some(row)),
                ("numberField", Some(number)),
                ("statusField", *status),
            ],
        ),
        Shape::Stepper {
            label,
            status,
            time,
        } => set(
            &mut whole,
            "Stepper",
            &[
                ("labelField", Some(label)),
                ("statusField", Some(status)),
                ("timeField", *time),
            ],
        ),
        Shape::Timeline { time, title, text } => {
            set(
                &mut whole,
                "Timeline",
                &[
                    ("timeField", Some(time.name)),
                    ("titleField", *title),
                    ("textField", *text),
                ],
            );
            let moment = format(time.name, time.schema, false);
            whole.set(
                "timeFormat",
                Some(moment).filter(|moment| matches!(*moment, "date" | "datetime" | "time")),
            );
        }
        Shape::Tree { title, children } => set(
            &mut whole,
            "Tree",
            &[
                ("titleField", Some(title)),
                ("childrenField", Some(children)),
            ],
        ),
        Shape::Chart { kind, x, series } => return charts(thing, kind, Some(x), series),
    }
    whole.fields = columns.without(&own, &taken);
    if matches!(found, Shape::Tree { .. }) {
        whole.roles.remove("key");
    }
    vec![whole]
}

/// Charts of the numbers of records: one unit an axis, so one chart for each unit.
pub(super) fn charts<'a>(
    thing: &Thing<'a>,
    kind: &str,
    x: Option<&str>,
    series: &[Field<'a>],
) -> Vec<Part> {
    let mut groups: Vec<(String, Option<String>, Vec<Shown>)> = Vec::new();
    for field in series {
        let read = meaning(field.name, field.schema, false);
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

/// Whether records are lines of a log: what was said, with its level and its moment.
pub(super) fn log_roles<'a>(
    own: &[Field<'a>],
) -> Option<(&'a str, Option<&'a str>, Option<&'a str>)> {
    let line = own.iter().find(|field| {
        matches!(field.name, "line" | "message" | "text" | "msg" | "entry")
            && kind(field.schema) == Kind::Text
    })?;
    let level = own
        .iter()
        .find(|field| matches!(field.name, "level" | "severity" | "kind" | "status"));
    let time = own.iter().find(|field| is_time(field));
    Some((
        line.name,
        level.map(|field| field.name),
        time.map(|field| field.name),
    ))
}

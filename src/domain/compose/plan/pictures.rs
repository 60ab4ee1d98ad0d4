//! Decides what each thing of the page is shown as.

use super::super::reading::{
    Field, Gesture, Kind, Reading, Thing, columns_of, format, is_markdown, key, kind, split,
};
use super::around::{around, named};
use super::blank::{part, title};
use super::called::{called, choice, holder, named_after};
use super::channels::bind_channels;
use super::charts::charts;
use super::columns::Columns;
use super::likely::Likely;
use super::outline::{Part, Reference, Region};
use super::shapes::{PreferredShape, Shape, is_solution, shape, undrawn};

pub(super) fn records<'a>(
    reading: &Reading<'a>,
    at: usize,
    preferred: Option<PreferredShape>,
    likely: Option<&Likely>,
) -> (Vec<Part>, &'static str, u8) {
    let thing = &reading.things[at];
    let around = around(reading, at, preferred, likely);
    let (found, because, score) = shape(thing, &around);
    let mut all = shown_as(reading, at, &found);
    for part in &mut all {
        if part.component == "Chat"
            && let Some(me) = reading.me()
        {
            part.bindings.insert("me".to_owned(), me);
        }
        bind_channels(part, reading, at);
    }
    (all, because, score)
}

/// The records of a thing in a shape, with the names of the records that they refer to.
pub(super) fn shown_as<'a>(reading: &Reading<'a>, at: usize, found: &Shape<'a>) -> Vec<Part> {
    let mut all = shaped(reading, &reading.things[at], found);
    for part in &mut all {
        name_roles(part, |member| named(reading, at, member));
    }
    all
}

/// Gives a part the names of the records that the members of its roles refer to.
pub(super) fn name_roles(part: &mut Part, named: impl Fn(&str) -> Option<Reference>) {
    // The groups of tasks are named by the column that says them.
    if part.component == "Tasks" {
        return;
    }
    for (role, names) in [
        ("authorField", "authorNames"),
        ("groupField", "groupNames"),
        ("rowField", "rowNames"),
        ("seriesField", "seriesNames"),
        ("x", "xNames"),
    ] {
        if let Some(found) = part.roles.get(role).and_then(|member| named(member)) {
            part.names.insert(names.to_owned(), found);
        }
    }
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
        Shape::Article {
            number,
            title,
            text,
        } => {
            set(
                &mut whole,
                "Article",
                &[
                    ("numberField", *number),
                    ("titleField", *title),
                    ("textField", Some(text)),
                ],
            );
            taken.retain(|name| name != text || is_text(&own, name));
            whole.set("textFormat", markdown(&own, text));
        }
        Shape::Changes {
            number,
            title,
            before,
            after,
        } => {
            set(
                &mut whole,
                "Changes",
                &[
                    ("numberField", *number),
                    ("titleField", *title),
                    ("beforeField", Some(before)),
                    ("afterField", Some(after)),
                ],
            );
            taken.retain(|name| ![before, after].contains(&name) || is_text(&own, name));
        }
        Shape::Tasks {
            title,
            done,
            open,
            required,
            group,
            tick,
            untick,
        } => {
            set(
                &mut whole,
                "Tasks",
                &[("titleField", Some(title)), ("requiredField", *required)],
            );
            // How they are called stands in the columns.
            whole.role("doneField", Some(done));
            whole.role("groupField", *group);
            let open = open.join(" ");
            whole.set(
                "openValues",
                Some(open.as_str()).filter(|open| !open.is_empty()),
            );
            whole.set("tick", tick.as_deref());
            whole.set("untick", untick.as_deref());
        }
        Shape::Board { title, group } => set(
            &mut whole,
            "Board",
            &[("titleField", Some(title)), ("groupField", Some(group))],
        ),
        Shape::Calendar { title, start, end } => {
            set(
                &mut whole,
                "Calendar",
                &[
                    ("titleField", Some(title)),
                    ("startField", Some(start)),
                    ("endField", *end),
                ],
            );
            whole.set("titleFormat", choice(&own, title));
        }
        Shape::Cards { title, image } => set(
            &mut whole,
            "Cards",
            &[("titleField", Some(title)), ("imageField", *image)],
        ),
        Shape::Chat { author, text, time } => {
            set(
                &mut whole,
                "Chat",
                &[
                    ("authorField", Some(author)),
                    ("textField", Some(text)),
                    ("timeField", *time),
                ],
            );
            // What is answered stands above it.
            let replies = own.iter().map(|field| field.name).filter(|name| {
                split(name)
                    .iter()
                    .any(|word| word == "reply" || word == "replies")
            });
            taken.extend(replies);
            taken.retain(|name| name != text || is_text(&own, name));
            whole.set("textFormat", markdown(&own, text));
        }
        Shape::Lanes { title, cards, name } => {
            set(
                &mut whole,
                "Board",
                &[("groupField", Some(title)), ("cardsField", Some(cards))],
            );
            whole.role("titleField", Some(name));
            let inner = within(&own, cards);
            whole.role("key", key(&inner));
            whole.fields = Columns::of(reading, &inner).without(&inner, &[name]);
            return vec![whole];
        }
        Shape::Nested { title, parent } => {
            set(
                &mut whole,
                "Tree",
                &[("titleField", Some(title)), ("parentField", Some(parent))],
            );
            whole.set("titleFormat", choice(&own, title));
        }
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
        Shape::Quiz {
            text,
            options,
            option,
            key,
            several,
        } => {
            set(
                &mut whole,
                "Quiz",
                &[("textField", Some(text)), ("optionsField", Some(options))],
            );
            taken.extend(
                own.iter()
                    .map(|field| field.name)
                    .filter(|name| is_solution(name)),
            );
            whole.role("optionField", *option);
            whole.role("optionKey", *key);
            whole.role("severalField", *several);
        }
        Shape::Seats {
            row,
            number,
            status,
            seats,
        } => {
            set(
                &mut whole,
                "Seats",
                &[
                    ("rowField", Some(row)),
                    ("numberField", Some(number)),
                    ("statusField", *status),
                ],
            );
            if let Some(seats) = seats {
                let inner = within(&own, seats);
                whole.role("seatsField", Some(seats));
                whole.roles.remove("key");
                whole.role("key", key(&inner));
                let taken = [Some(*number), *status];
                let taken: Vec<&str> = taken.into_iter().flatten().collect();
                whole.fields = Columns::of(reading, &inner).without(&inner, &taken);
                return vec![whole];
            }
        }
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
            // What kind of thing happened is a word of a program.
            whole.set("titleFormat", title.and_then(|title| choice(&own, title)));
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
        Shape::Chart {
            kind,
            x,
            series,
            by,
        } => {
            // Lines that are told apart by a member are those of one number.
            let each: Vec<&[Field<'_>]> = match by {
                Some(_) => series.chunks(1).collect(),
                None => vec![series],
            };
            let all = each
                .into_iter()
                .flat_map(|series| charts(reading, thing, kind, Some(x), series));
            let mut all: Vec<Part> = all.collect();
            let several = all.len() > 1;
            for chart in &mut all {
                chart.role("seriesField", *by);
                // Charts of the same lines are told apart by what they measure.
                if let ([only], true, Some(_)) = (chart.fields.as_slice(), several, by) {
                    let own = Some(only.field.as_str());
                    let measure = series.iter().find(|field| Some(field.name) == own);
                    chart.title = measure.map(|field| columns.shown(field, 0).label);
                }
            }
            // What a chart has no place for stands in rows below it, and what is done with one of them.
            let is_left = undrawn(&own, x, series, *by).next().is_some();
            let mut about = reading.gestures.iter().filter_map(Gesture::about);
            if is_left || about.any(|at| reading.things[at].path == thing.path) {
                whole.title = None;
                whole.region = match all.first() {
                    Some(chart) if chart.region == Region::Charts => Region::Rows,
                    _ => Region::Main,
                };
                whole.fields = columns.without(&own, &[]);
                all.push(whole);
            }
            return all;
        }
    }
    if let Some(text) = whole.roles.get("titleField").cloned()
        && matches!(
            whole.component.as_str(),
            "Board" | "Calendar" | "Cards" | "Table" | "Timeline"
        )
        && let Some(named) = called(&own, &text)
    {
        taken.retain(|name| *name != text);
        whole.role("titleField", Some(named));
    }
    whole.fields = columns.without(&own, &taken);
    let holder = holder(&whole, &own);
    whole.role("holderField", holder);
    if let Some(named) = named_after(&whole, &own, thing.title()) {
        taken.retain(|name| Some(*name) != whole.roles.get("titleField").map(String::as_str));
        taken.push(named);
        whole.roles.remove("titleFormat");
        whole.role("titleField", Some(named));
        whole.fields = columns.without(&own, &taken);
    }
    // What the title says of a record in it is not said again.
    let title = whole.roles.get("titleField").cloned();
    if whole.component != "Table"
        && let Some(named) = whole
            .fields
            .iter_mut()
            .find(|shown| Some(&shown.field) == title.as_ref() && shown.parts.len() > 1)
    {
        named.parts.remove(0);
    }
    if matches!(found, Shape::Tree { .. }) {
        whole.roles.remove("key");
    }
    vec![whole]
}

/// Whether a member is a text; what is more is drawn as its column says.
fn is_text(own: &[Field<'_>], member: &str) -> bool {
    own.iter()
        .any(|field| field.name == member && kind(field.schema) == Kind::Text)
}

/// The format of a text that is Markdown.
pub(super) fn markdown(own: &[Field<'_>], text: &str) -> Option<&'static str> {
    let said = own.iter().find(|field| field.name == text)?;
    is_markdown(said.name, said.schema).then_some("markdown")
}

/// The values of the records that a member holds.
fn within<'a>(own: &[Field<'a>], member: &str) -> Vec<Field<'a>> {
    own.iter()
        .find(|field| field.name == member)
        .map(|field| columns_of(field.schema))
        .unwrap_or_default()
}

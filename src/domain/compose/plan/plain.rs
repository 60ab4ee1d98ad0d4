//! What is shown of everything that is no list of records: facts, texts, maps, and records with what is in them.

use super::super::reading::{
    Field, Gesture, Kind, Reading, Sort, Thing, change, core, fields, format, hints, is_image,
    is_markdown, is_nullable, is_patch, is_source, items, join, kind, naming, rows_of, split,
    values,
};
use super::article::{self, article};
use super::blank::{part, title};
use super::charts::charts;
use super::columns::Columns;
use super::likely::Likely;
use super::matrix::{lines, matrix};
use super::outline::{Part, Region, Shown};
use super::pictures::{records, shaped, shown_as};
use super::shapes::{Around, PreferredShape, Shape, seat_fields, shape};
use super::wishes::Wishes;

/// How deep lists inside records are looked for.
const DEPTH_MAX: usize = 3;

/// The parts that show a thing.
pub(super) fn picture<'a>(
    reading: &Reading<'a>,
    at: usize,
    preferred: Option<PreferredShape>,
    likely: Option<&Likely>,
    wishes: &Wishes,
) -> (Vec<Part>, &'static str, u8) {
    let thing = &reading.things[at];
    let is_chart = || {
        let own = likely.filter(|likely| likely.thing == at);
        let likely = own.and_then(Likely::shape).map(|(component, _)| component);
        preferred == Some(PreferredShape::Chart) || likely == Some("Chart")
    };
    match thing.sort {
        Sort::Records => {
            // Readings are plotted, and not the drugs that are given meanwhile.
            let is_beside = likely.is_some_and(|likely| likely.thing != at);
            let mut about = reading.gestures.iter().map(Gesture::about);
            let is_worked_on = thing.title().is_some() && about.any(|about| about == Some(at));
            let is_meant = |one: &PreferredShape| {
                *one != PreferredShape::Chart || !(is_beside && is_worked_on)
            };
            let preferred = wishes.shape(&thing.path).or(preferred.filter(is_meant));
            records(reading, at, preferred, likely)
        }
        Sort::Record => {
            let shape = likely
                .filter(|likely| likely.thing == at)
                .and_then(Likely::shape);
            let is_article = shape.is_some_and(|(component, _)| component == "Article");
            (
                record(reading, thing, wishes, 0, is_article),
                "its schema",
                90,
            )
        }
        Sort::Matrix
            if is_chart()
                && let Some(lines) = lines(reading, thing) =>
        {
            let chart = shown_as(reading, at, &lines);
            (chart, "a number over time for each", 90)
        }
        _ => (plain(reading, thing, wishes, 0), "its schema", 90),
    }
}

/// What is no list of records.
pub(super) fn plain<'a>(
    reading: &Reading<'a>,
    thing: &Thing<'a>,
    wishes: &Wishes,
    depth: usize,
) -> Vec<Part> {
    let mut whole = part(&thing.path, "KeyValue", Region::Main);
    whole.title = Some(title(thing));
    match thing.sort {
        Sort::Records => {
            let (found, ..) = shape(thing, &Around::default());
            return shaped(reading, thing, &found);
        }
        Sort::Tree => {
            let (Some(name), Some(children)) = (thing.title(), thing.children()) else {
                return vec![whole];
            };
            let mut tree = shaped(
                reading,
                thing,
                &Shape::Tree {
                    title: name,
                    children,
                },
            );
            for part in &mut tree {
                part.set("rows", Some("root"));
            }
            return tree;
        }
        Sort::Record => return record(reading, thing, wishes, depth, false),
        Sort::Numbers => {
            let each = Field {
                name: thing.name,
                schema: items(thing.schema),
            };
            let mut all = charts(reading, thing, "line", None, &[each]);
            // Plain numbers are no members of records.
            for shown in all.iter_mut().flat_map(|chart| &mut chart.fields) {
                shown.field.clear();
            }
            return all;
        }
        Sort::Texts => {
            whole.component = "Items".to_owned();
            whole.set("kind", Some(texts_kind(thing)));
        }
        Sort::Text => {
            whole.component = "Text".to_owned();
            whole.set("variant", Some(variant(thing.name, thing.schema)));
        }
        Sort::Matrix => return vec![matrix(reading, thing)],
        // Records by their keys are rows like others, where each has a name.
        Sort::Open
            if let Some(own) = values(thing.schema).map(fields)
                && naming(&own).is_some() =>
        {
            whole.component = "Table".to_owned();
            whole.fields = Columns::of(reading, &own).without(&own, &[]);
        }
        Sort::Open
            if let Some(seat) = rows_of(thing.schema).map(fields)
                && let Some((number, status)) = seat_fields(&seat) =>
        {
            whole.component = "Seats".to_owned();
            whole.role("numberField", Some(number));
            whole.role("statusField", Some(status));
            whole.fields = Columns::of(reading, &seat).without(&seat, &[number, status]);
        }
        Sort::Map | Sort::Open => whole.component = "Values".to_owned(),
        Sort::Fact => {
            let shown = Columns::of(reading, &[]).shown(
                &Field {
                    name: thing.name,
                    schema: thing.schema,
                },
                0,
            );
            whole.title = None;
            whole.fields = vec![Shown {
                field: thing.path.clone(),
                ..shown
            }];
        }
    }
    vec![whole]
}

/// A record: its values as facts, or as the article that they are, the lists in it below them.
fn record<'a>(
    reading: &Reading<'a>,
    thing: &Thing<'a>,
    wishes: &Wishes,
    depth: usize,
    is_article: bool,
) -> Vec<Part> {
    let own = thing.fields();
    let columns = Columns::of(reading, &own);
    let text = article::text(&own).filter(|_| is_article);
    let is_list = |field: &Field<'_>| kind(field.schema) == Kind::Records;
    let is_body = |field: &Field<'_>| {
        kind(field.schema) == Kind::Text
            && (is_markdown(field.name, field.schema)
                || is_source(field.name) && core(field.schema).get("format").is_none())
    };
    let changed = rewritten(&own);
    let is_changed = |field: &Field<'_>| {
        let (old, new) = changed.unwrap_or_default();
        kind(field.schema) == Kind::Text && (field.name == old || field.name == new)
    };
    let is_taken = |field: &Field<'_>| {
        (depth < DEPTH_MAX && is_list(field)) || is_body(field) || is_changed(field)
    };
    let taken = own.iter().filter(|field| is_taken(field));
    let taken: Vec<&str> = taken.map(|field| field.name).collect();
    let mut all = Vec::new();
    if let Some(text) = text {
        all.push(article(reading, thing, text, &taken));
    }
    let facts = grouped(&own).into_iter().filter(|_| text.is_none());
    for (group, fields) in facts {
        let shown = columns.of_record(&thing.path, &fields, &taken);
        let source = match (group, shown.first()) {
            (None, _) => &thing.path,
            (Some(_), Some(first)) => &first.field,
            (Some(_), None) => continue,
        };
        let mut facts = part(source, "KeyValue", Region::Main);
        facts.title = Some(group.map_or_else(|| title(thing), str::to_owned));
        facts.fields = shown;
        if !facts.fields.is_empty() {
            all.push(facts);
        }
    }
    if let Some((old, new)) = changed {
        let mut diff = part(&join(&thing.path, new), "Diff", Region::Main);
        diff.title = Some("Changes".to_owned());
        diff.bindings
            .insert("before".to_owned(), join(&thing.path, old));
        all.push(diff);
    }
    let rest = |field: &&Field<'_>| {
        taken.contains(&field.name) && !is_changed(field) && text != Some(field.name)
    };
    for field in own.iter().filter(rest) {
        let path = join(&thing.path, field.name);
        if let Some(known) = reading
            .things
            .iter()
            .position(|thing| thing.path == path && thing.within.is_none())
        {
            all.extend(records(reading, known, wishes.shape(&path), None).0);
        } else {
            all.extend(plain(
                reading,
                &Thing::read(path, field.name, field.schema, None),
                wishes,
                depth + 1,
            ));
        }
    }
    all
}

/// Two texts of a record of which one became the other, by their names alone.
fn rewritten<'a>(own: &[Field<'a>]) -> Option<(&'a str, &'a str)> {
    change(own).filter(|(old, _)| split(old).len() == 1)
}

/// The components that a text may be shown as by itself, and the one for a fact among others.
pub(crate) const TEXT_COMPONENTS: &[&str] =
    &["Code", "Diff", "Image", "KeyValue", "Notice", "Text"];

/// Values by the group that their hints name: first those of none, then group by group.
pub(super) fn grouped<'a>(all: &[Field<'a>]) -> Vec<(Option<&'a str>, Vec<Field<'a>>)> {
    let mut groups = vec![(None, Vec::new())];
    for field in all {
        let own = hints(field.schema)
            .get("group")
            .filter(|name| !name.is_empty());
        match groups.iter_mut().find(|(group, _)| *group == own) {
            Some((_, fields)) => fields.push(*field),
            None => groups.push((own, vec![*field])),
        }
    }
    groups
}

/// One value that stands out: a picture, a patch, a banner, an article; `None` if it is one fact among others.
pub(super) fn outstanding(thing: &Thing<'_>) -> Option<Part> {
    if kind(thing.schema) != Kind::Text {
        return None;
    }
    let hinted = hints(thing.schema).get("component");
    let hinted = hinted.filter(|name| TEXT_COMPONENTS.contains(name));
    let component = hinted.or_else(|| standing(thing))?;
    let mut whole = part(&thing.path, component, Region::Main);
    whole.title = Some(title(thing));
    match component {
        "Text" => whole.set("variant", Some(variant(thing.name, thing.schema))),
        "Image" => whole.region = Region::Lead,
        "Diff" => whole.set("as", Some("patch")),
        "Notice" => {
            whole.region = Region::Notice;
            whole.title = None;
            whole.set("tone", Some(tone(thing).unwrap_or("info")));
        }
        "KeyValue" => return None,
        _ => {}
    }
    Some(whole)
}

/// The component of a text that stands out; `None` if it is one fact among others.
fn standing(thing: &Thing<'_>) -> Option<&'static str> {
    let bare = core(thing.schema);
    match () {
        () if is_markdown(thing.name, thing.schema) => Some("Text"),
        () if is_image(thing.name, bare) => Some("Image"),
        () if is_patch(thing.name) => Some("Diff"),
        () if is_source(thing.name) && bare.get("format").is_none() => Some("Code"),
        () if tone(thing).is_some() => Some("Notice"),
        () => (thing.sort == Sort::Text).then_some("Text"),
    }
}

/// How a long text is read: marks are letters, unless its schema says that they are Markdown.
fn variant(name: &str, schema: &serde_json::Value) -> &'static str {
    if is_markdown(name, schema) {
        "body"
    } else {
        "plain"
    }
}

/// The tone of a text that is a banner when it is there.
fn tone(thing: &Thing<'_>) -> Option<&'static str> {
    let word = split(thing.name).pop()?;
    match word.as_str() {
        "error" => Some("bad"),
        "warning" | "alert" => Some("warn"),
        "banner" | "message" | "note" | "notice" | "hint" => Some("info"),
        _ if is_nullable(thing.schema) && core(thing.schema).get("format").is_none() => thing
            .description
            .filter(|text| text.to_lowercase().contains("banner"))
            .map(|_| "info"),
        _ => None,
    }
}

/// How texts are listed: in their order where it matters, as tags where each is a word.
fn texts_kind(thing: &Thing<'_>) -> &'static str {
    match format(thing.name, thing.schema, false) {
        "colour" => return "colours",
        "image" => return "images",
        _ => {}
    }
    let last = split(thing.name).pop().unwrap_or_default();
    match last.as_str() {
        "directions" | "instructions" | "ranking" | "steps" => "numbers",
        "categories" | "genres" | "keywords" | "labels" | "languages" | "skills" | "tags"
        | "topics" => "tags",
        _ => "bullets",
    }
}

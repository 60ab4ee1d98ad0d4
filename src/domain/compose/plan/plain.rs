//! What is shown of everything that is no list of records: facts, texts, maps, and records with what is in them.

use super::super::reading::{
    Field, Kind, Reading, Sort, Thing, core, is_image, is_markdown, is_nullable, is_patch,
    is_source, join, kind, split,
};
use super::blank::{part, title};
use super::charts::charts;
use super::columns::Columns;
use super::matrix::matrix;
use super::outline::{Part, Region, Shown};
use super::pictures::{records, shaped};
use super::shapes::{Around, PreferredShape, Shape, shape};
use super::wishes::Wishes;

/// How deep lists inside records are looked for.
const DEPTH_MAX: usize = 3;

/// The parts that show a thing.
pub(super) fn picture<'a>(
    reading: &Reading<'a>,
    at: usize,
    preferred: Option<PreferredShape>,
    wishes: &Wishes,
) -> (Vec<Part>, &'static str, u8) {
    let thing = &reading.things[at];
    match thing.sort {
        Sort::Records => records(reading, at, wishes.shape(&thing.path).or(preferred)),
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
            let around = Around {
                gestures: Vec::new(),
                inner: None,
                moves: false,
                is_target: false,
                is_answered: false,
                is_counted: false,
                preferred: None,
            };
            let (found, ..) = shape(thing, &around);
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
        Sort::Record => return record(reading, thing, wishes, depth),
        Sort::Numbers => return charts(reading, thing, "line", None, &[]),
        Sort::Texts => {
            whole.component = "Items".to_owned();
            whole.set("kind", Some(texts_kind(thing.name)));
        }
        Sort::Text => {
            whole.component = "Text".to_owned();
            whole.set("variant", Some("body"));
        }
        Sort::Matrix => return vec![matrix(reading, thing)],
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

/// A record: its values as facts, the lists in it below them.
fn record<'a>(
    reading: &Reading<'a>,
    thing: &Thing<'a>,
    wishes: &Wishes,
    depth: usize,
) -> Vec<Part> {
    let own = thing.fields();
    let columns = Columns::of(reading, &own);
    let is_list = |field: &Field<'_>| kind(field.schema) == Kind::Records;
    let is_body = |field: &Field<'_>| {
        kind(field.schema) == Kind::Text
            && (is_markdown(field.schema)
                || is_source(field.name) && core(field.schema).get("format").is_none())
    };
    let taken: Vec<&str> = own
        .iter()
        .filter(|field| (depth < DEPTH_MAX && is_list(field)) || is_body(field))
        .map(|field| field.name)
        .collect();
    let mut all = Vec::new();
    let mut facts = part(&thing.path, "KeyValue", Region::Main);
    facts.title = Some(title(thing));
    facts.fields = columns.of_record(&thing.path, &own, &taken);
    if !facts.fields.is_empty() {
        all.push(facts);
    }
    for field in own.iter().filter(|field| taken.contains(&field.name)) {
        let path = join(&thing.path, field.name);
        if let Some(known) = reading
            .things
            .iter()
            .position(|thing| thing.path == path && thing.within.is_none())
        {
            all.extend(records(reading, known, wishes.shape(&path)).0);
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

/// One value that stands out: a picture, a patch, a banner, an article; `None` if it is one fact among others.
pub(super) fn outstanding(thing: &Thing<'_>) -> Option<Part> {
    if kind(thing.schema) != Kind::Text {
        return None;
    }
    let bare = core(thing.schema);
    let mut whole = part(&thing.path, "Text", Region::Main);
    whole.title = Some(title(thing));
    if is_markdown(thing.schema) {
        whole.set("variant", Some("body"));
        return Some(whole);
    }
    if is_image(thing.name, bare) {
        whole.component = "Image".to_owned();
        whole.region = Region::Lead;
        return Some(whole);
    }
    if is_patch(thing.name) {
        whole.component = "Diff".to_owned();
        whole.set("as", Some("patch"));
        return Some(whole);
    }
    if is_source(thing.name) && bare.get("format").is_none() {
        whole.component = "Code".to_owned();
        return Some(whole);
    }
    if let Some(tone) = tone(thing) {
        whole.component = "Notice".to_owned();
        whole.region = Region::Notice;
        whole.title = None;
        whole.set("tone", Some(tone));
        return Some(whole);
    }
    (thing.sort == Sort::Text).then_some(whole)
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
fn texts_kind(name: &str) -> &'static str {
    let last = split(name).pop().unwrap_or_default();
    match last.as_str() {
        "directions" | "instructions" | "ranking" | "steps" => "numbers",
        "categories" | "genres" | "keywords" | "labels" | "languages" | "skills" | "tags"
        | "topics" => "tags",
        _ => "bullets",
    }
}

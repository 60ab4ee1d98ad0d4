//! What live channels are shown as.

use std::collections::BTreeMap;

use super::super::reading::{
    Channel, Deed, Field, Gesture, Kind, Reading, Thing, fields, is_id, is_percent, join, kind,
    label, meaning, named_currency, named_record, split,
};
use super::blank::{part, title};
use super::channels::{are_readings, counts, is_about_records, log_roles, told};
use super::charts::charts;
use super::columns::reference;
use super::outline::{Offer, Part, Place, Reference, Region, Shown};
use super::picked::is_answered;
use super::pictures::{name_roles, shaped};
use super::plain::plain;
use super::shapes::{Shape, chat, lines, series, timeline};
use super::wishes::Wishes;

/// Values of a line of a log: what, when, and how bad; what has more happened.
const LINE_MAX: usize = 3;

/// The parts of every channel that no other part shows already.
pub(super) fn live(reading: &Reading<'_>, parts: &[Part]) -> Vec<Part> {
    let mut all = Vec::new();
    for channel in &reading.channels {
        let is_bound = parts.iter().any(|part| {
            let bound = ["changes", "more", "results"].map(|name| part.bindings.get(name));
            bound.contains(&Some(&channel.thing.path))
        });
        if is_bound {
            continue;
        }
        let first = all.len();
        if channel.is_pile {
            pile(reading, &channel.thing, &mut all);
        } else {
            let counted = reading
                .things
                .iter()
                .find_map(|list| counts(channel, list))
                .and_then(|(rows, ..)| rows)
                .filter(|rows| {
                    let path = join(&channel.thing.path, rows);
                    parts
                        .iter()
                        .any(|part| part.bindings.get("results") == Some(&path))
                });
            newest(reading, channel, counted, &mut all);
        }
        for part in &mut all[first..] {
            if part.region == Region::Main && part.component != "Chat" {
                part.region = if part.component == "Chart" {
                    Region::Charts
                } else {
                    Region::Live
                };
            }
        }
    }
    all
}

/// Payloads that pile up: numbers are a chart, lines are a log, records what records are.
fn pile<'a>(reading: &Reading<'a>, thing: &Thing<'a>, all: &mut Vec<Part>) {
    let own = fields(thing.schema);
    match kind(thing.schema) {
        Kind::Number => all.extend(charts(reading, thing, "line", None, &[])),
        Kind::Text | Kind::Choice => all.push(log(thing, &[])),
        Kind::Record if let Some(talk) = talk(reading, thing, &own) => all.push(talk),
        Kind::Record => {
            let are_numbers = own.iter().all(|field| kind(field.schema) == Kind::Number);
            if let Some((x, lines)) = series(&own) {
                all.extend(charts(reading, thing, "line", Some(x), &lines));
            } else if let Some(lines) = lines(&own, &names(reading, &own)) {
                let mut lines = shaped(reading, thing, &lines);
                for part in &mut lines {
                    name_roles(part, |member| records_of(reading, member));
                }
                all.append(&mut lines);
            } else if log_roles(&own).is_some()
                && told(&own) <= LINE_MAX
                && !is_about_records(reading, &own)
                && !is_asked_for(reading, thing)
            {
                all.push(log(thing, &own));
            } else if are_numbers {
                all.extend(charts(reading, thing, "line", None, &own));
            } else if (told(&own) > LINE_MAX || is_about_records(reading, &own))
                && let Some(shape) = timeline(thing.name, &own, &[], None)
            {
                let mut moments = shaped(reading, thing, &shape);
                for part in &mut moments {
                    part.region = Region::Live;
                }
                all.append(&mut moments);
            } else {
                let mut rows = part(&thing.path, "Table", Region::Live);
                rows.title = Some(title(thing));
                rows.fields = super::columns::Columns::of(reading, &own).without(&own, &[]);
                all.push(rows);
            }
        }
        _ => {
            let mut values = part(&thing.path, "Values", Region::Live);
            values.title = Some(title(thing));
            all.push(values);
        }
    }
}

/// A conversation that only goes on in a channel, where somebody answers in it.
fn talk<'a>(reading: &Reading<'a>, thing: &Thing<'a>, own: &[Field<'a>]) -> Option<Part> {
    if !is_answered(reading) {
        return None;
    }
    let shape = chat(thing.name, own, &names(reading, own), true)?;
    let mut talk = shaped(reading, thing, &shape).pop()?;
    name_roles(&mut talk, |member| records_of(reading, member));
    talk.bindings
        .extend(reading.me().map(|me| ("me".to_owned(), me)));
    Some(talk)
}

/// The records of the page that a member of what a channel brings refers to.
fn records_of(reading: &Reading<'_>, member: &str) -> Option<Reference> {
    let (at, key) = named_record(member, &reading.things)?;
    reference(&reading.things, at, key)
}

/// The members of what a channel brings that are ids of records of the page.
fn names<'a>(reading: &Reading<'_>, own: &[Field<'a>]) -> Vec<&'a str> {
    let names = own.iter().map(|field| field.name);
    names
        .filter(|name| named_record(name, &reading.things).is_some())
        .collect()
}

/// Whether an action asks for the id of what a channel brings.
fn is_asked_for(reading: &Reading<'_>, thing: &Thing<'_>) -> bool {
    let takes = |gesture: &Gesture<'_>| {
        let asked = fields(gesture.schema);
        asked.iter().any(|field| Some(field.name) == thing.key())
    };
    thing.key().is_some_and(is_id) && reading.gestures.iter().any(takes)
}

/// Lets what shows a channel offer what is done with what it brings: to acknowledge each alarm, to say
/// who spoke a line. A record of the page that is named beside it is chosen.
pub(super) fn offer_beside(reading: &Reading<'_>, parts: &mut [Part], actions: &mut [Offer]) {
    let piles = reading.channels.iter().filter(|channel| channel.is_pile);
    for channel in piles {
        let shows = |part: &&mut Part| {
            part.source == channel.thing.path
                && matches!(part.component.as_str(), "Table" | "Timeline")
        };
        let (Some(key), Some(part)) = (channel.thing.key(), parts.iter_mut().find(shows)) else {
            continue;
        };
        for gesture in &reading.gestures {
            let takes = fields(gesture.schema).iter().any(|field| field.name == key);
            let beside = match &gesture.deed {
                Deed::Ask => Some(BTreeMap::new()),
                Deed::One { thing, fixed, .. } if !fixed.contains_key(key) => {
                    let named = fixed.iter().filter_map(|(to, from)| {
                        Some((to.clone(), reference(&reading.things, *thing, from)?))
                    });
                    Some(named.collect())
                }
                _ => None,
            };
            let offer = actions
                .iter_mut()
                .find(|offer| offer.action == gesture.name);
            if let Some(beside) = beside
                && let Some(offer) = offer
                && takes
                && is_id(key)
                && gesture.given.is_empty()
                && !offer.chosen.contains_key(key)
                && matches!(
                    offer.place,
                    Place::Form | Place::Line | Place::Dialog | Place::Row
                )
            {
                offer.place = Place::Row;
                offer.of = Some(part.source.clone());
                offer.fixed = BTreeMap::from([(key.to_owned(), key.to_owned())]);
                offer.initial.clear();
                offer.unless = None;
                offer.chosen.extend(beside);
                part.role("key", Some(key));
            }
        }
    }
}

fn log(thing: &Thing<'_>, own: &[Field<'_>]) -> Part {
    let mut log = part(&thing.path, "Log", Region::Live);
    log.title = Some(title(thing));
    if let Some((line, level, time)) = log_roles(own) {
        log.role("textField", Some(line));
        log.role("levelField", level);
        log.role("timeField", time);
    }
    log
}

/// A channel whose newest payload is the state; `counted` is the member that another part shows.
fn newest<'a>(
    reading: &Reading<'a>,
    channel: &Channel<'a>,
    counted: Option<&str>,
    all: &mut Vec<Part>,
) {
    let thing = &channel.thing;
    match kind(thing.schema) {
        Kind::Number if is_percent(thing.name) => all.push(progress(channel, &thing.path)),
        Kind::Number => all.push(metric(
            reading,
            thing,
            &Field {
                name: thing.name,
                schema: thing.schema,
            },
            &thing.path,
        )),
        Kind::Record => state(reading, channel, counted, all),
        Kind::Text if is_toast(thing.name) => all.push(part(&thing.path, "Toast", Region::Toast)),
        Kind::Text | Kind::Choice | Kind::Boolean => {
            let mut facts = plain(reading, thing, &Wishes::default(), 0);
            for fact in &mut facts {
                if fact.component == "KeyValue" {
                    fact.region = Region::Live;
                }
            }
            all.extend(facts);
        }
        _ => all.extend(plain(reading, thing, &Wishes::default(), 0)),
    }
}

fn is_toast(name: &str) -> bool {
    const TOASTS: &[&str] = &["announcement", "notification", "toast"];
    split(name)
        .last()
        .is_some_and(|word| TOASTS.contains(&word.as_str()))
}

/// A record that is replaced: a bar for its share of 100, numbers alone as metrics, the rest as facts.
fn state<'a>(
    reading: &Reading<'a>,
    channel: &Channel<'a>,
    counted: Option<&str>,
    all: &mut Vec<Part>,
) {
    let thing = &channel.thing;
    let members = thing.fields();
    let share = members
        .iter()
        .find(|field| is_percent(field.name) && kind(field.schema) == Kind::Number);
    let rest: Vec<Field<'a>> = members
        .iter()
        .filter(|field| {
            share.is_none_or(|share| share.name != field.name) && counted != Some(field.name)
        })
        .copied()
        .collect();
    if share.is_none()
        && counted.is_none()
        && rest.iter().all(|field| kind(field.schema) == Kind::Number)
    {
        for field in rest {
            let path = join(&thing.path, field.name);
            all.push(metric(reading, thing, &field, &path));
        }
        return;
    }
    if let Some(share) = share {
        all.push(progress(channel, &join(&thing.path, share.name)));
    }
    // Records that are replaced as a whole are read before what is said of them all.
    let lists = rest
        .iter()
        .filter(|field| kind(field.schema) == Kind::Records);
    let lists: Vec<Field<'a>> = lists.copied().collect();
    for list in &lists {
        let path = join(&thing.path, list.name);
        let inner = Thing::read(path, list.name, list.schema, None);
        let own = inner.fields();
        let about = names(reading, &own).first().copied();
        let mut drawn = match about.filter(|_| are_readings(&own)) {
            // What each of several is measured at is read by its name.
            Some(title) => shaped(reading, &inner, &Shape::Cards { title, image: None }),
            None => plain(reading, &inner, &Wishes::default(), 1),
        };
        for part in &mut drawn {
            part.region = Region::Live;
        }
        all.append(&mut drawn);
    }
    let columns = super::columns::Columns::of(reading, &members);
    // Words come after what the page is about; beside the bar they explain, they stay with it.
    let region = match share {
        Some(_) => Region::Gauges,
        None => Region::Live,
    };
    let mut facts = part(&thing.path, "KeyValue", region);
    facts.title = share.is_none().then(|| title(thing));
    let taken: Vec<&str> = share
        .map(|field| field.name)
        .into_iter()
        .chain(counted)
        .chain(lists.iter().map(|list| list.name))
        .collect();
    facts.fields = columns.of_record(&thing.path, &members, &taken);
    if !facts.fields.is_empty() {
        all.push(facts);
    }
}

fn progress(channel: &Channel<'_>, path: &str) -> Part {
    let mut bar = part(path, "Progress", Region::Gauges);
    bar.title = Some(label(channel.thing.name));
    if channel.entry.complete == Some(true) {
        bar.bindings
            .insert("complete".to_owned(), join("/complete", channel.thing.name));
    }
    bar
}

fn metric(reading: &Reading<'_>, thing: &Thing<'_>, field: &Field<'_>, path: &str) -> Part {
    let mut number = part(path, "Metric", Region::Gauges);
    let read = meaning(field.name, field.schema, reading.currency.is_some());
    number.fields = vec![Shown {
        field: path.to_owned(),
        label: read.label,
        currency: named_currency(field.name)
            .map(str::to_owned)
            .or_else(|| reading.currency.clone())
            .filter(|_| matches!(read.format.as_str(), "currency" | "money")),
        format: read.format,
        unit: read.unit,
        ..Shown::default()
    }];
    if let Some((history, member)) = history(reading, thing.name, field.name) {
        number.bindings.insert("history".to_owned(), history);
        number.role("historyField", member.as_deref());
    }
    number
}

/// A channel that piles up the same number, and the member it has there.
fn history(reading: &Reading<'_>, channel: &str, name: &str) -> Option<(String, Option<String>)> {
    let piles = reading
        .channels
        .iter()
        .filter(|other| other.thing.name != channel && other.is_pile);
    piles.into_iter().find_map(|other| {
        let path = other.thing.path.clone();
        if kind(other.thing.schema) == Kind::Number && other.thing.name.contains(name) {
            return Some((path, None));
        }
        let same = |field: &&Field<'_>| field.name == name && kind(field.schema) == Kind::Number;
        fields(other.thing.schema)
            .iter()
            .find(same)
            .map(|_| (path, Some(name.to_owned())))
    })
}

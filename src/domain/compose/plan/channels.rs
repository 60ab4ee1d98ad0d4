//! What channels bring: to which list of the page it belongs, and what it says.

use super::super::reading::{
    Channel, Field, Kind, Reading, Thing, columns_of, is_id, is_technical_id, is_time, join, kind,
    referent,
};
use super::outline::Part;

/// A channel with a number for each record: the list in its payload, unless a payload is that list or
/// about one of them, the id there, and the number.
pub(super) fn counts<'a>(
    channel: &Channel<'a>,
    list: &Thing<'a>,
) -> Option<(Option<&'a str>, &'a str, &'a str)> {
    let payload = kind(channel.thing.schema);
    if !matches!(payload, Kind::Record | Kind::Records) {
        return None;
    }
    let key = format!("{}Id", list.one);
    let own = channel.thing.fields();
    let counted = |own: &[Field<'a>]| {
        let id = own
            .iter()
            .find(|field| field.name == key || Some(field.name) == list.key())?;
        let number = own
            .iter()
            .find(|field| kind(field.schema) == Kind::Number)?;
        Some((id.name, number.name))
    };
    if channel.is_pile || payload == Kind::Records {
        let (id, number) = counted(&own)?;
        return Some((None, id, number));
    }
    own.iter()
        .filter(|field| kind(field.schema) == Kind::Records)
        .find_map(|rows| {
            let (id, number) = counted(&columns_of(rows.schema))?;
            Some((Some(rows.name), id, number))
        })
}

/// Lets a part of a list show what channels bring: more of its records, what changes in them, and how many
/// there are of each.
pub(super) fn bind_channels(part: &mut Part, reading: &Reading<'_>, at: usize) {
    let thing = &reading.things[at];
    let mut channels = reading.channels.iter();
    let more = match part.component.as_str() {
        "Chat" => channels.find(|channel| channel.adds_to == Some(at)),
        "Chart" => channels.find(|channel| channel.goes_on_with(thing)),
        _ => None,
    };
    if let Some(channel) = more {
        let path = channel.thing.path.clone();
        part.bindings.insert("more".to_owned(), path);
    }
    if let Some(channel) = changing(reading, at, part) {
        bind_changes(part, reading, channel);
    }
    let counting = || {
        let mut channels = reading.channels.iter();
        channels.find_map(|channel| Some((channel, counts(channel, thing)?)))
    };
    if part.component == "Poll"
        && let Some((channel, (rows, key, value))) = counting()
    {
        let path = &channel.thing.path;
        let path = rows.map_or(path.clone(), |rows| join(path, rows));
        part.bindings.insert("results".to_owned(), path);
        part.set("resultKey", Some(key));
        part.set("resultField", Some(value));
    }
}

/// The channel that changes the records of a list, or those inside them, where a part can show it.
fn changing<'r, 'a>(reading: &'r Reading<'a>, at: usize, part: &Part) -> Option<&'r Channel<'a>> {
    const CHANGING: &[&str] = &[
        "Article", "Board", "Calendar", "Cards", "Changes", "Seats", "Stepper", "Table", "Tasks",
        "Timeline",
    ];
    let cards = part.roles.get("cardsField");
    let is_shown = |thing: usize| match reading.things[thing].within {
        Some((outer, member)) => outer == at && cards.is_some_and(|cards| cards == member),
        None => thing == at && cards.is_none(),
    };
    let mut channels = reading.channels.iter();
    channels.find(|channel| {
        CHANGING.contains(&part.component.as_str())
            && channel.changes.is_some_and(|change| is_shown(change.thing))
    })
}

/// Lets a part show what a channel changes.
fn bind_changes(part: &mut Part, reading: &Reading<'_>, channel: &Channel<'_>) {
    let Some(change) = channel.changes else {
        return;
    };
    let list = &reading.things[change.thing];
    part.bindings
        .insert("changes".to_owned(), channel.thing.path.clone());
    part.role(
        "changesKey",
        Some(change.key).filter(|key| list.key() != Some(*key)),
    );
    part.role("changesIn", change.member);
    part.set(
        "changesAdd",
        (channel.adds_to == Some(change.thing)).then_some("true"),
    );
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

/// Whether records are no more than an id and what is measured: no text that has to be read.
pub(super) fn are_readings(own: &[Field<'_>]) -> bool {
    let is_measured = |field: &Field<'_>| {
        matches!(
            kind(field.schema),
            Kind::Boolean | Kind::Choice | Kind::Number
        )
    };
    own.iter().skip(1).all(is_measured)
}

/// How many values of a record say something.
pub(super) fn told(own: &[Field<'_>]) -> usize {
    own.iter()
        .filter(|field| !is_technical_id(field.name))
        .count()
}

/// Whether lines say which record of the page they are about, which a log has no place for.
pub(super) fn is_about_records(reading: &Reading<'_>, own: &[Field<'_>]) -> bool {
    own.iter().any(|field| {
        matches!(kind(field.schema), Kind::Text | Kind::Number)
            && referent(field.name, &reading.things).is_some_and(|(at, key)| {
                key == field.name || is_id(field.name) || reading.things[at].title() == Some(key)
            })
    })
}

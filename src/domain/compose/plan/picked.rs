//! Actions that take what is said, set or chosen where the records are.

use std::collections::BTreeMap;

use super::super::reading::{Gesture, Kind, Reading, TALKING, is, kind, required, sets_cell};
use super::blank::offer;
use super::outline::{Offer, Part, Place};
use super::shapes::{handed_in, is_vote};

/// Gives such an action its place with the part that shows the records: `shown` finds that by its
/// source, and `is_free` says that no other action is there.
pub(super) fn picked<'p>(
    reading: &Reading<'_>,
    gesture: &Gesture<'_>,
    parts: &'p [Part],
    shown: &impl Fn(&str) -> Option<&'p Part>,
    is_free: &impl Fn(&Part) -> bool,
) -> Option<Offer> {
    let on = |part: &Part, place: Place, fixed: &[(&str, &str)]| Offer {
        of: Some(part.source.clone()),
        fixed: fixed
            .iter()
            .map(|(to, from)| ((*to).to_owned(), (*from).to_owned()))
            .collect(),
        ..offer(gesture, place)
    };
    let chat = parts
        .iter()
        .find(|part| part.component == "Chat" && is_free(part));
    if let (Some(part), Some(text)) = (chat, said(gesture)) {
        return Some(on(part, Place::Compose, &[(text, "")]));
    }
    if gesture.is_dangerous {
        return None;
    }
    let mut quizzes = reading.things.iter().filter_map(|thing| {
        let part = shown(&thing.path).filter(|part| part.component == "Quiz")?;
        Some((part, handed_in(gesture, thing)?))
    });
    if let Some((part, fixed)) = quizzes.next() {
        return Some(Offer {
            fixed,
            ..on(part, Place::Pick, &[])
        });
    }
    let mut cells = reading.things.iter().filter_map(|thing| {
        let part = shown(&thing.path)?;
        let is_grid = part.component == "Matrix" && is_free(part);
        is_grid.then_some((part, sets_cell(gesture.schema, thing)?))
    });
    if let Some((part, [row, column, to])) = cells.next() {
        let fixed = [("row", row), ("column", column), ("to", to)];
        return Some(on(part, Place::Pick, &fixed));
    }
    // Seats are chosen where they are, and the rest is asked for in a dialog; several that are chosen
    // together, each with something beside it, are asked for there, too.
    let mut chosen = gesture
        .chosen
        .iter()
        .filter(|(member, _)| !member.contains('/'));
    chosen.find_map(|(member, (at, key))| {
        let part = holding(reading, *at, shown)?;
        let is_choice = match part.component.as_str() {
            "Poll" => is_vote(gesture.name),
            "Seats" => true,
            _ => false,
        };
        (is_choice && is_free(part)).then(|| on(part, Place::Pick, &[(member, key)]))
    })
}

/// The part that shows the records of a list, or the rows that hold them as seats.
pub(super) fn holding<'p>(
    reading: &Reading<'_>,
    at: usize,
    shown: &impl Fn(&str) -> Option<&'p Part>,
) -> Option<&'p Part> {
    let list = &reading.things[at];
    let (path, held) = match list.within {
        Some((outer, member)) => (&reading.things[outer].path, Some(member)),
        None => (&list.path, None),
    };
    shown(path).filter(|part| part.roles.get("seatsField").map(String::as_str) == held)
}

/// Whether one input is all that has to be given beside what the record gives.
pub(super) fn requires_one(gesture: &Gesture<'_>, fixed: &BTreeMap<String, String>) -> bool {
    let open = required(gesture.schema).filter(|name| !fixed.contains_key(*name));
    open.count() == 1
}

/// Whether a person says something next that is a text and nothing else.
pub(super) fn is_answered(reading: &Reading<'_>) -> bool {
    reading
        .gestures
        .iter()
        .any(|gesture| said(gesture).is_some())
}

/// The text an action says in a conversation, if that is all it has to be given.
pub(super) fn said<'a>(gesture: &Gesture<'a>) -> Option<&'a str> {
    let inputs = gesture.inputs();
    let text = inputs.iter().find(|field| {
        kind(field.schema) == Kind::Text
            && matches!(field.name, "body" | "content" | "message" | "text")
    })?;
    let is_all = required(gesture.schema).all(|name| name == text.name);
    (is(gesture.name, TALKING) && is_all).then_some(text.name)
}

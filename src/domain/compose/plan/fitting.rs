//! Which records an action is not offered with: nobody approves what is approved, or frees a free seat.

use super::super::reading::{Field, Gesture, choices, is, split, state};
use super::outline::Unless;
use super::shapes::is_free;

/// Verbs that give a seat to somebody.
const TAKING: &[&str] = &[
    "assign", "book", "hold", "occupy", "park", "reserve", "seat", "sell", "take",
];

/// Verbs that take it back.
const FREEING: &[&str] = &["clear", "evict", "free", "release", "unassign", "vacate"];

/// Verbs of what is done once more, whatever the state says: somebody is called again.
const REPEATED: &[&str] = &[
    "call", "check", "contact", "invite", "message", "notify", "print", "read", "remind", "review",
    "send", "start", "test", "update", "view",
];

/// What became of something, where that is no regular form of the verb.
const IRREGULAR: &[(&str, &str)] = &[
    ("choose", "chosen"),
    ("freeze", "frozen"),
    ("give", "given"),
    ("hold", "held"),
    ("hide", "hidden"),
    ("lend", "lent"),
    ("pay", "paid"),
    ("sell", "sold"),
    ("shut", "shut"),
    ("take", "taken"),
    ("withdraw", "withdrawn"),
    ("write", "written"),
];

/// The records whose state already is what an action makes of it.
pub(super) fn unless(gesture: &Gesture<'_>, own: &[Field<'_>]) -> Option<Unless> {
    said(gesture, own).or_else(|| made(gesture, own))
}

/// The records that are already what stands on the button: "In order" of those that are `in_order`.
fn said(gesture: &Gesture<'_>, own: &[Field<'_>]) -> Option<Unless> {
    let label = split(&gesture.entry.label);
    // "Open" says what it does, and not what becomes of a record.
    if !gesture.inputs().is_empty() || label.first() == split(gesture.name).first() {
        return None;
    }
    own.iter().find_map(|field| {
        let mut all = choices(field.schema)?.into_iter();
        let value = all.find(|value| value.as_str().is_some_and(|word| split(word) == label))?;
        Some(Unless {
            field: field.name.to_owned(),
            values: vec![value.clone()],
        })
    })
}

/// The records whose state is what became of something by the verb of an action.
fn made(gesture: &Gesture<'_>, own: &[Field<'_>]) -> Option<Unless> {
    let state = state(own)?;
    let all = choices(state.schema)?;
    let words = split(gesture.name);
    let (verb, rest) = words.split_first()?;
    let is_result = |word: &str| match verb.as_str() {
        "mark" => rest == split(word).as_slice(),
        verb => !REPEATED.contains(&verb) && is_made(verb, word),
    };
    let values = all
        .into_iter()
        .filter(|value| value.as_str().is_some_and(is_result));
    let values: Vec<_> = values.cloned().collect();
    (!values.is_empty()).then(|| Unless {
        field: state.name.to_owned(),
        values,
    })
}

/// The seats that are not free for an action that gives one to somebody, those that are for one that
/// takes it back.
pub(super) fn unless_seats(gesture: &Gesture<'_>, own: &[Field<'_>]) -> Option<Unless> {
    let takes = is(gesture.name, TAKING);
    if !takes && !is_freeing(gesture) {
        return unless(gesture, own);
    }
    let state = state(own)?;
    let is_free = |value: &serde_json::Value| value.as_str().is_some_and(is_free);
    let all = choices(state.schema)?;
    let values = all.into_iter().filter(|value| is_free(value) != takes);
    Some(Unless {
        field: state.name.to_owned(),
        values: values.cloned().collect(),
    })
}

/// Whether an action takes a seat back.
pub(super) fn is_freeing(gesture: &Gesture<'_>) -> bool {
    is(gesture.name, FREEING)
}

/// Verbs that bring something to its end, and what it is then.
const ENDING: &[&str] = &["complete", "finish", "tick"];
const ENDED: &[&str] = &["complete", "done", "finished"];

/// Whether a word says what became of something by a verb: `approved`.
fn is_made(verb: &str, word: &str) -> bool {
    if ENDING.contains(&verb) && ENDED.contains(&word) {
        return true;
    }
    let irregular = IRREGULAR.iter().find(|(other, _)| *other == verb);
    if let Some((_, made)) = irregular {
        return *made == word;
    }
    let Some(stem) = word.strip_suffix("ed") else {
        return false;
    };
    let last = verb.chars().last();
    stem == verb
        || verb.strip_suffix('e') == Some(stem)
        || (verb.strip_suffix('y') == stem.strip_suffix('i') && verb.ends_with('y'))
        || (stem.strip_suffix(|end| Some(end) == last) == Some(verb))
}

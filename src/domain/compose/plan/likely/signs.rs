//! The words of a contract by which components are told apart.

use std::collections::{BTreeMap, BTreeSet};

use super::super::super::reading::{
    Field, Gesture, Kind, Reading, Word, choices, columns_of, fields, is_nullable, kind, singular,
    split, stems,
};
use super::super::weighing::{Signs, count, kind_of_deed, kind_of_thing, kind_of_value};

/// What speaks for one component or another: words, and how many values of which kind there are.
pub(super) fn signs(reading: &Reading<'_>, main: usize) -> Vec<String> {
    let thing = &reading.things[main];
    let own = thing.fields();
    let mut all = Signs::default();
    all.note(true, "any page");
    for word in stems(reading.intent) {
        all.add("the intent says", &word);
    }
    all.note(asks_for_form(reading.intent), "the intent asks for a form");
    all.add("it is called", &thing.one);
    all.add("it is", kind_of_thing(thing.sort));
    for other in reading.things.iter().filter(|other| other.is_top()) {
        if other.path != thing.path {
            all.add("beside it is", &other.one);
            all.add("beside it is one of", kind_of_thing(other.sort));
        }
    }
    values(&mut all, &own);
    for gesture in &reading.gestures {
        action(&mut all, gesture, gesture.about() == Some(main));
    }
    let gestures = reading.gestures.iter();
    let asked = gestures.flat_map(|gesture| fields(gesture.schema));
    let asked: BTreeSet<&str> = asked.map(|field| field.name).collect();
    for field in &own {
        if asked.contains(field.name) {
            all.add("an action takes", kind_of_value(field));
        }
    }
    for channel in &reading.channels {
        all.add("a channel is called", &channel.thing.one);
        all.add(
            "a channel",
            if channel.is_pile {
                "goes on"
            } else {
                "changes"
            },
        );
    }
    for slot in &reading.slots {
        for word in split(slot.name) {
            all.add("a slot says", &word);
        }
    }
    all.into_vec()
}

/// Whether an intent asks for a form: "a sign-up form for the classes", "form to launch a run".
fn asks_for_form(intent: &str) -> bool {
    const AFTER: &[&str] = &["for", "so", "that", "to", "where", "with"];
    let words = split(intent);
    words
        .windows(2)
        .any(|pair| pair[0] == "form" && AFTER.contains(&pair[1].as_str()))
}

/// Keeps what the values of the records are.
fn values(signs: &mut Signs, all: &[Field<'_>]) {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for field in all {
        let (kind, last) = (kind_of_value(field), last(field.name));
        signs.add("a value is called", &last);
        signs.add(&format!("a {kind} is called"), &last);
        if is_nullable(field.schema) {
            signs.add("may be missing", kind);
        }
        for choice in choices(field.schema).unwrap_or_default() {
            for word in choice.as_str().map(split).unwrap_or_default() {
                signs.add("may be", &word);
            }
        }
        for inner in within(field) {
            signs.add("in a value is", &last_of(inner.name));
            signs.add("in a value is one of", kind_of_value(&inner));
        }
        *kinds.entry(kind).or_default() += 1;
    }
    for (kind, many) in kinds {
        signs.add(&format!("{} of", count(many)), kind);
    }
    let size = match all.len() {
        0..=4 => "few",
        5..=8 => "some",
        _ => "many",
    };
    signs.add("values", size);
}

/// Keeps what an action says and takes.
fn action(signs: &mut Signs, gesture: &Gesture<'_>, is_about: bool) {
    let verb = split(gesture.name).into_iter().next().unwrap_or_default();
    signs.add("an action says", &verb);
    if is_about {
        signs.add("an action about it says", &verb);
    }
    let deed = kind_of_deed(&gesture.deed);
    signs.add("an action", deed);
    let inputs = gesture.inputs();
    signs.add("inputs of an action", count(inputs.len()));
    for input in inputs {
        signs.add(&format!("{deed}, with"), kind_of_value(&input));
    }
}

/// The values of what stands in a value.
fn within<'a>(field: &Field<'a>) -> Vec<Field<'a>> {
    match kind(field.schema) {
        Kind::Record => fields(field.schema),
        Kind::Records => columns_of(field.schema),
        _ => Vec::new(),
    }
}

fn last(name: &str) -> Word {
    singular(&last_of(name))
}

fn last_of(name: &str) -> Word {
    split(name).pop().unwrap_or_default()
}

//! How the actions of a page stand to each other, and to its records.

use super::super::super::reading::{
    Deed, Field, Gesture, REFUSING, Reading, Word, change, is, split, state, stem,
};
use super::super::around::lane;
use super::super::shapes::{can_be_done, is_done};
use super::super::verbs::{ARRANGING, ENDING, PARTICLES};

/// Whether an action is done by a box beside each record: it sets whether that is done, and asks nothing.
pub(super) fn is_box(gesture: &Gesture<'_>, reading: &Reading<'_>) -> bool {
    let Some(at) = gesture.about() else {
        return false;
    };
    let own = reading.things[at].fields();
    let mut done = own.iter().filter(|field| is_done(field));
    done.any(|done| gesture.replaces(done.name).is_some())
}

/// Whether an action ticks off one record of a list, or takes one change of a text.
pub(super) fn is_one_of_several(gesture: &Gesture<'_>, reading: &Reading<'_>) -> bool {
    const TICKING: &[&str] = &["check", "complete", "confirm", "mark", "tick"];
    let Some(at) = gesture.about() else {
        return false;
    };
    let own = reading.things[at].fields();
    let says_done = || own.iter().any(is_done) || state(&own).is_some_and(|own| can_be_done(&own));
    let is_ticked = is(gesture.name, TICKING) && says_done();
    is_ticked || change(&own).is_some()
}

/// Whether an action ends what is done on a page, asking once more.
pub(super) fn finishes(gesture: &Gesture<'_>) -> bool {
    matches!(gesture.deed, Deed::Nothing | Deed::Ask)
        && !gesture.is_dangerous
        && !gesture.is_quiet
        && (gesture.entry.confirm == Some(true) || is(gesture.name, ENDING))
}

/// The word that makes another verb of a verb: `back` of `giveBack`.
pub(super) fn particle(words: &[Word]) -> Option<&Word> {
    words
        .get(1)
        .filter(|word| PARTICLES.contains(&word.as_str()))
}

/// Whether an action takes records from one state to another, or from one column to another.
pub(super) fn moves(gesture: &Gesture<'_>, reading: &Reading<'_>) -> bool {
    gesture.about().is_some_and(|at| {
        let own = reading.things[at].fields();
        let along = |field: &Field<'_>| gesture.moves(field.name).is_some();
        let is_sent = || lane(reading, at).is_some_and(|lane| gesture.sends(lane).is_some());
        state(&own).iter().any(along)
            || is_sent()
            || (is(gesture.name, ARRANGING) && own.iter().any(along))
    })
}

/// Whether another action ends the work on all records, and asks once more before it does.
pub(super) fn is_ended_by_another(gesture: &Gesture<'_>, reading: &Reading<'_>) -> bool {
    reading.gestures.iter().any(|other| {
        other.name != gesture.name
            && matches!(other.deed, Deed::Nothing | Deed::Ask)
            && other.entry.confirm == Some(true)
            && !other.is_dangerous
            && is(other.name, ENDING)
    })
}

/// Whether another action gives out what this one takes back.
pub(super) fn is_given_out(reading: &Reading<'_>, words: &[Word]) -> bool {
    const GIVING_OUT: &[&str] = &["allocate", "assign", "hold", "occupy", "reserve"];
    reading.gestures.iter().any(|other| {
        let other_words = split(other.name);
        is(other.name, GIVING_OUT) && other_words.get(1..) == words.get(1..)
    })
}

/// Whether the intent asks for an action after it has asked for what is done to single records.
pub(super) fn is_asked_last(gesture: &Gesture<'_>, reading: &Reading<'_>, intent: &[Word]) -> bool {
    let asked = |other: &Gesture<'_>| {
        let verb = split(other.name).first().map(|word| stem(word))?;
        intent.iter().skip(1).rposition(|word| *word == verb)
    };
    let Some(own) = asked(gesture) else {
        return false;
    };
    // What is ended was spoken of before: "go through the minutes, and send the minutes".
    let words = split(gesture.name);
    let mut objects = words.iter().skip(1).map(|word| stem(word));
    if !objects.any(|object| intent[..own].contains(&object)) {
        return false;
    }
    let others = || {
        reading
            .gestures
            .iter()
            .filter(|other| other.name != gesture.name)
    };
    let is_one =
        |other: &Gesture<'_>| matches!(other.deed, Deed::One { .. } | Deed::Several { .. });
    // Where each record is brought to an end of its own, that is what the page is for.
    let is_before = |other: &Gesture<'_>| {
        asked(other).is_none_or(|at| at < own && !(is_one(other) && is(other.name, ENDING)))
    };
    others().all(is_before) && others().any(is_one)
}

/// Whether another action refuses what this one grants: `approveLoan` and `declineLoan`.
pub(super) fn is_decision(gesture: &Gesture<'_>, reading: &Reading<'_>) -> bool {
    const GRANTING: &[&str] = &[
        "accept", "admit", "allow", "approve", "clear", "confirm", "grant", "permit", "release",
        "sign",
    ];
    let object = |name: &str| split(name).into_iter().skip(1).collect::<Vec<_>>();
    // `requestChanges` refuses for now.
    let defers = |name: &str| {
        let words = split(name);
        matches!(words.first().map(Word::as_str), Some("ask" | "request"))
            && words
                .last()
                .is_some_and(|word| matches!(word.as_str(), "changes" | "revision" | "rework"))
    };
    let own = object(gesture.name);
    is(gesture.name, GRANTING)
        && reading.gestures.iter().any(|other| {
            (is(other.name, REFUSING) && (own.is_empty() || object(other.name) == own))
                || defers(other.name)
        })
}

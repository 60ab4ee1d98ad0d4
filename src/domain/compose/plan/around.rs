//! What is known of a list beside its records: what is done with them, and which other lists they name.

use super::super::reading::{
    Deed, Field, Gesture, Kind, Reading, fields, kind, named_record, referent, split,
};
use super::channels::counts;
use super::columns::reference;
use super::likely::Likely;
use super::outline::Reference;
use super::picked::is_answered;
use super::shapes::{Around, PreferredShape, handed_in, is_vote};

/// What is known of a list beside its records.
pub(super) fn around<'a, 'r>(
    reading: &'r Reading<'a>,
    at: usize,
    preferred: Option<PreferredShape>,
    likely: Option<&Likely>,
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
        .filter(|gesture| {
            gesture.about() == Some(at)
                || chooses(gesture, at)
                || inner.is_some_and(|(inner, _)| chooses(gesture, inner))
                || (moving(gesture) && matches!(gesture.deed, Deed::Several { .. }))
        })
        .collect();
    let is_counted = reading
        .channels
        .iter()
        .any(|channel| counts(channel, &things[at]).is_some());
    let ids: Vec<(&'a str, usize)> = things[at]
        .fields()
        .iter()
        .filter_map(|field| {
            let (other, key) = named_record(field.name, things)?;
            other_records(reading, at, other, key).map(|_| (field.name, other))
        })
        .collect();
    Around {
        gestures: own,
        inner: inner.and_then(|(_, thing)| thing.within.map(|(_, name)| (name, thing.fields()))),
        moves,
        is_target,
        is_answered: is_answered(reading),
        is_handed_in: reading
            .gestures
            .iter()
            .any(|gesture| handed_in(gesture, &things[at]).is_some()),
        is_counted,
        dated: ids
            .iter()
            .filter(|(_, other)| things[*other].is_dated())
            .map(|(name, _)| *name)
            .collect(),
        named: ids.iter().map(|(name, _)| *name).collect(),
        lane: lane(reading, at),
        intent: reading.intent,
        preferred,
        likely: likely
            .filter(|likely| likely.thing == at)
            .and_then(Likely::shape),
    }
}

/// The records of another list that a member names.
pub(super) fn named(reading: &Reading<'_>, at: usize, member: &str) -> Option<Reference> {
    let (other, key) = referent(member, &reading.things)?;
    other_records(reading, at, other, key)
}

/// The records of another list than the one at `at`, if they have names.
fn other_records(reading: &Reading<'_>, at: usize, other: usize, key: &str) -> Option<Reference> {
    let is_known = other != at && reading.things[other].title().is_some();
    is_known
        .then(|| reference(&reading.things, other, key))
        .flatten()
}

/// The member that names the column a record stands in, where an action takes it to another one.
pub(super) fn lane<'a>(reading: &Reading<'a>, at: usize) -> Option<&'a str> {
    const LANES: &[&str] = &[
        "column", "lane", "list", "phase", "stage", "state", "station", "status", "step",
        "swimlane",
    ];
    let own = reading.things[at].fields();
    let mut moved = own.iter().filter(|field| {
        let mut about = reading
            .gestures
            .iter()
            .filter(|gesture| gesture.about() == Some(at));
        about.any(|gesture| gesture.sends(field.name).is_some())
    });
    let is_lane = |field: &&Field<'_>| {
        referent(field.name, &reading.things).is_some_and(|(other, _)| {
            other != at && LANES.contains(&reading.things[other].one.as_str())
        })
    };
    moved.find(is_lane).map(|field| field.name)
}

/// Whether an action takes several records with something beside.
fn chooses(gesture: &Gesture<'_>, at: usize) -> bool {
    let is_several = |member: &str| {
        let mut asked = fields(gesture.schema).into_iter();
        asked.any(|field| field.name == member && kind(field.schema) == Kind::Strings)
    };
    let mut chosen = gesture.chosen.iter();
    matches!(gesture.deed, Deed::Ask)
        && chosen.any(|(member, (thing, _))| {
            *thing == at && (is_vote(gesture.name) || is_several(member))
        })
}

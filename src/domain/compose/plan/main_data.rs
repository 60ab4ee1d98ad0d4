//! The data a page is about.

use std::collections::BTreeSet;

use super::super::reading::{
    Deed, Kind, Reading, SlotUse, Sort, hints, is_reference, is_steps, is_time, kind, referent,
    stem, stems,
};

/// What steps that a person walks through are worth more than other lists.
const WALKED: u32 = 24;

/// Chooses the thing a page is about.
pub(super) fn main(reading: &mut Reading<'_>) -> Option<usize> {
    let intent = stems(reading.intent);
    // A list that other records refer to explains them.
    let referred: BTreeSet<usize> = reading
        .things
        .iter()
        .enumerate()
        // How many of something are in a basket explains nothing of it.
        .filter(|(_, list)| !list.is_count())
        .flat_map(|(at, list)| {
            let ids = list
                .fields()
                .into_iter()
                .filter(|field| is_reference(field.name));
            ids.filter_map(|field| referent(field.name, &reading.things))
                .map(|(found, _)| found)
                .filter(move |found| *found != at)
                .collect::<Vec<_>>()
        })
        .collect();
    let weigh = |at: usize| -> u32 {
        let thing = &reading.things[at];
        if hints(thing.schema).says("main") {
            return 1000;
        }
        let own = thing.fields();
        let base = match thing.sort {
            Sort::Tree => 40,
            Sort::Matrix => 42,
            Sort::Records => 30,
            Sort::Text if super::super::reading::is_markdown(thing.name, thing.schema) => 24,
            Sort::Text => 18,
            Sort::Record => 16,
            Sort::Numbers | Sort::Texts => 14,
            Sort::Map | Sort::Open => 10,
            Sort::Fact => 0,
        };
        // What a person walks through is the page.
        let is_walked =
            is_steps(thing) && reading.slots.iter().any(|slot| slot.is == SlotUse::Step);
        let done = reading.gestures.iter().filter(|gesture| {
            gesture.about() == Some(at) && !matches!(gesture.deed, Deed::Edit { .. })
        });
        let within = reading
            .things
            .iter()
            .enumerate()
            .filter(|(_, other)| matches!(other.within, Some((outer, _)) if outer == at));
        let inside = within.flat_map(|(inner, _)| {
            reading
                .gestures
                .iter()
                .filter(move |gesture| gesture.about() == Some(inner))
        });
        let is_series = own.iter().any(is_time)
            && own
                .iter()
                .filter(|field| kind(field.schema) == Kind::Number)
                .count()
                + 1
                >= own.len()
            && own.len() > 1;
        let said = intent.iter().position(|word| *word == stem(&thing.one));
        let mut score = base
            + 6 * u32::try_from(done.count().min(4)).unwrap_or(4)
            + 4 * u32::try_from(inside.count().min(3)).unwrap_or(3);
        score += said.map_or(0, |nth| {
            14_u32
                .saturating_sub(u32::try_from(nth).unwrap_or(14))
                .max(6)
        });
        score += u32::from(is_walked) * WALKED;
        score += u32::from(is_series) * 10 + u32::try_from(own.len().min(10)).unwrap_or(10) / 2;
        score += u32::try_from(4_usize.saturating_sub(at.min(4))).unwrap_or(0);
        if thing.is_count() && referred_by(reading, at) {
            score = score.saturating_sub(18);
        }
        if referred.contains(&at) {
            score.saturating_sub(18)
        } else {
            score
        }
    };
    let places = (0..reading.things.len()).filter(|at| {
        reading.things[*at].within.is_none() && reading.things[*at].sort != Sort::Fact
    });
    let best = places.rev().max_by_key(|at| weigh(*at))?;
    let score = u8::try_from(weigh(best).min(100)).unwrap_or(100);
    let path = reading.things[best].path.clone();
    reading.notes.note(
        &path,
        "the main data",
        "what is done with it, its size, and the words of the intent",
        score,
    );
    Some(best)
}

/// Whether the records of a list name those of another one.
fn referred_by(reading: &Reading<'_>, at: usize) -> bool {
    reading.things[at].fields().iter().any(|field| {
        kind(field.schema) == Kind::Text
            && reading.things.iter().enumerate().any(|(other, thing)| {
                other != at && thing.sort == Sort::Records && thing.key() == Some(field.name)
            })
    })
}

/// The sources of the lists that the records of a thing refer to, and of those that are only chosen
/// from for what is done with them.
pub(super) fn explained(reading: &Reading<'_>, at: usize) -> BTreeSet<String> {
    let own = reading.things[at].fields();
    let ids = own.iter().filter(|field| is_reference(field.name));
    let referred = ids
        .filter_map(|field| referent(field.name, &reading.things))
        .map(|(found, _)| found);
    let all = || reading.gestures.iter();
    let is_idle = |found: usize| all().all(|gesture| gesture.about() != Some(found));
    let chosen = all()
        .filter(|gesture| gesture.about() == Some(at))
        .flat_map(|gesture| gesture.chosen.values().map(|(found, _)| *found))
        .filter(|found| is_idle(*found));
    referred
        .chain(chosen)
        .filter(|found| *found != at)
        .map(|found| reading.things[found].path.clone())
        .collect()
}

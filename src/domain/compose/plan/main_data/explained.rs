//! What explains the main data.

use std::collections::BTreeSet;

use super::super::super::reading::{Reading, is_reference, referent};

/// The sources of the lists that the records of a thing refer to, and of those that are only chosen
/// from for what is done with them.
pub(in super::super) fn explained(reading: &Reading<'_>, at: usize) -> BTreeSet<String> {
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

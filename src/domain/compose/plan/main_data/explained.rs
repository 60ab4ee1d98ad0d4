//! What explains the main data.

use std::collections::BTreeSet;

use super::super::super::reading::Reading;
use super::signs::referred;

/// The sources of the lists that the records of a thing refer to, and of those that are only chosen
/// from for what is done with them.
pub(in super::super) fn explained(reading: &Reading<'_>, at: usize) -> BTreeSet<String> {
    let all = || reading.gestures.iter();
    let is_idle = |found: usize| all().all(|gesture| gesture.about() != Some(found));
    let chosen = all()
        .filter(|gesture| gesture.about() == Some(at))
        .flat_map(|gesture| gesture.chosen.values().map(|(found, _)| *found))
        .filter(|found| is_idle(*found));
    referred(reading, &reading.things[at])
        .into_iter()
        .chain(chosen)
        .filter(|found| *found != at)
        .map(|found| reading.things[found].path.clone())
        .collect()
}

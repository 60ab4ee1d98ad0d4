//! How much each word of a contract speaks for each component.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::super::weighing::read_weights;

/// What main data are shown as, in the words of a plan: a form is that of the main action, and facts are
/// those of one record.
pub(in super::super::super) const COMPONENTS: &[&str] = &[
    "Article", "Board", "Calendar", "Cards", "Changes", "Chart", "Chat", "Facts", "Form", "Matrix",
    "Poll", "Quiz", "Seats", "Stepper", "Table", "Tasks", "Timeline", "Tree",
];

/// The weights of a sign, each with the place of its component in [`COMPONENTS`].
type Weights = Vec<(usize, i32)>;

/// The weights by sign; `labels::components` fits and writes them.
static WEIGHTS: LazyLock<FxHashMap<&'static str, Weights>> = LazyLock::new(|| {
    let read: FxHashMap<&str, FxHashMap<&str, i32>> = read_weights(include_str!("weights.json"));
    let at = |component: &str| COMPONENTS.iter().position(|own| *own == component);
    let weights = read.into_iter().map(|(sign, all)| {
        let all = all.into_iter();
        let all = all.filter_map(|(component, weight)| Some((at(component)?, weight)));
        (sign, all.collect())
    });
    weights.collect()
});

/// The weights of a sign; none where too few contracts had it.
pub(super) fn weights(sign: &str) -> &'static [(usize, i32)] {
    WEIGHTS.get(sign).map_or(&[], Vec::as_slice)
}

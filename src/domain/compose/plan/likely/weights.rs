//! How much each word of a contract speaks for each component.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

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
    #[expect(
        clippy::expect_used,
        reason = "the file is part of the program, and every test of a plan reads it"
    )]
    let read: FxHashMap<&'static str, FxHashMap<&'static str, i32>> =
        serde_json::from_str(include_str!("weights.json")).expect("weights.json is a map of maps");
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

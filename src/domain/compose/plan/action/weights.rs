//! How much each sign of an action speaks for it.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::super::weighing::read_weights;

/// The weights by sign; `labels::actions` fits and writes them.
static WEIGHTS: LazyLock<FxHashMap<&str, i32>> =
    LazyLock::new(|| read_weights(include_str!("weights.json")));

/// The weight of a sign; nothing where too few contracts had it.
pub(super) fn weight(sign: &str) -> i32 {
    WEIGHTS.get(sign).copied().unwrap_or_default()
}

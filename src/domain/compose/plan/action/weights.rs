//! How much each sign of an action speaks for it.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The weights by sign; `labels::actions` fits and writes them.
static WEIGHTS: LazyLock<FxHashMap<&'static str, i32>> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "the file is part of the program, and every test of a plan reads it"
    )]
    let read = serde_json::from_str(include_str!("weights.json")).expect("weights.json is a map");
    read
});

/// The weight of a sign; nothing where too few contracts had it.
pub(super) fn weight(sign: &str) -> i32 {
    WEIGHTS.get(sign).copied().unwrap_or_default()
}

//! What speaks for and against a headline, and how much.

use std::fmt;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::super::weighing::read_weights;

/// A sign: what is seen, and where the kind of it matters, which kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in super::super::super) struct Sign(pub(super) &'static str, pub(super) &'static str);

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)?;
        if !self.1.is_empty() {
            write!(f, ": {}", self.1)?;
        }
        Ok(())
    }
}

/// The weights by sign; `labels::headlines` fits and writes them.
static WEIGHTS: LazyLock<FxHashMap<Sign, i32>> = LazyLock::new(|| {
    let read: FxHashMap<&str, i32> = read_weights(include_str!("weights.json"));
    let weights = read.into_iter().map(|(sign, weight)| {
        let (what, which) = sign.split_once(": ").unwrap_or((sign, ""));
        (Sign(what, which), weight)
    });
    weights.collect()
});

/// The weight of a sign; nothing where too few contracts had it.
pub(super) fn weight(sign: &Sign) -> i32 {
    WEIGHTS.get(sign).copied().unwrap_or_default()
}

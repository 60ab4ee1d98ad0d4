//! What speaks for and against a headline, and how much.

use std::fmt;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

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

/// The weights by sign; `labels::fit` fits and writes them.
static WEIGHTS: LazyLock<FxHashMap<Sign, i32>> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "the file is part of the program, and every test of a headline reads it"
    )]
    let read: FxHashMap<&'static str, i32> =
        serde_json::from_str(include_str!("weights.json")).expect("weights.json is a map");
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

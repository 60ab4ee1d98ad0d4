//! Chooses the component that the words of a contract speak for.

use super::super::super::reading::Reading;
use super::super::weighing::{because, share};
use super::signs::signs;
use super::weights::{COMPONENTS, weights};

/// What is most likely for the main data of a page.
pub(in super::super) struct Likely {
    /// The main data.
    pub(in super::super) thing: usize,
    /// The component, in the words of a plan.
    pub(in super::super) component: &'static str,
    /// Its share of the likelihood of all, in hundredths.
    pub(in super::super) share: u8,
}

/// The share from which on a component is likely enough to go before rows and cards, in hundredths.
const SHARE_MIN: u8 = 40;

impl Likely {
    /// Whether it is the form of the main action.
    pub(in super::super) fn is_form(&self) -> bool {
        self.share >= SHARE_MIN && self.component == "Form"
    }

    /// The component for records whose own fields decide nothing, with its share in hundredths.
    pub(in super::super) fn shape(&self) -> Option<(&'static str, u8)> {
        (self.share >= SHARE_MIN).then_some((self.component, self.share))
    }
}

/// Tells what the main data are most likely shown as, and says why.
pub(in super::super) fn likely(reading: &mut Reading<'_>, main: usize) -> Likely {
    let signs = signs(reading, main);
    let mut totals = [0; COMPONENTS.len()];
    for (component, weight) in signs.iter().flat_map(|sign| weights(sign)) {
        totals[*component] += weight;
    }
    let best = (0..totals.len()).max_by_key(|at| totals[*at]);
    let best = best.unwrap_or_default();
    let likely = Likely {
        thing: main,
        component: COMPONENTS[best],
        share: share(&totals, best),
    };
    let path = reading.things[main].path.clone();
    let is = format!("most likely {}", likely.component);
    let weight = |sign: &String| {
        let mut own = weights(sign).iter();
        let found = own.find(|(component, _)| *component == best);
        found.map_or(0, |(_, weight)| *weight)
    };
    let because = because(&signs, weight);
    reading.notes.note(&path, is, because, likely.share);
    likely
}

/// The main data of a reading, and what speaks for its components.
#[cfg(test)]
pub(in super::super::super) fn main_signs(
    reading: &mut Reading<'_>,
) -> Option<(usize, Vec<String>)> {
    let main = super::super::main_data::main(reading)?;
    Some((main, signs(reading, main)))
}

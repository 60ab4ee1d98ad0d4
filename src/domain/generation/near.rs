//! Which stored choice may be taken for another contract: one of the same names, for a like purpose.

use std::collections::BTreeSet;

use crate::domain::contract::CompiledContract;

/// The least likeness of two intents that a choice is taken over for: most of their words.
const LIKENESS_MIN: f64 = 0.6;

/// Whether two contracts have the same props, actions, channels and slots, by their names.
pub(crate) fn is_alike(one: &CompiledContract, other: &CompiledContract) -> bool {
    one.names() == other.names()
}

/// How alike two intents are, 0 to 1: the share of their words that they have in common; none, where
/// that is too little.
pub(crate) fn likeness(one: &str, other: &str) -> Option<f64> {
    let (one, other) = (words(one), words(other));
    let all = one.union(&other).count();
    let common = one.intersection(&other).count();
    // Counts of words are far below what a float holds.
    #[expect(clippy::cast_precision_loss, reason = "an intent has few words")]
    let likeness = common as f64 / all.max(1) as f64;
    (likeness >= LIKENESS_MIN).then_some(likeness)
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::contract::samples::{basket, compiled, todo_list};

    #[test]
    fn contracts_are_alike_whose_names_are_the_same() {
        let mut relabelled = todo_list();
        relabelled["actionSpec"]["addTodo"]["label"] = "Put on the list".into();
        let (one, other) = (compiled(&todo_list()), compiled(&relabelled));
        assert!(is_alike(&one, &other));
        assert!(!is_alike(&one, &compiled(&basket())));
        assert_eq!(one.names_hash(), other.names_hash());
        assert_ne!(one.names_hash(), compiled(&basket()).names_hash());
    }

    #[test]
    fn intents_are_alike_that_have_most_words_in_common() {
        let alike = likeness("Keep track of chores", "Keep track of the chores!");
        assert_eq!(alike, Some(0.8));
        assert_eq!(likeness("Keep track of chores", "Plan a wedding"), None);
        assert_eq!(likeness("予約 を 選ぶ", "予約 を 選ぶ"), Some(1.0));
    }
}

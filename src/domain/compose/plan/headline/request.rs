//! What an intent asks for, without the words that ask.

use super::words::PAGES;

/// Words before what is asked for: "I need a", "Please build a small interactive".
const ASKING_MAX: usize = 7;

/// What an intent asks for, without the words that ask: "the basket" of "Create a page where the
/// user can review the basket", and of "The user asked: review the basket".
pub(super) fn requested(intent: &str) -> &str {
    let intent = intent.trim();
    let words: Vec<(usize, &str)> = intent
        .split_whitespace()
        .take(2 * ASKING_MAX)
        .map(|word| (word.as_ptr() as usize - intent.as_ptr() as usize, word))
        .collect();
    let bare = |nth: usize| {
        let word = words.get(nth).map_or("", |(_, word)| *word);
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
    };
    let rest = |nth: usize| words.get(nth).map_or(intent, |(at, _)| &intent[*at..]);
    // "The user asked: …"
    let colon_at = (0..words.len().min(ASKING_MAX)).find(|nth| words[*nth].1.ends_with(':'));
    if let Some(nth) = colon_at
        && matches!(
            bare(nth).as_str(),
            "asked" | "asks" | "said" | "says" | "wants" | "request"
        )
    {
        return rest(nth + 1);
    }
    // "I want to …", "Please …"
    let wishes = match bare(0).as_str() {
        "please" => 1,
        "i" | "we" | "user" => (1..4)
            .find(|nth| bare(*nth) == "to")
            .map_or(0, |nth| nth + 1),
        "the" if bare(1) == "user" => (2..5)
            .find(|nth| bare(*nth) == "to")
            .map_or(0, |nth| nth + 1),
        _ => 0,
    };
    // "Create a page where the user can …": a page of something is that; a page of its own is not.
    let shown = (wishes..words.len().min(wishes + ASKING_MAX)).find(|nth| {
        let is_own = matches!(
            bare(nth.wrapping_sub(1)).as_str(),
            "a" | "an" | "clean" | "interactive" | "live" | "simple" | "single" | "small"
        );
        PAGES.contains(&bare(*nth).as_str()) && is_own
    });
    let Some(nth) = shown else {
        return rest(wishes);
    };
    match bare(nth + 1).as_str() {
        _ if words[nth].1.ends_with([':', '.']) => rest(nth + 1),
        "for" if bare(nth + 3) == "following" => {
            let after = rest(nth + 4);
            if after.is_empty() {
                rest(wishes)
            } else {
                after
            }
        }
        "to" | "for" | "of" | "showing" => rest(nth + 2),
        "where" | "so" | "that" | "which" | "with" => {
            let can = (nth + 2..nth + 7).find(|at| bare(*at) == "can");
            can.map_or(rest(nth + 2), |at| rest(at + 1))
        }
        _ => rest(wishes),
    }
}

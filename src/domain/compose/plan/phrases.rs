//! Names that the words of an intent make: of what is done with a form, and of a list.

use super::super::reading::singular;
use super::nouns::{DETERMINERS, PLACING, WORDS_MAX, capitalised, noun};
use super::verbs::INSTRUCTING;

/// What somebody does with a form, in the words of the intent: "let people report a pothole".
pub(super) fn asked_for(intent: &str) -> Option<String> {
    const DOING: &[&str] = &[
        "appeal",
        "apply",
        "book",
        "cancel",
        "claim",
        "declare",
        "enrol",
        "enroll",
        "file",
        "hire",
        "join",
        "nominate",
        "order",
        "register",
        "renew",
        "rent",
        "report",
        "request",
        "reserve",
        "return",
        "volunteer",
    ];
    let words: Vec<&str> = intent.split_whitespace().collect();
    let bare = |at: usize| {
        let word = words.get(at).copied().unwrap_or_default();
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
    };
    let is_article = |at: usize| matches!(bare(at).as_str(), "a" | "an" | "the" | "your");
    let from = (0..words.len()).find(|at| {
        let is_noun = *at > 0 && is_article(*at - 1);
        let next = at + 1 + usize::from(matches!(bare(at + 1).as_str(), "against" | "for"));
        DOING.contains(&bare(*at).as_str()) && !is_noun && is_article(next)
    })?;
    let article = (from..).find(|at| is_article(*at))?;
    let noun = noun(&words[article..].join(" "))?;
    let said: Vec<&str> = words[from..=article].to_vec();
    let text = format!("{} {}", said.join(" "), noun.to_lowercase());
    let fits = text.split_whitespace().count() <= WORDS_MAX;
    fits.then(|| capitalised(&text))
}

/// The full name of a list in the words of the intent: `pans` of "my watercolour pans".
pub(super) fn full_name(intent: &str, list: &str) -> Option<String> {
    /// Words that say how many, which or when rather than what.
    const LOOSE: &[&str] = &[
        "all", "any", "best", "big", "both", "busy", "current", "daily", "done", "each", "every",
        "few", "first", "free", "last", "late", "latest", "left", "many", "missing", "more",
        "most", "new", "next", "old", "open", "other", "paid", "pending", "ready", "same",
        "several", "single", "small", "some", "today", "tonight", "waiting", "which", "worst",
    ];
    let one = singular(&list.to_lowercase());
    let words: Vec<(&str, String)> = intent
        .split_whitespace()
        .map(|word| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            (word, bare.to_lowercase())
        })
        .collect();
    let at = words.iter().position(|(_, bare)| singular(bare) == one)?;
    let (before, bare) = words.get(at.checked_sub(1)?)?;
    let is_plain = before.chars().all(|c| c.is_alphabetic() || c == '-') && bare.len() > 2;
    let two_before = at.checked_sub(2).map(|at| words[at].1.as_str());
    let is_described = two_before.is_some_and(|word| {
        DETERMINERS.contains(&word)
            || LOOSE.contains(&word)
            || NUMBERS.contains(&word)
            || word.ends_with('s') && words[at - 2].0.contains(['\'', '’'])
            || word.chars().all(|c| c.is_ascii_digit())
    });
    let is_what = is_plain
        && is_described
        && !LOOSE.contains(&bare.as_str())
        && !NUMBERS.contains(&bare.as_str())
        && !DETERMINERS.contains(&bare.as_str())
        && !INSTRUCTING.contains(&bare.as_str())
        && !PLACING.contains(&bare.as_str());
    is_what.then(|| capitalised(&format!("{before} {}", list.to_lowercase())))
}

/// Numbers as words.
const NUMBERS: &[&str] = &[
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

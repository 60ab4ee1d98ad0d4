//! What a form is for, in the words of the intent or of the action that sends it.

use super::super::reading::{Deed, Gesture, Reading, fields, label, singular, split};
use super::nouns::{PLACING, WORDS_MAX, capitalised, noun};
use super::subjects::PEOPLE;

/// Inputs from which on a form is what a page is for.
const FORM_MIN: usize = 3;

/// Whether a page is a form before anything else: what it shows is there to fill that in.
pub(super) fn is_filled_in(reading: &Reading<'_>) -> bool {
    let is_form = |gesture: &Gesture<'_>| {
        gesture.deed == Deed::Ask && !gesture.is_quiet && gesture.inputs().len() >= FORM_MIN
    };
    reading.gestures.iter().any(is_form)
        && reading
            .gestures
            .iter()
            .all(|gesture| gesture.about().is_none())
}

/// Whether a form asks for so much that a list beside it is there to choose from.
pub(super) fn is_long_form(reading: &Reading<'_>) -> bool {
    let inputs = |gesture: &Gesture<'_>| -> usize {
        let own = gesture.inputs();
        own.iter()
            .map(|field| fields(field.schema).len().max(1))
            .sum()
    };
    reading
        .gestures
        .iter()
        .any(|gesture| inputs(gesture) >= 2 * FORM_MIN)
}

/// Whether a noun says who fills in a form, or nothing.
pub(super) fn is_aimed(noun: &str) -> bool {
    const NOBODY: &[&str] = &[
        "anyone",
        "everybody",
        "everyone",
        "need",
        "somebody",
        "someone",
        "step",
    ];
    let words = split(noun);
    let is_person = |word: &String| {
        let one = singular(word);
        NOBODY.contains(&one.as_str()) || PEOPLE.contains(&one.as_str())
    };
    words.last().is_some_and(is_person) || words.first().is_some_and(|word| word == "form")
}

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

/// What is sent with the form of a page, in the words of its action: "Bring my number", or the
/// enrolment of `submitEnrolment`.
pub(super) fn sent(reading: &Reading<'_>) -> Option<String> {
    /// Verbs that say that something is sent, rather than what is done with it.
    const SENDING: &[&str] = &[
        "add", "apply", "complete", "create", "enter", "file", "finish", "hand", "post", "publish",
        "save", "send", "submit",
    ];
    let form = reading
        .gestures
        .iter()
        .filter(|gesture| gesture.deed == Deed::Ask && !gesture.is_quiet)
        .max_by_key(|gesture| gesture.inputs().len())?;
    let spoken = &form.entry.label;
    let said = split(spoken);
    let sends = |words: &[String]| {
        let first = words.first();
        first.is_some_and(|word| SENDING.contains(&word.as_str()))
    };
    let is_whole = (2..=WORDS_MAX).contains(&said.len()) && !said.iter().any(|word| word == "and");
    if is_whole && !sends(&said) {
        return Some(spoken.clone());
    }
    let name = split(form.name);
    let rest = name
        .get(1..)
        .filter(|rest| sends(&name) && !rest.is_empty())?;
    if PLACING.contains(&rest[0].as_str()) {
        return Some(spoken.clone());
    }
    Some(label(&rest.join("_")))
}

//! What is done on the page, as a name for it: the enrolment of `submitEnrolment`, the report of
//! somebody who reports a swarm.

use super::super::super::reading::{Deed, Gesture, Word, Words, label, singular, split};
use super::candidate::Candidate;
use super::lexicon::VAGUE;
use super::page::{Page, how_early};
use super::sentence::{Role, Spoken};
use super::signs::Sign;
use super::words::{DEEDS, DETERMINERS, JOINING, SENDING};

/// Words of what something is done to.
const OBJECT_MAX: usize = 3;

/// Names of what is done that could head the page.
pub(super) fn deeds(page: &Page<'_, '_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let of_actions = page.reading.gestures.iter();
    for gesture in of_actions.filter(|gesture| !gesture.is_quiet) {
        found.extend(of_action(page, gesture));
    }
    found.extend(asked(page));
    found
}

fn candidate(words: &[Word], signs: Vec<Sign>) -> Candidate {
    Candidate::words(label(&words.join("_")), signs)
}

/// What an action sends, or what is done to something: `submitEnrolment`, `applyForPitch`; and what is
/// granted with a record that says little by its name: the refund request of `approveRefund`.
fn of_action(page: &Page<'_, '_>, gesture: &Gesture<'_>) -> Vec<Candidate> {
    let words = split(gesture.name);
    let Some((verb, object)) = words.split_first() else {
        return Vec::new();
    };
    let joins =
        |word: &&Word| JOINING.contains(&word.as_str()) || DETERMINERS.contains(&word.as_str());
    let object: Words = object.iter().skip_while(joins).cloned().collect();
    if object.is_empty() || object.len() > OBJECT_MAX || object.iter().any(|word| joins(&word)) {
        return Vec::new();
    }
    let how = match gesture.deed {
        Deed::Ask => "that asks for something",
        _ => "about what is there",
    };
    let asked = how_early(object.last().and_then(|word| page.asked(&singular(word))));
    let is_here = page.top().any(|thing| object.last() == Some(&thing.one));
    let common = |what: &'static str| {
        let mut signs = vec![
            Sign(what, page.kind),
            Sign("it comes of an action", how),
            Sign("the intent speaks of what the action is about", asked),
        ];
        if is_here {
            signs.push(Sign("the page shows what the action is about", ""));
        }
        signs
    };
    let mut found = Vec::new();
    if SENDING.contains(&verb.as_str()) {
        found.push(candidate(&object, common("what an action sends")));
    }
    if let Some(noun) = noun(verb) {
        let named = object.iter().cloned().chain([Word::new(noun)]);
        let named: Words = named.collect();
        found.push(candidate(&named, common("what an action does")));
    }
    let little = page
        .record
        .filter(|record| VAGUE.contains(&record.one.as_str()));
    if let Some(record) = little.filter(|record| !object.contains(&record.one)) {
        let named: Words = object.iter().cloned().chain(split(record.name)).collect();
        found.push(candidate(
            &named,
            common("what an action says of a record that says little"),
        ));
    }
    found
}

fn noun(verb: &str) -> Option<&'static str> {
    let found = DEEDS.iter().find(|(own, _)| *own == verb);
    found.map(|(_, noun)| *noun)
}

/// The noun of a verb in any of its forms: of `booking`, `registers`.
fn noun_of_form(word: &str) -> Option<&'static str> {
    let stems = [word.strip_suffix("ing"), word.strip_suffix('s')];
    let of_stem = |stem: &str| noun(stem).or_else(|| noun(&format!("{stem}e")));
    noun(word).or_else(|| stems.into_iter().flatten().find_map(of_stem))
}

/// What the intent says somebody does: "report a swarm of bees", "applying for a bus pass".
fn asked(page: &Page<'_, '_>) -> Vec<Candidate> {
    let words = &page.words;
    let mut found = Vec::new();
    for (at, verb) in words.iter().enumerate() {
        let Some(noun) = noun_of_form(&verb.plain) else {
            continue;
        };
        let Some(object) = object(words, at + 1) else {
            continue;
        };
        let plain = object.iter().map(|word| Word::new(&word.plain));
        let named: Words = plain.chain([Word::new(noun)]).collect();
        let mut signs = vec![
            Sign("what somebody does, in the words of the intent", page.kind),
            Sign("what somebody does is spoken of", how_early(Some(at))),
        ];
        let last = &object[object.len() - 1];
        if last.is_thing {
            signs.push(Sign("the page shows what it is done to", ""));
        }
        if object.len() > 1 {
            signs.push(Sign("it is done to something of several words", ""));
        }
        found.push(candidate(&named, signs));
    }
    found
}

/// What stands behind a verb, from its determiner up to the next word that joins.
fn object<'w, 'a>(words: &'w [Spoken<'a>], from: usize) -> Option<&'w [Spoken<'a>]> {
    let is_for = |at: usize| {
        matches!(words.get(at)?.role, Role::Joining("against" | "for")).then_some(at + 1)
    };
    let from = is_for(from).unwrap_or(from);
    if words.get(from)?.role != Role::Determiner {
        return None;
    }
    let from = from + 1;
    let ends = |at: &usize| {
        matches!(words[*at].role, Role::Joining(_) | Role::Determiner)
            || *at > from && words[at - 1].ends.is_some()
    };
    let to = (from..words.len()).find(ends).unwrap_or(words.len());
    (to > from && to - from <= OBJECT_MAX).then(|| &words[from..to])
}

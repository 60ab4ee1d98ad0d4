//! Statements that a page makes: who or what, a predicate, and what is said.

use std::collections::HashSet;

use super::document::Document;
use super::interval::Interval;

/// Predicates that are understood, in frontmatter and in the section of assertions, each with the
/// words of a sentence that mean it.
const PREDICATES: [(&str, &str); 6] = [
    ("is_a", " is a "),
    ("works_at", " works at "),
    ("founded", " founded "),
    ("prefers", " prefers "),
    ("dislikes", " dislikes "),
    ("uses", " uses "),
];
/// The section whose sentences are statements: prose elsewhere is none.
const SECTION: &str = "## assertions";
/// Letters of the shortest thing said; shorter ones are mostly parts of sentences.
const OBJECT_CHARS_MIN: usize = 6;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Assertion {
    /// Who or what.
    pub(crate) subject: String,
    /// One of the predicates that are understood.
    pub(crate) predicate: &'static str,
    /// What is said.
    pub(crate) object: String,
    /// When it holds.
    pub(crate) interval: Interval,
}

/// Everything a page states.
pub(crate) fn assertions(title: &str, document: &Document) -> Vec<Assertion> {
    let page = document.validity();
    let mut known = HashSet::new();
    let mut found = Vec::new();
    let mut add = |subject: &str, predicate, object: &str| {
        let object = object.trim().trim_end_matches('.').trim();
        let (object, interval) = timed(object, &page);
        if object.chars().count() < OBJECT_CHARS_MIN {
            return;
        }
        let assertion = Assertion {
            subject: subject.trim().to_owned(),
            predicate,
            object: object.to_owned(),
            interval,
        };
        if known.insert(assertion.clone()) {
            found.push(assertion);
        }
    };
    for (predicate, _) in PREDICATES {
        if let Some(object) = document.frontmatter.get(predicate) {
            add(title, predicate, object);
        }
    }
    let (mut is_inside, mut is_fenced) = (false, false);
    for line in document.truth.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        } else if line.starts_with("# ") || line.starts_with("## ") {
            is_inside = !is_fenced && line.trim().to_lowercase() == SECTION;
        } else if is_inside && !is_fenced && !line.starts_with("    ") && !line.starts_with('\t') {
            let sentence = line.trim_start_matches(['-', '*', ' ']);
            for (predicate, words) in PREDICATES {
                if let Some((subject, object)) = sentence.split_once(words) {
                    add(subject, predicate, object);
                }
            }
        }
    }
    found
}

/// What is said, and when it holds: what stands behind it in brackets, and what its page says of all.
fn timed<'a>(object: &'a str, page: &Interval) -> (&'a str, Interval) {
    let bracket = object.strip_suffix(')');
    let bracket = bracket.and_then(|object| object.rsplit_once(" ("));
    let Some((said, times)) = bracket else {
        return (object, page.clone());
    };
    let (from, until) = match times.strip_prefix("from ") {
        Some(from) => match from.split_once(" until ") {
            Some((from, until)) => (Some(from), Some(until)),
            None => (Some(from), None),
        },
        None => (None, times.strip_prefix("until ")),
    };
    match Interval::parse(from, until) {
        Ok(own) if own != Interval::default() => (said, own.within(page)),
        _ => (object, page.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_holds_as_long_as_it_and_its_page_say() {
        let text = "---\nuses: dark mode\nvalid_until: 2026-06\n---\n## Assertions\n\
            - Ida prefers compact rows (from 2026-01 until 2026-09-01).\n\
            - Ida dislikes pop-ups (all of them)\n";
        let found = assertions("Ida", &Document::parse(text));
        let intervals: Vec<_> = found
            .iter()
            .map(|found| {
                let Interval { from, until } = &found.interval;
                let from = from.as_ref().map(|from| from.first_day());
                (
                    found.object.as_str(),
                    from,
                    until.as_ref().unwrap().last_day(),
                )
            })
            .collect();
        let june = "2026-06-30".to_owned();
        assert_eq!(
            intervals,
            [
                ("dark mode", None, june.clone()),
                ("compact rows", Some("2026-01-01".to_owned()), june.clone()),
                ("pop-ups (all of them)", None, june),
            ]
        );
    }

    #[test]
    fn statements_stand_in_frontmatter_and_in_their_own_section_only() {
        let text = "---\nworks_at: Acme Corp\n---\nAlice works at Nowhere Inc.\n\n## Assertions\n\
            - Alice works at Beta Labs.\n    Alice works at Code Block\n```\nAlice founded \
            Fenced Ltd\n```\nAlice uses tea\n## Other\nAlice founded Gamma Works\n";
        let found = assertions("Alice", &Document::parse(text));
        let statements: Vec<_> = found
            .iter()
            .map(|found| (found.predicate, found.object.as_str()))
            .collect();
        assert_eq!(
            statements,
            [("works_at", "Acme Corp"), ("works_at", "Beta Labs")]
        );
    }
}

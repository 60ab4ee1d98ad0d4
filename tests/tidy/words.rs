//! Words that belong to some files only.

use crate::tree::{Source, Tree};
use crate::{Finding, Rule};

const BELOW_TRANSPORTS: [&str; 4] = ["wire/", "domain/", "adapters/", "services/"];

/// The adapters that know SQL.
const DATABASES: [&str; 2] = ["adapters/sqlite/", "adapters/sqlite_pages/"];

/// Opening words of a statement, and what must follow later on.
const SQL: [(&str, &str); 8] = [
    ("SELECT ", " FROM "),
    ("INSERT INTO ", ""),
    ("INSERT OR ", ""),
    ("DELETE FROM ", ""),
    ("UPDATE ", " SET "),
    ("CREATE TABLE ", ""),
    ("CREATE INDEX ", ""),
    ("PRAGMA ", ""),
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in &tree.src {
        let mut say = |at: usize, what: &str| {
            let place = format!("src/{path}:{}", source.blanked.line(at));
            findings.push(Finding {
                rule: Rule::Word,
                place,
                what: what.to_owned(),
            });
        };
        if !path.starts_with("wire/fault/") {
            for at in error_numbers(source) {
                say(
                    at,
                    "an error number stands here: numbers are rows of `src/wire/fault/code.rs`",
                );
            }
        }
        if BELOW_TRANSPORTS.iter().any(|layer| path.starts_with(layer)) {
            for at in words(&source.blanked.product, "StatusCode") {
                say(
                    at,
                    "`StatusCode` below transports: return the error of the module and let `src/transports/faults/failures.rs` choose its row",
                );
            }
        }
        if !DATABASES.iter().any(|folder| path.starts_with(folder)) {
            for at in sql(source) {
                say(at, "SQL stands here: it belongs to `src/adapters/sqlite*/`");
            }
        }
    }
    for (path, source) in &tree.tests {
        for word in ["sleep", "sleep_until"] {
            for at in words(&source.blanked.code, word) {
                if source.blanked.code[at + word.len()..]
                    .trim_start()
                    .starts_with('(')
                {
                    let place = format!("tests/{path}:{}", source.blanked.line(at));
                    let what = format!(
                        "`{word}(` in a test: wait for the thing itself, with a time-out, or advance the world's clock"
                    );
                    findings.push(Finding {
                        rule: Rule::Word,
                        place,
                        what,
                    });
                }
            }
        }
    }
    findings
}

/// Places of `-32000` to `-32999`, in code and in strings.
fn error_numbers(source: &Source) -> Vec<usize> {
    let mut places = Vec::new();
    for text in [&source.blanked.product, &source.blanked.product_strings] {
        for (at, _) in text.match_indices('-') {
            let digits: String = text[at + 1..]
                .trim_start()
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .filter(|c| *c != '_')
                .collect();
            let number = digits.trim_end_matches(|c: char| !c.is_ascii_digit());
            let number = digits
                .find(|c: char| !c.is_ascii_digit())
                .map_or(number, |end| &digits[..end]);
            if number.len() == 5 && number.starts_with("32") {
                places.push(at);
            }
        }
    }
    places
}

fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |at| {
            let before = at
                .checked_sub(1)
                .and_then(|place| text.as_bytes().get(place));
            !part(before) && !part(text.as_bytes().get(at + word.len()))
        })
}

fn sql(source: &Source) -> Vec<usize> {
    let text = &source.blanked.product_strings;
    let mut places = Vec::new();
    for (open, then) in SQL {
        for case in [open.to_owned(), open.to_lowercase()] {
            // Lower-case prose may select or update; only what no sentence says counts there.
            let is_prose = case != open && !case.contains(" into ") && !case.contains(" table ");
            for at in words(text, case.trim_end()) {
                let followed = text[at..].get(..400).unwrap_or(&text[at..]).contains(then);
                if text[at..].starts_with(&case) && followed && !is_prose {
                    places.push(at);
                }
            }
        }
    }
    places
}

//! The map and the invariants that `src/lib.rs` promises.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use crate::tree::Tree;
use crate::{Finding, Rule};

const INVARIANTS_MAX: usize = 12;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(root) = tree.src.get("lib.rs") else {
        return Vec::new();
    };
    let docs: Vec<&str> = root
        .text
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let mut findings = map(tree, &docs);
    findings.extend(invariants(tree, &docs));
    findings
}

/// The fenced ```text block with a line that starts with `lib.rs`; line numbers count from one.
fn map_block<'a>(docs: &[&'a str]) -> Option<Vec<(usize, &'a str)>> {
    let mut block: Option<Vec<(usize, &str)>> = None;
    for (at, line) in docs.iter().enumerate() {
        match &mut block {
            None if line.trim_end() == "```text" => block = Some(Vec::new()),
            None => {}
            Some(lines) if line.starts_with("```") => {
                if lines.iter().any(|(_, line)| line.starts_with("lib.rs")) {
                    return block;
                }
                block = None;
            }
            Some(lines) => lines.push((at + 1, line)),
        }
    }
    None
}

fn map(tree: &Tree, docs: &[&str]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut say = |line: usize, what: String| {
        findings.push(Finding {
            rule: Rule::Map,
            place: format!("src/lib.rs:{line}"),
            what,
        });
    };
    let Some(block) = map_block(docs) else {
        say(
            1,
            "there is no ```text block with a line that starts with `lib.rs`".to_owned(),
        );
        return findings;
    };
    let start = block.first().map_or(1, |(line, _)| *line);
    let places: BTreeSet<&str> = tree.src.keys().map(|path| place(path)).collect();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (line, text) in block {
        // Blank lines part groups; indented lines go on with the line above.
        if text.trim().is_empty() || text.starts_with(' ') {
            continue;
        }
        let (path, purpose) = text.split_once(' ').unwrap_or((text, ""));
        if !places.contains(path) {
            say(
                line,
                format!("the map names `{path}`, which is no folder of src/ and no file in it"),
            );
        }
        if purpose.trim().is_empty() {
            say(line, format!("the map does not say what `{path}` owns"));
        }
        if let Some(first) = seen.insert(path, line) {
            say(
                line,
                format!("the map names `{path}` already on line {first}"),
            );
        }
    }
    for path in places.iter().filter(|path| !seen.contains_key(*path)) {
        say(start, format!("the map does not name `{path}`"));
    }
    findings
}

/// What the map names for a file: its folder, or itself if it stands beside the map.
fn place(path: &str) -> &str {
    path.rfind('/').map_or(path, |slash| &path[..=slash])
}

fn invariants(tree: &Tree, docs: &[&str]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut say = |line: usize, what: String| {
        findings.push(Finding {
            rule: Rule::Invariant,
            place: format!("src/lib.rs:{line}"),
            what,
        });
    };
    let entries = entries(docs);
    if entries.is_empty() {
        say(
            1,
            "no heading with the word `Invariants` is followed by numbered lines".to_owned(),
        );
    }
    if entries.len() > INVARIANTS_MAX {
        say(
            1,
            format!(
                "{} invariants are more than {INVARIANTS_MAX}",
                entries.len()
            ),
        );
    }
    let (running, ignored) = tests(tree);
    for (expected, (line, number, text)) in (1..).zip(&entries) {
        if *number != expected {
            say(
                *line,
                format!("invariant {number} stands where {expected} should"),
            );
        }
        if cited(text).is_empty() {
            say(*line, format!("invariant {number} cites no test"));
        }
    }
    let whole = docs.join("\n");
    for (at, name) in cited(&whole) {
        let line = 1 + whole[..at].matches('\n').count();
        if ignored.contains(name) && !running.contains(name) {
            say(
                line,
                format!("the test `{name}` is ignored, so nothing locks this"),
            );
        } else if !running.contains(name) {
            say(line, format!("there is no test `{name}`"));
        }
    }
    findings
}

/// Line, number and whole text of each numbered entry under the invariants' heading.
fn entries(docs: &[&str]) -> Vec<(usize, usize, String)> {
    let mut entries: Vec<(usize, usize, String)> = Vec::new();
    let mut is_inside = false;
    let mut is_open = false;
    for (at, line) in docs.iter().enumerate() {
        if line.starts_with('#') {
            is_inside = line.contains("Invariants");
            is_open = false;
        } else if !is_inside || line.trim().is_empty() {
            is_open = false;
        } else if let Some((number, text)) = line
            .split_once(". ")
            .and_then(|(number, text)| Some((number.parse().ok()?, text)))
        {
            entries.push((at + 1, number, text.to_owned()));
            is_open = true;
        } else if let Some((_, _, text)) = entries.last_mut().filter(|_| is_open) {
            text.push(' ');
            text.push_str(line.trim());
        }
    }
    entries
}

/// Place and name of each test in `(test: `a`)` and `(tests: `a`, `b`)`.
fn cited(text: &str) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    for open in ["(test:", "(tests:"] {
        for (start, _) in text.match_indices(open) {
            let inside = text[start..]
                .split_once(')')
                .map_or("", |(inside, _)| inside);
            let mut at = start;
            for (index, part) in inside.split('`').enumerate() {
                if index % 2 == 1 {
                    names.push((at, part.rsplit("::").next().unwrap_or(part)));
                }
                at += part.len() + 1;
            }
        }
    }
    names
}

/// The names of all tests that run, and of those that are ignored.
fn tests(tree: &Tree) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut names = Names::default();
    for source in tree.src.values().chain(tree.tests.values()) {
        if let Ok(file) = &source.parsed {
            names.visit_file(file);
        }
    }
    (names.running, names.ignored)
}

#[derive(Default)]
struct Names {
    running: BTreeSet<String>,
    ignored: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let has = |name: &str| {
            item.attrs.iter().any(|attribute| {
                attribute
                    .path()
                    .segments
                    .last()
                    .is_some_and(|segment| segment.ident == name)
            })
        };
        if has("ignore") {
            self.ignored.insert(item.sig.ident.to_string());
        } else if has("test") {
            self.running.insert(item.sig.ident.to_string());
        }
        visit::visit_item_fn(self, item);
    }

    /// A suite may be a macro that is run once per adapter.
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let text = mac.tokens.to_string();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if word == "fn"
                && let Some(name) = words.next()
            {
                let name = name.split('(').next().unwrap_or(name);
                self.running.insert(name.to_owned());
            }
        }
    }
}

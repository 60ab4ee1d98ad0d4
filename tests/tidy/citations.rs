//! Citations: every section that is cited exists, here or in a public standard; and the pages that
//! are cited are numbered, with examples that are JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::{Finding, Rule};

/// Where the sections stand that code cites.
const PAGES: &str = "docs/protocol/";
/// The mark before the number of a section.
const MARK: char = '\u{a7}';
/// Public standards of which a section may be cited, each followed by its number or version.
const STANDARDS: [&str; 8] = [
    "A2UI",
    "JSON Schema draft",
    "JSON-RPC",
    "MCP",
    "MCP Apps",
    "OpenAPI",
    "RFC",
    "WCAG",
];
/// Words for parts of a document that have no anchor.
const PARTS: [&str; 3] = ["appendix", "annex", "chapter"];
/// Folders whose files are not ours, or are made from others.
const SKIPPED: [&str; 6] = [
    ".git",
    "artifacts",
    "corpus",
    "node_modules",
    "target",
    "venv",
];
/// What a build writes: its files may be linked to, and are not read.
const BUILT: &str = "web-host/dist/";
/// Data that schemas are tried on.
const SAMPLES: &str = "schemas/samples/";

/// Every file of the repository by its path, with its text where it has one.
pub(crate) struct Texts(BTreeMap<String, Option<String>>);

impl Texts {
    pub(crate) fn read(root: &Path) -> Self {
        let mut texts = BTreeMap::new();
        let mut open = vec![root.to_owned()];
        while let Some(folder) = open.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => panic!("{}: {error}", folder.display()),
            };
            for entry in entries.flatten() {
                let path = entry.path();
                let name = entry.file_name();
                if SKIPPED.iter().any(|skipped| name == *skipped) {
                    continue;
                }
                if path.is_dir() {
                    open.push(path);
                    continue;
                }
                let relative = path.strip_prefix(root).unwrap_or(&path);
                let relative = relative.to_string_lossy().replace('\\', "/");
                let text = match relative.starts_with(BUILT) {
                    true => None,
                    false => fs::read_to_string(&path).ok(),
                };
                texts.insert(relative, text);
            }
        }
        Self(texts)
    }

    pub(crate) fn written(files: &[(&str, &str)]) -> Self {
        let files = files.iter();
        Self(
            files
                .map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned())))
                .collect(),
        )
    }

    fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let texts = self.0.iter();
        texts.filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// Whether there is a file, or a folder with files in it.
    fn has(&self, path: &str) -> bool {
        let folder = format!("{}/", path.trim_end_matches('/'));
        self.0.contains_key(path) || self.0.keys().any(|file| file.starts_with(&folder))
    }
}

/// One page of the protocol: the numbers of its sections, and the anchors of all headings.
#[derive(Default)]
struct Page {
    numbers: BTreeSet<String>,
    anchors: BTreeSet<String>,
}

pub(crate) fn check(texts: &Texts) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut pages: BTreeMap<&str, Page> = BTreeMap::new();
    for (path, text) in texts.iter().filter(|(path, _)| path.ends_with(".md")) {
        pages.insert(path, page(path, text, &mut findings));
    }
    for (path, text) in texts.iter() {
        let mut say = |at: usize, what: String| {
            let line = 1 + text[..at].matches('\n').count();
            findings.push(finding(path, line, what));
        };
        for (start, words) in prose(path, text) {
            for (at, _) in words.match_indices(MARK) {
                if let Err(what) = section(path, text, start + at, &pages) {
                    say(start + at, what);
                }
            }
            if path.ends_with(".md") {
                continue;
            }
            for what in parts(words) {
                say(start, what);
            }
            for name in documents(words).filter(|name| !is_there(path, name, texts)) {
                say(start, format!("there is no `{name}` in this repository"));
            }
        }
        if path.starts_with(PAGES) {
            for (at, example) in examples(text) {
                if let Err(error) = serde_json::from_str::<serde_json::Value>(example) {
                    say(at, format!("the example is not JSON: {error}"));
                }
            }
        }
        if path.ends_with(".md") {
            for (at, target) in links(text) {
                if let Err(what) = link(path, target, texts, &pages) {
                    say(at, what);
                }
            }
        }
    }
    findings
}

fn finding(path: &str, line: usize, what: String) -> Finding {
    Finding {
        rule: Rule::Citation,
        place: format!("{path}:{line}"),
        what,
    }
}

/// The headings of a page; those of the protocol are numbered, and their numbers go up.
fn page(path: &str, text: &str, findings: &mut Vec<Finding>) -> Page {
    let mut page = Page::default();
    let mut last: Vec<u32> = Vec::new();
    for (line, heading) in headings(text) {
        let title = heading.trim_start_matches('#').trim();
        page.anchors.insert(anchor(title));
        if !path.starts_with(PAGES) || heading.starts_with("# ") {
            continue;
        }
        let number = title.split(' ').next().unwrap_or_default();
        let parsed: Result<Vec<u32>, _> = number.split('.').map(str::parse).collect();
        match parsed {
            Ok(parsed) if parsed > last => {
                last = parsed;
                page.numbers.insert(number.to_owned());
            }
            Ok(_) => findings.push(finding(
                path,
                line,
                format!("section {number} is out of order"),
            )),
            Err(_) => findings.push(finding(path, line, format!("`{title}` has no number"))),
        }
    }
    page
}

/// Line and text of every heading outside of code.
fn headings(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        is_code ^= line.starts_with("```");
        !is_code && line.starts_with('#')
    })
}

/// The anchor that a Markdown renderer gives a heading.
fn anchor(title: &str) -> String {
    let kept = title
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Whether the section that is cited at a mark exists.
fn section(path: &str, text: &str, at: usize, pages: &BTreeMap<&str, Page>) -> Result<(), String> {
    let number: String = text[at + MARK.len_utf8()..]
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || *c == '.')
        .collect();
    let number = number.trim_end_matches('.');
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(format!("no number follows the {MARK}"));
    }
    let before = before(&text[..at]);
    let word = before.rsplit([' ', '(', '[', '`', '"', ',']).next();
    let word = word.unwrap_or_default();
    let cited = match word.strip_suffix(".md") {
        Some(_) => match word.strip_prefix(PAGES).unwrap_or(word) {
            name if name.contains('/') => return Err(format!("`{word}` is not in {PAGES}")),
            name => format!("{PAGES}{name}"),
        },
        None if is_standard(&before) => return Ok(()),
        None if path.starts_with(PAGES) => path.to_owned(),
        None => {
            return Err(format!(
                "section {number} of what? Name the page or the standard"
            ));
        }
    };
    match pages.get(cited.as_str()) {
        None => Err(format!("there is no {cited}")),
        Some(page) if page.numbers.contains(number) => Ok(()),
        Some(_) => Err(format!("{cited} has no section {number}")),
    }
}

/// The words before a place, on one line: what goes on from a line above is joined.
fn before(text: &str) -> String {
    let lines: Vec<&str> = text.lines().rev().take(2).collect();
    let is_mark = |c: char| matches!(c, '/' | '!' | '*' | '#' | '>') || c.is_whitespace();
    let words: Vec<&str> = lines
        .iter()
        .rev()
        .map(|line| line.trim_start_matches(is_mark).trim_end())
        .collect();
    words.join(" ").trim_end().to_owned()
}

/// Whether a text ends in the name of a public standard with its number or version.
fn is_standard(before: &str) -> bool {
    let Some((name, version)) = before.rsplit_once(' ') else {
        return false;
    };
    let is_version = version.contains(|c: char| c.is_ascii_digit())
        && version
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
    is_version && STANDARDS.iter().any(|standard| name.ends_with(standard))
}

/// The lines of a file that are written for readers, with their places: comments, pages, and what
/// schemas say. Data may hold the mark, too.
fn prose<'a>(path: &str, text: &'a str) -> Vec<(usize, &'a str)> {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let comment = |line: &str| match extension {
        "md" => Some(0),
        "json" => (path.starts_with("schemas/") && !path.starts_with(SAMPLES)).then_some(0),
        "css" | "js" | "mjs" | "rs" | "ts" | "tsx" => {
            let begins = ["//", "/*", "* "]
                .iter()
                .any(|mark| line.trim_start().starts_with(mark));
            begins.then_some(0).or_else(|| line.find(" // "))
        }
        "py" | "sh" | "toml" | "yaml" | "yml" => line.trim_start().starts_with('#').then_some(0),
        _ => None,
    };
    let mut at = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        found.extend(comment(line).map(|begin| (at + begin, &line[begin..])));
        at += line.len();
    }
    found
}

/// Citations of parts of a document that have no anchor.
fn parts(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_label = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            || word.trim_end_matches(['.', ',', ')', ':']).len() == 1
                && word.starts_with(|c: char| c.is_ascii_uppercase())
    };
    words
        .windows(2)
        .filter(|pair| PARTS.contains(&pair[0].to_lowercase().as_str()) && is_label(pair[1]))
        .map(|pair| {
            format!(
                "`{} {}` has no anchor: cite a numbered section",
                pair[0], pair[1]
            )
        })
        .collect()
}

/// The Markdown files that a comment names.
fn documents(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '/');
    line.split(move |c| !is_part(c))
        .map(|word| word.trim_matches(['.', '/']))
        .filter(|word| {
            word.strip_suffix(".md")
                .is_some_and(|name| !name.is_empty())
        })
}

fn is_there(path: &str, name: &str, texts: &Texts) -> bool {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    [name, &format!("{PAGES}{name}"), &format!("{folder}/{name}")]
        .iter()
        .any(|candidate| texts.has(candidate))
}

/// Place and text of every block of JSON.
fn examples(text: &str) -> impl Iterator<Item = (usize, &str)> {
    const OPENING: &str = "```json\n";
    text.match_indices(OPENING).map(|(at, _)| {
        let block = &text[at + OPENING.len()..];
        (at, block.split("```").next().unwrap_or(block))
    })
}

/// Place and target of every link outside of code.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    for (at, _) in text.match_indices("](") {
        let target = text[at + 2..].split([')', ' ', '\n']).next();
        let is_code = text[..at].matches("```").count() % 2 == 1;
        links.extend(target.filter(|_| !is_code).map(|target| (at, target)));
    }
    links
}

/// Whether what a link leads to exists; addresses outside of the repository are not looked at.
fn link(
    path: &str,
    target: &str,
    texts: &Texts,
    pages: &BTreeMap<&str, Page>,
) -> Result<(), String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return Ok(());
    }
    let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
    let mut place: Vec<&str> = path.split('/').collect();
    if !file.is_empty() {
        place.pop();
        for part in file.trim_end_matches('/').split('/') {
            match part {
                "." => {}
                ".." => drop(place.pop()),
                part => place.push(part),
            }
        }
    }
    let place = place.join("/");
    if !texts.has(&place) {
        return Err(format!("the link leads to `{place}`, which is not there"));
    }
    let is_anchor = |page: &Page| fragment.is_empty() || page.anchors.contains(fragment);
    match pages.get(place.as_str()) {
        Some(page) if !is_anchor(page) => Err(format!("`{place}` has no heading #{fragment}")),
        _ => Ok(()),
    }
}

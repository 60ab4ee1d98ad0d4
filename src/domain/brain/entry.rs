//! Entries of the journal: what is written into a page, and what the page becomes by it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::super::clock::Time;
use super::super::contract::CompiledContract;
use super::super::redaction::{Redaction, visible};
use super::super::size::shorten;
use super::document::Document;
#[cfg(feature = "gate")]
use super::journal::ApprovalStep;
use super::memory::rewritten;
use crate::wire::ids::{AppId, SessionId};

/// The wings of pages that the server writes, and the types of these pages.
pub(crate) const BLUEPRINTS: (&str, &str) = ("blueprints", "blueprint");
const SESSIONS: (&str, &str) = ("sessions", "session");
#[cfg(feature = "gate")]
const APPROVALS: (&str, &str) = ("approvals", "approval");

// Entries of the frontmatter.
pub(crate) const ACTED: &str = "acted";
pub(crate) const INTENT: &str = "intent";
pub(crate) const SHAPE: &str = "shape";
pub(crate) const SHOWN: &str = "shown";
const LEFT_OUT: &str = "rows_left_out";

/// Letters of a title, of a line or of a row: what fits a few lines.
const TEXT_CHARS_MAX: usize = 400;

/// What is written into one page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// Whose page.
    pub(crate) app: AppId,
    /// The wing of the page, which is the first part of its slug.
    pub(crate) wing: &'static str,
    /// The type of the page.
    pub(crate) kind: &'static str,
    /// The rest of its slug.
    pub(crate) name: String,
    /// What it is called, if it has no title yet.
    pub(crate) title: Option<String>,
    /// Entries of its frontmatter.
    pub(crate) facts: BTreeMap<&'static str, String>,
    /// What is added to numbers in its frontmatter.
    pub(crate) counts: BTreeMap<&'static str, u64>,
    /// Lines of its compiled truth, by the label that each begins with.
    pub(crate) lines: Vec<(&'static str, String)>,
    /// Rows of its timeline, oldest first.
    pub(crate) rows: Vec<String>,
    /// Rows that were dropped.
    pub(crate) left_out: u64,
    /// The hashes of what the page is an answer to.
    pub(crate) answers: BTreeSet<String>,
    /// Whether nothing more is to come.
    pub(crate) is_last: bool,
}

impl Entry {
    pub(super) fn new(
        app: &AppId,
        (wing, kind): (&'static str, &'static str),
        name: String,
    ) -> Self {
        Self {
            app: app.clone(),
            wing,
            kind,
            title: None,
            name,
            facts: BTreeMap::new(),
            counts: BTreeMap::new(),
            lines: Vec::new(),
            rows: Vec::new(),
            left_out: 0,
            answers: BTreeSet::new(),
            is_last: false,
        }
    }

    /// Where the page stands in its collection.
    pub(crate) fn slug(&self) -> String {
        format!("{}/{}", self.wing, self.name)
    }

    /// Whether it is about a session, which is written when it rests.
    pub(crate) fn is_of_session(&self) -> bool {
        self.wing == SESSIONS.0
    }

    /// Something happened in a session, which shows this blueprint where that is known.
    pub(crate) fn of_session(
        app: &AppId,
        session: &SessionId,
        intent: &str,
        owner: &str,
        blueprint: Option<&str>,
    ) -> Self {
        let mut entry = Self::new(app, SESSIONS, slug_part(session.as_str()));
        entry.title = Some(one_line(intent));
        entry.facts.insert("session", session.to_string());
        entry.lines = vec![
            ("Asked for", one_line(intent)),
            ("Asked by", one_line(owner)),
        ];
        if let Some(name) = blueprint {
            let link = format!("[[{}/{name}]]", BLUEPRINTS.0);
            entry.lines.push(("Shown as", link));
        }
        entry
    }

    /// The slug of the page of a session.
    pub(crate) fn slug_of_session(session: &SessionId) -> String {
        format!("{}/{}", SESSIONS.0, slug_part(session.as_str()))
    }

    /// A row of what somebody did.
    pub(crate) fn timeline_row(at: Time, by: &str, what: &str) -> String {
        row(at, &format!("{} {what}", one_line(by)))
    }

    /// Adds rows of what happened later; of more than `rows_max` the oldest are dropped.
    pub(crate) fn add_rows(&mut self, later: impl IntoIterator<Item = String>, rows_max: usize) {
        self.rows.extend(later);
        let over = self.rows.len().saturating_sub(rows_max);
        self.rows.drain(..over);
        self.left_out += over as u64;
    }

    /// Something happened to an approval, which was asked for during this session where that is known.
    #[cfg(feature = "gate")]
    pub(crate) fn of_approval(step: &ApprovalStep, during: Option<&SessionId>) -> Self {
        let ApprovalStep {
            card,
            at,
            question,
            state,
            by,
            reason,
        } = step;
        let mut entry = Self::new(&card.app, APPROVALS, slug_part(card.session.as_str()));
        entry.facts.insert("state", state.clone());
        if let Some(asked) = question {
            let (tool, source) = (one_line(&asked.tool), one_line(&asked.source));
            entry.title = Some(format!("{tool} of {source}"));
            entry.facts.insert("tool", tool.clone());
            entry.facts.insert("source", source.clone());
            entry.lines = vec![("Tool", tool), ("Server", source)];
            if let Some(caller) = &asked.caller {
                entry.facts.insert("caller", one_line(caller));
                entry.lines.push(("Asked by", one_line(caller)));
            }
        }
        if let Some(session) = during {
            let link = format!("[[{}]]", Self::slug_of_session(session));
            entry.lines.push(("During", link));
        }
        let mut what = state.clone();
        if let Some(by) = by {
            let by = one_line(by);
            what.push_str(&format!(" by {by}"));
            entry.facts.insert("decided_by", by.clone());
            entry.facts.insert("decided_at", at.to_string());
            entry.lines.push(("Decided", format!("{state} by {by}")));
        }
        if let Some(reason) = reason {
            what.push_str(&format!(": {}", one_line(reason)));
        }
        entry.rows = vec![row(*at, &what)];
        entry
    }

    /// Adds what happened later; of more rows than `rows_max` the oldest are dropped.
    pub(crate) fn merge(&mut self, later: Self, rows_max: usize) {
        self.title = later.title.or(self.title.take());
        self.facts.extend(later.facts);
        for (name, count) in later.counts {
            *self.counts.entry(name).or_default() += count;
        }
        for (label, text) in later.lines {
            match self.lines.iter_mut().find(|(known, _)| *known == label) {
                Some((_, line)) => *line = text,
                None => self.lines.push((label, text)),
            }
        }
        self.left_out += later.left_out;
        self.add_rows(later.rows, rows_max);
        // As many as there are rows: each row is of one render.
        let room = rows_max.saturating_sub(self.answers.len());
        self.answers.extend(later.answers.into_iter().take(room));
        self.is_last |= later.is_last;
    }

    /// The whole page with it; everything that others have written there stays.
    pub(crate) fn onto(&self, page: Option<&str>, rows_max: usize) -> String {
        let source = page.unwrap_or_default();
        let document = Document::parse(source);
        let old = |name: &str| document.frontmatter.get(name);
        let number = |name: &str| {
            old(name)
                .and_then(|text| text.parse().ok())
                .unwrap_or(0_u64)
        };
        let mut lines: Vec<String> = document.truth.lines().map(str::to_owned).collect();
        for (label, text) in &self.lines {
            let start = format!("- {label}: ");
            let line = format!("{start}{text}");
            match lines.iter_mut().find(|line| line.starts_with(&start)) {
                Some(known) => *known = line,
                None => lines.push(line),
            }
        }
        let newest = self.rows.iter().rev().map(|row| format!("- {row}"));
        let mut rows: Vec<String> = newest.collect();
        rows.extend(document.timeline.lines().map(str::to_owned));
        let over = rows.len().saturating_sub(rows_max);
        rows.truncate(rows_max);
        let left_out = number(LEFT_OUT) + self.left_out + over as u64;
        let mut entries = vec![("type", self.kind.to_owned())];
        if let (None, Some(title)) = (old("title"), &self.title) {
            entries.push(("title", title.clone()));
        }
        let facts = self.facts.iter();
        entries.extend(facts.map(|(name, value)| (*name, value.clone())));
        let counts = self.counts.iter();
        entries.extend(counts.map(|(name, more)| (*name, (number(name) + more).to_string())));
        if left_out > 0 {
            entries.push((LEFT_OUT, left_out.to_string()));
        }
        let body = format!("{}\n---\n{}\n", lines.join("\n"), rows.join("\n"));
        rewritten(source, &entries, Some(&body))
    }
}

/// A value in a line, without what is secret by its name or by the contract.
pub(crate) fn line_of(value: &Value, contract: &CompiledContract) -> String {
    let given = match value {
        Value::Null => return String::new(),
        Value::Object(members) => members.clone(),
        other => Map::from_iter([("value".to_owned(), other.clone())]),
    };
    let rows = Redaction::marked_in(contract.source()).rows(&given);
    let parts = rows
        .iter()
        .map(|row| format!("{} = {}", row.name, row.value));
    one_line(&parts.collect::<Vec<_>>().join(", "))
}

/// A text in one line, with everything in it visible.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    shorten(&visible(&words.join(" ")), TEXT_CHARS_MAX)
}

pub(super) fn row(at: Time, what: &str) -> String {
    format!("{at}: {}", one_line(what))
}

/// A name as part of a slug.
fn slug_part(name: &str) -> String {
    let letters = name
        .chars()
        .map(|letter| match letter.to_ascii_lowercase() {
            plain
                if plain.is_ascii_lowercase() || plain.is_ascii_digit() || "_-".contains(plain) =>
            {
                plain
            }
            _ => '-',
        });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::contract::samples::compiled;
    use super::*;

    fn entry(rows: &[&str]) -> Entry {
        let mut entry = Entry::of_session(&"a".into(), &"s-1".into(), "Pick\na tea", "ida", None);
        entry.rows = rows.iter().map(|row| (*row).to_owned()).collect();
        entry.counts.insert(SHOWN, 1);
        entry
    }

    #[test]
    fn a_page_gets_lines_counts_and_rows_and_keeps_what_others_wrote() {
        let first = entry(&["2026-05-01: one"]).onto(None, 2);
        let page = Document::parse(&first);
        assert_eq!(page.frontmatter["title"], "Pick a tea");
        assert_eq!(
            page.truth.trim(),
            "- Asked for: Pick a tea\n- Asked by: ida"
        );
        let edited = first.replace("- Asked by: ida", "- Asked by: ida\n\nShe was in a hurry.");
        let mut more = entry(&["2026-05-02: two"]);
        more.merge(entry(&["2026-05-03: three"]), 2);
        let page = Document::parse(&more.onto(Some(&edited), 2));
        assert!(page.truth.contains("She was in a hurry."), "{page:?}");
        assert_eq!(page.truth.matches("Asked for").count(), 1);
        assert_eq!(page.frontmatter[SHOWN], "3");
        assert_eq!(page.frontmatter[LEFT_OUT], "1");
        assert_eq!(
            page.timeline.trim(),
            "- 2026-05-03: three\n- 2026-05-02: two"
        );
    }

    #[test]
    fn a_value_is_told_without_what_the_contract_or_its_name_keeps_secret() {
        let contract = compiled(&json!({"actionSpec": {"save": {
            "label": "Save",
            "schema": {"type": "object", "properties": {
                "name": {"type": "string"},
                "pin": {"type": "string", "writeOnly": true},
                "password": {"type": "string"},
            }},
        }}}));
        let given = json!({"name": "Tea\nand more", "pin": "1234", "password": "hunter2"});
        let line = line_of(&given, &contract);
        assert!(line.contains("name = Tea and more"), "{line}");
        assert!(
            !line.contains("1234") && !line.contains("hunter2"),
            "{line}"
        );
    }
}

//! A page as text: frontmatter, compiled truth and timeline, read and rendered.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::interval::Interval;
use super::slug::{Slug, is_word};

/// The line that ends the frontmatter, and the one between compiled truth and timeline.
const RULE: &str = "---";
/// Letters of a summary: what a list shows in a line or two.
const SUMMARY_CHARS_MAX: usize = 200;
/// Bytes of the shortest date, `YYYY-MM`.
const DATE_BYTES_MIN: usize = 7;
/// The type of a page that names none.
const KIND_DEFAULT: &str = "concept";
/// Parts of a page that are searched by meaning: a long page is coarser, not larger.
const PARTS_MAX: usize = 64;
/// Bytes from which a part is long enough to mean something.
const PART_BYTES_MIN: usize = 200;
/// The entry that ends what a page states.
pub(crate) const VALID_UNTIL: &str = "valid_until";
/// Entries of the frontmatter that the store writes itself.
const SLUG_KEY: &str = "slug";
const UUID_KEY: &str = "gbrain_id";
const VERSION_KEY: &str = "version";

/// What the text of a page says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    /// Its entries, without those that the store writes itself.
    pub(crate) frontmatter: BTreeMap<String, String>,
    /// The id that the text claims for its page.
    pub(crate) claimed_uuid: Option<String>,
    /// What is held true now.
    pub(crate) truth: String,
    /// What happened, as it was written.
    pub(crate) timeline: String,
}

impl Document {
    /// Reads the text of a page; every text is one.
    pub(crate) fn parse(text: &str) -> Self {
        let text = text.replace("\r\n", "\n");
        let (mut frontmatter, body) = match frontmatter_of(&text) {
            Some((head, body)) => (entries(head), body),
            None => (BTreeMap::new(), text.as_str()),
        };
        for own in [SLUG_KEY, VERSION_KEY] {
            frontmatter.remove(own);
        }
        let claimed_uuid = frontmatter.remove(UUID_KEY);
        let (truth, timeline) = split_at_rule(body);
        Self {
            frontmatter,
            claimed_uuid,
            truth: truth.to_owned(),
            timeline: timeline.to_owned(),
        }
    }

    /// What the page is called.
    pub(crate) fn title(&self, slug: &Slug) -> String {
        self.entry("title").unwrap_or(slug.as_str()).to_owned()
    }

    /// What kind of page it is.
    pub(crate) fn kind(&self) -> String {
        self.entry("type").unwrap_or(KIND_DEFAULT).to_owned()
    }

    /// The part of the collection it stands in.
    pub(crate) fn wing(&self, slug: &Slug) -> String {
        self.entry("wing").unwrap_or(slug.wing()).to_owned()
    }

    /// Its first paragraph, or its first line.
    pub(crate) fn summary(&self) -> String {
        let paragraphs = self.truth.split("\n\n").map(str::trim);
        let mut lines = paragraphs.map(|paragraph| {
            let lines = paragraph.lines().map(str::trim);
            let lines: Vec<_> = lines.filter(|line| !line.starts_with('#')).collect();
            lines.join(" ").trim().to_owned()
        });
        let first = lines.find(|paragraph| !paragraph.is_empty());
        let first = first.unwrap_or_else(|| {
            let mut lines = self.truth.lines().map(str::trim);
            lines
                .find(|line| !line.is_empty())
                .unwrap_or_default()
                .to_owned()
        });
        first.chars().take(SUMMARY_CHARS_MAX).collect()
    }

    /// The tags that its frontmatter names: `tags: a, b` or `tags: [a, b]`.
    pub(crate) fn tags(&self) -> Vec<String> {
        let listed = self.entry("tags").unwrap_or_default();
        let listed = listed.trim_start_matches('[').trim_end_matches(']');
        let words = listed.split(',').map(|word| word.trim().to_lowercase());
        words.filter(|word| is_word(word)).collect()
    }

    /// The addresses between `[[` and `]]` in the compiled truth, as they are written.
    pub(crate) fn wiki_links(&self) -> Vec<&str> {
        let parts = self.truth.split("[[").skip(1);
        let inner = parts.filter_map(|part| part.split_once("]]"));
        let targets = inner.map(|(inner, _)| inner.split('|').next().unwrap_or(inner).trim());
        let mut found: Vec<_> = targets.filter(|target| !target.is_empty()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The entries of the timeline, newest first where they begin with a date, else as they stand.
    pub(crate) fn timeline_entries(&self) -> Vec<String> {
        let mut entries: Vec<String> = Vec::new();
        let mut is_open = false;
        for line in self.timeline.lines() {
            let line = line.trim_end();
            if line == RULE || line.is_empty() {
                is_open = false;
                continue;
            }
            let item = line.strip_prefix("- ").unwrap_or(line);
            let is_new = !is_open || line.starts_with("- ") || !date_of(item).is_empty();
            match entries.last_mut() {
                Some(last) if !is_new => {
                    last.push('\n');
                    last.push_str(item);
                }
                _ => entries.push(item.to_owned()),
            }
            is_open = true;
        }
        entries.sort_by_cached_key(|entry| Reverse(date_of(entry).to_owned()));
        entries
    }

    /// When what it states holds; always, where that is not said in a way that is understood.
    pub(crate) fn validity(&self) -> Interval {
        let (from, until) = (self.entry("valid_from"), self.entry(VALID_UNTIL));
        Interval::parse(from, until).unwrap_or_default()
    }

    /// Parts that are searched by meaning: sections of the compiled truth and entries of the
    /// timeline, short ones together.
    pub(crate) fn parts(&self, title: &str) -> Vec<String> {
        let bytes = self.truth.len() + self.timeline.len();
        let bytes_min = (bytes / PARTS_MAX).max(PART_BYTES_MIN);
        let mut parts = vec![format!("{title}\n")];
        let truth = self
            .truth
            .lines()
            .map(|line| (line, line.starts_with("## ")));
        let timeline = self.timeline.lines().map(|line| (line, true));
        for (line, may_begin) in truth.chain(timeline) {
            let is_long = parts.last().is_some_and(|part| part.len() >= bytes_min);
            if may_begin && is_long {
                parts.push(format!("{title}\n"));
            }
            if let Some(part) = parts.last_mut() {
                part.push_str(line);
                part.push('\n');
            }
        }
        parts
    }

    fn entry(&self, name: &str) -> Option<&str> {
        let entry = self.frontmatter.get(name).map(String::as_str);
        entry.filter(|text| !text.is_empty())
    }

    /// The text of a page with what the store knows of it.
    pub(crate) fn render(&self, slug: &str, uuid: &str, version: i64) -> String {
        let mut entries = self.frontmatter.clone();
        entries.insert(SLUG_KEY.to_owned(), slug.to_owned());
        entries.insert(UUID_KEY.to_owned(), uuid.to_owned());
        entries.insert(VERSION_KEY.to_owned(), version.to_string());
        let mut text = format!("{RULE}\n");
        for (name, value) in entries {
            text.push_str(&format!("{name}: {value}\n"));
        }
        text.push_str(&format!("{RULE}\n{}", with_newline(&self.truth)));
        text.push_str(&format!("{RULE}\n{}", with_newline(&self.timeline)));
        text
    }
}

/// The frontmatter and what follows it.
pub(super) fn frontmatter_of(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("---\n")?;
    if let Some(body) = rest.strip_prefix("---\n") {
        return Some(("", body));
    }
    match rest.split_once("\n---\n") {
        Some(parts) => Some(parts),
        None => rest.strip_suffix("\n---").map(|head| (head, "")),
    }
}

/// `name: value` lines; a list below a name becomes one text.
fn entries(head: &str) -> BTreeMap<String, String> {
    let mut entries = BTreeMap::new();
    let mut last: Option<String> = None;
    for line in head.lines() {
        if let (Some(item), Some(name)) = (line.trim_start().strip_prefix("- "), &last) {
            let value: &mut String = entries.entry(name.clone()).or_default();
            if !value.is_empty() {
                value.push_str(", ");
            }
            value.push_str(unquoted(item));
            continue;
        }
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        let name = name.trim().to_owned();
        if name.is_empty() || name.starts_with('#') {
            continue;
        }
        entries.insert(name.clone(), unquoted(value).to_owned());
        last = Some(name);
    }
    entries
}

pub(super) fn unquoted(value: &str) -> &str {
    let value = value.trim();
    for quote in ['"', '\''] {
        let inner = value.strip_prefix(quote);
        if let Some(inner) = inner.and_then(|inner| inner.strip_suffix(quote)) {
            return inner;
        }
    }
    value
}

/// What stands before the first rule, and after it.
fn split_at_rule(body: &str) -> (&str, &str) {
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        if line.trim_end_matches('\n') == RULE {
            return (&body[..at], &body[at + line.len()..]);
        }
        at += line.len();
    }
    (body, "")
}

fn with_newline(text: &str) -> String {
    match text {
        "" => String::new(),
        text if text.ends_with('\n') => text.to_owned(),
        text => format!("{text}\n"),
    }
}

/// The date a line begins with, `YYYY-MM` or longer; empty for none.
fn date_of(line: &str) -> &str {
    let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
    let length = line.bytes().take_while(|byte| is_part(byte)).count();
    let date = &line[..length];
    if date.len() >= DATE_BYTES_MIN && date.as_bytes()[4] == b'-' {
        date
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALICE: &str = "---\ntitle: Alice\ntype: person\ntags: [vip, old]\n---\n# Alice\n\nRuns \
        [[companies/acme]].\n\n## Facts\nTea.\n---\n- 2026-04-01 met\n- 2026-05-01: joined\n  as \
        head\n";

    #[test]
    fn a_page_has_frontmatter_compiled_truth_and_timeline() {
        let page = Document::parse(ALICE);
        let slug = Slug::parse("people/alice").unwrap();
        assert_eq!(
            (page.title(&slug), page.kind()),
            ("Alice".into(), "person".into())
        );
        assert_eq!(page.summary(), "Runs [[companies/acme]].");
        assert_eq!(page.wiki_links(), ["companies/acme"]);
        assert_eq!(page.tags(), ["vip", "old"]);
        assert_eq!(
            page.timeline_entries(),
            ["2026-05-01: joined\n  as head", "2026-04-01 met"]
        );
        assert_eq!(page.parts("Alice").len(), 1);
        let long = Document::parse(&"## A\nwords\n".repeat(10_000));
        assert!((2..=PARTS_MAX + 1).contains(&long.parts("Long").len()));
    }

    #[test]
    fn what_is_rendered_is_read_as_the_same_page() {
        let page = Document::parse(ALICE);
        let text = page.render("default::people/alice", "id-1", 3);
        assert!(text.starts_with("---\ngbrain_id: id-1\nslug: default::people/alice\ntags: "));
        assert!(text.contains("\nversion: 3\n---\n# Alice\n"), "{text}");
        let again = Document::parse(&text);
        assert_eq!(again.claimed_uuid.as_deref(), Some("id-1"));
        assert_eq!(again.render("default::people/alice", "id-1", 3), text);
        assert_eq!(again.truth, page.truth);
    }

    #[test]
    fn a_text_without_frontmatter_or_timeline_is_all_truth() {
        for text in ["Green.", "", "--- \nx", "a --- b"] {
            let page = Document::parse(text);
            assert!(
                page.frontmatter.is_empty() && page.timeline.is_empty(),
                "{text}"
            );
        }
    }

    #[test]
    fn a_summary_of_headings_alone_is_the_first_one() {
        assert_eq!(Document::parse("# Tea\n\n## Green").summary(), "# Tea");
    }
}

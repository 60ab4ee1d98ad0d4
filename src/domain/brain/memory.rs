//! A page as a memory: a text, and labels beside it that stand in the frontmatter.

use super::document::{frontmatter_of, unquoted};

/// The text after the frontmatter, to the last byte.
pub(crate) fn body_of(source: &str) -> &str {
    let plain = source.replace("\r\n", "\n");
    let Some((_, body)) = frontmatter_of(&plain) else {
        return source;
    };
    if body.is_empty() {
        return "";
    }
    // Both texts have the same lines, whatever ends them.
    let lines = plain[..plain.len() - body.len()].matches('\n').count();
    let mut ends = source.match_indices('\n').map(|(at, _)| at + 1);
    ends.nth(lines.saturating_sub(1))
        .map_or(source, |at| &source[at..])
}

/// A page with other entries of its frontmatter, each one line, and with another text where one is
/// given. Everything else of it stays as it was written.
pub(crate) fn rewritten(source: &str, entries: &[(&str, String)], body: Option<&str>) -> String {
    let old = body_of(source);
    let body = body.unwrap_or(old);
    if entries.is_empty() {
        let head = &source[..source.len() - old.len()];
        // A text that begins like frontmatter is none.
        let rule = if head.is_empty() && body.starts_with("---") {
            "---\n---\n"
        } else {
            ""
        };
        return format!("{head}{rule}{body}");
    }
    let plain = source.replace("\r\n", "\n");
    let head = frontmatter_of(&plain).map_or("", |(head, _)| head);
    let mut text = String::from("---\n");
    let mut is_replaced = false;
    for line in head.lines() {
        // What stands in a list below a name belongs to it.
        if !line.trim_start().starts_with("- ") {
            let name = line.split_once(':').map(|(name, _)| name.trim());
            is_replaced = entries.iter().any(|(entry, _)| name == Some(entry));
        }
        if !is_replaced {
            text.push_str(line);
            text.push('\n');
        }
    }
    for (name, value) in entries {
        if unquoted(value) == value {
            text.push_str(&format!("{name}: {value}\n"));
        } else {
            text.push_str(&format!("{name}: \"{value}\"\n"));
        }
    }
    text.push_str("---\n");
    text.push_str(body);
    text
}

#[cfg(test)]
mod tests {
    use super::super::document::Document;
    use super::*;

    #[test]
    fn the_text_of_a_memory_is_read_back_to_the_last_byte() {
        for body in [
            "Tea.",
            "",
            "a\r\nb\r\n",
            "---\nx\n---\ny",
            "\n---\n",
            "---",
            "- a\n",
            "é\n\n",
        ] {
            let entries = [("type", "fact".to_owned())];
            let page = rewritten("", &entries, Some(body));
            assert_eq!(body_of(&page), body, "{page:?}");
            let bare = rewritten("", &[], Some(body));
            assert_eq!(body_of(&bare), body, "{bare:?}");
            let again = rewritten(&page, &[("title", "T".to_owned())], None);
            assert_eq!(body_of(&again), body, "{again:?}");
        }
    }

    #[test]
    fn entries_are_replaced_and_what_else_stands_there_stays() {
        let page = "---\r\ntitle: Old\r\ntags:\r\n  - a\r\nworks_at: acme\r\n---\r\nText.\r\n";
        let entries = [
            ("title", " \"New\" ".to_owned()),
            ("tags", "b".to_owned()),
            ("metadata", "{\"a\":\"b: c\"}".to_owned()),
        ];
        let page = rewritten(page, &entries, None);
        let read = Document::parse(&page).frontmatter;
        assert_eq!(read["title"], " \"New\" ");
        assert_eq!(read["tags"], "b");
        assert_eq!(read["works_at"], "acme");
        assert_eq!(read["metadata"], "{\"a\":\"b: c\"}");
        assert!(page.ends_with("---\nText.\r\n"), "{page:?}");
    }
}

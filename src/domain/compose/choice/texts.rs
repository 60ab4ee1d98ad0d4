//! Whether words that somebody chose may stand on a page.

/// Characters of a headline: eight long words.
pub(super) const HEADLINE_CHARS_MAX: usize = 80;
/// Characters of a title or of a label: what still stands on one line of a phone.
pub(super) const LABEL_CHARS_MAX: usize = 60;
/// Characters of the sentence below a headline: two lines.
pub(super) const LEAD_CHARS_MAX: usize = 240;

/// What is wrong with words; nothing, if they may be shown.
pub(super) fn problem(text: &str, chars_max: usize) -> Option<String> {
    let count = text.chars().count();
    if text.trim().is_empty() {
        Some("is empty; leave it out to keep the drafted words".to_owned())
    } else if count > chars_max {
        Some(format!("has {count} characters, more than {chars_max}"))
    } else if text.chars().any(is_invisible) {
        Some("holds a character that nobody sees".to_owned())
    } else if text.contains("${") || text.contains("://") {
        Some("is no plain text: bindings and addresses are not written in words".to_owned())
    } else {
        None
    }
}

/// Whether a character moves or hides others: what is shown must be what was checked.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_plain_words_may_stand_on_a_page() {
        for good in ["Open work", "Rechnungen – Übersicht", "予約", "Total (€)"] {
            assert_eq!(problem(good, LABEL_CHARS_MAX), None, "{good}");
        }
        for bad in [
            "",
            "   ",
            "two\nlines",
            "hidden\u{202e}txt",
            "${/props/secret}",
            "see https://a.example",
        ] {
            assert!(problem(bad, LABEL_CHARS_MAX).is_some(), "{bad:?}");
        }
        assert_eq!(problem(&"ä".repeat(60), LABEL_CHARS_MAX), None);
        assert!(problem(&"ä".repeat(61), LABEL_CHARS_MAX).is_some());
    }
}

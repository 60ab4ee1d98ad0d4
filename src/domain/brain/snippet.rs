//! The stretch of a text that shows why it was found. The index of words could cut one, too, but
//! compares every place of a word with every other: of a page that says one word over and over, that
//! takes hours.

use std::collections::HashMap;

use super::words::words;

/// Words of a snippet: about two lines.
const WORDS: usize = 24;
/// Characters of a text that are looked at; a search shows hundreds of pages.
pub(crate) const CHARS_MAX: usize = 1 << 16;
/// Characters that two forms of a word begin with at least, and those in which they may differ.
const STEM_CHARS_MIN: usize = 4;
const ENDING_CHARS_MAX: usize = 3;

/// The first stretch with as many different words of a query as any has; none where there is none of
/// them.
pub(crate) fn snippet(text: &str, terms: &[String]) -> Option<String> {
    let words: Vec<&str> = words(text).collect();
    let numbered = words.iter().enumerate();
    let hits: Vec<(usize, usize)> = numbered
        .filter_map(|(at, word)| Some((at, term_of(word, terms)?)))
        .collect();
    let (first, last) = densest(&hits)?;
    let before = WORDS.saturating_sub(last - first + 1) / 2;
    let begin = first.saturating_sub(before);
    let start_of = |word: &&str| word.as_ptr().addr() - text.as_ptr().addr();
    let start = match begin {
        0 => 0,
        _ => start_of(words.get(begin)?),
    };
    let end = words.get(begin + WORDS).map_or(text.len(), start_of);
    let shown = text.get(start..end)?.trim();
    let head = if start > 0 { "… " } else { "" };
    let tail = if end < text.len() { " …" } else { "" };
    Some(format!("{head}{shown}{tail}"))
}

/// Which word of a query it is, in whatever form.
fn term_of(word: &str, terms: &[String]) -> Option<usize> {
    let word = word.to_lowercase();
    terms.iter().position(|term| {
        let pairs = term.chars().zip(word.chars());
        let common = pairs.take_while(|(a, b)| a == b).count();
        let longest = term.chars().count().max(word.chars().count());
        common == longest || common >= STEM_CHARS_MIN.max(longest.saturating_sub(ENDING_CHARS_MAX))
    })
}

/// The first and the last hit of the first stretch in which the most different terms are.
fn densest(hits: &[(usize, usize)]) -> Option<(usize, usize)> {
    let mut inside: HashMap<usize, usize> = HashMap::new();
    let mut left = hits.iter().peekable();
    let mut best: Option<(usize, usize, usize)> = None;
    for &(at, term) in hits {
        *inside.entry(term).or_default() += 1;
        while let Some((_, gone)) = left.next_if(|(first, _)| at - first >= WORDS) {
            if let Some(count) = inside.get_mut(gone) {
                *count -= 1;
            }
        }
        let different = inside.values().filter(|&&count| count > 0).count();
        let first = left.peek().map_or(at, |(first, _)| *first);
        if best.is_none_or(|(most, ..)| different > most) {
            best = Some((different, first, at));
        }
    }
    best.map(|(_, first, last)| (first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, query: &[&str]) -> Option<String> {
        let terms: Vec<_> = query.iter().map(|&term| term.to_owned()).collect();
        snippet(text, &terms)
    }

    #[test]
    fn it_is_where_most_of_the_words_stand_and_says_what_was_left_out() {
        let filler = "word ".repeat(40);
        let text = format!("Tea. {filler}The garden, where tea is served (at four). {filler}");
        let found = of(&text, &["tea", "gardens"]).expect("a snippet");
        assert!(found.starts_with("… word"), "{found}");
        assert!(
            found.contains("The garden, where tea is served (at four)."),
            "{found}"
        );
        assert!(found.ends_with("word …"), "{found}");
        assert_eq!(found.split_whitespace().count(), WORDS + 2, "{found}");
    }

    #[test]
    fn a_short_text_is_whole_and_one_without_the_words_has_none() {
        assert_eq!(
            of("Runs Acme.\n", &["runs", "acme"]).as_deref(),
            Some("Runs Acme.")
        );
        assert_eq!(
            of("Grün ist der Tee!", &["tee"]).as_deref(),
            Some("Grün ist der Tee!")
        );
        assert_eq!(of("A stable page.", &["station"]), None);
        assert_eq!(of("", &["tea"]), None);
    }

    #[test]
    fn a_word_that_is_said_over_and_over_is_no_more_work_than_any_other() {
        let text = "met ".repeat(CHARS_MAX / 4);
        let found = of(&text, &["met"]).expect("a snippet");
        assert_eq!(found, format!("{}…", "met ".repeat(WORDS)));
    }
}

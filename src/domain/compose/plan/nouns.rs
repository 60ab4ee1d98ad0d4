//! The subject of a sentence: what an intent speaks of first.

use super::super::reading::split;
use super::verbs::INSTRUCTING;

/// Words of a headline; more of them are a sentence.
pub(super) const WORDS_MAX: usize = 6;

/// An intent that is a title already.
pub(super) fn short(intent: &str) -> Option<String> {
    let line = asked(intent)
        .trim()
        .lines()
        .next()?
        .trim()
        .trim_end_matches('.');
    let count = line.split_whitespace().count();
    let words = split(line);
    let is_instruction = match words.as_slice() {
        [first, second, ..] => {
            INSTRUCTING.contains(&first.as_str())
                // "Claim the expenses" asks for something; "At the door" does not.
                || (DETERMINERS.contains(&second.as_str()) && !PLACING.contains(&first.as_str()))
        }
        [first] => INSTRUCTING.contains(&first.as_str()),
        [] => false,
    };
    let fits = count > 0 && count <= WORDS_MAX && line.chars().count() <= CHARS_MAX;
    (fits && !is_instruction).then(|| capitalised(line))
}

/// Words that stand before a noun.
pub(super) const DETERMINERS: &[&str] = &[
    "a", "an", "its", "my", "our", "the", "their", "these", "this", "those", "your",
];

/// Words that stand before those and ask for nothing.
pub(super) const PLACING: &[&str] = &[
    "about", "after", "all", "at", "before", "behind", "both", "by", "for", "from", "in", "of",
    "off", "on", "over", "to", "under", "what", "with",
];

/// Words that say whose something is.
const OWN: &[&str] = &["her", "his", "its", "my", "our", "their", "your"];

/// Words before what somebody is led through.
const LED_MAX: usize = 8;

/// Characters of a headline: what fits on one line of a phone, twice.
const CHARS_MAX: usize = 60;

/// Words that speak of what shows something rather than of what is shown.
const SHOWING: &[&str] = &[
    "app",
    "component",
    "dashboard",
    "form",
    "interface",
    "page",
    "panel",
    "screen",
    "ui",
    "view",
    "widget",
];

/// Words before what is asked for: "I need a", "Please build a small interactive".
const ASKED_MAX: usize = 7;

/// What an intent asks for, without the words that ask: "the basket" of "Create a page where the
/// user can review the basket", and of "The user asked: review the basket".
fn asked(intent: &str) -> &str {
    let intent = intent.trim();
    let words: Vec<(usize, &str)> = intent
        .split_whitespace()
        .take(2 * ASKED_MAX)
        .map(|word| (word.as_ptr() as usize - intent.as_ptr() as usize, word))
        .collect();
    let bare = |nth: usize| {
        let word = words.get(nth).map_or("", |(_, word)| *word);
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
    };
    let rest = |nth: usize| words.get(nth).map_or(intent, |(at, _)| &intent[*at..]);
    // "The user asked: …"
    let colon_at = (0..words.len().min(ASKED_MAX)).find(|nth| words[*nth].1.ends_with(':'));
    if let Some(nth) = colon_at
        && matches!(
            bare(nth).as_str(),
            "asked" | "asks" | "said" | "says" | "wants" | "request"
        )
    {
        return rest(nth + 1);
    }
    // "I want to …", "Please …"
    let wishes = match bare(0).as_str() {
        "please" => 1,
        "i" | "we" | "user" => (1..4)
            .find(|nth| bare(*nth) == "to")
            .map_or(0, |nth| nth + 1),
        "the" if bare(1) == "user" => (2..5)
            .find(|nth| bare(*nth) == "to")
            .map_or(0, |nth| nth + 1),
        _ => 0,
    };
    // "Create a page where the user can …": a page of something is that; a page of its own is not.
    let shown = (wishes..words.len().min(wishes + ASKED_MAX)).find(|nth| {
        let is_own = matches!(
            bare(nth.wrapping_sub(1)).as_str(),
            "a" | "an" | "clean" | "interactive" | "live" | "simple" | "single" | "small"
        );
        SHOWING.contains(&bare(*nth).as_str()) && is_own
    });
    let Some(nth) = shown else {
        return rest(wishes);
    };
    match bare(nth + 1).as_str() {
        _ if words[nth].1.ends_with([':', '.']) => rest(nth + 1),
        "for" if bare(nth + 3) == "following" => {
            let after = rest(nth + 4);
            if after.is_empty() {
                rest(wishes)
            } else {
                after
            }
        }
        "to" | "for" | "of" | "showing" => rest(nth + 2),
        "where" | "so" | "that" | "which" | "with" => {
            let can = (nth + 2..nth + 7).find(|at| bare(*at) == "can");
            can.map_or(rest(nth + 2), |at| rest(at + 1))
        }
        _ => rest(wishes),
    }
}

/// Words of a clause that may only say whose desk it is.
const DESK_WORDS_MAX: usize = 2;

/// What somebody asks for, which says little without what it is for.
const ASKED_FOR: &[&str] = &[
    "appointment",
    "certificate",
    "grant",
    "licence",
    "license",
    "permit",
    "place",
    "quote",
    "visa",
];

/// What an intent speaks of first: `basket` of "Let the shopper review the basket, and pay"; behind
/// a word or two that may only say where one is, of both: "Probate: go through the estate".
pub(super) fn nouns(intent: &str) -> Vec<String> {
    let mut clauses = asked(intent).split(['.', ':', ';', '\n']);
    let first = clauses.next().unwrap_or_default();
    let is_desk = first.split_whitespace().count() <= DESK_WORDS_MAX;
    let second = clauses.next().filter(|_| is_desk);
    [Some(first), second]
        .into_iter()
        .flatten()
        .filter_map(noun)
        .collect()
}

/// Words that end what a clause speaks of.
pub(super) const STOPS: &[&str] = &[
    "and", "are", "as", "at", "before", "between", "but", "by", "each", "from", "in", "into", "is",
    "line", "live", "of", "on", "one", "or", "over", "segment", "side", "so", "step", "that",
    "then", "through", "to", "until", "when", "where", "which", "while", "whose", "with", "within",
    "without", "what", "who", "may", "for", "set", "whether", "how", "they", "was", "were", "has",
    "have", "can", "could", "might", "must", "should", "will", "would", "waits", "wait", "i", "we",
    "you", "out", "off", "down", "per", "she", "he", "it", "come", "comes", "came", "go", "goes",
    "went",
];

/// The first thing a clause speaks of.
pub(super) fn noun(clause: &str) -> Option<String> {
    const ARTICLES: &[&str] = &[
        "a", "an", "another", "my", "one", "our", "the", "their", "these", "this", "those", "your",
        "its",
    ];
    const KEPT: &[&str] = &["apart", "beside", "going", "posted", "ready", "well"];
    const SOFT: &[&str] = &[
        "all",
        "any",
        "eight",
        "every",
        "everything",
        "five",
        "four",
        "long",
        "many",
        "more",
        "much",
        "new",
        "nine",
        "old",
        "open",
        "running",
        "seven",
        "short",
        "six",
        "small",
        "some",
        "ten",
        "three",
        "two",
    ];
    let tokens: Vec<(&str, String)> = clause
        .split_whitespace()
        .map(|word| {
            (
                word,
                word.trim_matches(|c: char| !c.is_alphanumeric())
                    .to_lowercase(),
            )
        })
        .collect();
    let mut from = 0;
    // "Let the shopper review …", "Ask passengers …": whom it is for is not what it is about.
    if tokens.first().is_some_and(|(_, word)| {
        matches!(
            word.as_str(),
            "let" | "allow" | "help" | "lead" | "guide" | "give" | "ask" | "tell"
        )
    }) {
        from = 1;
        if tokens
            .get(from)
            .is_some_and(|(_, word)| ARTICLES.contains(&word.as_str()))
        {
            from += 2;
        } else {
            from += 1;
        }
    }
    let is_article = |word: &str| ARTICLES.contains(&word);
    // "Take a new customer through the contract": what somebody is led through is what it is about.
    let through = tokens
        .iter()
        .take(LED_MAX)
        .position(|(_, word)| word == "through")
        .filter(|at| {
            tokens
                .get(at + 1)
                .is_some_and(|(_, word)| is_article(word) || is_doing(word))
        });
    // "through enrolling a child": what is done there is the subject.
    if let Some(at) = through.filter(|at| tokens.get(at + 1).is_some_and(|(_, w)| is_doing(w))) {
        return deed(&tokens[at + 1..], STOPS);
    }
    from = through.map_or(from, |at| at + 1);
    let at = |nth: usize| tokens.get(nth).map_or("", |(_, word)| word.as_str());
    // "Show the clerk the hearings": whom it is shown to is not what is shown.
    if from == 0 && matches!(at(0), "show" | "bring" | "send") && is_article(at(1)) {
        let asks = |word: &str| matches!(word, "what" | "which" | "how" | "where" | "when");
        let is_told = |word: &str| is_article(word) || matches!(word, "all" | "each" | "every");
        if is_told(at(3)) || asks(at(3)) {
            from = 3;
        } else if asks(at(4)) {
            from = 4;
        }
    }
    // "The registrar decides on a request": who works with the page is not what it is about.
    if from == 0 && is_article(at(0)) {
        let acts = |word: &str| {
            let stem = word.strip_suffix('s');
            stem.is_some_and(|stem| INSTRUCTING.contains(&stem))
        };
        // "These donor records may be": what may do something is a thing, not an act.
        let is_thing = |word: &str| matches!(word, "are" | "can" | "may" | "must" | "should");
        from = (2..=3)
            .find(|nth| acts(at(*nth)) && !is_thing(at(nth + 1)))
            .map_or(0, |nth| nth + 1);
    }
    // "flight offers with one leg": what comes after the first stop is beside the point.
    let stop = (from + 1..tokens.len())
        .find(|at| STOPS.contains(&tokens[*at].1.as_str()) && !is_article(&tokens[*at].1))
        .unwrap_or(tokens.len());
    let start = (from..stop)
        .find(|at| is_article(&tokens[*at].1))
        .map(|at| at + 1)
        .or_else(|| {
            let is_verb = tokens
                .get(from)
                .is_some_and(|(_, word)| INSTRUCTING.contains(&word.as_str()));
            Some(from + usize::from(is_verb))
        })?;
    let mut taken = Vec::new();
    let mut end = tokens.len();
    for (at, (word, bare)) in tokens.iter().enumerate().skip(start) {
        end = at;
        // "The offers the banks sent": what comes after them only says which.
        let is_stop = STOPS.contains(&bare.as_str()) || is_article(bare);
        if is_stop && !taken.is_empty() {
            break;
        }
        if STOPS.contains(&bare.as_str())
            || is_article(bare)
            || (taken.is_empty()
                && (SOFT.contains(&bare.as_str()) || bare.chars().all(|c| c.is_ascii_digit())))
        {
            continue;
        }
        let clean = word
            .trim_end_matches([',', ';', ':', '!', '?', ')'])
            .trim_start_matches('(');
        // "the night crew's shifts" are shifts.
        if ["'s", "’s", "s'", "s’"]
            .iter()
            .any(|end| word.ends_with(end))
        {
            taken.clear();
            continue;
        }
        taken.push(clean);
        end = at + 1;
        if clean.len() < word.len() || taken.len() >= 3 {
            break;
        }
    }
    let next = |nth: usize| tokens.get(end + nth).map_or("", |(_, word)| word.as_str());
    let is_whole = end > 0 && tokens[end - 1].0.ends_with([',', '.', ':', ';']);
    // "the four steps of an application" are about the application.
    let counts = |word: &&str| {
        matches!(
            word.to_lowercase().as_str(),
            "pages" | "parts" | "stages" | "steps"
        )
    };
    if let [only] = taken.as_slice()
        && counts(only)
        && next(0) == "of"
        && !is_whole
    {
        let rest: Vec<&str> = tokens[end + 1..].iter().map(|(word, _)| *word).collect();
        return noun(&rest.join(" "));
    }
    // "a permit for a skip" says more than a permit.
    let says_little = taken
        .last()
        .is_some_and(|word| ASKED_FOR.contains(&word.to_lowercase().as_str()));
    if taken.len() == 1 && says_little && next(0) == "for" && is_article(next(1)) && !is_whole {
        let of = tokens[end..].iter().take(3).map(|(word, _)| *word);
        taken.extend(of.map(|word| word.trim_end_matches([',', ';', ':', '.', '?'])));
    }
    // How something is kept is not what it is ("Keep the tanks well"), and a page is no subject of itself.
    let is_beside = |word: &str| {
        let word = word.to_lowercase();
        KEPT.contains(&word.as_str()) || matches!(word.as_str(), "page" | "screen" | "view")
    };
    while taken.len() > 1 && taken.last().is_some_and(|word| is_beside(word)) {
        taken.pop();
    }
    let text = taken.join(" ");
    (!text.is_empty() && text.chars().count() <= CHARS_MAX).then(|| capitalised(&text))
}

/// Whether a word says what somebody does: `enrolling`.
fn is_doing(word: &str) -> bool {
    word.len() > 5 && word.ends_with("ing")
}

/// What is done, with what it is done to: "enrolling a child at the kindergarten" up to its first stop.
fn deed(tokens: &[(&str, String)], stops: &[&str]) -> Option<String> {
    let ends = |(word, bare): &(&str, String)| {
        (stops.contains(&bare.as_str()) && bare != "up")
            || word.ends_with([',', ':', ';', '?', '!'])
    };
    let end = tokens.iter().position(ends).map_or(tokens.len(), |at| {
        at + usize::from(!stops.contains(&tokens[at].1.as_str()))
    });
    // "planning his leave": what somebody does about their own is about that.
    let is_own = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|(_, word)| OWN.contains(&word.as_str()))
    };
    let from = if is_own(1) && end > 2 { 2 } else { 0 };
    let text = tokens[from..end.min(WORDS_MAX)]
        .iter()
        .map(|(word, _)| word.trim_end_matches([',', ':', ';', '?', '!']))
        .collect::<Vec<_>>()
        .join(" ");
    (!text.is_empty() && text.chars().count() <= CHARS_MAX).then(|| capitalised(&text))
}

pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

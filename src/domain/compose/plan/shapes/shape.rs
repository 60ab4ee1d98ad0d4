//! The pictures records may be shown as, and those an intent may ask for.

use super::super::super::reading::{Field, Thing, Word, singular, split};

/// What records are shown as.
#[derive(Clone, Debug)]
pub(crate) enum Shape<'a> {
    /// Sections of a text.
    Article {
        number: Option<&'a str>,
        title: Option<&'a str>,
        text: &'a str,
    },
    /// Columns by state.
    Board { title: &'a str, group: &'a str },
    /// Days of a month.
    Calendar {
        title: &'a str,
        start: &'a str,
        end: Option<&'a str>,
    },
    /// Tiles.
    Cards {
        title: &'a str,
        image: Option<&'a str>,
    },
    /// Changes of a text, each before and after.
    Changes {
        number: Option<&'a str>,
        title: Option<&'a str>,
        before: &'a str,
        after: &'a str,
    },
    /// Numbers over `x`.
    Chart {
        kind: &'static str,
        x: &'a str,
        series: Vec<Field<'a>>,
        /// The member that says which line a number belongs to.
        by: Option<&'a str>,
    },
    /// Steps of something.
    Stepper {
        label: &'a str,
        status: &'a str,
        time: Option<&'a str>,
    },
    /// What people say to each other.
    Chat {
        author: &'a str,
        text: &'a str,
        time: Option<&'a str>,
    },
    /// Columns that hold their cards.
    Lanes {
        title: &'a str,
        cards: &'a str,
        name: &'a str,
    },
    /// Records whose parents are records of the same list.
    Nested { title: &'a str, parent: &'a str },
    /// Options to vote for.
    Poll {
        title: &'a str,
        count: Option<&'a str>,
    },
    /// Questions, one after the other; options that are records have a name and an id.
    Quiz {
        text: &'a str,
        options: &'a str,
        option: Option<&'a str>,
        key: Option<&'a str>,
        /// The member that says whether several may be chosen.
        several: Option<&'a str>,
    },
    /// Seats in their rows.
    Seats {
        row: &'a str,
        number: &'a str,
        status: Option<&'a str>,
        /// The member of each row that holds its seats, unless the records are seats.
        seats: Option<&'a str>,
    },
    /// Rows and columns.
    Table,
    /// What is ticked off, with the actions that do it, or gets a result.
    Tasks {
        title: &'a str,
        done: &'a str,
        open: Vec<String>,
        required: Option<&'a str>,
        group: Option<&'a str>,
        tick: Option<String>,
        untick: Option<String>,
    },
    /// Moments below each other.
    Timeline {
        time: Field<'a>,
        title: Option<&'a str>,
        text: Option<&'a str>,
    },
    /// Records inside records.
    Tree { title: &'a str, children: &'a str },
}

impl Shape<'_> {
    /// The components that lists of records are shown as.
    pub(crate) const COMPONENTS: &'static [&'static str] = &[
        "Article", "Board", "Calendar", "Cards", "Changes", "Chart", "Chat", "Poll", "Quiz",
        "Seats", "Stepper", "Table", "Tasks", "Timeline", "Tree",
    ];

    /// The component that shows it.
    pub(crate) fn component(&self) -> &'static str {
        match self {
            Self::Article { .. } => "Article",
            Self::Board { .. } | Self::Lanes { .. } => "Board",
            Self::Calendar { .. } => "Calendar",
            Self::Cards { .. } => "Cards",
            Self::Changes { .. } => "Changes",
            Self::Chart { .. } => "Chart",
            Self::Stepper { .. } => "Stepper",
            Self::Chat { .. } => "Chat",
            Self::Nested { .. } | Self::Tree { .. } => "Tree",
            Self::Poll { .. } => "Poll",
            Self::Quiz { .. } => "Quiz",
            Self::Seats { .. } => "Seats",
            Self::Table => "Table",
            Self::Tasks { .. } => "Tasks",
            Self::Timeline { .. } => "Timeline",
        }
    }
}

/// What the words of an intent ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PreferredShape {
    Board,
    Calendar,
    Cards,
    Chart,
    Table,
    Timeline,
}

impl PreferredShape {
    /// The pictures that may be chosen for any list, each with the component that shows it.
    const ALL: [(&str, Self); 5] = [
        ("Board", Self::Board),
        ("Calendar", Self::Calendar),
        ("Cards", Self::Cards),
        ("Table", Self::Table),
        ("Timeline", Self::Timeline),
    ];

    /// The components that may be asked for.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().map(|(name, _)| name)
    }

    /// The picture a hint names.
    pub(crate) fn named(component: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find_map(|(name, shape)| (name == component).then_some(shape))
    }
}

/// The picture an intent names, if it names one; the tables of a restaurant are none.
pub(crate) fn preferred_shape(intent: &str, things: &[Thing<'_>]) -> Option<PreferredShape> {
    let words = split(intent);
    let is_thing = |word: &Word| things.iter().any(|thing| thing.one == singular(word));
    words
        .iter()
        .enumerate()
        .filter(|(_, word)| !is_thing(word))
        .find_map(|(at, word)| {
            Some(match word.as_str() {
                // People may sit at a table, too.
                "table" if !is_drawn(&words, at) => return None,
                "board" if !is_told(&words, at) => PreferredShape::Board,
                "kanban" => PreferredShape::Board,
                "calendar" => PreferredShape::Calendar,
                "view" if is_span(&words, at) => PreferredShape::Calendar,
                "cards" | "dials" | "gauges" | "tiles" => PreferredShape::Cards,
                // "A card for each strain" asks for cards; the card of a library does not.
                "card" if is_of_each(&words, at) => PreferredShape::Cards,
                // "Plot the catches" asks for a chart; a plot of land and a seating chart do not.
                "chart" | "graph" | "plot" if is_verb(intent, &words, at) => PreferredShape::Chart,
                "chart" if is_plotted(&words, at) => PreferredShape::Chart,
                "histogram" | "plotted" => PreferredShape::Chart,
                "line" if is_of_each(&words, at) => PreferredShape::Chart,
                "table" | "spreadsheet" => PreferredShape::Table,
                "chronology" | "timeline" => PreferredShape::Timeline,
                _ => return None,
            })
        })
}

/// Whether a word of an intent is its verb: "Plot the catches", "to plot them".
fn is_verb(intent: &str, words: &[Word], at: usize) -> bool {
    const BEFORE: &[&str] = &["and", "please", "then", "to"];
    let Some(before) = at.checked_sub(1).and_then(|at| words.get(at)) else {
        return true;
    };
    // A word in the middle that begins with a capital begins a sentence.
    let mut written = intent.split_whitespace();
    let begins = written
        .any(|word| word.starts_with(char::is_uppercase) && word.to_lowercase() == words[at]);
    BEFORE.contains(&before.as_str()) || begins
}

/// Whether a chart of an intent is one of numbers: "a line chart", "a chart of the counts".
fn is_plotted(words: &[Word], at: usize) -> bool {
    const KINDS: &[&str] = &["area", "bar", "control", "line", "pie", "qc", "trend"];
    let near = |at: Option<usize>| at.and_then(|at| words.get(at)).map(Word::as_str);
    near(at.checked_sub(1)).is_some_and(|word| {
        KINDS.contains(&word) || (word == "a" && near(Some(at + 1)) == Some("of"))
    })
}

/// Whether a board of an intent is one on which something is announced: "the departure board".
fn is_told(words: &[Word], at: usize) -> bool {
    const TOLD_ON: &[&str] = &[
        "advisory",
        "arrival",
        "arrivals",
        "control",
        "departure",
        "departures",
        "message",
        "notice",
        "score",
    ];
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    before.is_some_and(|word| TOLD_ON.contains(&word.as_str()))
}

/// Whether there is one of it for each record: "a card per strain".
fn is_of_each(words: &[Word], at: usize) -> bool {
    let next = |ahead: usize| words.get(at + ahead).map(|word| word.as_str());
    match next(1) {
        Some("each" | "per") => true,
        Some("for") => matches!(next(2), Some("each" | "every")),
        _ => false,
    }
}

/// Whether a view of an intent is one of a span of days: "a week view".
fn is_span(words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    before.is_some_and(|word| matches!(word.as_str(), "day" | "month" | "week" | "year"))
}

/// Whether a table of an intent is one of rows: "as a table", "a table of", "a comparison table".
fn is_drawn(words: &[Word], at: usize) -> bool {
    const BEFORE: &[&str] = &["as", "in", "into"];
    const KINDS: &[&str] = &[
        "comparison",
        "data",
        "league",
        "price",
        "sortable",
        "summary",
    ];
    let is = |at: Option<usize>, all: &[&str]| {
        at.and_then(|at| words.get(at))
            .is_some_and(|word| all.contains(&word.as_str()))
    };
    let article = is(at.checked_sub(1), &["a", "one", "the"]);
    (article && is(at.checked_sub(2), BEFORE))
        || is(at.checked_sub(1), BEFORE)
        || is(at.checked_sub(1), KINDS)
        || is(Some(at + 1), &["of", "view", "with"])
}

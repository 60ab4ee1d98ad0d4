//! Records that people talk, vote, answer and sit with.

use super::super::super::reading::{
    Deed, Field, Gesture, Kind, Word, any_of, choices, ends_with, fields, is, is_id, is_nullable,
    is_time, key, kind, moment, naming, singular, split, state,
};
use super::shape::Shape;

/// Who says something, what, and when.
pub(crate) fn chat<'a>(
    name: &str,
    columns: &[Field<'a>],
    named: &[&str],
    is_answered: bool,
) -> Option<Shape<'a>> {
    const SPEAKERS: &[&str] = &[
        "author",
        "by",
        "from",
        "participant",
        "person",
        "role",
        "sender",
        "speaker",
        "user",
        "who",
    ];
    let is_said = |field: &&Field<'_>| ends_with(field, &["body", "content", "message", "text"]);
    let text = columns
        .iter()
        .filter(is_said)
        .find(|field| kind(field.schema) == Kind::Text)
        // Messages of several kinds: `{kind: "text", text}` beside `{kind: "photo", url}`.
        .or_else(|| {
            columns
                .iter()
                .filter(is_said)
                .find(|field| holds_text(field))
        })?;
    let speaks = |field: &&Field<'_>| {
        (matches!(kind(field.schema), Kind::Text | Kind::Choice) || is_named(field))
            && split(field.name)
                .iter()
                .any(|word| SPEAKERS.contains(&word.as_str()))
            // What a speaker is called stands elsewhere, if not in a list then in a map.
            && (!ends_with(field, &["id"]) || named.contains(&field.name) || is_talk(name))
    };
    // A name before a role: `senderName` and `senderRole`.
    let mut speakers = columns.iter().filter(speaks);
    // Messages of several kinds may be told apart by who speaks: `assistant`, `customer`.
    let by_kind = || {
        let mut kinds = columns.iter().filter(|field| field.name == "kind");
        kinds.next().filter(|_| is_talk(name))
    };
    // Of several records that a message may name, the one that each does.
    let mut always = columns
        .iter()
        .filter(|field| named.contains(&field.name) && !is_nullable(field.schema));
    let author = speakers
        .clone()
        .find(|field| kind(field.schema) == Kind::Text || is_named(field))
        .or_else(|| speakers.next())
        .or_else(by_kind)
        .or_else(|| always.next().filter(|_| always.next().is_none()))?;
    // What was said was said `at` a moment, or was sent then, whatever else of it has one.
    const SAID_AT: &[&str] = &["created", "posted", "sent", "written"];
    let times = || columns.iter().filter(|field| is_time(field));
    let is_sent = |field: &&Field<'_>| {
        let words = split(field.name);
        words
            .first()
            .is_some_and(|word| SAID_AT.contains(&word.as_str()))
    };
    let said = times()
        .find(|field| field.name == "at")
        .or_else(|| times().find(is_sent));
    let time = said
        .copied()
        .or_else(|| moment(columns))
        .map(|field| field.name);
    (is_talk(name) || (is_answered && time.is_some())).then_some(Shape::Chat {
        author: author.name,
        text: text.name,
        time,
    })
}

/// Whether records are what people say to each other, if a person can say something next.
pub(crate) fn is_conversation(name: &str, columns: &[Field<'_>]) -> bool {
    matches!(chat(name, columns, &[], true), Some(Shape::Chat { .. }))
}

/// Whether a value holds what is said: `{kind, text}`.
fn holds_text(field: &Field<'_>) -> bool {
    let is_text = |inner: &Field<'_>| {
        kind(inner.schema) == Kind::Text && ends_with(inner, &["body", "message", "text"])
    };
    let shapes = any_of(field.schema);
    fields(field.schema).iter().chain(&shapes).any(is_text)
}

/// Whether a value is a person with a name: `{name, role}`.
fn is_named(field: &Field<'_>) -> bool {
    kind(field.schema) == Kind::Record && naming(&fields(field.schema)).is_some()
}

/// Options that an action votes for.
pub(super) fn poll<'a>(
    columns: &[Field<'a>],
    gestures: &[&Gesture<'_>],
    is_counted: bool,
    is_wanted: bool,
) -> Option<Shape<'a>> {
    let votes = gestures.iter().any(|gesture| is_vote(gesture.name));
    let counts = |field: &&Field<'_>| match kind(field.schema) {
        Kind::Number => ends_with(field, &["count", "votes"]),
        // Those who have voted are as many as the votes.
        Kind::Strings => ends_with(field, &["supporters", "voters", "votes"]),
        _ => false,
    };
    let count = columns.iter().find(counts);
    let title = naming(columns).or_else(|| {
        columns
            .iter()
            .find(|field| super::super::super::reading::is_time(field))
            .map(|field| field.name)
    })?;
    let is_vote = votes && (count.is_some() || is_counted || columns.len() <= 3);
    (is_vote || is_wanted).then_some(Shape::Poll {
        title,
        count: count.map(|field| field.name),
    })
}

/// Whether an action votes: `vote`, `castVote`.
pub(crate) fn is_vote(action: &str) -> bool {
    split(action)
        .iter()
        .any(|word| matches!(word.as_str(), "vote" | "ballot"))
}

/// Seats that are free or taken: each with its row, or each in its row.
pub(super) fn seats<'a>(
    name: &str,
    columns: &[Field<'a>],
    gestures: &[&Gesture<'_>],
    named: &[&'a str],
    inner: Option<(&'a str, &[Field<'a>])>,
) -> Option<Shape<'a>> {
    let is_plain =
        |field: &&Field<'_>| matches!(kind(field.schema), Kind::Text | Kind::Number | Kind::Choice);
    let of = |all: &[Field<'a>], words: &[&str]| {
        let mut all = all.iter().filter(is_plain);
        all.find(|field| ends_with(field, words))
            .map(|field| field.name)
    };
    let is_place = |name: &str| {
        split(name)
            .last()
            .is_some_and(|word| PLACES.contains(&singular(word).as_str()))
    };
    let status = |all: &[Field<'a>]| state(all).filter(|field| choices(field.schema).is_some());
    let takes = gestures.iter().any(|gesture| {
        matches!(
            gesture.deed,
            Deed::Several { .. } | Deed::One { .. } | Deed::Ask
        )
    });
    const GIVING: &[&str] = &[
        "assign", "book", "buy", "choose", "connect", "give", "hold", "move", "occupy", "park",
        "pick", "place", "reserve", "seat", "select", "sell", "swap", "take", "toggle",
    ];
    // Boxes in the rows of a vault are let, but nobody takes a seat there.
    let is_given = gestures.iter().any(|gesture| is(gesture.name, GIVING));
    let is_numbered = |field: &&Field<'_>| {
        let words = split(field.name);
        words.len() == 2 && words[0] == "row" && NUMBERS.contains(&words[1].as_str())
    };
    let numbered = || columns.iter().find(is_numbered).map(|field| field.name);
    let row = of(columns, &["row"]).or_else(numbered);
    // Places of a basket stand in its compartments.
    let section = || of(columns, &["compartment", "section"]).filter(|_| is_place(name));
    // The rows may be a list of their own, and each seat names one: `rowId`.
    let in_row = || {
        let mut named = columns.iter().filter(|field| named.contains(&field.name));
        let found = named.find(|field| split(field.name).iter().any(|word| word == "row"));
        found.map(|field| field.name)
    };
    let row = row.or_else(section).or_else(in_row);
    let others = columns.iter().filter(|field| Some(field.name) != row);
    let others: Vec<Field<'a>> = others.copied().collect();
    if let (Some(row), Some(number)) = (row, of(&others, NUMBERS)) {
        let status = status(columns);
        let counts_places = split(number)
            .iter()
            .any(|word| PLACES.contains(&word.as_str()));
        let is_seat =
            is_place(name) || (is_given || counts_places) && status.is_some_and(can_be_free);
        // One that is marked as free or taken says so by yes or no.
        let marked = columns.iter().find(|field| {
            kind(field.schema) == Kind::Boolean
                && ends_with(
                    field,
                    &["available", "booked", "free", "occupied", "sold", "taken"],
                )
        });
        let status = status.or(marked.copied());
        return (is_seat && takes).then_some(Shape::Seats {
            row,
            number,
            status: status.map(|field| field.name),
            seats: None,
        });
    }
    let (seats, own) = inner?;
    let named = || of(columns, &[singular(name).as_str()]);
    let row = of(columns, &["row", "label", "letter", "name", "number"]).or_else(named)?;
    let status = status(own).filter(|field| can_be_free(*field))?;
    is_place(seats).then_some(Shape::Seats {
        row,
        number: of(own, NUMBERS)?,
        status: Some(status.name),
        seats: Some(seats),
    })
}

/// The number and the state of seats that stand in rows without a name.
pub(crate) fn seat_fields<'a>(seat: &[Field<'a>]) -> Option<(&'a str, &'a str)> {
    let number = seat.iter().find(|field| {
        matches!(kind(field.schema), Kind::Text | Kind::Number) && ends_with(field, NUMBERS)
    })?;
    let status = state(seat).filter(|field| can_be_free(*field))?;
    Some((number.name, status.name))
}

/// Whether one of the states of a seat is that it is free.
pub(super) fn can_be_free(field: Field<'_>) -> bool {
    let all = choices(field.schema).unwrap_or_default();
    all.iter().any(|one| one.as_str().is_some_and(is_free))
}

/// Whether a state of a seat says that it is free: with its first word, as the browser reads it.
pub(crate) fn is_free(state: &str) -> bool {
    const FREE: &[&str] = &["available", "empty", "free", "open", "vacant"];
    let words = split(state);
    words
        .first()
        .is_some_and(|word| FREE.contains(&word.as_str()))
}

/// What the places are called that somebody takes.
const PLACES: &[&str] = &[
    "berth", "chair", "desk", "pitch", "place", "seat", "stall", "table",
];

/// What the number of a seat is called.
pub(super) const NUMBERS: &[&str] = &[
    "number", "seat", "col", "column", "label", "no", "letter", "place",
];

/// Columns that hold the cards which an action moves from one to another.
pub(super) fn lanes<'a>(
    name: &str,
    columns: &[Field<'a>],
    inner: Option<(&'a str, &[Field<'a>])>,
    moves: bool,
    is_target: bool,
) -> Option<Shape<'a>> {
    let (cards, own) = inner?;
    let is_lane = split(name).last().is_some_and(|word| {
        matches!(
            word.as_str(),
            "columns" | "lanes" | "lists" | "stages" | "swimlanes"
        )
    });
    ((is_lane && moves) || is_target).then_some(Shape::Lanes {
        title: naming(columns)?,
        cards,
        name: naming(own)?,
    })
}

/// Records that name their parent in the same list, or whom they report to: the first has none.
pub(super) fn nested<'a>(columns: &[Field<'a>], named: &[&str]) -> Option<Shape<'a>> {
    const ABOVE: &[&str] = &["boss", "lead", "manager", "superior", "supervisor"];
    // What another one of the list owns, or belongs to; what comes before or after it is beside it.
    const BESIDE: &[&str] = &[
        "duplicate",
        "linked",
        "next",
        "original",
        "other",
        "predecessor",
        "previous",
        "related",
        "replaced",
        "replaces",
        "reply",
        "successor",
    ];
    // What stands above another one, or comes of it.
    const OVER: &[&str] = &["above", "dam", "mother", "par", "under", "unlocks", "up"];
    let own = key(columns)
        .map(split)
        .filter(|own| own.len() > 1 || !is_id(&own.join("_")));
    let parent = columns.iter().find(|field| {
        let words = split(field.name);
        let is_another = own.as_ref().is_some_and(|own| {
            words.len() > own.len() && words.ends_with(own) && !BESIDE.contains(&words[0].as_str())
        });
        let is_over = matches!(words.as_slice(), [only] if OVER.contains(&only.as_str()));
        if (is_another || is_over) && is_nullable(field.schema) && kind(field.schema) == Kind::Text
        {
            return true;
        }
        // `parent`, `parentId`, and `parentNameId` of names.
        let is_one = words.len() <= 2 || (words.len() == 3 && is_id(field.name));
        // Who leads something may stand in a list of people.
        let is_above = |word: &Word| {
            ABOVE.contains(&word.as_str())
                && is_id(field.name)
                && is_nullable(field.schema)
                && !named.contains(&field.name)
        };
        words
            .first()
            .is_some_and(|word| word == "parent" || is_above(word))
            && is_one
            && kind(field.schema) == Kind::Text
    })?;
    // What has no name of its own is called by its kind: the final of a cup.
    let is_kind = |field: &&Field<'_>| kind(field.schema) == Kind::Choice;
    let title = naming(columns).or_else(|| Some(columns.iter().find(is_kind)?.name))?;
    Some(Shape::Nested {
        title,
        parent: parent.name,
    })
}

/// Whether a list holds what people say to each other.
fn is_talk(name: &str) -> bool {
    split(name).last().is_some_and(|word| {
        matches!(
            word.as_str(),
            "chat" | "conversation" | "messages" | "thread" | "transcript"
        )
    })
}

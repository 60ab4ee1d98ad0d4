//! Which picture suits a list of records.

use super::super::super::reading::{
    Deed, Field, Gesture, Kind, Thing, change, core, ends_with, fields, hints, is, is_image, key,
    kind, moment, naming, patch, shapes_of, split, structure,
};
use super::around::Around;
use super::article::article;
use super::changes::changes;
use super::charts::{chart, plotted};
use super::people::{chat, lanes, nested, poll, seats};
use super::places::{board, calendar, cards, steps};
use super::quiz::quiz;
use super::relaxed::relaxed;
use super::shape::{PreferredShape, Shape};
use super::tasks::tasks;
use super::timeline::{is_entry, timeline};

/// Values beside which a record is still one tile.
const TILE_FIELDS_MAX: usize = 14;

/// Values of a record that is read like a note, with its text among them.
const PROSE_FIELDS_MAX: usize = 5;

/// How sure it is that records are tiles, in hundredths.
const TILES: u8 = 70;

/// Verbs of decisions on what somebody asked for.
const JUDGING: &[&str] = &["accept", "approve", "decline", "deny", "reject"];

/// What the records of a list are shown as, and why.
pub(crate) fn shape<'a>(
    thing: &Thing<'a>,
    around: &Around<'a, '_>,
) -> (Shape<'a>, &'static str, u8) {
    let name = thing.name;
    let columns = thing.fields();
    let hinted = hints(thing.schema).get("component");
    let is_hinted = |component: &str| hinted == Some(component);
    let preferred = hinted.and_then(PreferredShape::named).or(around.preferred);
    if preferred == Some(PreferredShape::Table) {
        return (Shape::Table, "it is asked for", 100);
    }
    // What begins and ends in one shape only happens at a moment in the others.
    let shapes = shapes_of(thing.schema);
    let done = &around.gestures;
    let is_still = done.is_empty();
    // An entry that is struck out has happened all the same.
    let is_event = moment(&columns).is_some_and(|time| is_entry(&columns, &time));
    let is_struck = is_event
        && (split(name).last().is_some_and(|word| word == "events")
            || done
                .iter()
                .all(|gesture| gesture.is_dangerous || gesture.entry.confirm == Some(true)));
    // Who asks for a chronology reads it as one, whatever is done with its entries.
    let is_told = preferred == Some(PreferredShape::Timeline);
    let inner = around
        .inner
        .as_ref()
        .map(|(name, own)| (*name, own.as_slice()));
    let tree = thing.children().and_then(|children| {
        Some(Shape::Tree {
            title: naming(&columns)?,
            children,
        })
    });
    let several = done
        .iter()
        .any(|gesture| matches!(gesture.deed, Deed::Several { .. }));
    // Who decides on requests reads them one by one, whenever they begin.
    let is_judged = done.iter().any(|gesture| is(gesture.name, JUDGING));
    // What is voted for and moved, too, is a board with votes.
    let is_moved = board(&columns, done, around.lane, None).is_some();
    // Who marks several at once compares them in rows, except where the place says it all.
    let found = [
        (
            plotted(&columns, &around.named)
                .filter(|_| preferred == Some(PreferredShape::Chart) && shapes.is_empty()),
            "a plot is asked for",
            97,
        ),
        (steps(name, &columns, is_still), "steps with a state", 96),
        (tree, "records like it inside", 95),
        (
            nested(&columns, &around.named),
            "records name their parent",
            93,
        ),
        (
            chat(name, &columns, &around.named, around.is_answered),
            "who says what",
            92,
        ),
        (
            quiz(&columns, done, around.is_handed_in),
            "questions with their options",
            91,
        ),
        (
            seats(name, &columns, done, &around.named, inner),
            "rows and numbers",
            91,
        ),
        (
            poll(&columns, done, around.is_counted, is_hinted("Poll"))
                .filter(|_| !is_moved || is_hinted("Poll")),
            "an action votes",
            90,
        ),
        (
            lanes(name, &columns, inner, around.moves, around.is_target),
            "columns hold what is moved",
            90,
        ),
        (
            calendar(&columns, done, preferred)
                .filter(|_| shapes.is_empty() && (!is_judged || preferred.is_some())),
            "a beginning and an end",
            86,
        ),
        (
            board(&columns, done, around.lane, preferred),
            "an action changes the state",
            85,
        ),
        (changes(&columns, false), "a text before and after", 84),
        (
            tasks(name, &columns, done, &around.named, is_hinted("Tasks")),
            "each is ticked off",
            83,
        ),
        (
            article(name, &columns, is_hinted("Article")),
            "sections of a text",
            82,
        ),
        (cards(name, &columns, preferred), "each has a picture", 80),
        (
            chart(name, &columns, &around.named).filter(|_| is_still || is_hinted("Chart")),
            "numbers along something",
            78,
        ),
        (
            timeline(name, &columns, &shapes, preferred)
                .filter(|_| is_still || is_struck || is_told || !shapes.is_empty()),
            "what happened when",
            76,
        ),
        (
            tiles(name, &columns, done).filter(|_| !several),
            "there is more to one than a row holds",
            TILES,
        ),
    ];
    let mut best = found
        .into_iter()
        .filter_map(|(shape, because, score)| Some((shape?, because, score)));
    let first = best.next();
    if let Some(hinted) = hinted
        && let Some((shape, ..)) = first
            .iter()
            .cloned()
            .chain(best)
            .find(|(shape, ..)| shape.component() == hinted)
    {
        return (shape, "a hint", 100);
    }
    // How full or how loaded each of several is, against what it can bear, is read one by one.
    if first.is_none()
        && holds_levels(&columns)
        && asks_for_now(around.intent)
        && let Some(shape) = cards(name, &columns, Some(PreferredShape::Cards))
    {
        return (shape, "how full each is", TILES);
    }
    // What says nothing outright is shown as others like it are.
    let is_open = first
        .as_ref()
        .is_none_or(|(shape, _, score)| *score == TILES && shape.component() == "Cards");
    if is_open
        && let Some((component, share)) = around.likely
        && let Some(shape) = relaxed(component, thing, around)
    {
        return (shape, "the words of the contract", share);
    }
    first.unwrap_or((Shape::Table, "records of equal form", 60))
}

/// Whether an intent asks how things are at the moment, and how far that is from where it must not go.
fn asks_for_now(intent: &str) -> bool {
    const NOW: &[&str] = &["against", "dial", "gauge", "live", "moment", "now", "today"];
    split(intent)
        .iter()
        .any(|word| NOW.contains(&word.as_str()))
}

/// Whether records say how full or how loaded each of them is, and how far it may go.
fn holds_levels(columns: &[Field<'_>]) -> bool {
    const LEVELS: &[&str] = &[
        "fill", "gust", "level", "load", "pressure", "reading", "value",
    ];
    const BOUNDS: &[&str] = &["capacity", "limit", "max", "range", "safe", "scale", "warn"];
    let has = |field: &Field<'_>, all: &[&str]| {
        let words = split(field.name);
        words.iter().any(|word| all.contains(&word.as_str()))
    };
    let is_level = |field: &Field<'_>| kind(field.schema) == Kind::Number && has(field, LEVELS);
    let is_bound = |field: &Field<'_>| {
        matches!(kind(field.schema), Kind::Number | Kind::Record) && has(field, BOUNDS)
    };
    columns.iter().any(is_level) && columns.iter().any(is_bound)
}

/// Records of which each is something to look at and to choose.
fn tiles<'a>(name: &str, columns: &[Field<'a>], gestures: &[&Gesture<'_>]) -> Option<Shape<'a>> {
    const LEDGERS: &[&str] = &[
        "backlog",
        "entries",
        "invoices",
        "items",
        "lines",
        "movements",
        "records",
        "rows",
        "submissions",
        "transactions",
    ];
    const PROSE: &[&str] = &[
        "abstract",
        "bio",
        "body",
        "content",
        "description",
        "excerpt",
        "sample",
        "story",
        "summary",
        "text",
    ];
    const CHOOSING: &[&str] = &[
        "add",
        "back",
        "book",
        "buy",
        "choose",
        "join",
        "order",
        "pick",
        "play",
        "rent",
        "request",
        "reserve",
        "select",
        "subscribe",
        "use",
    ];
    const TICKING: &[&str] = &["check", "complete", "confirm", "mark", "tick", "toggle"];
    let last = split(name).pop().unwrap_or_default();
    let is_whole = |field: &&Field<'_>| match kind(field.schema) {
        Kind::Records => true,
        // A name with what belongs to it is one value.
        Kind::Record => {
            structure(field.schema).is_none()
                && naming(&fields(field.schema)).is_none_or(|_| fields(field.schema).len() > 2)
        }
        _ => false,
    };
    let whole = columns.iter().filter(is_whole).count();
    let inner = columns
        .iter()
        .any(|field| kind(field.schema) == Kind::Records);
    let others = columns
        .iter()
        .filter(|field| {
            kind(field.schema) != Kind::Records
                && !super::super::super::reading::is_technical_id(field.name)
        })
        .count();
    let is_chosen = gestures.iter().any(|gesture| {
        matches!(&gesture.deed, Deed::One { fixed, .. } if fixed.values().any(|own| Some(own.as_str()) == key(columns)))
            && is(gesture.name, CHOOSING)
    });
    let title = naming(columns).or_else(|| {
        columns
            .iter()
            .find(|field| {
                kind(field.schema) == Kind::Text && ends_with(field, &["label", "section", "name"])
            })
            .map(|field| field.name)
    })?;
    let image = columns
        .iter()
        .find(|field| is_image(field.name, core(field.schema)))
        .map(|field| field.name);
    let is_changed = change(columns).is_some() || patch(columns).is_some();
    let has_prose = columns.iter().any(|field| {
        kind(field.schema) == Kind::Text && ends_with(field, PROSE) && field.name != title
    });
    // What is ticked off is gone through line by line.
    let is_ticked = gestures.iter().any(|gesture| {
        is(gesture.name, TICKING)
            && columns.iter().any(|field| {
                kind(field.schema) == Kind::Boolean && gesture.replaces(field.name).is_some()
            })
    });
    let fits = is_changed
        || (has_prose && others <= PROSE_FIELDS_MAX)
        || whole >= 2
        || (inner && others <= 4)
        || is_chosen;
    (fits && !is_ticked && columns.len() <= TILE_FIELDS_MAX && !LEDGERS.contains(&last.as_str()))
        .then_some(Shape::Cards { title, image })
}

//! Records that have a place: among steps, on a day, in a column, on a tile.

use serde_json::Value;

use super::super::super::reading::{Field, Kind, choices, core, fields, is_image, is_time, kind};
use super::super::super::reading::{Gesture, is, moment, naming, state};
use super::super::super::reading::{singular, split};
use super::shape::{PreferredShape, Shape};

/// States that still stand side by side as columns.
const BOARD_GROUPS_MAX: usize = 6;

/// States of what comes one after the other: over, going on, waiting, and one that went wrong.
const STATES_IN_TURN_MAX: usize = 4;

/// Values beside the picture or the text of a record; what has more is easier to compare in a table.
const CARD_FIELDS_MAX: usize = 14;

/// Verbs that take a record from one state to another.
const MOVING: &[&str] = &[
    "advance",
    "move",
    "progress",
    "promote",
    "shift",
    "transition",
];

pub(super) fn steps<'a>(name: &str, columns: &[Field<'a>], is_still: bool) -> Option<Shape<'a>> {
    const STEPS: &[&str] = &["milestone", "phase", "stage", "step"];
    let list = split(name).pop().map(|word| singular(&word))?;
    let state = state(columns)?;
    let label = naming(columns)?;
    let time = moment(columns).map(|field| field.name);
    let is_step = columns.iter().any(|field| STEPS.contains(&field.name));
    let is_one_after_another = (is_still || is_step) && is_in_turn(&state);
    (STEPS.contains(&list.as_str()) || is_one_after_another).then_some(Shape::Stepper {
        label,
        status: state.name,
        time,
    })
}

/// Whether records in these states come one after the other: some are over, one goes on, some wait.
fn is_in_turn(state: &Field<'_>) -> bool {
    const OVER: &[&str] = &["complete", "completed", "done", "finished", "passed"];
    const GOING_ON: &[&str] = &["active", "current", "in_progress", "now", "running"];
    const WAITING: &[&str] = &[
        "next", "open", "pending", "planned", "to_come", "upcoming", "waiting",
    ];
    let all = choices(state.schema).unwrap_or_default();
    let has = |words: &[&str]| all.iter().any(|one| words.iter().any(|word| *one == *word));
    all.len() <= STATES_IN_TURN_MAX && has(OVER) && has(GOING_ON) && has(WAITING)
}

pub(super) fn calendar<'a>(
    columns: &[Field<'a>],
    gestures: &[&Gesture<'_>],
    preferred: Option<PreferredShape>,
) -> Option<Shape<'a>> {
    // Where one member is the day, those without a format are times of that day.
    let day = columns.iter().find(|field| {
        core(field.schema).get("format").and_then(Value::as_str) == Some("date")
            && split(field.name)
                .iter()
                .any(|word| matches!(word.as_str(), "date" | "day"))
    });
    let dated = |words: &[&str]| {
        columns.iter().find(|field| {
            let format = core(field.schema).get("format").and_then(Value::as_str);
            let bare = format.is_none()
                && day.is_none()
                && kind(field.schema) == Kind::Text
                && (is_time(field)
                    || matches!(field.name, "start" | "end" | "starts" | "ends" | "begins"));
            (bare || matches!(format, Some("date" | "date-time")))
                && split(field.name)
                    .iter()
                    .any(|word| words.contains(&word.as_str()))
        })
    };
    // Whoever arrives on a day and leaves on one stays between, if that is what is planned here.
    let stays = |word: &str| {
        columns.iter().find(|field| {
            let is_planned = gestures.iter().any(|gesture| {
                let asked = fields(gesture.schema);
                asked.iter().any(|asked| asked.name == field.name)
            });
            let format = core(field.schema).get("format").and_then(Value::as_str);
            matches!(format, Some("date" | "date-time"))
                && split(field.name).iter().any(|own| own == word)
                // Days are stayed; trains arrive and depart at a moment.
                && (is_planned || format == Some("date"))
        })
    };
    let stay = ["arrival", "arrive", "arrives", "checkin"]
        .iter()
        .find_map(|word| stays(word));
    let leave = [
        "checkout",
        "depart",
        "departs",
        "departure",
        "leave",
        "leaves",
    ]
    .iter()
    .find_map(|word| stays(word));
    let start = dated(&["begin", "begins", "from", "opens", "start", "starts", "t0"]).or(stay);
    let end = dated(&["closes", "end", "ends", "t1", "to", "until"]).or(leave);
    // What has no name of its own is called by its kind: a booking for training.
    let is_kind = |field: &&Field<'_>| kind(field.schema) == Kind::Choice;
    let title = naming(columns).or_else(|| Some(columns.iter().find(is_kind)?.name))?;
    match (start, end, preferred) {
        (Some(start), Some(end), _) => Some(Shape::Calendar {
            title,
            start: start.name,
            end: Some(end.name),
        }),
        (_, _, Some(PreferredShape::Calendar)) => Some(Shape::Calendar {
            title,
            start: start.or(day).copied().or_else(|| moment(columns))?.name,
            end: None,
        }),
        _ => None,
    }
}

pub(super) fn board<'a>(
    columns: &[Field<'a>],
    gestures: &[&Gesture<'_>],
    lane: Option<&'a str>,
    preferred: Option<PreferredShape>,
) -> Option<Shape<'a>> {
    if let Some(group) = lane {
        let title = naming(columns)?;
        return Some(Shape::Board { title, group });
    }
    // A choice that is no state by its name is one if an action moves records along it.
    let along = |field: &&Field<'a>| {
        gestures
            .iter()
            .any(|gesture| is(gesture.name, MOVING) && gesture.moves(field.name).is_some())
    };
    let group = state(columns).or_else(|| columns.iter().find(along).copied())?;
    let is_few =
        choices(group.schema).is_some_and(|all| (2..=BOARD_GROUPS_MAX).contains(&all.len()));
    let moves = gestures
        .iter()
        .any(|gesture| gesture.moves(group.name).is_some());
    (is_few && (moves || preferred == Some(PreferredShape::Board))).then_some(Shape::Board {
        title: naming(columns)?,
        group: group.name,
    })
}

pub(super) fn cards<'a>(
    name: &str,
    columns: &[Field<'a>],
    preferred: Option<PreferredShape>,
) -> Option<Shape<'a>> {
    const ALBUMS: &[&str] = &["artwork", "image", "photo", "picture", "screenshot"];
    let is_album = split(name)
        .last()
        .is_some_and(|word| ALBUMS.contains(&singular(word).as_str()));
    let is_address = |field: &&Field<'_>| {
        let format = core(field.schema).get("format").and_then(Value::as_str);
        is_album && matches!(format, Some("uri" | "url"))
    };
    let image = columns
        .iter()
        .find(|field| is_picture(field))
        .or_else(|| columns.iter().find(is_address))
        .map(|field| field.name);
    let fits = columns.len() <= CARD_FIELDS_MAX;
    ((image.is_some() || preferred == Some(PreferredShape::Cards)) && fits).then_some(
        Shape::Cards {
            title: naming(columns)?,
            image,
        },
    )
}

/// A picture, or several of which the first is shown.
fn is_picture(field: &Field<'_>) -> bool {
    let one = super::super::super::reading::items(field.schema);
    match kind(field.schema) {
        Kind::Strings => is_image(&singular(field.name), core(one)),
        // An address with the words for who cannot see it.
        Kind::Record => fields(field.schema).iter().any(|inner| {
            matches!(inner.name, "href" | "src" | "url") && is_image(field.name, core(inner.schema))
        }),
        _ => is_image(field.name, core(field.schema)),
    }
}
